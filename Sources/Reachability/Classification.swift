extension Network {
    /// The kind of a link by the first evidence that speaks: configuration, nl80211, DEVTYPE, hardware type,
    /// `IFLA_INFO_KIND` (with the links below), name, and at last whether it has a link-layer address.
    ///
    /// `rules` are the `[Link …]` sections in their order.
    public func classify(_ link: Link, rules: [LinkRule]) -> Classification {
        guard let below = linksBelow(link, rules: rules) else { return ownEvidence(link, rules: rules) }
        return agreement(of: below, under: link, rules: rules)
    }

    /// The links whose kind a bridge, bond, VLAN and the like inherits; nil when the link speaks for itself.
    private func linksBelow(_ link: Link, rules: [LinkRule]) -> [Link]? {
        guard rules.kind(ofLinkNamed: link.name) == nil, LinkEvidence.ofHardware(link) == nil else {
            return nil
        }
        switch link.infoKind {
        case "bridge", "bond", "team":
            let ports = ports(of: link.index)
            return ports.isEmpty ? nil : ports
        case "vlan", "macvlan", "ipvlan":
            // In a container the link below is often in another namespace, and cannot be asked.
            guard let index = link.lowerIndex, let lower = self.link(index) else { return nil }
            return [lower]
        default:
            return nil
        }
    }

    /// The kind on which all links that speak for themselves below `link` agree, `other` when they do not.
    ///
    /// Every link is visited once, so that a circle, which links can form for a moment while they are being
    /// changed, ends; a circle in which nothing speaks for itself is `other`.
    private func agreement(of below: [Link], under link: Link, rules: [LinkRule]) -> Classification {
        var visited: Set<Int> = [link.index]
        var pending = below
        var speakers: [LinkKind: Link] = [:]
        while let next = pending.popLast() {
            guard visited.insert(next.index).inserted else { continue }
            if let further = linksBelow(next, rules: rules) {
                pending += further
                continue
            }
            let kind = ownEvidence(next, rules: rules).kind
            if let first = speakers[kind], first.index < next.index { continue }
            speakers[kind] = next
        }
        let heard = speakers.sorted { $0.value.index < $1.value.index }
        guard let (kind, speaker) = heard.first else {
            return Classification(kind: .other, evidence: "circle below", speaker: link.index)
        }
        guard heard.count == 1 else {
            let names = heard.map(\.value.name).joined(separator: ", ")
            return Classification(kind: .other, evidence: "below \(names)", speaker: link.index)
        }
        return Classification(kind: kind, evidence: "below \(speaker.name)", speaker: speaker.index)
    }

    /// The kind of a link that has no links below to inherit from.
    private func ownEvidence(_ link: Link, rules: [LinkRule]) -> Classification {
        let (kind, evidence) = finding(link, rules: rules)
        return Classification(kind: kind, evidence: evidence, speaker: link.index)
    }

    private func finding(_ link: Link, rules: [LinkRule]) -> LinkEvidence.Finding {
        if let kind = rules.kind(ofLinkNamed: link.name) { return (kind, "configuration") }
        if let finding = LinkEvidence.ofHardware(link) { return finding }
        if let finding = LinkEvidence.ofTunnelKind(link) { return finding }
        if link.infoKind == "bridge" { return (.bridge, "kind bridge") }
        return LinkEvidence.ofName(link)
    }
}
