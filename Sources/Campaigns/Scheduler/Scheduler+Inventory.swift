extension Scheduler {
    /// Adds a campaign, or takes its edited form; what it has had stays counted.
    ///
    /// - Returns: false when a newer revision is there already.
    @discardableResult
    public mutating func upsert(_ campaign: Campaign) throws(InvalidCampaign) -> Bool {
        try campaign.check()
        if let place = places[campaign.id], let state = states[place] {
            guard campaign.revision >= state.campaign.revision else { return false }
            let separation = separations.take(Separation(campaign))
            update(place) { $0.replace(with: campaign, separation: separation) }
            separations.giveBack(state.separation)
            return true
        }
        guard places.count < Limits.campaignsMax else {
            let message = "is one more than the \(Limits.campaignsMax) campaigns there may be"
            throw InvalidCampaign(faults: [CampaignFault(field: "id", message: message)])
        }
        add(campaign)
        return true
    }

    /// Takes the whole inventory: what is not in it is removed, and what was remembered of it dropped.
    ///
    /// - Returns: the campaigns that were refused, with their faults.
    public mutating func load(_ inventory: [Campaign]) -> [CampaignID: InvalidCampaign] {
        var refused: [CampaignID: InvalidCampaign] = [:]
        for campaign in inventory {
            do {
                try upsert(campaign)
            } catch {
                refused[campaign.id] = error
            }
        }
        let present = Set(inventory.map(\.id))
        for id in campaigns where !present.contains(id) { remove(id) }
        // What is refused now may come again, mended.
        awaited = awaited.filter { present.contains($0.key) }
        awaitedImpressions = awaitedImpressions.filter { present.contains($0.key) }
        return refused
    }

    private mutating func add(_ campaign: Campaign) {
        var state = CampaignState(campaign, separation: separations.take(Separation(campaign)))
        if let memory = awaited.removeValue(forKey: campaign.id) { state.restore(memory) }
        for stamp in awaitedImpressions.removeValue(forKey: campaign.id) ?? [] {
            state.history.insert(stamp, caps: campaign.caps)
        }
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            states[place] = state
        } else {
            place = states.count
            states.append(state)
        }
        places[campaign.id] = place
        note(place)
        touched.campaigns.insert(campaign.id)
    }

    /// Removes a campaign with all that is remembered of it. What it has on screen stays until it is
    /// replaced.
    public mutating func remove(_ id: CampaignID) {
        awaited[id] = nil
        awaitedImpressions[id] = nil
        touched.campaigns.remove(id)
        guard let place = places.removeValue(forKey: id), let state = states[place] else { return }
        leave(place)
        separations.giveBack(state.separation)
        states[place] = nil
        freePlaces.append(place)
    }

    /// Counts impressions of the past for the frequency caps, in whatever order they come: after an edit, for
    /// caps that ask for more history than was kept. Those that are known are not counted twice.
    public mutating func recall(_ impressions: [CappedImpression]) {
        for (id, group) in Dictionary(grouping: impressions, by: \.campaign) {
            guard let place = places[id] else { continue }
            let own = clock.own
            update(place) { state in
                let known = Set(state.history.all.map(\.decision))
                for impression in group where !known.contains(impression.decision) {
                    // What claims to come from the future counts as of now.
                    state.history.insert(
                        CapHistory.Stamp(
                            time: min(impression.ownMilliseconds, own), decision: impression.decision,
                            slot: impression.slot), caps: state.campaign.caps)
                }
            }
        }
    }

    /// Changes a campaign's state, and has it judged anew at the next decision.
    mutating func update(_ place: Int, _ change: (inout CampaignState) -> Void) {
        leave(place)
        withState(place, change)
        note(place)
        states[place].map { _ = touched.campaigns.insert($0.campaign.id) }
    }

    /// Has a campaign judged anew at the next decision; so many at once that all are.
    private mutating func note(_ place: Int) {
        changed.append(place)
        guard changed.count > 2 * states.count else { return }
        changed = []
        isStale = true
    }

    /// Changes a campaign's state in place.
    mutating func withState(_ place: Int, _ change: (inout CampaignState) -> Void) {
        guard var state = states[place] else { return }
        // Not two owners of its arrays at once.
        states[place] = nil
        change(&state)
        states[place] = state
    }
}
