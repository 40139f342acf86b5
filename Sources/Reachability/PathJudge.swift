/// Follows routes to the link they end at, and says what became of each.
///
/// The checks of a link stand in the order of `Reason`: the first that fails is the reason.
struct PathJudge {
    /// The links and addresses.
    let network: Network
    /// The rules for kinds, metered and on-demand links, and the lookup addresses.
    let settings: ReachabilitySettings

    /// The path to an address by the plain lookup.
    func path(to destination: IPAddress, lookup: inout some RouteLookup) -> Path {
        switch route(RouteQuery(destination: destination), lookup: &lookup) {
        case .unroutable: return .none(.noRoute)
        case .rejected, .loopback: return .none(.rejectRoute)
        case .unicast(let index, _):
            guard let link = network.link(index) else { return .none(.linkDown) }
            let hop = Hop(families: [destination.family], destination: destination, tunnels: [])
            return path(through: link, hop, lookup: &lookup)
        }
    }

    /// The route that decides. One that ends at a VRF hands the packet to the VRF's own table, and is gone on
    /// with there.
    func route(_ query: RouteQuery, lookup: inout some RouteLookup) -> RouteAnswer {
        let answer = lookup.answer(query)
        guard case .unicast(let index, _) = answer, let link = network.link(index), link.infoKind == "vrf",
            link.administrativelyUp
        else { return answer }
        return lookup.answer(
            RouteQuery(destination: query.destination, outputLink: index, mark: query.mark))
    }

    /// What a path through a link is followed for.
    struct Hop {
        /// The families of which the link must own an address; any one will do.
        var families: [AddressFamily]
        /// Where the traffic goes.
        var destination: IPAddress
        /// The tunnels that the traffic has been wrapped by so far.
        var tunnels: Set<Int>
    }

    /// The path that leaves through `link`, or under it when it is a tunnel.
    func path(through link: Link, _ hop: Hop, lookup: inout some RouteLookup) -> Path {
        let classification = network.classify(link, rules: settings.linkRules)
        guard !isLoopback(link, classification.kind) else { return .none(.rejectRoute) }
        guard link.administrativelyUp else { return .none(.linkDown) }
        guard hasCarrier(link) || settings.isOnDemand(link) else { return .none(.noCarrier) }
        guard classification.kind == .tunnel else {
            return finish(path(over: link, classification.kind), link, hop)
        }
        let under = path(under: link, speaker: classification.speaker, hop, lookup: &lookup)
        if case .none = under { return .none(.uplinkDown) }
        return finish(under, link, hop)
    }

    /// Whether the carrier that a link shows can be believed.
    ///
    /// A bridge or bond is up by its ports. When the last one leaves, the kernel takes the carrier away some
    /// milliseconds later; until then the link shows what it had from a port that is no longer there.
    private func hasCarrier(_ link: Link) -> Bool {
        guard link.hasCarrier else { return false }
        let isStale =
            link.operationalState == .up && link.isUpByPorts && network.ports(of: link.index).isEmpty
        return !isStale
    }

    /// The checks that come after those for carrier and uplink: the address, then what has to be waited for.
    private func finish(_ path: Path, _ link: Link, _ hop: Hop) -> Path {
        switch network.bestFitness(of: link.index, families: hop.families) {
        case .unfit: return .none(.noAddress)
        case .awaitsDetection: return .none(.addressTentative)
        case .usable: break
        }
        guard let reason = waitingReason(link), case .usable(var egress) = path else { return path }
        // Only a mobile connection that has to be made is a transport already; a pending login is none.
        if egress.link.index != link.index || egress.transport != .cellular { egress.transport = .none }
        return .pending(egress, reason)
    }

    private func waitingReason(_ link: Link) -> Reason? {
        if link.isDormant { return .dormant }
        return hasCarrier(link) ? nil : .onDemand
    }

    /// The path of a link that has nothing under it.
    func path(over link: Link, _ kind: LinkKind) -> Path {
        let transport: Transport
        switch kind {
        case .ethernet: transport = .ethernet
        case .wifi: transport = .wifi
        case .cellular: transport = .cellular
        case .tunnel, .bridge, .loopback, .other: transport = .other
        }
        let expensive = settings.isMetered(link, kind: kind)
        return .usable(Egress(link: link, transport: transport, expensive: expensive, tunnel: nil))
    }

    /// Loopback stays loopback whatever the configuration calls it: nothing ever leaves by it.
    func isLoopback(_ link: Link, _ kind: LinkKind) -> Bool {
        kind == .loopback || link.hardwareType == HardwareType.loopback
    }
}
