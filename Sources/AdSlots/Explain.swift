public import Reachability

/// One step of the answer to "why does this slot show what it shows?".
public struct ExplainStep: Hashable, Sendable {
    /// When it was decided; for what the slot now waits for, when anything was last decided.
    public var at: Instant
    /// What was decided and why, a sentence.
    public var text: String
    /// The moment that the sentence speaks of, where it speaks of one: the next attempt, an expiry.
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
            "The daemon started again; the wait after \(quantity(failures, "failure")) in a row goes on."
        case .enabled(let byOperator):
            byOperator ? "The operator enabled the slot." : "The time that the slot was disabled for is over."
        case .created(let banner): "Banner \(banner.value) was created off screen."
        case .asked(let source, let size): "Source \(source) was asked for \(size)."
        case .filled(let source): "Source \(source) filled."
        case .failed(let source, let error, let detail):
            "Source \(source) failed: \(error.rawValue)" + (detail.map { " (\($0))." } ?? ".")
        case .backedOff(let failures, _):
            "The attempt failed, \(quantity(failures, "failure")) in a row since the last fill; "
                + "the next one waits."
        case .mayFill(let failures):
            "A source may have an ad again; the wait after \(quantity(failures, "failure")) in a row is over."
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
