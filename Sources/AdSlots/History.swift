import Reachability

/// Something that was decided about a slot, small enough to keep many of.
enum Decision: Hashable, Sendable {
    case attached(host: String?, Size, visible: Bool)
    case hostLeft(Reason)
    case viewport(Size)
    case visible(Bool)
    case reachable(Bool)
    case reconfigured
    case disabled(until: Instant?)
    case enabled(byOperator: Bool)
    case stayedDisabled(until: Instant?)
    case stayedBackedOff(failures: Int, until: Instant)
    case created(BannerID)
    case asked(String, Size)
    case filled(String)
    case failed(String, SourceError, detail: String? = nil)
    case backedOff(failures: Int, until: Instant)
    case mayFill(failures: Int)
    case cancelled(String, Reason)
    case dropped(String, Reason)
    case showed(BannerID, source: String, Reason)
    case resized(BannerID)
    case hid(BannerID, Reason)
    case released(BannerID, Reason)
    case expiredUnseen
    case counted
    case actionBegan(ActionID)
    case actionAllowed(ActionID)
    case actionRefused(BeginRefusal)
    case actionEnded(ActionID, ActionEnd)
}

/// The last decisions about a slot: a ring that forgets the oldest.
struct History: Sendable {
    struct Step: Hashable, Sendable {
        let at: Instant
        let decision: Decision
    }

    private var ring: [Step] = []
    private var oldest = 0

    mutating func append(_ decision: Decision, at now: Instant) {
        let step = Step(at: now, decision: decision)
        guard ring.count == Limits.explainStepsMax else {
            ring.append(step)
            return
        }
        ring[oldest] = step
        oldest = (oldest + 1) % ring.count
    }

    /// The decisions, oldest first.
    var steps: [Step] {
        Array(ring[oldest...] + ring[..<oldest])
    }
}
