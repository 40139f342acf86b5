import Reachability
import Testing

@Suite("Through a tunnel the path is the path of the link under it")
struct TunnelRuleTests {
    /// How a tunnel is tied to the link under it.
    enum Tie: CaseIterable, Sendable {
        /// `IFLA_LINK`.
        case lowerLink
        /// The route to the far end.
        case farEnd
        /// Neither is known, and the default of the link under it stands behind the tunnel's routes.
        case matchingRoute
        /// The far end is known, but policy rules send a lookup without the tunnel's mark into the tunnel.
        case farEndBehindRules
    }

    /// A tunnel (3) that takes all traffic, over a link of the given name (2).
    static func world(_ name: String, _ tie: Tie) -> World {
        var world = World()
        world.add(.working(2, name), "10.0.0.2/24")
        world.add(.tun(3, "tun0"), "10.8.0.2/24")
        world.route("0.0.0.0/1", 3)
        world.route("128.0.0.0/1", 3)
        switch tie {
        case .lowerLink: world.change(3) { $0.lowerIndex = 2 }
        case .farEnd:
            world.change(3) { $0.remoteEndpoint = ip("203.0.113.9") }
            world.route("203.0.113.9", 2)
        case .matchingRoute: world.route("0.0.0.0/0", 2)
        case .farEndBehindRules:
            world.change(3) { $0.remoteEndpoint = ip("203.0.113.9") }
            world.route("0.0.0.0/0", 2)
        }
        return world
    }

    @Test("Its status is that of the link under it, however that is found", arguments: Tie.allCases)
    func found(tie: Tie) {
        var ethernet = Self.world("eth0", tie)
        var cellular = Self.world("wwan0", tie)
        let overEthernet = Judgement(
            status: .ethernet, ipv4: true, interface: "eth0", interfaceIndex: 2, tunnel: "tun0",
            reason: .usable)
        let overCellular = Judgement(
            status: .cellular, expensive: true, ipv4: true, interface: "wwan0", interfaceIndex: 2,
            tunnel: "tun0",
            reason: .usable)
        #expect(ethernet.judge() == overEthernet)
        #expect(cellular.judge() == overCellular)
    }

    static let faults: [PathCase] = [
        PathCase("no carrier under it", Judgement(reason: .uplinkDown)) {
            $0.change(2) { $0.carrier = false }
        },
        PathCase("the link under it is down", Judgement(reason: .uplinkDown)) { world in
            world.change(2) { $0.administrativelyUp = false }
        },
        PathCase("the link under it is down and has lost its routes", Judgement(reason: .uplinkDown)) {
            world in
            world.change(2) { $0.administrativelyUp = false }
            for text in ["0.0.0.0/0", "203.0.113.9"] { world.unroute(text, 2) }
        },
        PathCase("no address under it", Judgement(reason: .uplinkDown)) { world in
            _ = world.network.apply(.addressGone(linkIndex: 2, address: ip("10.0.0.2"), prefixLength: 24))
        },
        PathCase("the tunnel is down", Judgement(reason: .linkDown)) { world in
            world.change(3) { $0.administrativelyUp = false }
        },
        PathCase("the tunnel has no carrier", Judgement(reason: .noCarrier)) {
            $0.change(3) { $0.carrier = false }
        },
        PathCase("the tunnel has no address", Judgement(reason: .noAddress)) { world in
            _ = world.network.apply(.addressGone(linkIndex: 3, address: ip("10.8.0.2"), prefixLength: 24))
        },
        PathCase("neither has: the uplink is checked first", Judgement(reason: .uplinkDown)) { world in
            world.change(2) { $0.carrier = false }
            _ = world.network.apply(.addressGone(linkIndex: 3, address: ip("10.8.0.2"), prefixLength: 24))
        },
        PathCase("the tunnel's address is tentative", Judgement(reason: .addressTentative)) { world in
            _ = world.network.apply(.address(.of(3, "10.8.0.2/24") { $0.isTentative = true }))
        },
        PathCase("the tunnel has no address over a dormant link", Judgement(reason: .noAddress)) { world in
            world.change(2) { $0.operationalState = .dormant }
            _ = world.network.apply(.addressGone(linkIndex: 3, address: ip("10.8.0.2"), prefixLength: 24))
        },
    ]

    @Test("A dead uplink reaches nothing, nor does a dead tunnel", arguments: Tie.allCases, faults)
    func fault(tie: Tie, row: PathCase) {
        var world = Self.world("wwan0", tie)
        row.change(&world)
        #expect(world.judge() == row.expected)
    }

    @Test("A dormant uplink must first be brought up", arguments: Tie.allCases)
    func dormantUplink(tie: Tie) {
        for (name, status) in [("wwan0", Transport.cellular), ("eth0", .none)] {
            var world = Self.world(name, tie)
            world.change(2) { $0.operationalState = .dormant }
            let judgement = world.judge()
            #expect(judgement.status == status)
            #expect(judgement.connectionRequired)
            #expect(judgement.reason == .dormant)
            #expect(judgement.interface == name)
            #expect(judgement.tunnel == "tun0")
        }
    }

    @Test("A dormant tunnel is a pending login, over cellular too", arguments: ["eth0", "wwan0"])
    func dormantTunnel(name: String) {
        var world = Self.world(name, .lowerLink)
        world.change(3) { $0.operationalState = .dormant }
        let judgement = world.judge()
        #expect(judgement.status == .none)
        #expect(judgement.connectionRequired)
        #expect(judgement.reason == .dormant)
    }

    @Test("A metered tunnel is expensive over a link that is not", arguments: Tie.allCases)
    func metered(tie: Tie) {
        var world = Self.world("eth0", tie)
        world.settings.linkRules = [LinkRule(pattern: "tun*", metered: true)]
        #expect(world.judge().expensive)
    }

    @Test("A far end that moves is followed at the next judgement, without a message about the link")
    func movingFarEnd() {
        var world = Self.world("eth0", .lowerLink)
        world.change(3) { $0.lowerIndex = nil }
        world.add(.working(4, "wwan0"), "10.0.1.2/24")
        world.routes.farEnds[3] = TunnelEnd(address: ip("10.0.0.1"))
        world.route("10.0.0.0/24", 2)
        world.route("10.0.1.0/24", 4)
        #expect(world.judge().interface == "eth0")
        world.routes.farEnds[3] = TunnelEnd(address: ip("10.0.1.1"))
        #expect(world.judge().interface == "wwan0")
    }

    @Test("The tunnel's mark goes with every question about its own packets")
    func mark() {
        var world = Self.world("eth0", .matchingRoute)
        world.add(.working(4, "wwan0"), "10.0.1.2/24")
        let end = ip("203.0.113.9")
        world.routes.farEnds[3] = TunnelEnd(address: end, mark: 51820)
        world.routes.rules[RouteQuery(destination: end, mark: 51820)] = .unicast(link: 4, metric: 0)
        #expect(world.judge().interface == "wwan0", "and not the default's link")

        // Where the marked lookup leads back into the tunnel, the links' own routes are asked for with it.
        world.routes.rules[RouteQuery(destination: end, mark: 51820)] = .unicast(link: 3, metric: 0)
        world.routes.rules[RouteQuery(destination: end, outputLink: 2, mark: 51820)] = .unroutable
        world.routes.rules[RouteQuery(destination: end, outputLink: 4, mark: 51820)] =
            .unicast(link: 4, metric: 7)
        #expect(world.judge().interface == "wwan0")
    }
}
