internal import LinuxSupport
internal import Reachability

/// The DEVTYPE that a driver gives to its link, from the link's uevent file in sysfs.
///
/// netlink does not carry it, so each link's file is read once, and again after a change of name.
struct DeviceTypes {
    private var known: [Int: (name: String, deviceType: String?)] = [:]

    /// Adds the DEVTYPE to a fact about a link; other facts stay as they are.
    mutating func complete(_ fact: Fact) -> Fact {
        switch fact {
        case .link(var link):
            if known[link.index]?.name != link.name {
                let found = Self.read(name: link.name, index: link.index, infoKind: link.infoKind)
                known[link.index] = (link.name, found)
            }
            link.deviceType = known[link.index]?.deviceType
            return .link(link)
        case .linkGone(let index):
            known[index] = nil
            return fact
        case .address, .addressGone, .routesMayHaveChanged:
            return fact
        }
    }

    /// Kinds that the kernel makes itself and that never carry a DEVTYPE of interest; a storm of them (a
    /// container host) would otherwise cost a file read each.
    private static let silentKinds: Set<String> = [
        "veth", "bridge", "bond", "team", "vlan", "macvlan", "ipvlan", "dummy", "tun", "wireguard", "vrf",
        "gre",
        "sit", "ipip", "vxlan",
    ]

    /// Reads the DEVTYPE of a link.
    ///
    /// sysfs shows the network namespace it was mounted in, which need not be ours: a file of another
    /// index is another link.
    private static func read(name: String, index: Int, infoKind: String?) -> String? {
        if let infoKind, silentKinds.contains(infoKind) { return nil }
        guard
            let content = try? TextFile.read(
                "/sys/class/net/\(name)/uevent", maximum: Limits.ueventBytesMax)
        else { return nil }
        var deviceType: String?
        var foundIndex: Int?
        for line in content.split(separator: UInt8(ascii: "\n")) {
            guard let text = String(validating: line, as: UTF8.self) else { continue }
            if text.hasPrefix("DEVTYPE=") { deviceType = String(text.dropFirst("DEVTYPE=".count)) }
            if text.hasPrefix("IFINDEX=") { foundIndex = Int(text.dropFirst("IFINDEX=".count)) }
        }
        return foundIndex == index ? deviceType : nil
    }
}
