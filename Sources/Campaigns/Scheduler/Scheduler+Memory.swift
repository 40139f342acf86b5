extension Scheduler {
    /// All that is to be remembered, in a defined order.
    public var memory: SchedulerMemory {
        var memory = SchedulerMemory()
        memory.clock = clock.memory
        let present = states.compactMap { $0 }.sorted { $0.campaign.id < $1.campaign.id }
        memory.campaigns = (present.map(\.memory) + awaited.values).sorted { $0.campaign < $1.campaign }
        for (size, shelf) in shelves.sorted(by: { $0.key < $1.key }) {
            memory.lanes += shelf.lanes.lazy.filter { $0.level != 0 }
                .map { LaneMemory(size: size, tier: $0.tier, level: $0.level) }
        }
        memory.slots = screens.slots.keys.sorted().compactMap(slotMemory)
        memory.decisions = decisions.all
        let histories =
            present.map { ($0.campaign.id, $0.history.all) }
            + awaitedImpressions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (id, stamps) in histories {
            memory.impressions += stamps.map { stamp in
                CappedImpression(
                    decision: stamp.decision, campaign: id, slot: stamp.slot, ownMilliseconds: stamp.time)
            }
        }
        memory.profile = profile
        memory.traffic = traffic
        return memory
    }

    private func slotMemory(_ slot: String) -> SlotMemory? {
        screens.slots[slot].map { SlotMemory(slot: slot, current: $0.current, last: $0.last) }
    }

    /// The part of `memory` that has changed since this was last called, for `SchedulerMemory.merge`, or to
    /// be put over what is stored, each by its key. Impressions that caps count are those of its decisions
    /// that were not withdrawn.
    ///
    /// Clock, profile and traffic are always there, and small. To be called at least once in
    /// `Limits.decisionsMax` decisions, best after each turn of the loop.
    public mutating func takeChanges() -> SchedulerMemory {
        var changes = SchedulerMemory()
        changes.clock = clock.memory
        changes.campaigns = touched.campaigns.sorted()
            .compactMap { id in places[id].flatMap { states[$0]?.memory } }
        changes.lanes = touched.lanes.compactMap { key in
            let lane = shelves[key.size]?.lanes.first { $0.tier == key.tier }
            return lane.map { LaneMemory(size: key.size, tier: key.tier, level: $0.level) }
        }
        changes.lanes.sort { ($0.size, $0.tier) < ($1.size, $1.tier) }
        changes.slots = touched.slots.sorted().compactMap(slotMemory)
        changes.decisions = decisions.select(touched.decisions)
        changes.impressions = changes.decisions.filter { $0.state != .withdrawn }.map { decision in
            CappedImpression(
                decision: decision.placement.decision, campaign: decision.placement.campaign,
                slot: decision.placement.slot, ownMilliseconds: decision.ownMilliseconds)
        }
        changes.profile = profile
        changes.traffic = traffic
        touched = Touched()
        return changes
    }

    /// Takes over what was remembered; of campaigns, when they come.
    mutating func restore(_ memory: SchedulerMemory) {
        for campaign in memory.campaigns { awaited[campaign.campaign] = campaign }
        for lane in memory.lanes where Limits.tiers.contains(lane.tier) {
            let place = shelves[lane.size, default: Shelf()].lane(tier: lane.tier)
            shelves[lane.size]?.lanes[place].level = lane.level
        }
        for slot in memory.slots.prefix(Limits.slotsMax) where screens.slots[slot.slot] == nil {
            screens.restore(slot.slot, current: slot.current, last: slot.last)
        }
        for decision in memory.decisions {
            if decision.state == .pending {
                screens.expect(decision.placement.decision, decision.separation, in: decision.placement.slot)
            }
            guard let forgotten = decisions.append(decision), forgotten.state == .pending else { continue }
            screens.forget(forgotten.placement.decision, in: forgotten.placement.slot)
        }
        var known: Set<DecisionID> = []
        for impression in memory.impressions where known.insert(impression.decision).inserted {
            let stamp = CapHistory.Stamp(
                time: impression.ownMilliseconds, decision: impression.decision, slot: impression.slot)
            awaitedImpressions[impression.campaign, default: []].append(stamp)
        }
    }
}
