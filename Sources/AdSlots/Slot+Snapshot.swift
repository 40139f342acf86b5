/// What queries show of a slot.
extension Slot {
    func snapshot(reachable: Bool) -> SlotSnapshot {
        let state = state(reachable: reachable)
        return SlotSnapshot(
            name: record.settings.name, state: state, placement: record.settings.placement,
            enablement: record.enablement, host: hosting?.name, banner: hosting?.banner.view?.id,
            creative: hosting?.banner.onScreen?.creative, viewport: hosting?.viewport,
            visible: hosting?.visible ?? false, reason: reason(for: state, reachable: reachable),
            lastError: record.lastError, nextAttempt: hosting?.attemptDue(record, reachable: reachable),
            requests: record.requests, fills: record.fills, impressions: record.impressions,
            actions: record.actions)
    }

    func state(reachable: Bool) -> SlotState {
        guard let hosting else { return .detached }
        switch hosting.banner {
        case .held: return .acting
        case .shown: return .shown
        case .covered: return hosting.fetch.request == nil ? .hidden : .loading
        case .none, .made, .empty:
            if hosting.fetch.request != nil { return .loading }
            return reachable ? .hidden : .waiting
        }
    }

    private func reason(for state: SlotState, reachable: Bool) -> Reason {
        if record.enablement.isDisabled { return .disabled }
        guard let hosting else { return .noHost }
        switch state {
        case .detached: return .noHost
        case .waiting: return .unreachable
        case .loading: return .loading
        case .shown: return shownReason(hosting, reachable: reachable)
        case .hidden: return hiddenReason(hosting)
        case .acting:
            guard case .running = hosting.banner.hold else { return .pausing }
            return .acting
        }
    }

    private func shownReason(_ hosting: Hosting, reachable: Bool) -> Reason {
        guard let ad = hosting.banner.onScreen else { return .filled }
        if hosting.fetch.request != nil { return .refreshing }
        let size = hosting.chosenSize(record)
        return hosting.isUnsuited(ad, size: size, reachable: reachable) ? .replacing : .filled
    }

    private func hiddenReason(_ hosting: Hosting) -> Reason {
        if !hosting.visible { return .notVisible }
        if record.settings.sources.isEmpty { return .noSource }
        if hosting.chosenSize(record) == nil { return .noSize }
        if record.backoff.failures > 0, let error = record.lastError { return error.reason }
        return .minimumInterval
    }
}
