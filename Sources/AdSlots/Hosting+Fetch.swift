import Reachability

/// Asking the sources.
extension Hosting {
    /// When the next attempt is due; `nil` when something else must happen first.
    func attemptDue(_ record: SlotRecord, reachable: Bool) -> Instant? {
        guard case .idle = fetch, visible, let size = chosenSize(record),
            record.settings.hasUsableSource(reachable: reachable), let earliest = record.earliestAttempt
        else { return nil }
        switch banner {
        case .none, .made, .empty, .covered:
            return earliest
        case .shown(_, let showing):
            let isDueNow = isUnsuited(showing.ad, size: size, reachable: reachable)
            return isDueNow ? earliest : max(showing.refreshAt, earliest)
        case .held:
            return nil
        }
    }

    /// Whether an ad on screen is to be replaced before its time: the size rule now chooses another size, or
    /// it only stood in for the network.
    func isUnsuited(_ ad: Ad, size: Size?, reachable: Bool) -> Bool {
        ad.creative.size != size || (ad.isFallback && reachable)
    }

    /// Begins an attempt when one is due: the view first, then the question.
    mutating func beginAttempt(_ record: inout SlotRecord, _ turn: inout Turn) {
        guard let due = attemptDue(record, reachable: turn.reachable), due <= turn.now,
            let size = chosenSize(record)
        else { return }
        let sources = record.settings.usableSources(reachable: turn.reachable)
        guard let first = sources.first else { return }
        if case .none = banner { create(size: size, &record, &turn) }
        ask(
            first, rest: Array(sources.dropFirst()), size: size,
            isCurtailed: sources.count < record.settings.sources.count, &record, &turn)
    }

    private mutating func ask(
        _ source: SourceReference, rest: [SourceReference], size: Size, isCurtailed: Bool,
        _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        let request = SourceRequest(
            id: turn.ids.request(), slot: record.settings.name, source: source, size: size,
            deadline: turn.now + record.settings.requestTimeout)
        record.requests += 1
        record.lastRequest = turn.now
        record.note(.asked(source.name, size), turn)
        turn.effects.append(.request(request))
        fetch = .asking(
            Attempt(
                request: request.id, source: source, rest: rest, size: size, timeoutAt: request.deadline,
                isCurtailed: isCurtailed))
    }

    /// Ends a question that has taken too long, or that nobody wants answered any more. The latter is no
    /// failure.
    mutating func stopUnwanted(_ record: inout SlotRecord, _ turn: inout Turn) {
        guard case .asking(var attempt) = fetch else { return }
        let settings = record.settings
        if record.enablement.isDisabled {
            cancelFetch(.disabled, &record, &turn)
        } else if !visible {
            cancelFetch(.notVisible, &record, &turn)
        } else if chosenSize(record) != attempt.size {
            cancelFetch(.viewport, &record, &turn)
        } else if attempt.timeoutAt <= turn.now {
            turn.effects.append(.cancel(attempt.request))
            sourceFailed(attempt, .timeout, &record, &turn)
        } else if !settings.maySee(networkAd: attempt.source.isNetwork, reachable: turn.reachable) {
            cancelFetch(.unreachable, &record, &turn)
            // The same round goes on with the local sources that are left in it.
            let rest = attempt.rest.filter {
                settings.maySee(networkAd: $0.isNetwork, reachable: turn.reachable)
            }
            guard let next = rest.first else { return }
            ask(
                next, rest: Array(rest.dropFirst()), size: attempt.size, isCurtailed: true, &record, &turn)
        } else if !turn.reachable, attempt.rest.contains(where: \.isNetwork) {
            attempt.rest.removeAll(where: \.isNetwork)
            attempt.isCurtailed = true
            fetch = .asking(attempt)
        }
    }

    /// Forgets a question, or an answer that waits for the end of an action.
    mutating func cancelFetch(_ reason: Reason, _ record: inout SlotRecord, _ turn: inout Turn) {
        switch fetch {
        case .idle:
            return
        case .asking(let attempt):
            turn.effects.append(.cancel(attempt.request))
            record.note(.cancelled(attempt.source.name, reason), turn)
        case .arrived(let ad):
            record.note(.dropped(ad.creative.source, reason), turn)
            turn.effects.append(.dropped(slot: record.settings.name, ad.creative))
        }
        fetch = .idle
    }

