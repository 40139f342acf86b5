import Reachability
import Testing

/// One network with one change to it, and what the rule says then.
struct PathCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout World) -> Void
    var expected: Judgement

    init(_ description: String, _ expected: Judgement, _ change: @escaping @Sendable (inout World) -> Void) {
        testDescription = description
        self.expected = expected
        self.change = change
    }
}

extension Judgement {
    /// A usable IPv4 path over the one link of the tests.
    static func usable(_ status: Transport, _ name: String, expensive: Bool = false) -> Judgement {
        Judgement(
            status: status, expensive: expensive, ipv4: true, interface: name, interfaceIndex: 2,
            reason: .usable)
    }

    /// A path over the one link of the tests that must first be brought up.
    static func pending(_ status: Transport, _ name: String, _ reason: Reason) -> Judgement {
        Judgement(
            status: status, connectionRequired: true, expensive: status == .cellular, interface: name,
            interfaceIndex: 2, reason: reason)
    }
}

@Suite("The rule for one path")
struct PathRuleTests {
    /// A link of this name as index 2, with an address and the default route.
    static func world(_ name: String) -> World {
        var world = World()
        world.add(.working(2, name), "10.0.0.2/24")
        world.route("0.0.0.0/0", 2)
        return world
    }

    static let route: [PathCase] = [
        PathCase("all is well", .usable(.ethernet, "eth0")) { _ in },
        PathCase("no route", Judgement(reason: .noRoute)) { $0.unroute("0.0.0.0/0", 2) },
        PathCase("a route elsewhere", Judgement(reason: .noRoute)) { world in
            world.unroute("0.0.0.0/0", 2)
            world.route("10.0.0.0/8", 2)
        },
        PathCase("a reject route is preferred", Judgement(reason: .rejectRoute)) {
            $0.route("1.0.0.0/8", nil)
        },
        PathCase("a local address", Judgement(reason: .rejectRoute)) { world in
            world.routes.rules[RouteQuery(destination: ip("1.1.1.1"))] = .loopback
        },
        PathCase("a route over lo", Judgement(reason: .rejectRoute)) { $0.route("1.1.1.1", 1) },
        PathCase("a route over lo, which is configured as Ethernet", Judgement(reason: .rejectRoute)) {
            world in
            world.route("1.1.1.1", 1)
            world.settings.linkRules = [LinkRule(pattern: "*", kind: .ethernet)]
        },
        PathCase("a route to a link not known yet", Judgement(reason: .linkDown)) { $0.route("1.1.1.1", 77) },
        PathCase("the link is gone", Judgement(reason: .noLink)) {
            _ = $0.network.apply(.linkGone(index: 2))
        },
        PathCase("nothing to look up", Judgement(reason: .noRoute)) { $0.settings.lookupAddresses = [] },
    ]

    static let link: [PathCase] = [
        PathCase("down", Judgement(reason: .linkDown)) { $0.change(2) { $0.administrativelyUp = false } },
        PathCase("no carrier", Judgement(reason: .noCarrier)) { $0.change(2) { $0.carrier = false } },
        PathCase("dormant without carrier", Judgement(reason: .noCarrier)) { world in
            world.change(2) { ($0.carrier, $0.operationalState) = (false, .dormant) }
        },
        PathCase("no carrier, and a second route behind it", Judgement(reason: .noCarrier)) { world in
            world.change(2) { $0.carrier = false }
            world.add(.working(3, "eth1"), "10.0.1.2/24")
            world.route("0.0.0.0/0", 3, metric: 100)
        },
        PathCase("no address", Judgement(reason: .noAddress)) { world in
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
        },
        PathCase("only a link-local address", Judgement(reason: .noAddress)) { world in
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
            _ = world.network.apply(.address(.of(2, "169.254.7.7/16")))
        },
        PathCase("an address of the other family only", Judgement(reason: .noAddress)) { world in
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
            _ = world.network.apply(.address(.of(2, "2001:db8::2/64")))
        },
        PathCase("a duplicate address", Judgement(reason: .noAddress)) { world in
            _ = world.network.apply(.address(.of(2, "10.0.0.2/24") { $0.isDuplicate = true }))
        },
        PathCase("a tentative address", Judgement(reason: .addressTentative)) { world in
            _ = world.network.apply(.address(.of(2, "10.0.0.2/24") { $0.isTentative = true }))
        },
        PathCase("a tentative and a ready address", .usable(.ethernet, "eth0")) { world in
            _ = world.network.apply(.address(.of(2, "10.0.0.3/24") { $0.isTentative = true }))
        },
        PathCase("dormant", .pending(.none, "eth0", .dormant)) {
            $0.change(2) { $0.operationalState = .dormant }
        },
        PathCase("dormant without an address", Judgement(reason: .noAddress)) { world in
            world.change(2) { $0.operationalState = .dormant }
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
        },
        PathCase("metered", .usable(.ethernet, "eth0", expensive: true)) { world in
            world.settings.linkRules = [LinkRule(pattern: "eth*", metered: true)]
        },
    ]

