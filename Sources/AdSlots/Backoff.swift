import Reachability

/// How long a slot waits after failures. It belongs to the slot, not to its host or its banner: neither a
/// flap nor a new host shortens it.
struct Backoff: Hashable, Sendable {
    /// Jitter, in millionths of the wait: ±20 %.
    private static let jitterMillionths: ClosedRange<Int64> = 800_000...1_200_000

    /// Attempts that failed since the last fill.
    private(set) var failures = 0
    /// No attempt begins before this moment; `nil` when nothing has failed.
    private(set) var notBefore: Instant?

    /// Nothing has failed.
    init() {}

    /// Takes up what was remembered.
    init(failures: Int, notBefore: Instant?) {
        self.failures = failures
        self.notBefore = notBefore
    }

    /// An attempt failed: waits `retryInterval`·2ⁿ with jitter, at most `retryMax`.
    mutating func fail(at now: Instant, settings: SlotSettings, jitter: inout JitterSource) {
        let most = settings.retryMax.microseconds
        var wait = settings.retryInterval.microseconds
        var doublings = failures
        while doublings > 0, wait < most {
            wait *= 2
            doublings -= 1
        }
        let millionths = Int64.random(in: Backoff.jitterMillionths, using: &jitter)
        let jittered = min(wait, most) * millionths / 1_000_000
        failures += 1
        notBefore = now + .microseconds(min(jittered, most))
    }

    /// The reason for the wait may be gone. How often in a row it has failed stays known, so that the next
    /// failure brings a longer one.
    mutating func endWait() {
        notBefore = nil
    }

    /// A source filled.
    mutating func reset() {
        self = Backoff()
    }
}
