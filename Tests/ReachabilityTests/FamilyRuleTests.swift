import Reachability
import Testing

/// A path of one family, as a row of a table says it.
enum FamilyPath: String, Sendable {
    case noRoute, rejectRoute, linkDown, noCarrier, noAddress, addressTentative
    case dormantEthernet, dormantCellular, ethernet, cellular

    /// Gives the world this path, by a link and addresses of its own.
    func add(to world: inout World, family: AddressFamily) {
        let index = family == .ipv4 ? 4 : 6
        let route = family == .ipv4 ? "0.0.0.0/0" : "::/0"
        let text = family == .ipv4 ? "10.0.0.2/24" : "2001:db8::2/64"
        let isCellular = self == .cellular || self == .dormantCellular
        world.add(.working(index, (isCellular ? "ww" : "eth") + "\(index)"))
        if self != .noAddress {
            _ = world.network.apply(.address(.of(index, text) { $0.isTentative = self == .addressTentative }))
        }
        switch self {
        case .noRoute: return
        case .rejectRoute: world.route(route, nil)
        case .linkDown, .noCarrier, .noAddress, .addressTentative, .dormantEthernet, .dormantCellular,
            .ethernet,
            .cellular:
            world.route(route, index)
        }
        world.change(index) { link in
            link.administrativelyUp = self != .linkDown
            link.carrier = self != .noCarrier
            if self == .dormantEthernet || self == .dormantCellular { link.operationalState = .dormant }
        }
    }
}

@Suite("Paths in both families")
struct FamilyRuleTests {
    @Test(
        "The better one counts",
        arguments: [
            (.ethernet, .noRoute, 4), (.noRoute, .ethernet, 6), (.ethernet, .ethernet, 4),
            (.cellular, .cellular, 4), (.cellular, .ethernet, 6), (.ethernet, .cellular, 4),
            (.dormantCellular, .ethernet, 6), (.dormantCellular, .cellular, 6),
            (.cellular, .dormantEthernet, 4),
            (.dormantCellular, .noRoute, 4), (.addressTentative, .dormantCellular, 6),
            (.dormantCellular, .dormantEthernet, 6), (.dormantEthernet, .dormantCellular, 4),
            (.dormantCellular, .dormantCellular, 4),
        ] as [(FamilyPath, FamilyPath, Int)])
    func better(ipv4: FamilyPath, ipv6: FamilyPath, expected: Int) {
        var world = World()
        ipv4.add(to: &world, family: .ipv4)
        ipv6.add(to: &world, family: .ipv6)
        let judgement = world.judge()
        #expect(judgement.interfaceIndex == expected)
        #expect(judgement.ipv4 == [.ethernet, .cellular].contains(ipv4))
        #expect(judgement.ipv6 == [.ethernet, .cellular].contains(ipv6))
    }

    @Test("With none, the reason is that of the family that got further")
    func furthest() {
        let ladder: [FamilyPath] = [
            .noRoute, .rejectRoute, .linkDown, .noCarrier, .noAddress, .addressTentative,
        ]
        for (position, ipv4) in ladder.enumerated() {
            for (other, ipv6) in ladder.enumerated() {
                var world = World()
                ipv4.add(to: &world, family: .ipv4)
                ipv6.add(to: &world, family: .ipv6)
                #expect(world.judge().status == .none)
                #expect(world.judge().reason.rawValue == ladder[max(position, other)].rawValue)
            }
        }
    }

    @Test("Reasons stand in the order of the checks")
    func ladder() {
        #expect(
            Reason.allCases.map(\.rawValue) == [
                "noLink", "unresolved", "noRoute", "rejectRoute", "linkDown", "noCarrier", "uplinkDown",
                "noAddress", "addressTentative", "dormant", "onDemand", "captivePortal", "usable",
            ])
    }

    @Test("Of several lookup addresses of one family the best path counts")
    func severalLookups() {
        var world = World()
        world.settings.lookupAddresses = ["1.1.1.1", "9.9.9.9", "8.8.8.8"].map(ip)
        world.add(.working(2, "eth0"), "10.0.0.2/24")
        world.add(.working(3, "wwan0"), "10.0.1.2/24")
        #expect(world.judge().reason == .noRoute)
        world.route("1.1.1.1", nil)
        #expect(world.judge().reason == .rejectRoute)
        world.route("9.9.9.9", 3)
        #expect(world.judge().status == .cellular)
        world.route("8.8.8.8", 2)
        #expect(world.judge().status == .ethernet)
    }

    @Test("A probe follows the routes to the host's own addresses")
    func probe() {
        var world = World()
        world.add(.working(2, "eth0"), "10.0.0.2/24", "2001:db8::2/64")
        world.add(.working(3, "wlan0"), "10.0.1.2/24")
        world.route("0.0.0.0/0", 2)
        world.route("192.0.2.0/24", 3)
        world.route("198.51.100.0/24", nil)
        #expect(world.judge(targets: ["192.0.2.7"]).status == .wifi)
        #expect(world.judge(targets: ["198.51.100.7"]).reason == .rejectRoute)
        #expect(world.judge(targets: ["198.51.100.7", "203.0.113.1"]).interface == "eth0")
        #expect(world.judge(targets: ["2001:db8:1::1"]).reason == .noRoute)
        #expect(world.judge() == world.judge(targets: ["1.1.1.1"]))
        #expect(world.judge(targets: []).reason == .noRoute)
    }
}
