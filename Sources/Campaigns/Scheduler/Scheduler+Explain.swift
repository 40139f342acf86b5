extension Scheduler {
    /// What stands for or against every campaign at a request of a slot, in the order of the campaigns.
    /// Nothing is decided, and nothing counted.
    public func explain(slot: String, size: CreativeSize, at moment: Moment) -> [Verdict] {
        var scheduler = self
        scheduler.advance(to: moment)
        return scheduler.states.compactMap { $0 }
            .map { scheduler.verdict(on: $0, slot: slot, size: size) }
            .sorted { $0.campaign < $1.campaign }
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
