import Reachability
import Testing

import struct Simulation.SeededGenerator

/// All facts so far, folded in the plainest way.
struct PlainNetwork {
    var links: [Link] = []
    var addresses: [LinkAddress] = []

    mutating func apply(_ fact: Fact) {
        switch fact {
        case .link(let link):
            links.removeAll { $0.index == link.index }
            links.append(link)
        case .linkGone(let index):
            links.removeAll { $0.index == index }
            addresses.removeAll { $0.linkIndex == index }
        case .address(let address):
            remove(address.linkIndex, address.address, address.prefixLength)
            addresses.append(address)
        case .addressGone(let index, let address, let length): remove(index, address, length)
        case .routesMayHaveChanged: return
        }
    }

    private mutating func remove(_ index: Int, _ address: IPAddress, _ length: Int) {
        addresses.removeAll { ($0.linkIndex, $0.address, $0.prefixLength) == (index, address, length) }
    }
}

@Suite("A network under random facts")
struct NetworkPropertyTests {
    static let names = ["lo", "eth0", "wlan0", "wwan0", "tun0", "br0", "x0"]
    static let kinds: [String?] = [nil, nil, "veth", "tun", "bridge", "vlan", "wireguard"]
    static let texts = ["10.0.0.2/24", "10.0.0.2/32", "2001:db8::2/64", "fe80::2/64", "127.0.0.1/8"]

    static func fact(_ generator: inout SeededGenerator) -> Fact {
        func index() -> Int { Int.random(in: 1...8, using: &generator) }
        func maybe() -> Bool { Bool.random(using: &generator) }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .linkGone(index: index())
        case 1, 2:
            let address = LinkAddress.of(index(), texts.randomElement(using: &generator) ?? "::/0")
            return .addressGone(
                linkIndex: address.linkIndex, address: address.address, prefixLength: address.prefixLength)
        case 3, 4, 5:
            return .address(
                .of(index(), texts.randomElement(using: &generator) ?? "::/0") { address in
                    address.isTentative = maybe()
                    address.isDuplicate = maybe() && maybe()
                })
        case 6: return .routesMayHaveChanged
        default:
            return .link(
                .working(index(), names.randomElement(using: &generator) ?? "x0") { link in
                    link.administrativelyUp = maybe() || maybe()
                    link.carrier = maybe() || maybe()
                    link.operationalState = OperationalState.allCases.randomElement(using: &generator) ?? .up
                    link.infoKind = kinds.randomElement(using: &generator) ?? nil
                    link.lowerIndex = maybe() ? index() : nil
                    link.controllerIndex = maybe() ? index() : nil
                })
        }
    }

    @Test("It holds what the facts say, and a fact that is no news changes no judgement", arguments: 0..<30)
    func folds(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var plain = PlainNetwork()
        var world = World()
        world.network = Network()
        for index in 1...8 { world.route(index.isMultiple(of: 2) ? "0.0.0.0/0" : "::/0", index) }
        for _ in 0..<200 {
            let fact = Self.fact(&generator)
            let before = world.judge()
            let isNews = world.network.apply(fact)
            plain.apply(fact)
            let after = world.judge()
            try #require(isNews || before == after, "seed \(seed): \(fact)")
            try #require(world.network.links == plain.links.sorted { $0.index < $1.index })
            for index in 1...8 {
                let ports = plain.links.filter { $0.controllerIndex == index }.map(\.index).sorted()
                let addresses = Set(plain.addresses.filter { $0.linkIndex == index })
                try #require(world.network.ports(of: index).map(\.index) == ports)
                try #require(Set(world.network.addresses(of: index)) == addresses)
            }
        }
    }

    @Test("A judgement is consistent in itself", arguments: 0..<30)
    func consistent(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var world = World()
        for _ in 0..<200 {
            _ = world.network.apply(Self.fact(&generator))
            world.routes.routes = []
            for _ in 0..<3 {
                let route = ["0.0.0.0/0", "::/0", "1.0.0.0/8"].randomElement(using: &generator) ?? "::/0"
                world.route(route, Int.random(in: 1...9, using: &generator))
            }
            let judgement = world.judge()
            try #require(judgement.reachable == (judgement.reason == .usable))
            try #require(judgement.reachable == (judgement.ipv4 || judgement.ipv6))
            try #require(judgement.connectionRequired == [.dormant, .onDemand].contains(judgement.reason))
            let hasPath = judgement.reachable || judgement.connectionRequired
            try #require((judgement.interface != nil) == hasPath)
            try #require((judgement.interfaceIndex != nil) == hasPath)
            try #require(hasPath || judgement.tunnel == nil)
            try #require(judgement.status != .cellular || judgement.expensive)
        }
    }
}
