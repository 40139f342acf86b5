import Reachability
import Testing

/// Links over links; link 10 is the one in question.
struct StackCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var links: [Link]
    var kind: LinkKind
    var evidence: String

    init(_ description: String, _ kind: LinkKind, _ evidence: String, _ links: [Link]) {
        testDescription = description
        self.kind = kind
        self.evidence = evidence
        self.links = links
    }
}

/// A link of some `IFLA_INFO_KIND`, a port of one link or over another.
private func link(_ index: Int, _ name: String, _ kind: String? = nil, port: Int? = nil, over: Int? = nil)
    -> Link
{
    .working(index, name) { link in
        link.infoKind = kind
        link.controllerIndex = port
        link.lowerIndex = over
    }
}

@Suite("Kinds of links over links")
struct StackedLinkTests {
    static let ports: [StackCase] = [
        StackCase("a bridge without ports", .bridge, "kind bridge", [link(10, "br0", "bridge")]),
        StackCase("a bridge without ports, by any name", .bridge, "kind bridge", [link(10, "wl0", "bridge")]),
        StackCase("a bond without ports", .ethernet, "default", [link(10, "bond0", "bond")]),
        StackCase(
            "a bridge of veths", .ethernet, "below v1",
            [link(10, "br0", "bridge"), link(12, "v2", "veth", port: 10), link(11, "v1", "veth", port: 10)]),
        StackCase(
            "a bond of Ethernet", .ethernet, "below eth0",
            [link(10, "bond0", "bond"), link(3, "eth1", port: 10), link(2, "eth0", port: 10)]),
        StackCase(
            "a team of Wi-Fi", .wifi, "below wlan0", [link(10, "team0", "team"), link(2, "wlan0", port: 10)]),
        StackCase(
            "a bridge whose ports disagree", .other, "below eth0, wlan0",
            [
                link(10, "br0", "bridge"), link(2, "eth0", port: 10), link(3, "wlan0", port: 10),
                link(4, "eth1", port: 10),
            ]),
        StackCase(
            "ports of other controllers do not count", .wifi, "below wlan0",
            [link(10, "br0", "bridge"), link(2, "wlan0", port: 10), link(3, "eth0", port: 11)]),
    ]

    static let lowers: [StackCase] = [
        StackCase(
            "a VLAN over Wi-Fi", .wifi, "below wlan0", [link(10, "v.5", "vlan", over: 2), link(2, "wlan0")]),
        StackCase(
            "a macvlan", .cellular, "below wwan0", [link(10, "m", "macvlan", over: 2), link(2, "wwan0")]),
        StackCase(
            "an ipvlan", .cellular, "below wwan0", [link(10, "i", "ipvlan", over: 2), link(2, "wwan0")]),
        StackCase("a macvlan over another namespace", .ethernet, "name eth*", [link(10, "eth0", "macvlan")]),
        StackCase(
            "a VLAN over a link not known yet", .ethernet, "default", [link(10, "v.5", "vlan", over: 2)]),
        StackCase(
            "the lower link of a veth is its peer", .ethernet, "default",
            [
                link(10, "v0", "veth", over: 2), link(2, "wlan0"),
            ]),
        StackCase(
            "a VLAN over a bridge without ports", .bridge, "below br0",
            [
                link(10, "v.5", "vlan", over: 2), link(2, "br0", "bridge"),
            ]),
    ]

    static let nested: [StackCase] = [
        StackCase(
            "a VLAN over a bridge over a bond", .ethernet, "below eth0",
            [
                link(10, "v.5", "vlan", over: 11), link(11, "br0", "bridge"),
                link(12, "bond0", "bond", port: 11),
                link(2, "eth0", port: 12), link(3, "eth1", port: 12),
            ]),
        StackCase(
            "disagreement deep below", .other, "below eth0, wlan0",
            [
                link(10, "br0", "bridge"), link(2, "eth0", port: 10), link(12, "bond0", "bond", port: 10),
                link(3, "wlan0", port: 12), link(4, "eth1", port: 12),
            ]),
        StackCase(
            "two VLANs over one link agree", .ethernet, "below eth0",
            [
                link(10, "br0", "bridge"), link(11, "a", "vlan", port: 10, over: 2),
                link(12, "b", "vlan", port: 10, over: 2),
                link(2, "eth0"),
            ]),
        StackCase(
            "a circle of two", .other, "circle below",
            [
                link(10, "a", "vlan", over: 11), link(11, "b", "vlan", over: 10),
            ]),
        StackCase("a link over itself", .other, "circle below", [link(10, "a", "vlan", over: 10)]),
        StackCase(
            "a circle with a link that speaks", .wifi, "below wlan0",
            [
                link(10, "br0", "bridge"), link(11, "br1", "bridge", port: 10),
                link(12, "v", "vlan", port: 11, over: 10),
                link(2, "wlan0", port: 11),
            ]),
    ]

    @Test("The kind of the links below", arguments: ports + lowers + nested)
    func below(row: StackCase) {
        var network = Network()
        for link in row.links { _ = network.apply(.link(link)) }
        let top = network.link(10).map { network.classify($0, rules: []) }
        #expect(top?.kind == row.kind)
        #expect(top?.evidence == row.evidence)
    }

    @Test("What a rule says of a link below is heard above it")
    func ruleBelow() {
        var network = Network()
        _ = network.apply(.link(link(2, "usb0", port: 10)))
        let rules = [LinkRule(pattern: "usb*", kind: .cellular)]
        #expect(network.classify(link(10, "br0", "bridge"), rules: rules).kind == .cellular)
    }

    @Test("A bridge and its 5,000 ports are classified in reasonable time")
    func manyPorts() {
        var network = Network()
        _ = network.apply(.link(link(10, "br0", "bridge")))
        for index in 100..<5100 { _ = network.apply(.link(link(index, "v\(index)", "veth", port: 10))) }
        let kinds = network.links.map { network.classify($0, rules: []).kind }
        #expect(kinds.count == 5001)
        #expect(kinds.allSatisfy { $0 == .ethernet })
    }
}
