extension Scheduler {
    /// A decision has reached the screen: it stays counted, from this moment on, and what the slot had is
    /// gone.
    public mutating func confirm(_ id: DecisionID, at moment: Moment) -> Settlement {
        advanceClock(to: moment)
        guard var decision = decisions[id] else { return .unknown }
        switch decision.state {
        case .confirmed: return .doneBefore
        case .withdrawn: return .opposite
        case .pending: break
        }
        let before = decision.stamp
        decision.state = .confirmed
        decision.ownMilliseconds = clock.own
        decisions.update(decision)
        touched.decisions.insert(id)
        touched.slots.insert(decision.placement.slot)
        let slot = decision.placement.slot
        screens.forget(id, in: slot)
        screens.show(decision.separation, in: slot)
        if let place = places[decision.placement.campaign], states[place]?.campaign.caps.isEmpty == false {
            update(place) { state in
                state.history.remove(before)
                state.history.insert(decision.stamp, caps: state.campaign.caps)
            }
        }
        return .done
    }

    /// A decision has not reached the screen and never will: it is taken out of every count.
    public mutating func withdraw(_ id: DecisionID, at moment: Moment) -> Settlement {
        advanceClock(to: moment)
        guard var decision = decisions[id] else { return .unknown }
        switch decision.state {
        case .withdrawn: return .doneBefore
        case .confirmed: return .opposite
        case .pending: break
        }
        decision.state = .withdrawn
        decisions.update(decision)
        touched.decisions.insert(id)
        let placement = decision.placement
        screens.forget(id, in: placement.slot)
        guard let place = places[placement.campaign] else { return .done }
        update(place) { state in
            state.delivered = max(0, state.delivered - 1)
            if state.lastServed == decision.servedAt { state.lastServed = decision.previouslyServed }
            state.turns[placement.size]?.served -= 1
            if let shown = state.shown[placement.creative], shown > 0 {
                state.shown[placement.creative] = shown - 1
            }
            state.history.remove(decision.stamp)
        }
        return .done
    }

    /// Nothing of this scheduler or of another source is on a slot's screen any more: it was hidden or
    /// released.
    public mutating func vacate(_ slot: String) {
        guard screens.slots[slot]?.current != nil else { return }
        screens.vacate(slot)
        touched.slots.insert(slot)
    }

    /// All screens are empty, as after a restart that lost the hosts. What each slot had last is remembered.
    public mutating func vacateAll() {
        for slot in screens.slots.keys { vacate(slot) }
    }

    /// An advertisement of another source is on a slot's screen: house campaigns keep their distance from it.
    public mutating func occupy(_ slot: String, by separation: Separation) {
        guard know(slot) else { return }
        screens.show(separation, in: slot)
        touched.slots.insert(slot)
    }

    /// A slot is gone from the configuration.
    public mutating func forget(slot: String) {
        guard screens.slots[slot] != nil else { return }
        screens.remove(slot)
        touched.slots.remove(slot)
        isStale = true
    }

    /// Takes note of a slot; false when there are too many. What is capped in every slot stands in no lane,
    /// so that is judged anew with it.
    mutating func know(_ slot: String) -> Bool {
        guard screens.slots[slot] == nil else { return true }
        guard screens.slots.count < Limits.slotsMax else { return false }
        screens.restore(slot, current: nil, last: nil)
        touched.slots.insert(slot)
        hasNewSlot = true
        return true
    }

    /// Takes a new reading of the clocks. What follows from it is done at the next decision.
    private mutating func advanceClock(to moment: Moment) {
        if clock.advance(to: moment) { isStale = true }
    }
}
