internal import LinuxSupport
internal import Reachability

/// How the monotonic clock and the wall clock stand to each other at one moment. Taken anew for each
/// reply, since the wall clock may step.
struct WallClock {
    private let offset: Int64

    /// Compares the two clocks now.
    init() {
        offset = SystemClock.realtime() - SystemClock.boottime()
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
