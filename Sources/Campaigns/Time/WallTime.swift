/// A moment by the wall clock: milliseconds since the Unix epoch, without leap seconds.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// Creates a moment, brought into the years 1 to 9999.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds.clamped(to: Limits.wallMilliseconds)
    }

    /// Creates a moment, brought into the years 1 to 9999.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        self.init(milliseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 { milliseconds.floored(by: 1_000) }

    /// The earlier of two moments comes first.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// Why what the wall clock says is not to be relied on.
public enum ClockDoubt: String, CaseIterable, Sendable {
    /// The kernel does not say that it is synchronised (adjtimex(2), STA_UNSYNC).
    case notSynchronised
    /// It stands before this program was built.
    case beforeBuild
}

/// Whether dates may be judged by the wall clock.
public enum ClockTrust: Hashable, Sendable {
    /// They may.
    case trusted
    /// They may not.
    case untrusted(ClockDoubt)
}

/// A moment by both clocks, as whoever calls has read them.
///
/// Frequency caps run by the steady clock, so that no step of the wall clock opens or prolongs them; flights,
/// dayparts and pacing run by the wall clock, while it is trusted.
public struct Moment: Hashable, Sendable {
    /// Milliseconds of a clock that only goes forward and goes on over suspend (CLOCK_BOOTTIME).
    public let steadyMilliseconds: Int64
    /// What the wall clock says.
    public let wall: WallTime
    /// Whether that is to be relied on.
    public let trust: ClockTrust

    /// Puts two readings together.
    public init(steadyMilliseconds: Int64, wall: WallTime, trust: ClockTrust = .trusted) {
        self.steadyMilliseconds = steadyMilliseconds.clamped(to: Limits.steadyMilliseconds)
        self.wall = wall
        self.trust = trust
    }
}

extension BinaryInteger {
    /// The quotient, rounded down also below zero.
    func floored(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder that belongs to `floored(by:)`, never below zero.
    func modulo(_ divisor: Self) -> Self {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
