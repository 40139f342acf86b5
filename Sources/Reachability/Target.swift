/// What reachability is about, as far as it is known.
public enum Target: Equatable, Sendable {
    /// The internet as such: `LookupAddresses=` stand for it.
    case internet
    /// A host that has these addresses.
    case resolved([IPAddress])
    /// A host whose name has no address, or whose addresses could not be had.
    case unresolved
}

/// Judges by the rule whether a target can be reached.
///
/// Where the host's addresses are not known there is no path to follow, and the judgement says so:
/// `unresolved`, or `noLink` where nothing could have been asked anyway.
public func judge(
    _ network: Network, target: Target, settings: ReachabilitySettings, lookup: inout some RouteLookup
) -> Judgement {
    switch target {
    case .internet: return judge(network, settings: settings, lookup: &lookup)
    case .resolved(let addresses):
        return judge(network, targets: addresses, settings: settings, lookup: &lookup)
    case .unresolved:
        let judge = PathJudge(network: network, settings: settings)
        return Judgement(reason: judge.hasLinkBesidesLoopback ? .unresolved : .noLink)
    }
}
