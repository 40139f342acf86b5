/// Judges a network by the rule: can the internet be reached, and over which transport?
///
/// Each address of `settings.lookupAddresses` stands for the internet of its family. `lookup` is asked only
/// for the routes that matter.
public func judge(
    _ network: Network, settings: ReachabilitySettings, lookup: inout some RouteLookup
) -> Judgement {
    judge(network, targets: settings.lookupAddresses, settings: settings, lookup: &lookup)
}

/// Judges by the same rule whether a host can be reached that has these addresses.
///
/// Of several addresses of one family the best path counts. Without any address there is no route.
public func judge(
    _ network: Network, targets: [IPAddress], settings: ReachabilitySettings, lookup: inout some RouteLookup
) -> Judgement {
    let judge = PathJudge(network: network, settings: settings)
    let ipv4 = judge.bestPath(to: targets, of: .ipv4, lookup: &lookup)
    let ipv6 = judge.bestPath(to: targets, of: .ipv6, lookup: &lookup)
    var judgement = Judgement(ipv6.isBetter(than: ipv4) ? ipv6 : ipv4)
    judgement.ipv4 = ipv4.isUsable
    judgement.ipv6 = ipv6.isUsable
    if judgement.interface == nil, !judge.hasLinkBesidesLoopback { judgement.reason = .noLink }
    return judgement
}

extension PathJudge {
    /// The best of the paths to the addresses of one family; the first of them on a tie.
    fileprivate func bestPath(
        to destinations: [IPAddress], of family: AddressFamily, lookup: inout some RouteLookup
    ) -> Path {
        var best = Path.none(.noRoute)
        for destination in destinations where destination.family == family {
            let path = path(to: destination, lookup: &lookup)
            if path.isBetter(than: best) { best = path }
        }
        return best
    }

    /// Whether there is any link that something could leave by.
    var hasLinkBesidesLoopback: Bool {
        network.containsLink { link in
            !isLoopback(link, network.classify(link, rules: settings.linkRules).kind)
        }
    }
}

extension Judgement {
    /// What a path means, but for the families.
    fileprivate init(_ path: Path) {
        switch path {
        case .none(let reason): self.init(reason: reason)
        case .pending(let egress, let reason): self.init(egress, connectionRequired: true, reason)
        case .usable(let egress): self.init(egress, connectionRequired: false, .usable)
        }
    }

    private init(_ egress: Egress, connectionRequired: Bool, _ reason: Reason) {
        self.init(
            status: egress.transport, connectionRequired: connectionRequired, expensive: egress.expensive,
            interface: egress.link.name, interfaceIndex: egress.link.index, tunnel: egress.tunnel,
            reason: reason)
    }
}
