import Reachability
import Testing

/// A link and the kind that its own evidence gives it.
struct KindCase: Sendable, CustomTestStringConvertible {
    var link: Link
    var kind: LinkKind
    var evidence: String

    init(_ name: String, _ kind: LinkKind, _ evidence: String, _ change: (inout Link) -> Void = { _ in }) {
        link = .working(2, name, change)
        self.kind = kind
        self.evidence = evidence
    }

    var testDescription: String { "\(link.name) is \(kind) by \(evidence)" }
}

@Suite("Link kinds by the first evidence that speaks")
struct LinkKindTests {
    /// A link for which everything speaks at once, each for another kind.
    static let loud = Link.working(2, "wg0", hardwareType: HardwareType.loopback) { link in
        link.isWireless = true
        link.deviceType = "wwan"
        link.infoKind = "bridge"
        link.hasLinkLayerAddress = false
    }

    @Test("Evidence is heard in the contract's order")
    func order() {
        var link = Self.loud
        var network = Network()
        func classify(_ rules: [LinkRule] = []) -> String {
            let classification = network.classify(link, rules: rules)
            return "\(classification.kind): \(classification.evidence)"
        }
        #expect(classify([LinkRule(pattern: "wg*", kind: .ethernet)]) == "ethernet: configuration")
        #expect(classify([LinkRule(pattern: "wg*", metered: true)]) == "wifi: nl80211")
        link.isWireless = false
        #expect(classify() == "cellular: DEVTYPE wwan")
        link.deviceType = "bridge"
        #expect(classify() == "loopback: ARPHRD 772")
        link.hardwareType = HardwareType.ethernet
        #expect(classify() == "bridge: kind bridge")
        _ = network.apply(.link(.working(3, "wlan0") { $0.controllerIndex = 2 }))
        #expect(classify() == "wifi: below wlan0")
        link.infoKind = "tun"
        #expect(classify() == "tunnel: name wg*")
        link.name = "vpn"
        #expect(classify() == "tunnel: no link-layer address")
        link.hasLinkLayerAddress = true
        #expect(classify() == "ethernet: default")
    }

    static let hardware: [KindCase] = [
        KindCase("x", .wifi, "DEVTYPE wlan") { $0.deviceType = "wlan" },
        KindCase("eth0", .cellular, "DEVTYPE wwan") { $0.deviceType = "wwan" },
        KindCase("eth0", .cellular, "DEVTYPE ppp") { $0.deviceType = "ppp" },
        KindCase("eth0", .ethernet, "name eth*") { $0.deviceType = "vlan" },
        KindCase("eth0", .cellular, "ARPHRD 512") { $0.hardwareType = HardwareType.pointToPoint },
        KindCase("eth0", .cellular, "ARPHRD 519") { $0.hardwareType = HardwareType.rawIP },
        KindCase("eth0", .loopback, "ARPHRD 772") { $0.hardwareType = HardwareType.loopback },
    ]

    static let names: [KindCase] = [
        KindCase("wlp2s0", .wifi, "name wl*"), KindCase("wwan0", .cellular, "name ww*"),
        KindCase("rmnet_data0", .cellular, "name rmnet*"), KindCase("ccmni1", .cellular, "name ccmni*"),
        KindCase("ppp0", .cellular, "name ppp*"), KindCase("tun0", .tunnel, "name tun*"),
        KindCase("wg0", .tunnel, "name wg*"), KindCase("enp3s0", .ethernet, "name en*"),
        KindCase("eth0", .ethernet, "name eth*"), KindCase("usb0", .ethernet, "default"),
        KindCase("e0", .ethernet, "default"), KindCase("w0", .ethernet, "default"),
    ]

    static let neutral: [KindCase] = [
        KindCase("veth0", .ethernet, "default") { $0.infoKind = "veth" },
        KindCase("wl0", .wifi, "name wl*") { $0.infoKind = "veth" },
        KindCase("wl0", .wifi, "name wl*") { $0.infoKind = "tun" },
        KindCase("tap0", .ethernet, "default") { $0.infoKind = "tun" },
        KindCase("ww0", .cellular, "name ww*") { $0 = .tun(2, "ww0") },
        KindCase("vpn", .tunnel, "no link-layer address") { $0 = .tun(2, "vpn") },
        KindCase("dummy0", .ethernet, "default") { $0.infoKind = "dummy" },
        KindCase("can0", .ethernet, "default") { link in
            link.hardwareType = 280
            link.hasLinkLayerAddress = false
        },
    ]

    static let tunnels = [
        "wireguard", "ipip", "ip6tnl", "sit", "gre", "ip6gre", "gretap", "ip6gretap", "vti", "vti6", "xfrm",
    ].map { (kind: String) in
        KindCase("eth0", .tunnel, "kind \(kind)") { $0.infoKind = kind }
    }

    @Test("A link that stands alone", arguments: hardware + names + neutral + tunnels)
    func alone(row: KindCase) {
        let expected = Classification(kind: row.kind, evidence: row.evidence, speaker: 2)
        #expect(Network().classify(row.link, rules: []) == expected)
    }
}
