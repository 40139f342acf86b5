extension Scheduler {
    /// Makes lanes and appointments where they are stale, or brings them up to the present.
    mutating func refresh() {
        defer { changed.removeAll(keepingCapacity: true) }
        guard !isStale else { return rebuild() }
        if hasNewSlot {
            hasNewSlot = false
            for place in capped.map(\.place) { renew(place) }
        }
        for place in changed where states[place]?.isEntered == false { enter(place) }
        let wall = clock.now.wall.milliseconds
        while let change = changes.first, change.time <= wall { renew(change.place) }
        while let cap = capped.first, cap.time <= clock.own { renew(cap.place) }
    }

    /// Judges a campaign anew.
    private mutating func renew(_ place: Int) {
        leave(place)
        enter(place)
    }

    private mutating func rebuild() {
        for size in shelves.keys { shelves[size]?.clear() }
        changes = OrderedChunks()
        capped = OrderedChunks()
        curves = [:]
        (isStale, hasNewSlot) = (false, false)
        let wall = clock.now.wall
        for place in states.indices where states[place] != nil {
            withState(place) { $0.plan = nil }
            // After the clock was put back nothing was served in the future.
            if clock.isTrusted, let last = states[place]?.lastServed, last > wall {
                withState(place) { $0.lastServed = wall }
                states[place].map { _ = touched.campaigns.insert($0.campaign.id) }
            }
            enter(place)
        }
    }

    /// Takes a campaign out of the lanes, and its appointments back. Whether it was competing is not
    /// forgotten.
    mutating func leave(_ place: Int) {
        guard !isStale, let state = states[place], state.isEntered else { return }
        withState(place) { $0.isEntered = false }
        if let time = state.nextChange { changes.remove(Appointment(time: time, place: place)) }
        if case .capped(let until) = state.hindrance { capped.remove(Appointment(time: until, place: place)) }
        guard state.isCompeting else { return }
        let campaign = state.campaign
        for size in state.creatives.keys {
            guard let lane = shelves[size]?.lane(tier: campaign.tier) else { continue }
            shelves[size]?.remove(separation: state.separation)
            switch campaign.delivery {
            case .guaranteed:
                guard let due = state.due else { continue }
                let entry = self.entry(due.milliseconds, state, place)
                shelves[size]?.lanes[lane].guaranteed.remove(entry)
            case .share(let weight):
                guard let turn = state.turns[size] else { continue }
                let entry = self.entry(turn.end(weight: weight), state, place)
                shelves[size]?.lanes[lane].shares.remove(entry)
            }
        }
    }

    private func entry(_ key: Int64, _ state: CampaignState, _ place: Int) -> LaneEntry {
        LaneEntry(
            key: key, campaign: state.campaign.id, place: place, separation: state.separation,
            isCapped: !state.campaign.caps.isEmpty)
    }

    /// Judges a campaign anew, and puts it into the lanes when nothing stands against it.
    private mutating func enter(_ place: Int) {
        guard let state = states[place] else { return }
        let standing = standing(of: state)
        var due: WallTime?
        var hindrance = standing.hindrance
        if hindrance == nil, let plan = takePlan(place) {
            due = self.due(state, plan)
            if due == nil {
                let isDelivered = state.delivered >= plan.impressions
                hindrance = .verdict(isDelivered ? .delivered : .aheadOfPace(until: nil))
            }
        }
        if hindrance == nil, let until = cappedEverywhere(state) { hindrance = .capped(until: until) }
        withState(place) { state in
            state.nextChange = standing.nextChange?.milliseconds
            state.hindrance = hindrance
            state.due = due
            state.isEntered = true
        }
        if let change = standing.nextChange {
            changes.insert(Appointment(time: change.milliseconds, place: place))
        }
        if case .capped(let until) = hindrance { capped.insert(Appointment(time: until, place: place)) }
        if state.isCompeting != (hindrance == nil) { touched.campaigns.insert(state.campaign.id) }
        guard hindrance == nil else { return withState(place) { $0.isCompeting = false } }
        if case .share(let weight) = state.campaign.delivery { takeTurns(place, weight) }
        stand(place)
        withState(place) { $0.isCompeting = true }
    }

    /// Until when caps let nothing through in any slot; nil when they do in one.
    private func cappedEverywhere(_ state: CampaignState) -> Int64? {
        let caps = state.campaign.caps
        guard !caps.isEmpty else { return nil }
        if let until = state.history.cappedUntil(.device, slot: "", caps: caps, now: clock.own) {
            return until
        }
        // With more slots it is seldom so, and dear to know.
        guard screens.slots.count <= Limits.slotsLookedThroughMax else { return nil }
        var first: Int64?
        for slot in screens.slots.keys {
            guard let until = state.history.cappedUntil(.slot, slot: slot, caps: caps, now: clock.own) else {
                return nil
            }
            first = min(first ?? until, until)
        }
        return first
    }

    /// Gives a share of voice its place in virtual time: newcomers, and those who come back, begin where the
    /// others are, and do not catch up.
    private mutating func takeTurns(_ place: Int, _ weight: Int) {
        guard let state = states[place] else { return }
        for size in state.creatives.keys {
            let lane = shelves[size, default: Shelf()].lane(tier: state.campaign.tier)
            let level = shelves[size]?.lanes[lane].level ?? 0
            let start: Int64
            if let turn = state.turns[size] {
                guard !state.isCompeting, turn.end(weight: weight) < level else { continue }
                start = level - Turn.stride(weight)
            } else {
                start = level
            }
            withState(place) { $0.turns[size] = Turn(start: start) }
            touched.campaigns.insert(state.campaign.id)
        }
    }

    private mutating func stand(_ place: Int) {
        guard let state = states[place] else { return }
        for size in state.creatives.keys {
            let lane = shelves[size, default: Shelf()].lane(tier: state.campaign.tier)
            shelves[size]?.add(separation: state.separation)
            switch state.campaign.delivery {
            case .guaranteed:
                guard let due = state.due else { continue }
                let entry = self.entry(due.milliseconds, state, place)
                shelves[size]?.lanes[lane].guaranteed.insert(entry)
            case .share(let weight):
                guard let turn = state.turns[size] else { continue }
                let entry = self.entry(turn.end(weight: weight), state, place)
                shelves[size]?.lanes[lane].shares.insert(entry)
            }
        }
    }

    /// What stands against a campaign by itself and by the wall clock, and when that changes by itself.
    private func standing(
        of state: CampaignState
    ) -> (hindrance: CampaignState.Hindrance?, nextChange: WallTime?) {
        let campaign = state.campaign
        guard campaign.isEnabled else { return (.verdict(.disabled), nil) }
        guard campaign.isDated else { return (nil, nil) }
        if case .untrusted(let doubt) = clock.now.trust { return (.verdict(.clockUntrusted(doubt)), nil) }
        let now = clock.now.wall
        if let end = campaign.flight.end, now >= end { return (.verdict(.afterFlight(end: end)), nil) }
        if let start = campaign.flight.start, now < start {
            return (.verdict(.beforeFlight(start: start)), start)
        }
        guard !campaign.dayparts.isEmpty else { return (nil, campaign.flight.end) }
        let change = state.pattern.nextChange(after: now, in: settings.zone)
        let next = [change, campaign.flight.end].compactMap { $0 }.min()
        guard state.pattern.isActive(at: now, in: settings.zone) else {
            return (.verdict(.outsideDaypart(until: change)), next)
        }
        return (nil, next)
    }

    /// The plan of a guaranteed campaign, kept for the next time. Campaigns of the same hours share a curve.
    private mutating func takePlan(_ place: Int) -> PacingPlan? {
        if let plan = states[place]?.plan { return plan }
        guard let state = states[place], case .guaranteed = state.campaign.delivery else { return nil }
        if curves[state.pattern] == nil {
            curves[state.pattern] = PacingCurve(pattern: state.pattern, weights: weights)
        }
        let plan = plan(place)
        withState(place) { $0.plan = plan }
        return plan
    }

    /// The plan of a guaranteed campaign.
    func plan(_ place: Int) -> PacingPlan? {
        guard let state = states[place], case .guaranteed(let goal) = state.campaign.delivery,
            let start = state.campaign.flight.start, let end = state.campaign.flight.end
        else { return nil }
        let curve = curves[state.pattern] ?? PacingCurve(pattern: state.pattern, weights: weights)
        return PacingPlan(
            curve: curve, goal: goal, start: settings.zone.local(at: start), end: settings.zone.local(at: end)
        )
    }

    private func due(_ state: CampaignState, _ plan: PacingPlan) -> WallTime? {
        let last = state.lastServed.map { settings.zone.local(at: $0) }
        return plan.due(delivered: state.delivered, last: last).map { settings.zone.first($0) }
    }

    /// Gives the opportunities of days that are over to the profile, and plans anew.
    mutating func countTraffic() {
        let local = settings.zone.local(at: clock.now.wall)
        guard clock.isTrusted, traffic.add(at: local, to: &profile) else { return }
        weights = profile.weights
        curves = [:]
        for place in states.indices where states[place]?.plan != nil {
            withState(place) { $0.plan = nil }
            renew(place)
        }
    }
}
