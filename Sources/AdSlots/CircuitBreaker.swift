public import Reachability

/// Rests a source that keeps failing, so that a broken exchange costs neither traffic nor time: after so many
/// failures in a row nobody asks it for a while, then one question tries it, and decides.
public struct CircuitBreaker: Sendable {
    /// How soon it rests, and for how long.
    public struct Settings: Hashable, Sendable {
        /// Failures in a row that it takes.
        public var failures = 5
        /// The first rest; each one that follows without a success in between is twice as long.
        public var rest: Duration = .seconds(30)
        /// The longest rest.
        public var restMax: Duration = .seconds(600)

        /// Creates the documented defaults.
        public init() {}
    }

    /// Whether the source may be asked.
    public enum Permission: Equatable, Sendable {
        /// Ask, and say what came of it: ``CircuitBreaker/ended(_:at:using:)``.
        case granted
        /// Leave it alone until that moment, because of this failure; without a moment because a question
        /// that tries it is under way.
        case refused(SourceError, until: Instant?)
    }

    /// What came of a question.
    public enum Outcome: Equatable, Sendable {
        /// The source works, whether it had an ad or not.
        case worked
        /// It does not.
        case failed(SourceError)
        /// It asks to be left alone for so long.
        case throttled(Duration)
        /// Nobody waited for the answer.
        case abandoned
    }

    private enum State {
        /// Asked. Moves to: open (failures in a row, throttled).
        case closed(failures: Int)
        /// Left alone. Moves to: trying (the moment has come, and there is a question).
        case open(until: Instant, SourceError, rests: Int)
        /// One question is under way. Moves to: closed (it worked), open (it did not, or nobody waited for
        /// it).
        case trying(SourceError, rests: Int)
    }

    /// The settings in force.
    public var settings: Settings
    private var state = State.closed(failures: 0)

    /// Nothing has failed.
    public init(settings: Settings) {
        self.settings = settings
    }

    /// Asks whether the source may be asked at `now`.
    public mutating func begin(at now: Instant) -> Permission {
        switch state {
        case .closed:
            return .granted
        case .open(let until, let error, let rests):
            guard until <= now else { return .refused(error, until: until) }
            state = .trying(error, rests: rests)
            return .granted
        case .trying(let error, _):
            return .refused(error, until: nil)
        }
    }

    /// Takes what came of a question that was granted, however long ago.
    ///
    /// - Parameter generator: for the jitter of ±20 %, so that many devices do not come back at once.
    public mutating func ended(
        _ outcome: Outcome, at now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        switch (state, outcome) {
        case (.closed, .worked), (.trying, .worked):
            state = .closed(failures: 0)
        case (.closed(let failures), .failed(let error)):
            guard failures + 1 >= settings.failures else {
                state = .closed(failures: failures + 1)
                return
            }
            state = rested(error, rests: 0, at: now, using: &generator)
        case (.trying(_, let rests), .failed(let error)):
            state = rested(error, rests: rests, at: now, using: &generator)
        case (.closed, .throttled(let pause)), (.trying, .throttled(let pause)):
            let jittered = jittered(pause, in: 1_000_000...1_200_000, using: &generator)
            state = .open(until: now + jittered, .throttled, rests: 0)
        case (.trying(let error, let rests), .abandoned):
            // Still untried: the next question does it.
            state = .open(until: now, error, rests: rests)
        case (.open(let until, _, let rests), .throttled(let pause)) where now + pause > until:
            state = .open(until: now + pause, .throttled, rests: rests)
        case (.closed, .abandoned), (.open, .worked), (.open, .failed), (.open, .throttled),
            (.open, .abandoned):
            // Of a question from before the rest: it says nothing new.
            break
        }
    }

    /// The network is back: a source that could not be reached deserves to be tried at once. One that asked
    /// for a pause, or that answers with errors, does not.
    public mutating func networkGained(at now: Instant) {
        switch state {
        case .open(_, .unreachable, let rests), .open(_, .timeout, let rests):
            state = .open(until: now, .unreachable, rests: rests)
        case .closed, .open, .trying:
            break
        }
    }

    private func rested(
        _ error: SourceError, rests: Int, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> State {
        let most = settings.restMax.microseconds
        var wait = min(settings.rest.microseconds, most)
        var doublings = rests
        while doublings > 0, wait < most {
            wait = min(most, wait * 2)
            doublings -= 1
        }
        let jittered = jittered(.microseconds(wait), in: 800_000...1_200_000, using: &generator)
        return .open(until: now + min(jittered, settings.restMax), error, rests: rests + 1)
    }

    private func jittered(
        _ duration: Duration, in millionths: ClosedRange<Int64>,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        .microseconds(duration.microseconds / 1_000 * Int64.random(in: millionths, using: &generator) / 1_000)
    }
}
