public import Reachability

/// One step of the answer to "why does this slot show what it shows?".
public struct ExplainStep: Hashable, Sendable {
    /// When it was decided; for the last step, when the slot last had anything to decide.
    public var at: Instant
    /// What was decided and why, a sentence.
    public var text: String
    /// The moment that the sentence speaks of, where it speaks of one: the next attempt.
    public var until: Instant?
}

extension Decision {
    /// The decision as a sentence.
    var text: String {
        switch self {
        case .attached(let host, let viewport, let visible):
            "Host \(host ?? "without a name") attached with a viewport of \(viewport), "
                + (visible ? "visible." : "not visible.")
        case .hostLeft(let reason): "The host no longer has the slot (\(reason.rawValue))."
        case .viewport(let viewport): "The viewport is now \(viewport)."
        case .visible(let visible): visible ? "The host says visible." : "The host says not visible."
        case .reachable(let reachable): reachable ? "The network is reachable." : "The network is lost."
        case .reconfigured: "The configuration was read again."
        case .disabled(let until):
            until == nil ? "The operator disabled the slot." : "The operator disabled the slot for a time."
        case .stayedDisabled: "The daemon started again; the slot stays disabled by the operator."
        case .stayedBackedOff(let failures, _):
            "The daemon started again; the wait after \(failures) failures in a row goes on."
        case .enabled(let byOperator):
            byOperator ? "The operator enabled the slot." : "The time that the slot was disabled for is over."
        case .created(let banner): "Banner \(banner.value) was created off screen."
        case .asked(let source, let size): "Source \(source) was asked for \(size)."
        case .filled(let source): "Source \(source) filled."
        case .failed(let source, let error): "Source \(source) failed: \(error.rawValue)."
        case .backedOff(let failures, _):
            "The attempt failed (\(failures) in a row since the last fill); the next one waits."
        case .cancelled(let source, let reason):
            "The request to source \(source) was cancelled (\(reason.rawValue))."
        case .dropped(let source, let reason):
            "The answer of source \(source) was dropped (\(reason.rawValue))."
        case .showed(let banner, let source, let reason):
            "Banner \(banner.value) shows an ad of source \(source) (\(reason.rawValue))."
        case .resized(let banner): "Banner \(banner.value) took new frames."
        case .hid(let banner, let reason): "Banner \(banner.value) was hidden (\(reason.rawValue))."
        case .released(let banner, let reason): "Banner \(banner.value) was released (\(reason.rawValue))."
        case .expiredUnseen: "The ad expired while it was hidden."
        case .counted: "The ad counted as an impression."
        case .actionBegan(let action): "Action \(action.value) began; work is being paused."
        case .actionAllowed(let action): "Action \(action.value) was allowed."
        case .actionRefused(let refusal): "An action was refused (\(refusal.word))."
        case .actionEnded(let action, let end): "Action \(action.value) ended (\(end.rawValue))."
        }
    }

    /// The moment that the sentence speaks of.
    var until: Instant? {
        switch self {
        case .backedOff(_, let until): until
        case .disabled(let until), .stayedDisabled(let until): until
        case .stayedBackedOff(_, let until): until
        default: nil
        }
    }
}

extension Slot {
    /// Every remembered decision, oldest first, and what the slot waits for now.
    func explanation(reachable: Bool, at now: Instant) -> [ExplainStep] {
        var steps = record.history.steps.map {
            ExplainStep(at: $0.at, text: $0.decision.text, until: $0.decision.until)
        }
        let snapshot = snapshot(reachable: reachable)
        if snapshot.enablement.isDisabled {
            let until = snapshot.enablement.until
            let text =
                until == nil
                ? "Disabled by the operator; only enabling the slot changes this."
                : "Disabled by the operator until its time is over; enabling the slot changes this sooner."
            steps.append(ExplainStep(at: now, text: text, until: until))
        } else {
            steps.append(ExplainStep(at: now, text: outlook(snapshot), until: snapshot.nextAttempt))
        }
        return steps
    }

    /// What the slot waits for, and what would change it.
    private func outlook(_ snapshot: SlotSnapshot) -> String {
        let house = record.settings.whenUnreachable == .house ? " and no house ad is at hand" : ""
        switch snapshot.state {
        case .detached: return "Waits for a host; attaching changes this."
        case .waiting where snapshot.nextAttempt != nil:
            return "Waits for the network, and asks the local sources at the next attempt."
        case .waiting: return "Waits for the network\(house); a posted gain changes this."
        case .loading: return "Waits for the answer of a source, or for its time to be over."
        case .shown: return shownOutlook(snapshot)
        case .hidden: return hiddenOutlook(snapshot)
        case .acting: return "Nothing changes on screen until the action ends or its time is over."
        }
    }

    private func shownOutlook(_ snapshot: SlotSnapshot) -> String {
        switch snapshot.reason {
        case .refreshing: "Shows its ad and waits for the answer of a source."
        case .replacing where snapshot.nextAttempt == nil:
            "Shows an ad of another size than the viewport asks for; no source or size can replace it."
        case .replacing: "Shows an ad that no longer suits; asks for its replacement at the next attempt."
        default:
            snapshot.nextAttempt == nil
                ? "Shows its ad; nothing can be asked for a new one."
                : "Shows its ad until the next attempt brings a new one; a loss or an expiry hides it."
        }
    }

    private func hiddenOutlook(_ snapshot: SlotSnapshot) -> String {
        if !snapshot.visible { return "Waits for the host to say visible." }
        if snapshot.nextAttempt != nil { return "Waits for the next attempt; nothing sooner changes this." }
        switch snapshot.reason {
        case .noSize: return "No allowed size fits the viewport; another viewport or Sizes= changes this."
        case .noSource: return "No source can be asked; Sources= changes this."
        default: return "Waits for the host or the network to change."
        }
    }
}
