internal import LinuxSupport
internal import Reachability

/// How the monotonic clock and the wall clock stand to each other.
///
/// The wall clock may step, so they are compared anew for each reply; but they cannot be read at the same
/// moment, so a difference smaller than a step is none, and a time that has not changed reads the same.
struct WallClock {
    private var offset = WallClock.comparison()

    private static let stepMicroseconds: Int64 = 1_000

    private static func comparison() -> Int64 {
        SystemClock.realtime() - SystemClock.boottime()
    }

    /// Compares the two clocks again.
    mutating func refresh() {
        let offset = Self.comparison()
        if abs(offset - self.offset) > Self.stepMicroseconds { self.offset = offset }
    }

    /// Microseconds since the Unix epoch.
    func microseconds(at instant: Instant) -> Int64 {
        instant.microseconds + offset
    }
}

extension EventLoop {
    /// The moment that the pure parts are told.
    var instant: Instant { Instant(microseconds: now) }
}
