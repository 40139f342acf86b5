/// What a link says of its own kind, without a look at other links.
enum LinkEvidence {
    /// A kind, and the words for what spoke.
    typealias Finding = (kind: LinkKind, evidence: String)

    /// Evidence that outranks `IFLA_INFO_KIND`: nl80211, then DEVTYPE, then the hardware type.
    static func ofHardware(_ link: Link) -> Finding? {
        if link.isWireless { return (.wifi, "nl80211") }
        if let type = link.deviceType, let kind = kindByDeviceType[type] { return (kind, "DEVTYPE \(type)") }
        if let kind = kindByHardwareType[link.hardwareType] { return (kind, "ARPHRD \(link.hardwareType)") }
        return nil
    }

    /// Evidence of a virtual link that is a tunnel by its `IFLA_INFO_KIND`.
    static func ofTunnelKind(_ link: Link) -> Finding? {
        guard let kind = link.infoKind, tunnelKinds.contains(kind) else { return nil }
        return (.tunnel, "kind \(kind)")
    }

    /// The last resort: the name, then whether there is a link layer at all.
    static func ofName(_ link: Link) -> Finding {
        for (prefix, kind) in kindByNamePrefix where link.name.hasPrefix(prefix) {
            return (kind, "name \(prefix)*")
        }
        let isTunDevice = link.infoKind == "tun" || link.hardwareType == HardwareType.none
        return isTunDevice && !link.hasLinkLayerAddress
            ? (.tunnel, "no link-layer address") : (.ethernet, "default")
    }

    /// Only these device types speak; `bridge`, `vlan` and the rest say no more than `IFLA_INFO_KIND`.
    private static let kindByDeviceType: [String: LinkKind] = [
        "wlan": .wifi, "wwan": .cellular, "ppp": .cellular,
    ]

    private static let kindByHardwareType: [UInt16: LinkKind] = [
        HardwareType.loopback: .loopback,
        HardwareType.pointToPoint: .cellular,
        HardwareType.rawIP: .cellular,
    ]

    /// The kinds of `ip link add type …` that wrap packets into packets of another network.
    private static let tunnelKinds: Set<String> = [
        "wireguard", "ipip", "ip6tnl", "sit", "gre", "ip6gre", "gretap", "ip6gretap", "vti", "vti6", "xfrm",
    ]

    /// How names are predictable: udev's schemes, and what drivers of modems and VPN programs choose.
    private static let kindByNamePrefix: [(prefix: String, kind: LinkKind)] = [
        ("wl", .wifi),
        ("ww", .cellular), ("rmnet", .cellular), ("ccmni", .cellular), ("ppp", .cellular),
        ("tun", .tunnel), ("wg", .tunnel),
        ("en", .ethernet), ("eth", .ethernet),
    ]
}
