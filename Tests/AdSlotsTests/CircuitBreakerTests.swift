import AdSlots
import Reachability
import Testing

@Suite("Circuit breakers")
struct CircuitBreakerTests {
    /// A breaker and its clock.
    private struct Bench {
        var breaker: CircuitBreaker
        var now = Instant.zero
        var generator = Xorshift(state: 7)

        init(failures: Int = 3, rest: Duration = .seconds(30), restMax: Duration = .seconds(100)) {
            var settings = CircuitBreaker.Settings()
            (settings.failures, settings.rest, settings.restMax) = (failures, rest, restMax)
            breaker = CircuitBreaker(settings: settings)
        }

        /// Asks, and lets the question end like that where it is granted.
        mutating func ask(_ outcome: CircuitBreaker.Outcome) -> CircuitBreaker.Permission {
            let permission = breaker.begin(at: now)
            if permission == .granted { breaker.ended(outcome, at: now, using: &generator) }
            return permission
        }

        /// How long the source is left alone from now on, `nil` where it may be asked.
        var rest: Duration? {
            var copy = breaker
            guard case .refused(_, let until?) = copy.begin(at: now) else { return nil }
            return until - now
        }
    }

    private struct Xorshift: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test("It takes failures in a row; whatever works begins the row anew")
    func inARow() {
        var bench = Bench()
        for outcome in [
            CircuitBreaker.Outcome.failed(.timeout), .failed(.timeout), .worked, .failed(.timeout),
            .abandoned, .failed(.timeout),
        ] {
            #expect(bench.ask(outcome) == .granted)
        }
        #expect(bench.rest == nil)
        #expect(bench.ask(.failed(.serverFailure)) == .granted)
        let rest = bench.rest ?? .zero
        #expect(rest >= .seconds(24) && rest <= .seconds(36))
        guard case .refused(.serverFailure, .some) = bench.ask(.worked) else {
            Issue.record("asked though it rests")
            return
        }
    }

    @Test("After the rest one question tries it: each failure doubles the rest up to the longest")
    func trials() {
        var bench = Bench(failures: 1)
        _ = bench.ask(.failed(.timeout))
        var rests: [Duration] = []
        for _ in 0..<5 {
            let rest = bench.rest ?? .zero
            rests.append(rest)
            bench.now = bench.now + rest
            #expect(bench.breaker.begin(at: bench.now) == .granted)
            // A second question meanwhile is refused, without a moment to wait for.
            #expect(bench.breaker.begin(at: bench.now) == .refused(.timeout, until: nil))
            bench.breaker.ended(.failed(.timeout), at: bench.now, using: &bench.generator)
        }
        for (rest, seconds) in zip(rests, [30, 60, 100, 100, 100]) {
            #expect(
                rest >= .milliseconds(seconds * 800) && rest <= .milliseconds(seconds * 1_200), "\(rests)")
            #expect(rest <= .seconds(100))
        }
        bench.now = bench.now + (bench.rest ?? .zero)
        #expect(bench.ask(.worked) == .granted)
        #expect(bench.rest == nil)
        // The next rest is a first one again.
        _ = bench.ask(.failed(.timeout))
        #expect((bench.rest ?? .zero) <= .seconds(36))
    }

    @Test("A trial that nobody waits for is none: the next question is it")
    func abandonedTrial() {
        var bench = Bench(failures: 1)
        _ = bench.ask(.failed(.timeout))
        bench.now = .zero + .seconds(40)
        #expect(bench.ask(.abandoned) == .granted)
        #expect(bench.ask(.worked) == .granted)
        #expect(bench.rest == nil)
    }

    @Test("A source that asks for a pause gets it, never a shorter one")
    func throttled() {
        for seed in 1...50 as ClosedRange<UInt64> {
            var bench = Bench()
            bench.generator.state = seed
            _ = bench.ask(.throttled(.seconds(10)))
            let rest = bench.rest ?? .zero
            #expect(rest >= .seconds(10) && rest <= .seconds(12))
            #expect(bench.breaker.begin(at: bench.now) == .refused(.throttled, until: bench.now + rest))
        }
    }

    @Test("The end of a question from before the rest changes nothing, but for a longer pause")
    func lateEnds() {
        var bench = Bench(failures: 1)
        _ = bench.ask(.failed(.timeout))
        let rest = bench.rest
        for outcome in [
            CircuitBreaker.Outcome.worked, .failed(.serverFailure), .abandoned, .throttled(.seconds(1)),
        ] {
            bench.breaker.ended(outcome, at: bench.now, using: &bench.generator)
            #expect(bench.rest == rest)
        }
        bench.breaker.ended(.throttled(.seconds(300)), at: bench.now, using: &bench.generator)
        #expect(bench.rest == .seconds(300))
    }

    @Test(
        "When the network is back, what could not be reached is tried at once, and nothing else",
        arguments: [
            (SourceError.unreachable, true), (.timeout, true), (.serverFailure, false),
            (.configuration, false),
        ])
    func networkBack(error: SourceError, isTried: Bool) {
        var bench = Bench(failures: 1)
        _ = bench.ask(.failed(error))
        bench.breaker.networkGained(at: bench.now)
        #expect((bench.rest == nil) == isTried)
        var throttled = Bench()
        _ = throttled.ask(.throttled(.seconds(9)))
        throttled.breaker.networkGained(at: throttled.now)
        #expect(throttled.rest != nil)
    }
}
