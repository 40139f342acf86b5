import Reachability
import Testing

@Suite("Finding the link under a tunnel that does not tell")
struct UplinkSearchTests {
    /// A tunnel (3) that takes all traffic, and nothing that it could run over.
    static func tunnelAlone() -> World {
        var world = World()
        world.add(.tun(3, "tun0"), "10.8.0.2/24")
        world.route("0.0.0.0/1", 3)
        return world
    }

    @Test("Where no link could carry it, the tunnel is judged by itself")
    func alone() {
        var world = Self.tunnelAlone()
        let expected = Judgement(
            status: .other, ipv4: true, interface: "tun0", interfaceIndex: 3, reason: .usable)
        #expect(world.judge() == expected)
        world.add(.tun(4, "wg0"), "10.9.0.2/24")
        #expect(world.judge() == expected)
        // Its own packets go by another network namespace, in which the far end has a route.
        world.change(3) { $0.remoteEndpoint = ip("203.0.113.9") }
        #expect(world.judge() == expected)
    }

    @Test("A link without a matching route does not carry it")
    func noMatchingRoute() {
        var world = Self.tunnelAlone()
        world.add(.working(2, "eth0"), "10.0.0.2/24")
        world.route("10.0.0.0/24", 2)
        #expect(world.judge() == Judgement(reason: .uplinkDown))
    }

    @Test("Configured as another kind, a tunnel is judged by itself")
    func configured() {
        var world = Self.tunnelAlone()
        world.add(Link(index: 2, name: "eth0"))
        world.settings.linkRules = [LinkRule(pattern: "tun0", kind: .other)]
        #expect(world.judge().status == .other)
    }

    @Test("The usable one of lowest metric is taken")
    func lowestMetric() {
        var world = Self.tunnelAlone()
        for (index, name, metric) in [(5, "eth0", 300), (6, "wlan0", 200), (7, "wwan0", 100)]
            as [(Int, String, UInt32)]
        {
            world.add(.working(index, name), "10.0.\(index).2/24")
            world.route("0.0.0.0/0", index, metric: metric)
        }
        #expect(world.judge().interface == "wwan0")
        world.change(7) { $0.carrier = false }
        #expect(world.judge().interface == "wlan0")
        world.change(6) { $0.operationalState = .dormant }
        #expect(world.judge().interface == "eth0")
        world.change(5) { $0.administrativelyUp = false }
        #expect(world.judge().interface == "wlan0")
        #expect(world.judge().reason == .dormant)
        world.change(6) { $0.operationalState = .down }
        #expect(world.judge() == Judgement(reason: .uplinkDown))
    }

    @Test("On a tie of metrics the lowest index is taken")
    func tie() {
        var world = Self.tunnelAlone()
        for index in [9, 6, 7] {
            world.add(.working(index, "eth\(index)"), "10.0.\(index).2/24")
            world.route("0.0.0.0/0", index, metric: 100)
        }
        #expect(world.judge().interface == "eth6")
    }

    @Test("IPv4 in a tunnel over a network of IPv6 alone")
    func otherFamily() {
        var world = Self.tunnelAlone()
        world.add(.working(2, "eth0"), "2001:db8::2/64")
        world.route("::/0", 2)
        let judgement = world.judge()
        #expect(judgement.interface == "eth0")
        #expect(judgement.tunnel == "tun0")
        #expect(judgement.ipv4)
    }

    @Test("Links that cannot carry anything are not asked for")
    func lookups() {
        var world = Self.tunnelAlone()
        for index in 100..<200 { world.add(.working(index, "v\(index)")) }
        world.add(.working(2, "eth0"), "10.0.0.2/24")
        world.route("0.0.0.0/0", 2)
        _ = world.judge()
        #expect(world.routes.asked.filter { $0.outputLink != nil }.map(\.outputLink) == [2])
    }

    @Test(
        "A far end or lower link that says nothing is passed over",
        arguments: [
            { $0.change(3) { $0.remoteEndpoint = ip("0.0.0.0") } },
            { $0.change(3) { $0.remoteEndpoint = ip("127.0.0.1") } },
            { $0.change(3) { $0.remoteEndpoint = ip("239.1.1.1") } },
            { $0.change(3) { $0.lowerIndex = 0 } },
            { $0.change(3) { $0.lowerIndex = 1 } },
            { $0.change(3) { $0.lowerIndex = 3 } },
            { world in
                world.change(3) { $0.remoteEndpoint = ip("10.0.0.2") }
                world.routes.rules[RouteQuery(destination: ip("10.0.0.2"))] = .loopback
            },
        ] as [@Sendable (inout World) -> Void])
    func saysNothing(change: @Sendable (inout World) -> Void) {
        var world = TunnelRuleTests.world("eth0", .matchingRoute)
        change(&world)
        #expect(world.judge().interface == "eth0")
    }

    @Test(
        "A far end without a way there is a dead uplink",
        arguments: [RouteAnswer.unroutable, .rejected, .unicast(link: 77, metric: 0)])
    func farEndUnreachable(answer: RouteAnswer) {
        var world = TunnelRuleTests.world("eth0", .farEnd)
        world.routes.rules[RouteQuery(destination: ip("203.0.113.9"))] = answer
        #expect(world.judge() == Judgement(reason: .uplinkDown))
    }

    @Test("The far end decides between two links that could both carry the tunnel")
    func farEndDecides() {
        var world = TunnelRuleTests.world("wwan0", .farEnd)
        world.add(.working(4, "eth0"), "10.0.1.2/24")
        world.route("0.0.0.0/0", 4)
        #expect(world.judge().interface == "wwan0")
        world.change(2) { $0.carrier = false }
        #expect(world.judge() == Judgement(reason: .uplinkDown))
    }

    @Test("A tunnel in a tunnel: the outer name, the innermost link")
    func nested() {
        var world = TunnelRuleTests.world("wwan0", .lowerLink)
        world.add(.working(4, "wg0") { ($0.infoKind, $0.lowerIndex) = ("wireguard", 3) }, "10.9.0.2/24")
        world.route("1.0.0.0/8", 4)
        #expect(world.judge().tunnel == "wg0")
        #expect(world.judge().interface == "wwan0")
        world.change(2) { $0.carrier = false }
        #expect(world.judge() == Judgement(reason: .uplinkDown))
    }

    @Test("Tunnels over each other end in what is known besides them")
    func circle() {
        var world = World()
        world.add(.tun(3, "tun0") { $0.lowerIndex = 4 }, "10.8.0.2/24")
        world.add(.tun(4, "tun1") { $0.lowerIndex = 3 }, "10.9.0.2/24")
        world.route("0.0.0.0/0", 3)
        #expect(world.judge().status == .other)
        world.add(.working(2, "eth0"), "10.0.0.2/24")
        #expect(world.judge() == Judgement(reason: .uplinkDown))
        world.route("0.0.0.0/0", 2, metric: 100)
        #expect(world.judge().interface == "eth0")
    }

    @Test("A VLAN over a tunnel runs over what the tunnel runs over")
    func stackedOnTunnel() {
        var world = World()
        world.add(.working(2, "eth0"), "10.0.0.2/24")
        world.add(.working(3, "gt0") { ($0.infoKind, $0.lowerIndex) = ("gretap", 2) })
        world.add(.working(4, "gt0.5") { ($0.infoKind, $0.lowerIndex) = ("vlan", 3) }, "10.8.0.2/24")
        world.route("0.0.0.0/0", 4)
        let judgement = world.judge()
        #expect(judgement.status == .ethernet)
        #expect(judgement.interface == "eth0")
        #expect(judgement.tunnel == "gt0.5")
    }
}