    /// Takes the answer to the question under way.
    mutating func answered(
        _ result: Result<Creative, SourceError>, detail: String?, _ record: inout SlotRecord,
        _ turn: inout Turn
    ) {
        guard case .asking(let attempt) = fetch else { return }
        switch result {
        case .failure(let error):
            sourceFailed(attempt, error, detail: detail, &record, &turn)
        case .success(let creative):
            if let flaw = creative.flaw(asked: attempt.size, at: turn.now) {
                sourceFailed(attempt, flaw, &record, &turn)
            } else {
                filled(attempt, creative, &record, &turn)
            }
        }
    }

    private mutating func filled(
        _ attempt: Attempt, _ creative: Creative, _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        record.fills += 1
        record.backoff.reset()
        record.note(.filled(attempt.source.name), turn)
        // The configuration knows where the source's ads come from; the network rules go by that.
        var creative = creative
        creative.isFromNetwork = attempt.source.isNetwork
        creative.request = attempt.request
        turn.effects.append(.filled(slot: record.settings.name, creative))
        // Shown by `settle`, or when the action ends.
        fetch = .arrived(Ad(creative: creative, isFallback: attempt.isCurtailed))
    }

    private mutating func sourceFailed(
        _ attempt: Attempt, _ error: SourceError, detail: String? = nil, _ record: inout SlotRecord,
        _ turn: inout Turn
    ) {
        record.lastError = error
        let detail = detail.map { $0.cut(to: Limits.failureDetailBytesMax) }
        record.note(.failed(attempt.source.name, error, detail: detail), turn)
        turn.effects.append(
            .sourceFailed(slot: record.settings.name, source: attempt.source.name, error))
        if let next = attempt.rest.first {
            ask(
                next, rest: Array(attempt.rest.dropFirst()), size: attempt.size,
                isCurtailed: attempt.isCurtailed, &record, &turn)
            return
        }
        fetch = .idle
        record.backoff.fail(at: turn.now, settings: record.settings, jitter: &turn.jitter)
        if let notBefore = record.backoff.notBefore {
            record.note(.backedOff(failures: record.backoff.failures, until: notBefore), turn)
        }
        if case .made(let view) = banner {
            banner = .empty(hide(view, error.reason, &record, &turn))
        }
    }

    /// Shows an answer that has arrived, if it may still be seen. Under an action it waits.
    mutating func showArrived(_ record: inout SlotRecord, _ turn: inout Turn) {
        guard case .arrived(let ad) = fetch else { return }
        if case .held = banner { return }
        if let reason = objection(to: ad, record, turn) {
            cancelFetch(reason, &record, &turn)
            return
        }
        fetch = .idle
        let reason: Reason
        switch banner {
        case .shown(_, let showing):
            let wasUnsuited = isUnsuited(showing.ad, size: ad.creative.size, reachable: turn.reachable)
            reason = wasUnsuited ? .replaced : .refreshed
        case .covered:
            reason = .replaced
        case .none, .made, .empty, .held:
            reason = .filled
        }
        if case .none = banner { create(size: ad.creative.size, &record, &turn) }
        guard let view = banner.view else { return }
        if case .shown(_, let showing) = banner {
            _ = leaveScreen(showing, isInView: true, record, &turn)
        }
        let refreshAt = turn.now + record.settings.refreshInterval
        show(ad, in: view, refreshAt: refreshAt, reason: reason, &record, &turn)
    }

    /// Why an answer must not be shown now, `nil` when it may. Checked again at the moment of showing.
    private func objection(to ad: Ad, _ record: SlotRecord, _ turn: Turn) -> Reason? {
        if record.enablement.isDisabled { return .disabled }
        let isFromNetwork = ad.creative.isFromNetwork
        guard record.settings.maySee(networkAd: isFromNetwork, reachable: turn.reachable) else {
            return .unreachable
        }
        if !visible { return .notVisible }
        if chosenSize(record) != ad.creative.size { return .viewport }
        return ad.creative.isExpired(at: turn.now) ? .expired : nil
    }
}
