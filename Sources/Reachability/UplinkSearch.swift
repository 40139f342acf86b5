extension PathJudge {
    /// A link that may be carrying a tunnel, with its kind.
    typealias Candidate = (link: Link, kind: LinkKind)

    /// The links that are no tunnel and no loopback, in the order of their indices.
    func uplinkCandidates(_ hop: Hop) -> [Candidate] {
        network.links.compactMap { link in
            guard !hop.tunnels.contains(link.index) else { return nil }
            let kind = network.classify(link, rules: settings.linkRules).kind
            return kind == .tunnel || isLoopback(link, kind) ? nil : (link, kind)
        }
    }

    /// Among the candidates with a matching route the usable one of lowest metric, else the one that must
    /// first be brought up; a path to nowhere when there is neither.
    ///
    /// Links that cannot carry anything are never asked for: thousands may exist, and each costs a lookup.
    func bestMatch(
        among candidates: [Candidate], farEnd: TunnelEnd?, _ hop: Hop, lookup: inout some RouteLookup
    ) -> Path {
        var pending: Path?
        for destination in destinations(farEnd: farEnd, hop) {
            let next = Hop(families: [destination.family], destination: destination, tunnels: hop.tunnels)
            let paths = candidates.map { path(through: $0.link, next, lookup: &lookup) }
            let query = RouteQuery(destination: destination, mark: farEnd?.mark ?? 0)
            if let match = cheapest(paths.filter(\.isUsable), query, lookup: &lookup) { return match }
            if pending == nil { pending = cheapest(paths.filter(\.isPending), query, lookup: &lookup) }
        }
        return pending ?? .none(.noRoute)
    }

    /// What a link that carries the tunnel must have a route to: the far end where it is known, what the
    /// tunnel's own traffic is looked up by, and the other family, since IPv4 may be wrapped into IPv6.
    private func destinations(farEnd: TunnelEnd?, _ hop: Hop) -> [IPAddress] {
        if let farEnd { return [farEnd.address] }
        return [hop.destination] + settings.lookupAddresses.filter { $0.family != hop.destination.family }
    }

    /// The path whose link owns the matching route of lowest metric; the lowest index on a tie.
    private func cheapest(
        _ paths: [Path], _ query: RouteQuery, lookup: inout some RouteLookup
    ) -> Path? {
        var best: (path: Path, metric: UInt32)?
        for path in paths {
            guard let index = path.egressIndex else { continue }
            var query = query
            query.outputLink = index
            let answer = lookup.answer(query)
            guard case .unicast(index, let metric) = answer else { continue }
            if let best, best.metric <= metric { continue }
            best = (path, metric)
        }
        return best?.path
    }
}
