extension Scheduler {
    /// Decides what a slot shows, and counts it: caps, shares and guaranteed impressions know of it at once.
    ///
    /// A request that was answered before gets the same answer and is not counted again. Whoever shows the
    /// creative says so (`confirm`); whoever does not gives it back (`withdraw`).
    public mutating func decide(_ request: AdRequest, at moment: Moment) -> Decision {
        if let earlier = decisions[request.id] {
            guard earlier.state != .withdrawn else { return refusal(.invalidIdentifier) }
            return .serve(earlier.placement, passedOver: [])
        }
        guard (1...Limits.decisionBytesMax).contains(request.id.value.utf8.count) else {
            return refusal(.invalidIdentifier)
        }
        guard know(request.slot) else { return refusal(.tooManySlots) }
        advance(to: moment)
        countTraffic()
        guard !places.isEmpty else { return refusal(.noCampaigns) }
        var search = Search(scheduler: self, request: request)
        let choice = search.run()
        let passedOver = search.verdicts
        let nextChange = search.nextChange
        guard let choice else {
            return .refuse(
                Refusal(
                    reason: .nothingEligible, verdicts: completed(passedOver, request),
                    nextChange: earliestChange(nextChange)))
        }
        // The search holds on to all that is about to be changed.
        search = Search(scheduler: nil, request: request)
        guard let placement = count(choice, for: request) else { return refusal(.nothingEligible) }
        return .serve(placement, passedOver: passedOver.filter { $0.campaign != placement.campaign })
    }

    /// Takes a new reading of the clocks, and brings everything up to it.
    mutating func advance(to moment: Moment) {
        if clock.advance(to: moment) { isStale = true }
        refresh()
    }

    private func refusal(_ reason: Refusal.Reason) -> Decision {
        .refuse(Refusal(reason: reason, verdicts: [], nextChange: nil))
    }

    /// When something may change by itself: as the search saw it, or by an appointment.
    func earliestChange(_ found: WallTime?) -> WallTime? {
        let change = changes.first.map { WallTime(milliseconds: $0.time) }
        let cap = capped.first.map { clock.wall(at: $0.time) }
        return [found, change, cap].compactMap { $0 }.min()
    }

    /// Some of the campaigns that no search has seen, with what stands against them.
    private func completed(_ found: [Verdict], _ request: AdRequest) -> [Verdict] {
        var verdicts = found
        let seen = Set(found.map(\.campaign))
        for state in states {
            guard verdicts.count < Limits.verdictsMax else { break }
            guard let state, !seen.contains(state.campaign.id) else { continue }
            verdicts.append(verdict(on: state, slot: request.slot, size: request.size))
        }
        return verdicts.sorted { $0.campaign < $1.campaign }
    }

    private mutating func count(_ choice: Search.Choice, for request: AdRequest) -> Placement? {
        guard let state = states[choice.place], let creative = state.nextCreative(of: request.size) else {
            return nil
        }
        let campaign = state.campaign
        let placement = Placement(
            decision: request.id, slot: request.slot, campaign: campaign.id, revision: campaign.revision,
            creative: creative, size: request.size, cost: ImpressionCost(cpm: campaign.price),
            basis: basis(of: state), isRepeat: choice.nearness != .apart)
        let decision = CountedDecision(
            placement: placement, separation: separations[state.separation], ownMilliseconds: clock.own,
            previouslyServed: state.lastServed, servedAt: clock.isTrusted ? clock.now.wall : nil,
            state: .pending)
        remember(decision)
        takeTurn(choice.place, request.size)
        update(choice.place) { state in
            state.delivered += 1
            state.lastServed = decision.servedAt ?? state.lastServed
            state.shown[creative, default: 0] += 1
            state.history.insert(decision.stamp, caps: state.campaign.caps)
        }
        return placement
    }

    private func basis(of state: CampaignState) -> Placement.Basis {
        switch state.campaign.delivery {
        case .guaranteed: .guaranteed(due: state.due ?? clock.now.wall)
        case .share(let weight): .share(weight: weight)
        }
    }

    private mutating func remember(_ decision: CountedDecision) {
        let slot = decision.placement.slot
        screens.expect(decision.placement.decision, decision.separation, in: slot)
        touched.decisions.insert(decision.placement.decision)
        // One that nobody has settled for so long stays counted, and does not hold its slot any longer.
        guard let forgotten = decisions.append(decision) else { return }
        touched.decisions.remove(forgotten.placement.decision)
        guard forgotten.state == .pending else { return }
        screens.forget(forgotten.placement.decision, in: forgotten.placement.slot)
    }

    /// Moves a share of voice on by one turn.
    private mutating func takeTurn(_ place: Int, _ size: CreativeSize) {
        guard let state = states[place], case .share(let weight) = state.campaign.delivery,
            var turn = state.turns[size], let lane = shelves[size]?.lane(tier: state.campaign.tier)
        else { return }
        let level = shelves[size]?.lanes[lane].level ?? 0
        // What could not be shown for long is owed a bounded number of turns.
        let owed = Limits.owedMax * Turn.stride(weight)
        if turn.begin(weight: weight) < level - owed { turn = Turn(start: level - owed) }
        shelves[size]?.lanes[lane].level = max(level, turn.begin(weight: weight))
        touched.lanes.insert(Touched.LaneKey(size: size, tier: state.campaign.tier))
        turn.served += 1
        update(place) { $0.turns[size] = turn }
    }
}

extension CountedDecision {
    /// How frequency caps see it.
    var stamp: CapHistory.Stamp {
        CapHistory.Stamp(time: ownMilliseconds, decision: placement.decision, slot: placement.slot)
    }
}
