import Reachability

/// What takes the screen from slots, whatever their hosts and sources say.
extension Coordinator {
    /// The operator disables a slot, or enables it again.
    ///
    /// An emergency notice needs the screen at once, so that a slot which is disabled ends its action as one
    /// that leaves the configuration does: work goes on, then the banner is hidden and released. The host
    /// finds its action unknown when it says that it is over.
    mutating func setEnablement(_ enablement: Enablement, of slot: String, _ turn: inout Turn) {
        guard let index = indexByName[slot] else {
            turn.effects.append(.enablementRefused(slot: slot, known: slotNames))
            return
        }
        var enablement = enablement
        if let until = enablement.until {
            enablement = .disabled(until: min(until, turn.now + Limits.disableDurationMax))
        }
        guard enablement != entries[index].record.enablement else { return }
        touch(index)
        let wasEnabled = !entries[index].record.enablement.isDisabled
        entries[index].record.enablement = enablement
        switch enablement {
        case .enabled:
            entries[index].record.note(.enabled(byOperator: true), turn)
        case .disabled(let until):
            entries[index].record.note(.disabled(until: until), turn)
            if wasEnabled { breakHold(of: index, refusal: .disabled, end: .disabled, &turn) }
        }
        settle(index, &turn)
    }

    /// The system is short of memory: banners that nobody sees are released. A slot asks anew once it is
    /// visible again. Under an action nothing changes, and pressure that is over by its end has no effect.
    mutating func memoryPressure(_ turn: inout Turn) {
        for index in entries.indices where entries[index].hosting?.isIdleOutOfView ?? false {
            touch(index)
            entries[index].releaseIdle(&turn)
            settle(index, &turn)
        }
    }

    /// Ends the action that a slot is in, where there is one. The caller settles or vacates the slot.
    mutating func breakHold(
        of index: Int, refusal: BeginRefusal, end: ActionEnd, _ turn: inout Turn
    ) {
        switch entries[index].hosting?.banner.hold {
        case .pausing(let action): refuseBegin(action, refusal, &turn)
        case .running(let action): endAction(action, end, &turn)
        case nil: break
        }
    }
}

extension Hosting {
    /// Whether the host holds a banner for nothing but later: off screen, and the host says not visible.
    var isIdleOutOfView: Bool {
        guard !visible else { return false }
        switch banner {
        case .empty, .covered: return true
        case .none, .made, .shown, .held: return false
        }
    }
}

extension Slot {
    mutating func releaseIdle(_ turn: inout Turn) {
        guard let view = hosting?.banner.view else { return }
        hosting?.release(view, .memoryPressure, &record, &turn)
    }
}
