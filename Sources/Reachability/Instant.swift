/// A moment on a clock that only goes forward and goes on over suspend (Linux: CLOCK_BOOTTIME).
///
/// The pure core never reads a clock: whoever calls it says what time it is.
public struct Instant: Comparable, Hashable, Sendable {
    /// Microseconds since the clock began (boot, or the start of a simulation).
    public var microseconds: Int64

    /// Creates a moment from microseconds since the clock began.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The beginning of the clock.
    public static let zero = Instant(microseconds: 0)

    /// The earlier of two moments comes first.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment `duration` after `instant`; it stops at the ends of the range.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.microseconds.addingReportingOverflow(duration.microseconds)
        return Instant(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from `right` to `left`, negative when `left` comes first.
    public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, overflow) = left.microseconds.subtractingReportingOverflow(right.microseconds)
        return .microseconds(overflow ? (left < right ? .min : .max) : difference)
    }
}

extension Duration {
    /// The whole microseconds of this duration; it stops at the ends of `Int64`.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }
}
