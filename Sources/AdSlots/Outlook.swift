import Reachability

/// A number of things in words.
func quantity(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
}

/// How a slot stands, and what comes next. Each sentence of the three ends the list of decisions.
extension Slot {
    /// Every remembered decision, oldest first; then how things stand, when the next attempt comes and why
    /// then, and what would change it.
    ///
    /// - Parameter actionEnds: when the time of the slot's action is over.
    func explanation(reachable: Bool, at now: Instant, actionEnds: Instant?) -> [ExplainStep] {
        let decisions = record.history.steps.map {
            ExplainStep(at: $0.at, text: $0.decision.text, until: $0.decision.until)
        }
        let snapshot = snapshot(reachable: reachable)
        let outlook = [standing(snapshot), nextAttempt(snapshot), change(snapshot, actionEnds)]
        return decisions
            + outlook.compactMap { $0 }.map { ExplainStep(at: now, text: $0.text, until: $0.until) }
    }

    private typealias Sentence = (text: String, until: Instant?)

    private func standing(_ snapshot: SlotSnapshot) -> Sentence {
        if snapshot.enablement.isDisabled { return ("The operator has disabled the slot.", nil) }
        switch snapshot.state {
        case .detached: return ("No host has the slot.", nil)
        case .waiting: return (waiting(snapshot), nil)
        case .loading: return ("Nothing is on screen, and \(asked ?? "a source") is being asked.", nil)
        case .shown: return (shown(snapshot), nil)
        case .hidden: return ("Nothing is on screen: \(hidden(snapshot)).", nil)
        case .acting:
            let isPausing = snapshot.reason == .pausing
            let word = isPausing ? "begins, and work is being paused" : "covers the screen"
            return ("An action \(word); nothing changes under it.", nil)
        }
    }

    private func waiting(_ snapshot: SlotSnapshot) -> String {
        switch record.settings.whenUnreachable {
        case .release: "Nothing is on screen: the network is lost."
        case .house where snapshot.nextAttempt != nil:
            "Nothing is on screen: the network is lost, and the local sources had nothing yet."
        case .house: "Nothing is on screen: the network is lost, and no local source can be asked."
        }
    }

    private func shown(_ snapshot: SlotSnapshot) -> String {
        let creative = snapshot.creative
        let ad = "Shows ad \(creative?.id ?? "?") of source \(creative?.source ?? "?")"
        switch snapshot.reason {
        case .refreshing: return "\(ad), and \(asked ?? "a source") is being asked for the next one."
        case .replacing: return "\(ad), which no longer suits the viewport or the network."
        default: return "\(ad)."
        }
    }

    private func hidden(_ snapshot: SlotSnapshot) -> String {
        switch snapshot.reason {
        case .notVisible: "the host says not visible"
        case .noSource: "the slot has no source"
        case .noSize: "no allowed size fits the viewport"
        case .minimumInterval: "the last request was a moment ago"
        default: "the last attempt failed (\(snapshot.reason.rawValue))"
        }
    }

    /// The source that has the question.
    private var asked: String? {
        guard case .asking(let attempt) = hosting?.fetch else { return nil }
        return "source \(attempt.source.name)"
    }

    /// When the sources will be asked, and what they are not asked before for.
    private func nextAttempt(_ snapshot: SlotSnapshot) -> Sentence? {
        if case .covered(_, _, let left) = hosting?.banner, !snapshot.enablement.isDisabled {
            let seconds = quantity(Int(left.components.seconds), "second")
            return ("Of the time to the next ad \(seconds) are left, and stand still meanwhile.", nil)
        }
        guard let due = snapshot.nextAttempt else { return nil }
        let minimum = record.lastRequest.map { $0 + record.settings.minimumInterval }
        let reason: String
        switch due {
        case record.enablement.until: reason = "comes when the operator's time is over"
        case record.backoff.notBefore:
            reason = "waits for the back-off after \(quantity(record.backoff.failures, "failure")) in a row"
        case minimum: reason = "waits for MinimumInterval= since the last request"
        default: reason = "comes after RefreshInterval="
        }
        return ("The next attempt \(reason).", due)
    }

    /// What would change how things stand.
    private func change(_ snapshot: SlotSnapshot, _ actionEnds: Instant?) -> Sentence {
        if let until = snapshot.enablement.until {
            return ("Enabling the slot changes this, and the end of its time.", until)
        }
        if snapshot.enablement.isDisabled { return ("Only enabling the slot changes this.", nil) }
        switch snapshot.state {
        case .detached: return ("A host that attaches changes this.", nil)
        case .waiting: return ("A posted gain of the network changes this.", nil)
        case .loading:
            guard case .asking(let attempt) = hosting?.fetch else { return ("An answer changes this.", nil) }
            return ("An answer changes this, or the end of the source's time.", attempt.timeoutAt)
        case .shown: return shownChange(snapshot)
        case .hidden: return (hiddenChange(snapshot), nil)
        case .acting where snapshot.reason == .pausing:
            return ("The answer of all work changes this, or the end of PauseTimeout=.", actionEnds)
        case .acting:
            return ("The host that ends the action changes this, or the end of ActionTimeout=.", actionEnds)
        }
    }

    private func shownChange(_ snapshot: SlotSnapshot) -> Sentence {
        let loss = snapshot.creative?.isFromNetwork == true ? "a loss of the network, " : ""
        let others = "\(loss)the host that says not visible or leaves, a person who touches it"
        guard let expires = snapshot.creative?.expires else {
            return ("A new ad changes this, \(others).", nil)
        }
        return ("A new ad changes this, \(others), or its expiry.", expires)
    }

    private func hiddenChange(_ snapshot: SlotSnapshot) -> String {
        switch snapshot.reason {
        case .notVisible: "The host that says visible changes this."
        case .noSource: "Sources= in the configuration changes this."
        case .noSize: "Another viewport changes this, or Sizes= in the configuration."
        default: "The next attempt changes this; nothing sooner does."
        }
    }
}
