internal import LinuxSupport
internal import Reachability

/// How the boot clock, by which everything is decided, and the wall clock stand to each other.
///
/// The wall clock may step, so they are compared anew for each reply; but they cannot be read at the same
/// moment, so a difference smaller than a step is none, and a time that has not changed reads the same.
struct WallClock {
    private let comparison: () -> Int64
    private var offset: Int64

    private static let stepMicroseconds: Int64 = 1_000

    /// - Parameter comparison: gives how far the wall clock is ahead of the boot clock now, in microseconds.
    init(comparison: @escaping () -> Int64 = { SystemClock.realtime() - SystemClock.boottime() }) {
        self.comparison = comparison
        offset = comparison()
    }

    /// Compares the two clocks again.
    /// - Returns: whether they stand differently than before.
    @discardableResult
    mutating func refresh() -> Bool {
        let offset = comparison()
        guard abs(offset - self.offset) > Self.stepMicroseconds else { return false }
        self.offset = offset
        return true
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
