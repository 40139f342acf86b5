extension PathJudge {
    /// The path under a tunnel.
    ///
    /// The kernel is asked first: the lower link, then the route to the far end. Where it does not tell, the
    /// uplink is found among the links that own a matching route. `speaker` is the index of the link that is
    /// the tunnel proper, which a VLAN or bridge over it only inherits from.
    func path(under tunnel: Link, speaker: Int, _ hop: Hop, lookup: inout some RouteLookup) -> Path {
        let proper = network.link(speaker) ?? tunnel
        var hop = hop
        hop.tunnels.formUnion([tunnel.index, proper.index])
        guard let uplink = uplink(of: proper, hop, lookup: &lookup) else {
            // Nothing here could carry the tunnel: its uplink is in another network namespace, where
            // WireGuard can leave it. What can be known is the tunnel itself.
            return path(over: tunnel, .tunnel)
        }
        let metered = settings.isMetered(tunnel, kind: .tunnel)
        return uplink.mapEgress { egress in
            egress.tunnel = tunnel.name
            egress.expensive = egress.expensive || metered
        }
    }

    /// The path of the link that carries a tunnel, nil when no link here can be that link.
    private func uplink(of tunnel: Link, _ hop: Hop, lookup: inout some RouteLookup) -> Path? {
        let farEnd = lookup.farEnd(of: tunnel, for: hop.destination).flatMap { $0.isOneHost ? $0 : nil }
        if let path = pathOfLowerLink(of: tunnel, farEnd: farEnd, hop, lookup: &lookup) { return path }
        if let farEnd, let path = path(to: farEnd, hop, lookup: &lookup) { return path }
        let candidates = uplinkCandidates(hop)
        guard !candidates.isEmpty else { return nil }
        return bestMatch(among: candidates, farEnd: farEnd, hop, lookup: &lookup)
    }

    /// By `IFLA_LINK`. Loopback as the lower link says nothing: it is what xfrm links are given for want of
    /// another.
    private func pathOfLowerLink(
        of tunnel: Link, farEnd: TunnelEnd?, _ hop: Hop, lookup: inout some RouteLookup
    ) -> Path? {
        guard let index = tunnel.lowerIndex, index > 0, !hop.tunnels.contains(index) else { return nil }
        guard let lower = network.link(index) else { return .none(.linkDown) }
        guard !isLoopback(lower) else { return nil }
        let families = farEnd.map { [$0.address.family] } ?? AddressFamily.allCases
        let next = Hop(
            families: families, destination: farEnd?.address ?? hop.destination, tunnels: hop.tunnels)
        return path(through: lower, next, lookup: &lookup)
    }

    /// By the route to the far end. A far end on this machine says nothing (a local proxy), nor does one
    /// behind the tunnel itself: rules that tell the tunnel's packets apart by more than their mark are not
    /// in the query.
    private func path(to farEnd: TunnelEnd, _ hop: Hop, lookup: inout some RouteLookup) -> Path? {
        switch route(RouteQuery(destination: farEnd.address, mark: farEnd.mark), lookup: &lookup) {
        case .loopback: return nil
        case .rejected: return .none(.rejectRoute)
        case .unroutable:
            // With no link at all that could carry it, the tunnel's own traffic is another namespace's.
            return uplinkCandidates(hop).isEmpty ? nil : .none(.noRoute)
        case .unicast(let index, _):
            guard !hop.tunnels.contains(index) else { return nil }
            guard let link = network.link(index) else { return .none(.linkDown) }
            guard !isLoopback(link) else { return nil }
            let next = Hop(
                families: [farEnd.address.family], destination: farEnd.address, tunnels: hop.tunnels)
            return path(through: link, next, lookup: &lookup)
        }
    }

    private func isLoopback(_ link: Link) -> Bool {
        isLoopback(link, network.classify(link, rules: settings.linkRules).kind)
    }
}

extension TunnelEnd {
    /// Whether it names a host: a tunnel to anywhere does not, nor does one to a group.
    fileprivate var isOneHost: Bool { !address.isUnspecified && !address.isMulticast && !address.isLoopback }
}
