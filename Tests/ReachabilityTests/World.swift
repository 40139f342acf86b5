import Reachability

/// Reads an address that a test has written out.
func ip(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
    return address
}

/// Reads a prefix that a test has written out.
func prefix(_ text: String) -> AddressPrefix {
    guard let prefix = AddressPrefix(text) else { preconditionFailure("\(text) is no prefix") }
    return prefix
}

/// A routing table of a few lines: longest prefix, then lowest metric, then the first one added.
struct Routes: RouteLookup {
    struct Route {
        var prefix: AddressPrefix
        var metric: UInt32
        /// Nil for a route that rejects.
        var link: Int?
    }

    var routes: [Route] = []
    /// Answers that stand above the table, as policy rules do.
    var rules: [RouteQuery: RouteAnswer] = [:]
    /// What the kernel says of the far ends of tunnels, by their index.
    var farEnds: [Int: TunnelEnd] = [:]
    /// All that was asked, in order.
    private(set) var asked: [RouteQuery] = []

    mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        asked.append(query)
        if let answer = rules[query] { return answer }
        let matching = routes.filter { route in
            route.prefix.contains(query.destination)
                && (query.outputLink == nil || query.outputLink == route.link)
        }
        let best = matching.min { ($1.prefix.length, $0.metric) < ($0.prefix.length, $1.metric) }
        guard let best else { return .unroutable }
        guard let link = best.link else { return .rejected }
        return .unicast(link: link, metric: best.metric)
    }

    mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        farEnds[tunnel.index] ?? tunnel.remoteEndpoint.map { TunnelEnd(address: $0) }
    }
}

/// A network and its routes, as a test sets them up.
struct World {
    var network = Network()
    var routes = Routes()
    var settings = ReachabilitySettings()

    /// Only loopback, as the kernel makes it.
    init() {
        add(.working(1, "lo", hardwareType: HardwareType.loopback), "127.0.0.1/8", "::1/128")
    }

    mutating func add(_ link: Link, _ addresses: String...) {
        _ = network.apply(.link(link))
        for address in addresses { _ = network.apply(.address(.of(link.index, address))) }
    }

    mutating func change(_ index: Int, _ change: (inout Link) -> Void) {
        guard var link = network.link(index) else { preconditionFailure("there is no link \(index)") }
        change(&link)
        _ = network.apply(.link(link))
    }

    mutating func route(_ text: String, _ link: Int?, metric: UInt32 = 0) {
        routes.routes.append(Routes.Route(prefix: prefix(text), metric: metric, link: link))
    }

    mutating func unroute(_ text: String, _ link: Int?) {
        routes.routes.removeAll { $0.prefix == prefix(text) && $0.link == link }
    }

    mutating func judge() -> Judgement {
        Reachability.judge(network, settings: settings, lookup: &routes)
    }

    mutating func judge(targets: [String]) -> Judgement {
        Reachability.judge(network, targets: targets.map(ip), settings: settings, lookup: &routes)
    }
}

extension Link {
    /// A link that is up and has carrier.
    static func working(
        _ index: Int, _ name: String, hardwareType: UInt16 = HardwareType.ethernet,
        _ change: (inout Link) -> Void = { _ in }
    ) -> Link {
        var link = Link(
            index: index, name: name, hardwareType: hardwareType, administrativelyUp: true, carrier: true,
            operationalState: .up)
        change(&link)
        return link
    }

    /// A tun device with its descriptor open.
    static func tun(_ index: Int, _ name: String, _ change: (inout Link) -> Void = { _ in }) -> Link {
        working(index, name, hardwareType: HardwareType.none) { link in
            link.operationalState = .unknown
            link.hasLinkLayerAddress = false
            link.infoKind = "tun"
            change(&link)
        }
    }
}

extension LinkAddress {
    /// The address `ADDRESS/LENGTH` of a link.
    static func of(_ linkIndex: Int, _ text: String, _ change: (inout LinkAddress) -> Void = { _ in })
        -> LinkAddress
    {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = IPAddress(parts[0]), let length = Int(parts[1]) else {
            preconditionFailure("\(text) is no address with a length")
        }
        var result = LinkAddress(linkIndex: linkIndex, address: address, prefixLength: length)
        change(&result)
        return result
    }
}
