internal import Reachability

/// The kernel of a scenario: links, addresses and routes as they stand.
struct VirtualNetwork: Sendable {
    private struct AddressKey: Hashable, Comparable {
        let address: IPAddress
        let prefixLength: Int

        static func < (left: AddressKey, right: AddressKey) -> Bool {
            (left.address, left.prefixLength) < (right.address, right.prefixLength)
        }
    }

    private var linkByName: [String: Link] = [:]
    private var addressesByLink: [Int: [AddressKey: LinkAddress]] = [:]
    private var routes: [VirtualRoute] = []
    /// The kinds that `link` lines have given, as rules that stand behind those of the configuration.
    private(set) var rules: [LinkRule] = []

    /// Takes a step and says what the kernel would: facts in their order. To take away what is not there
    /// changes nothing; to build on a link that is not there fails.
    mutating func apply(_ step: NetworkStep) throws(StepFailure) -> [Fact] {
        switch step {
        case .link(let name, let change): return try update(name, change)
        case .unlink(let name): return linkByName[name].map { remove($0) } ?? []
        case .address(let name, let address, let length, let state):
            var owned = LinkAddress(
                linkIndex: try existing(name).index, address: address, prefixLength: length)
            owned.isTentative = state == .tentative
            owned.isDuplicate = state == .dadfailed
            owned.isDeprecated = state == .deprecated
            let key = AddressKey(address: address, prefixLength: length)
            addressesByLink[owned.linkIndex, default: [:]][key] = owned
            return [.address(owned)]
        case .unaddress(let name, let address, let length):
            guard let index = linkByName[name]?.index else { return [] }
            let key = AddressKey(address: address, prefixLength: length)
            addressesByLink[index]?[key] = nil
            return [.addressGone(linkIndex: index, address: address, prefixLength: length)]
        case .route(let route):
            if let name = route.link { _ = try existing(name) }
            routes.removeAll {
                $0.prefix == route.prefix && $0.link == route.link && $0.metric == route.metric
            }
            routes.append(route)
            return [.routesMayHaveChanged]
        case .unroute(let prefix, let link, let metric):
            let index = routes.firstIndex { route in
                route.prefix == prefix && (link == nil || route.link == link)
                    && (metric == nil || route.metric == metric)
            }
            if let index { routes.remove(at: index) }
            return [.routesMayHaveChanged]
        }
    }

    /// Everything, as a complete dump gives it.
    var dump: Network {
        var network = Network()
        for link in linkByName.values.sorted(by: { $0.index < $1.index }) {
            _ = network.apply(.link(link))
            for (_, address) in (addressesByLink[link.index] ?? [:]).sorted(by: { $0.key < $1.key }) {
                _ = network.apply(.address(address))
            }
        }
        return network
    }

    /// Answers lookups from the routes as they stand.
    var lookup: VirtualRoutes {
        VirtualRoutes(routes: routes, indexByName: linkByName.mapValues(\.index))
    }

    private func existing(_ name: String) throws(StepFailure) -> Link {
        guard let link = linkByName[name] else { throw StepFailure(expected: "link \(name)", found: "none") }
        return link
    }

    private mutating func update(_ name: String, _ change: LinkChange) throws(StepFailure) -> [Fact] {
        var facts: [Fact] = []
        if let old = linkByName[name], let index = change.index, index != old.index {
            // Another index is another link that has taken the name.
            facts += remove(old)
        }
        let namesake = linkByName.first { $0.key != name && $0.value.index == change.index }
        if let namesake { rename(namesake.key, to: name) }
        guard var link = linkByName[name] ?? change.index.map({ VirtualNetwork.newLink(name, index: $0) })
        else { throw StepFailure(expected: "link \(name)", found: "none") }
        link.administrativelyUp = change.isUp ?? link.administrativelyUp
        link.carrier = change.carrier ?? link.carrier
        link.operationalState = change.operationalState ?? link.operationalState
        note(change, of: name)
        switch change.kind {
        case nil: break
        case .loopback: link.hardwareType = HardwareType.loopback
        case .bridge: (link.hardwareType, link.infoKind) = (HardwareType.ethernet, "bridge")
        case .ethernet, .wifi, .cellular, .tunnel, .other:
            (link.hardwareType, link.infoKind) = (HardwareType.ethernet, nil)
        }
        if let under = change.under { facts += try put(&link, over: existing(under)) }
        linkByName[name] = link
        return facts + [.link(link)]
    }

    /// A bridge has the link below as its port; anything else goes through it.
    private mutating func put(_ link: inout Link, over below: Link) -> [Fact] {
        guard link.infoKind == "bridge" else {
            link.lowerIndex = below.index
            return []
        }
        var port = below
        port.controllerIndex = link.index
        linkByName[port.name] = port
        return [.link(port)]
    }

    private static func newLink(_ name: String, index: Int) -> Link {
        Link(index: index, name: name)
    }

    private mutating func rename(_ old: String, to new: String) {
        guard var link = linkByName.removeValue(forKey: old) else { return }
        link.name = new
        linkByName[new] = link
        for index in routes.indices where routes[index].link == old { routes[index].link = new }
        for index in rules.indices where rules[index].pattern == old.escapedForGlob {
            let rule = rules[index]
            rules[index] = LinkRule(pattern: new.escapedForGlob, kind: rule.kind, onDemand: rule.onDemand)
        }
    }

    private mutating func remove(_ link: Link) -> [Fact] {
        linkByName[link.name] = nil
        addressesByLink[link.index] = nil
        routes.removeAll { $0.link == link.name }
        var facts: [Fact] = []
        for (name, var port) in linkByName where port.controllerIndex == link.index {
            port.controllerIndex = nil
            linkByName[name] = port
            facts.append(.link(port))
        }
        return facts.sorted { "\($0)" < "\($1)" } + [.linkGone(index: link.index)]
    }

    private mutating func note(_ change: LinkChange, of name: String) {
        guard change.kind != nil || change.isOnDemand else { return }
        let pattern = name.escapedForGlob
        if !rules.contains(where: { $0.pattern == pattern }) { rules.append(LinkRule(pattern: pattern)) }
        guard let index = rules.firstIndex(where: { $0.pattern == pattern }) else { return }
        switch change.kind {
        case nil: break
        // These have evidence of their own, and a bridge may inherit from its ports.
        case .loopback, .bridge: rules[index].kind = nil
        case .ethernet, .wifi, .cellular, .tunnel, .other: rules[index].kind = change.kind
        }
        if change.isOnDemand { rules[index].onDemand = true }
    }
}

extension String {
    /// The name as a pattern that only it suits.
    fileprivate var escapedForGlob: String {
        reduce(into: "") { $0 += "*?[".contains($1) ? "[\($1)]" : "\($1)" }
    }
}

/// Answers route lookups by longest prefix, then metric, then the order in which the routes came.
struct VirtualRoutes: RouteLookup {
    fileprivate let routes: [VirtualRoute]
    fileprivate let indexByName: [String: Int]

    mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        var best: VirtualRoute?
        for route in routes where route.prefix.contains(query.destination) {
            if let wanted = query.outputLink, route.link.flatMap({ indexByName[$0] }) != wanted { continue }
            guard let present = best else {
                best = route
                continue
            }
            if (-route.prefix.length, route.metric) < (-present.prefix.length, present.metric) {
                best = route
            }
        }
        guard let best else { return .unroutable }
        switch best.kind {
        case .unicast:
            guard let index = best.link.flatMap({ indexByName[$0] }) else { return .unroutable }
            return .unicast(link: index, metric: best.metric)
        case .blackhole, .unreachable, .prohibit: return .rejected
        }
    }
}
