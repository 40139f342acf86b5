/// Hosts come, change and go.
extension Coordinator {
    mutating func attach(_ hosting: Hosting, to slot: String, _ turn: inout Turn) {
        precondition(indexByHost[hosting.host] == nil, "a host identifier is used once")
        guard let index = indexByName[slot] else {
            let known = entries.map(\.record.settings.name)
            turn.effects.append(.attachRefused(hosting.host, .unknownSlot(slot: slot, known: known)))
            return
        }
        if let present = entries[index].hosting {
            let refusal = AttachRefusal.slotTaken(slot: slot, host: present.name)
            turn.effects.append(.attachRefused(hosting.host, refusal))
            return
        }
        if let message = Layout.problem(with: hosting.viewport) {
            let refusal = AttachRefusal.invalidViewport(hosting.viewport, message: message)
            turn.effects.append(.attachRefused(hosting.host, refusal))
            return
        }
        touch(index)
        turn.effects.append(.attached(hosting.host))
        indexByHost[hosting.host] = index
        entries[index].hosting = hosting
        entries[index].record.note(
            .attached(host: hosting.name, hosting.viewport, visible: hosting.visible), turn)
        settle(index, &turn)
    }

    mutating func update(_ host: HostID, viewport: Size?, visible: Bool?, _ turn: inout Turn) {
        guard let index = indexByHost[host] else {
            turn.effects.append(.updateRefused(host, .notAttached))
            return
        }
        if let viewport, let message = Layout.problem(with: viewport) {
            turn.effects.append(.updateRefused(host, .invalidViewport(viewport, message: message)))
            return
        }
        touch(index)
        entries[index].update(viewport: viewport, visible: visible, turn)
        settle(index, &turn)
    }

    mutating func detach(_ host: HostID, _ turn: inout Turn) {
        guard let index = indexByHost[host] else { return }
        touch(index)
        vacate(index, .detached, &turn)
    }

    /// Takes a slot from its host: its action ends, its banner is released.
    mutating func vacate(_ index: Int, _ departure: Departure, _ turn: inout Turn) {
        guard let hosting = entries[index].hosting else { return }
        breakHold(of: index, refusal: departure.refusal, end: departure.actionEnd, &turn)
        entries[index].vacate(departure, &turn)
        indexByHost[hosting.host] = nil
        file(index)
    }

    /// Ends everything: work goes on first, then hosts are let go.
    mutating func shutDown(_ turn: inout Turn) {
        for index in entries.indices where entries[index].hosting?.banner.hold != nil {
            touch(index)
            vacate(index, .shutdown, &turn)
        }
        for index in entries.indices where entries[index].hosting != nil {
            touch(index)
            vacate(index, .shutdown, &turn)
        }
        isShutDown = true
    }
}

extension Slot {
    mutating func update(viewport: Size?, visible: Bool?, _ turn: Turn) {
        if let viewport, viewport != hosting?.viewport {
            hosting?.viewport = viewport
            record.note(.viewport(viewport), turn)
        }
        if let visible, visible != hosting?.visible {
            hosting?.visible = visible
            hosting?.breakView(at: turn.now)
            record.note(.visible(visible), turn)
        }
    }

    mutating func vacate(_ departure: Departure, _ turn: inout Turn) {
        hosting?.leave(departure, &record, &turn)
        hosting = nil
    }
}
