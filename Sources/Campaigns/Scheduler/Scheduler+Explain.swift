/// What stands for or against campaigns.
public struct Explanation: Sendable {
    /// On single campaigns, in their order.
    public var verdicts: [Verdict]
    /// How many others there are, by the word of their reason, the most first.
    public var others: [(word: String, count: Int)]
}

extension Scheduler {
    /// What stands for or against campaigns at a request of a slot, in the order of the campaigns: of all
    /// where they are not more than `max`, else of those first that nothing stands against.
    ///
    /// Nothing is decided, and nothing counted: only the clock is read, as by a decision.
    public mutating func explain(
        slot: String, size: CreativeSize, at moment: Moment, max: Int = .max
    ) -> Explanation {
        advance(to: moment)
        var chosen: [Verdict] = []
        var rest: [Verdict] = []
        for case let state? in states {
            let verdict = verdict(on: state, slot: slot, size: size)
            if verdict.reason == .eligible, chosen.count < max {
                chosen.append(verdict)
            } else {
                rest.append(verdict)
            }
        }
        rest.sort { $0.campaign < $1.campaign }
        let shown = rest.prefix(max - chosen.count)
        var others: [String: Int] = [:]
        for verdict in rest.dropFirst(shown.count) { others[verdict.reason.word, default: 0] += 1 }
        return Explanation(
            verdicts: (chosen + shown).sorted { $0.campaign < $1.campaign },
            others: others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) })
    }

    /// How many campaigns would compete but for the clock, which is not to be relied on.
    public mutating func heldBack(at moment: Moment) -> Int {
        advance(to: moment)
        guard case .untrusted(let doubt) = clock.now.trust else { return 0 }
        return states.count { $0?.hindrance == .verdict(.clockUntrusted(doubt)) }
    }

    /// When something may change by itself for campaigns that are no choice now; nil when nothing will.
    public mutating func nextChange(at moment: Moment) -> WallTime? {
        advance(to: moment)
        return earliestChange(nil)
    }

    /// What stands against one campaign, the lasting reasons first.
    func verdict(on state: CampaignState, slot: String, size: CreativeSize) -> Verdict {
        Verdict(campaign: state.campaign.id, reason: reason(state, slot, size))
    }

    private func reason(_ state: CampaignState, _ slot: String, _ size: CreativeSize) -> Verdict.Reason {
        if state.hindrance == .verdict(.disabled) { return .disabled }
        if state.creatives[size] == nil { return .noCreative(size) }
        switch state.hindrance {
        case .verdict(let reason): return reason
        case .capped, nil: break
        }
        if let cap = state.cappedUntil(slot: slot, now: clock.own) {
            return .capped(cap.scope, until: clock.wall(at: cap.time))
        }
        let separation = separations[state.separation]
        if let other = screens.competitor(of: separation, besides: slot) { return .separated(from: other) }
        if let due = state.due, due > clock.now.wall { return .aheadOfPace(until: due) }
        let nearness = screens.slots[slot]?.previous.map(separation.nearness)
        return nearness?.reason ?? .eligible
    }
}