    @Test("Ethernet", arguments: route + link)
    func overEthernet(row: PathCase) {
        var world = Self.world("eth0")
        row.change(&world)
        #expect(world.judge() == row.expected)
    }

    static let onDemand = LinkRule(pattern: "*", onDemand: true)

    static let cellular: [PathCase] = [
        PathCase("connected", .usable(.cellular, "wwan0", expensive: true)) { _ in },
        PathCase("dormant", .pending(.cellular, "wwan0", .dormant)) { world in
            world.change(2) { $0.operationalState = .dormant }
        },
        PathCase("on demand, not up yet", .pending(.cellular, "wwan0", .onDemand)) { world in
            world.settings.linkRules = [onDemand]
            world.change(2) { ($0.carrier, $0.operationalState) = (false, .down) }
        },
        PathCase("on demand, up", .usable(.cellular, "wwan0", expensive: true)) { world in
            world.settings.linkRules = [onDemand]
        },
        PathCase("on demand, administratively down", Judgement(reason: .linkDown)) { world in
            world.settings.linkRules = [onDemand]
            world.change(2) { ($0.administrativelyUp, $0.carrier) = (false, false) }
        },
        PathCase("on demand, no address", Judgement(reason: .noAddress)) { world in
            world.settings.linkRules = [onDemand]
            world.change(2) { $0.carrier = false }
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
        },
        PathCase("not on demand, no carrier", Judgement(reason: .noCarrier)) {
            $0.change(2) { $0.carrier = false }
        },
    ]

    @Test("Cellular", arguments: cellular)
    func overCellular(row: PathCase) {
        var world = Self.world("wwan0")
        row.change(&world)
        #expect(world.judge() == row.expected)
    }

    @Test(
        "The kind of the link is the status",
        arguments: [
            ("eth0", nil, .usable(.ethernet, "eth0")),
            ("wlan0", nil, .usable(.wifi, "wlan0")),
            ("wwan0", nil, .usable(.cellular, "wwan0", expensive: true)),
            ("x0", .other, .usable(.other, "x0")),
            ("x0", .bridge, .usable(.other, "x0")),
            ("usb0", .cellular, .usable(.cellular, "usb0", expensive: true)),
        ] as [(String, LinkKind?, Judgement)])
    func status(name: String, kind: LinkKind?, expected: Judgement) {
        var world = Self.world(name)
        world.settings.linkRules = [LinkRule(pattern: name, kind: kind)]
        #expect(world.judge() == expected)
    }

    @Test("On demand makes no status of a link that is not cellular", arguments: ["eth0", "wlan0", "br-x"])
    func onDemandOther(name: String) {
        var world = Self.world(name)
        world.settings.linkRules = [Self.onDemand]
        world.change(2) { $0.carrier = false }
        #expect(world.judge() == .pending(.none, name, .onDemand))
    }

    @Test(
        "Carrier counts where the operational state allows it",
        arguments: [
            (.unknown, .usable), (.up, .usable), (.dormant, .dormant), (.down, .noCarrier),
            (.lowerLayerDown, .noCarrier), (.notPresent, .noCarrier), (.testing, .noCarrier),
        ] as [(OperationalState, Reason)])
    func operationalState(state: OperationalState, reason: Reason) {
        var world = Self.world("eth0")
        world.change(2) { $0.operationalState = state }
        #expect(world.judge().reason == reason)
    }

    @Test("Only loopback is no link; nothing at all is none either")
    func onlyLoopback() {
        var world = World()
        #expect(world.judge() == Judgement(reason: .noLink))
        _ = world.network.apply(.linkGone(index: 1))
        #expect(world.judge() == Judgement(reason: .noLink))
        world.add(Link(index: 2, name: "eth0"))
        #expect(world.judge() == Judgement(reason: .noRoute))
    }

    @Test("A path without tunnels costs one lookup for each address")
    func lookups() {
        var world = Self.world("eth0")
        for index in 100..<200 { world.add(.working(index, "v\(index)"), "10.1.0.\(index)/32") }
        _ = world.judge()
        #expect(
            world.routes.asked
                == ReachabilitySettings.defaultLookupAddresses.map { RouteQuery(destination: $0) })
    }

    @Test("A route that ends at a VRF goes on by the VRF's own table")
    func vrf() {
        var world = World()
        world.add(.working(2, "eth0") { $0.controllerIndex = 3 }, "10.0.0.2/24")
        world.add(.working(3, "red") { $0.infoKind = "vrf" })
        world.route("0.0.0.0/0", 3)
        let own = RouteQuery(destination: ip("1.1.1.1"), outputLink: 3)
        world.routes.rules[own] = .unicast(link: 2, metric: 0)
        #expect(world.judge().interface == "eth0")
        world.routes.rules[own] = .rejected
        #expect(world.judge() == Judgement(reason: .rejectRoute))
        world.routes.rules[own] = .unroutable
        #expect(world.judge() == Judgement(reason: .noRoute))
        world.change(3) { $0.administrativelyUp = false }
        #expect(world.judge() == Judgement(reason: .linkDown))
    }
}
