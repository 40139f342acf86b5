/// Keeping the slots and the tables that find them in step.
extension Coordinator {
    /// Must come before anything changes in a slot, so that the change can be reported.
    mutating func touch(_ index: Int) {
        guard !entries[index].isTouched else { return }
        entries[index].isTouched = true
        let before = entries[index].snapshot(reachable: isReachable)
        touched.append((before.name, before, entries[index].record.memory))
    }

    /// Makes a slot what the facts ask for and files its deadline and its request.
    mutating func settle(_ index: Int, _ turn: inout Turn) {
        if let (action, refusal) = entries[index].brokenBegin(turn) {
            refuseBegin(action, refusal, &turn)
        }
        entries[index].settle(&turn)
        file(index)
    }

    /// Brings the deadline queue and the request table up to date with a slot.
    mutating func file(_ index: Int) {
        deadlines.set(.slot(index), due: entries[index].deadline(reachable: isReachable))
        let request = entries[index].hosting?.fetch.request
        guard request != entries[index].indexedRequest else { return }
        if let old = entries[index].indexedRequest { indexByRequest[old] = nil }
        if let request { indexByRequest[request] = index }
        entries[index].indexedRequest = request
    }

    /// Builds the table of names anew.
    mutating func indexNames() {
        indexByName.removeAll(keepingCapacity: true)
        for (index, slot) in entries.enumerated() {
            let previous = indexByName.updateValue(index, forKey: slot.record.settings.name)
            precondition(previous == nil, "the names of slots differ")
        }
    }

    mutating func reachabilityChanged(to reachable: Bool, _ turn: inout Turn) {
        guard reachable != isReachable else { return }
        for index in entries.indices where entries[index].hosting != nil { touch(index) }
        isReachable = reachable
        turn.reachable = reachable
        for index in entries.indices where entries[index].hosting != nil {
            entries[index].record.note(.reachable(reachable), turn)
            settle(index, &turn)
        }
    }

    mutating func sourceAnswered(
        _ request: RequestID, _ result: Result<Creative, SourceError>, detail: String?, _ turn: inout Turn
    ) {
        // Unknown: cancelled, timed out, or its host left. Nothing on screen may change.
        guard let index = indexByRequest[request] else { return }
        touch(index)
        entries[index].answered(result, detail: detail, &turn)
        settle(index, &turn)
    }

    /// Ends the wait of slots for which a source may have something again.
    mutating func sourceChanged(for slots: [String], _ turn: inout Turn) {
        for slot in slots {
            guard let index = indexByName[slot], entries[index].record.backoff.notBefore != nil else {
                continue
            }
            touch(index)
            entries[index].record.note(
                .mayFill(failures: entries[index].record.backoff.failures), turn)
            entries[index].record.backoff.endWait()
            settle(index, &turn)
        }
    }

    /// Gives advertisements another end, wherever they have got to.
    mutating func expiryChanged(_ expiries: [Expiry], _ turn: inout Turn) {
        for expiry in expiries {
            guard let index = indexByName[expiry.slot], entries[index].hosting != nil else { continue }
            touch(index)
            // What was seen before was rightly seen.
            let expires = expiry.expires.map { max($0, turn.now) }
            entries[index].hosting?.setExpiry(expires, of: expiry.request)
            settle(index, &turn)
        }
    }

    /// Takes up a new configuration: slots keep what they have by name.
    mutating func configure(_ settings: CoordinatorSettings, _ turn: inout Turn) {
        for index in entries.indices { touch(index) }
        pauseTimeout = settings.pauseTimeout
        actionTimeout = settings.actionTimeout

        let kept = Set(settings.slots.map(\.name))
        for index in entries.indices where !kept.contains(entries[index].record.settings.name) {
            vacate(index, .slotRemoved, &turn)
            keepMemory(of: index)
        }
        for index in entries.indices { deadlines.remove(.slot(index)) }
        let (old, oldIndex) = (entries, indexByName)
        entries = settings.slots.map { new in
            oldIndex[new.name].map { old[$0] } ?? Slot(settings: new)
        }
        indexNames()
        indexByHost.removeAll()
        indexByRequest.removeAll()
        for (index, new) in settings.slots.enumerated() {
            if let host = entries[index].hosting?.host { indexByHost[host] = index }
            if oldIndex[new.name] == nil {
                touched.append((new.name, nil, nil))
                recall(index, at: turn.now)
            }
            entries[index].indexedRequest = nil
            entries[index].adopt(new, &turn)
            file(index)
        }
        for index in entries.indices { settle(index, &turn) }
    }

    /// Reports each slot that queries now show otherwise than before the event: those that are gone first,
    /// then in the configuration's order.
    mutating func reportChangedSlots(_ turn: inout Turn) {
        var changed: [(index: Int, name: String)] = []
        for (name, before, memory) in touched {
            guard let index = indexByName[name] else {
                changed.append((-1, name))
                if departed[name] != memory { changedMemories.append(name) }
                continue
            }
            entries[index].isTouched = false
            if !entries[index].hasChangedMemory, entries[index].record.memory != memory {
                entries[index].hasChangedMemory = true
                changedMemories.append(name)
            }
            guard entries[index].snapshot(reachable: isReachable) != before else { continue }
            changed.append((index, name))
        }
        touched.removeAll(keepingCapacity: true)
        changed.sort { ($0.index, $0.name) < ($1.index, $1.name) }
        turn.effects += changed.map { .slotChanged($0.name) }
    }
}

extension Slot {
    func brokenBegin(_ turn: Turn) -> (ActionID, BeginRefusal)? {
        hosting?.brokenBegin(record, reachable: turn.reachable, at: turn.now)
    }

    mutating func answered(
        _ result: Result<Creative, SourceError>, detail: String?, _ turn: inout Turn
    ) {
        hosting?.answered(result, detail: detail, &record, &turn)
    }

    mutating func adopt(_ settings: SlotSettings, _ turn: inout Turn) {
        let old = record.settings
        guard settings != old else { return }
        record.settings = settings
        record.note(.reconfigured, turn)
        hosting?.adopt(settings, over: old, &record, &turn)
    }
}
