/// How long to wait before the next attempt: doubling, with jitter so that the hosts of a daemon that comes
/// back do not come all at once.
struct Backoff {
    private var failures = 0

    /// The connection is good.
    mutating func reset() { failures = 0 }

    /// The wait after a further failure.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        var wait = Limits.retryInterval
        for _ in 0..<failures where wait < Limits.retryMax { wait *= 2 }
        failures = min(failures + 1, 32)
        return min(wait, Limits.retryMax) * Double.random(in: 0.8...1.2, using: &generator)
    }
}
