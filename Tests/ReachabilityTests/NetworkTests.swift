import Reachability
import Testing

@Suite("A network folds facts")
struct NetworkTests {
    let link = Link.working(2, "eth0")
    let address = LinkAddress.of(2, "10.0.0.2/24")

    @Test("A fact that says again what is known changes nothing")
    func repetition() {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        #expect(changes(.link(link)))
        #expect(!changes(.link(link)))
        #expect(changes(.address(address)))
        #expect(!changes(.address(address)))
        #expect(changes(.linkGone(index: 2)))
        #expect(!changes(.linkGone(index: 2)))
        #expect(!changes(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24)))
        #expect(network == Network())
    }

    @Test("Routes may always have changed")
    func routes() {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        #expect(changes(.routesMayHaveChanged))
        #expect(changes(.routesMayHaveChanged))
    }

    @Test(
        "A change of a link can change a judgement",
        arguments: [
            { $0.name = "wlan0" }, { $0.administrativelyUp = false }, { $0.carrier = false },
            { $0.operationalState = .dormant }, { $0.infoKind = "veth" }, { $0.controllerIndex = 3 },
            { $0.remoteEndpoint = ip("192.0.2.1") }, { $0.isWireless = true },
        ] as [@Sendable (inout Link) -> Void])
    func linkChanges(change: @Sendable (inout Link) -> Void) {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        _ = network.apply(.link(link))
        var changed = link
        change(&changed)
        #expect(changes(.link(changed)))
        #expect(network.link(2) == changed)
    }

    @Test("Flags of an address matter only as far as they make it usable")
    func addressFlags() {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        #expect(changes(.address(.of(2, "2001:db8::1/64") { $0.isTentative = true })))
        #expect(changes(.address(.of(2, "2001:db8::1/64"))))
        #expect(!changes(.address(.of(2, "2001:db8::1/64") { $0.isDeprecated = true })))
        #expect(network.addresses(of: 2).map(\.isDeprecated) == [true])
        #expect(changes(.address(.of(2, "2001:db8::1/64") { $0.isDuplicate = true })))
    }

    @Test("Beyond the bounds links and addresses are left out, and that is said; what is known stays current")
    func bounds() {
        var network = Network()
        for index in 1...16_384 { _ = network.apply(.link(.working(index, "eth\(index)"))) }
        #expect(!network.isCut)
        let surplus = network.apply(.link(.working(20_000, "late")))
        #expect(!surplus && network.isCut && network.linkCount == 16_384)
        let known = network.apply(.link(.working(7, "renamed")))
        #expect(known && network.link(7)?.name == "renamed")
        _ = network.apply(.linkGone(index: 7))
        let room = network.apply(.link(.working(20_000, "late")))
        #expect(room)

        var crowded = Network()
        for number in 0..<65_536 {
            _ = crowded.apply(.address(.of(2, "10.1.\(number >> 8).\(number & 255)/32")))
        }
        #expect(!crowded.isCut)
        let late = crowded.apply(.address(.of(2, "10.2.0.1/32")))
        #expect(!late && crowded.isCut)
        _ = crowded.apply(.linkGone(index: 2))
        let again = crowded.apply(.address(.of(2, "10.2.0.1/32")))
        #expect(again)
    }

    @Test("A link takes its addresses with it, and nobody else's")
    func goneTakesAddresses() {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        for fact in [Fact.link(link), .address(address), .address(.of(3, "10.0.0.3/24"))] {
            _ = network.apply(fact)
        }
        #expect(changes(.linkGone(index: 2)))
        #expect(network.addresses(of: 2) == [])
        #expect(network.addresses(of: 3).map(\.address) == [ip("10.0.0.3")])
        #expect(network.link(2) == nil)
    }

    @Test("One address with two lengths is two addresses")
    func twoLengths() {
        var network = Network()
        func changes(_ fact: Fact) -> Bool { network.apply(fact) }
        _ = network.apply(.address(.of(2, "10.0.0.2/24")))
        _ = network.apply(.address(.of(2, "10.0.0.2/32")))
        #expect(changes(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24)))
        #expect(network.addresses(of: 2).map(\.prefixLength) == [32])
    }

    @Test("Links, addresses and ports are read in order")
    func order() {
        var network = Network()
        for index in [9, 2, 30, 4] {
            _ = network.apply(
                .link(.working(index, "l\(index)") { $0.controllerIndex = index == 2 ? nil : 2 }))
        }
        for text in ["2001:db8::1/64", "10.0.0.9/24", "10.0.0.1/24", "fe80::1/64"] {
            _ = network.apply(.address(.of(2, text)))
        }
        #expect(network.links.map(\.index) == [2, 4, 9, 30])
        #expect(network.ports(of: 2).map(\.index) == [4, 9, 30])
        #expect(
            network.addresses(of: 2).map(\.address.description)
                == ["10.0.0.1", "10.0.0.9", "2001:db8::1", "fe80::1"])
    }

    @Test("A port that moves or leaves is no longer one of its old controller")
    func movingPort() {
        var network = Network()
        _ = network.apply(.link(.working(3, "v0") { $0.controllerIndex = 10 }))
        _ = network.apply(.link(.working(3, "v0") { $0.controllerIndex = 11 }))
        #expect(network.ports(of: 10) == [])
        #expect(network.ports(of: 11).map(\.index) == [3])
        _ = network.apply(.link(.working(3, "v0")))
        #expect(network.ports(of: 11) == [])
    }

    @Test("The order of facts about different things does not matter")
    func orderOfFacts() {
        let facts = [Fact.link(link), .address(address), .link(.working(3, "v0") { $0.controllerIndex = 2 })]
        var forward = Network()
        var backward = Network()
        for fact in facts { _ = forward.apply(fact) }
        for fact in facts.reversed() { _ = backward.apply(fact) }
        #expect(forward == backward)
    }

    @Test(
        "An address is usable or not",
        arguments: [
            (LinkAddress.of(2, "10.0.0.2/24"), true),
            (.of(2, "2001:db8::1/64"), true),
            (.of(2, "fd00::1/64"), true),
            (.of(2, "10.0.0.2/24") { $0.isDeprecated = true }, true),
            (.of(2, "2001:db8::1/64") { $0.isTentative = true }, false),
            (.of(2, "2001:db8::1/64") { ($0.isTentative, $0.isOptimistic) = (true, true) }, true),
            (.of(2, "2001:db8::1/64") { ($0.isTentative, $0.isDuplicate) = (true, true) }, false),
            (.of(2, "2001:db8::1/64") { ($0.isOptimistic, $0.isDuplicate) = (true, true) }, false),
            (.of(2, "169.254.1.1/16"), false), (.of(2, "fe80::1/64"), false), (.of(2, "127.0.0.1/8"), false),
            (.of(2, "::1/128"), false), (.of(2, "0.0.0.0/0"), false), (.of(2, "224.0.0.1/4"), false),
        ])
    func usable(address: LinkAddress, usable: Bool) {
        #expect(address.isUsable == usable)
    }

    @Test("Operational states have the names of ip link")
    func stateNames() {
        #expect(
            OperationalState.allCases.map(\.name)
                == ["UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP"])
        #expect(OperationalState.allCases.allSatisfy { OperationalState(name: $0.name) == $0 })
        #expect(OperationalState(name: "up") == nil)
    }
}
