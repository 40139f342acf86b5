/// Keeps the addresses of a named host: when to ask for them anew, and which are in force meanwhile.
///
///     var tracker = HostTracker(startingAt: now)
///     for effect in tracker.handle(.timer, at: now) { … }   // and arm a timer for tracker.deadline
///
/// - An answer is asked for again when its time to live has passed, within ``lifetimes``.
/// - A failure is tried again after ``retries``, doubling from the one to the other.
/// - A change of the network or of the resolver's configuration asks at once, dropping a question that is
///   under way: it may wait for a server that is gone. When changes go on, ``changePauses`` lie between.
/// - The last good addresses stay in force while they are asked for again, and over failures of the servers
///   as long as the path to them is judged usable; without such a path, for ``keptMax`` after they were last
///   confirmed. The answer that the name has no address ends them at once.
public struct HostTracker: Equatable, Sendable {
    /// What happens to a name.
    public enum Event: Equatable, Sendable {
        /// Links, addresses, routes or the resolver's configuration are no longer what they were.
        case changed
        /// The name has these addresses for that long.
        case resolved([IPAddress], lifetime: Duration)
        /// The name has no address (`isFinal`), or nobody could say; `isPathUsable` is how the path to the
        /// addresses in force is judged now.
        case failed(isFinal: Bool, isPathUsable: Bool)
        /// The ``HostTracker/deadline`` may have come.
        case timer
    }

    /// What is to be done.
    public enum Effect: Equatable, Sendable {
        /// Ask for the name, in the place of a question that is under way.
        case resolve
        /// Judge this target from now on.
        case aim(Target)
    }

    /// How long what was in force before stays while the first answer is awaited.
    public static let firstAnswerMax = Duration.seconds(2)
    /// The shortest and the longest time for which an answer is taken as good.
    public static let lifetimes = Duration.seconds(30)...Duration.seconds(600)
    /// The first and the longest wait after a failure.
    public static let retries = Duration.seconds(1)...Duration.seconds(60)
    /// The first and the longest pause between two questions because of changes.
    public static let changePauses = Duration.milliseconds(250)...Duration.seconds(30)
    /// After so long without a change the next one is answered at once again.
    public static let quietTime = Duration.seconds(10)
    /// How long addresses that cannot be confirmed are kept without a usable path to them.
    public static let keptMax = Duration.seconds(600)

    private enum Knowledge: Equatable {
        /// No answer has come yet; what was in force before stays so. Moves to: known, unknown.
        case awaited(until: Instant)
        /// These addresses are in force, last confirmed then. Moves to: unknown.
        case known([IPAddress], confirmed: Instant)
        /// No address is known. Moves to: known.
        case unknown
    }

    private enum Question: Equatable {
        /// Nothing is asked before that moment. Moves to: underWay.
        case resting(until: Instant)
        /// An answer is to come. Moves to: resting, underWay (asked anew).
        case underWay
    }

    private var knowledge: Knowledge
    private var question: Question
    private var failures = 0
    /// When to ask because of a change that no question has been asked after.
    private var changeDue: Instant?
    private var lastChange: Instant?
    private var lastChangeQuestion: Instant?
    private var changePause = Self.changePauses.lowerBound

    /// Starts with nothing known and the first question due.
    public init(startingAt now: Instant) {
        knowledge = .awaited(until: now + Self.firstAnswerMax)
        question = .resting(until: now)
    }

    /// When ``Event/timer`` is to come next; nil when there is nothing to wait for but an answer.
    public var deadline: Instant? {
        var moments = [changeDue].compactMap { $0 }
        if case .awaited(let until) = knowledge { moments.append(until) }
        if case .resting(let until) = question { moments.append(until) }
        return moments.min()
    }

    /// Takes in what has happened, and returns what is to be done, in order.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .changed: return noteChange(at: now)
        case .resolved(let addresses, let lifetime): return learn(addresses, lifetime, at: now)
        case .failed(let isFinal, let isPathUsable):
            return fail(isFinal: isFinal, isPathUsable: isPathUsable, at: now)
        case .timer: return giveUpWaiting(at: now) + askWhatIsDue(at: now)
        }
    }

    private mutating func noteChange(at now: Instant) -> [Effect] {
        defer { lastChange = now }
        if let lastChange, now - lastChange < Self.quietTime {
            let earliest = lastChangeQuestion.map { $0 + changePause } ?? now
            changeDue = changeDue ?? max(now, earliest)
        } else {
            changePause = Self.changePauses.lowerBound
            failures = 0
            changeDue = now
        }
        return askWhatIsDue(at: now)
    }

    private mutating func askWhatIsDue(at now: Instant) -> [Effect] {
        if let due = changeDue, due <= now {
            if let last = lastChangeQuestion, now - last < Self.quietTime + changePause {
                changePause = min(changePause * 2, Self.changePauses.upperBound)
            }
            lastChangeQuestion = now
            changeDue = nil
            question = .underWay
            return [.resolve]
        }
        switch question {
        case .resting(let until) where until <= now:
            question = .underWay
            return [.resolve]
        case .resting, .underWay: return []
        }
    }

    private mutating func giveUpWaiting(at now: Instant) -> [Effect] {
        switch knowledge {
        case .awaited(let until) where until <= now:
            knowledge = .unknown
            return [.aim(.unresolved)]
        case .awaited, .known, .unknown: return []
        }
    }

    private mutating func learn(_ addresses: [IPAddress], _ lifetime: Duration, at now: Instant) -> [Effect] {
        // Servers turn the order round from answer to answer; that is no news.
        let sorted = Set(addresses).sorted()
        failures = 0
        question = .resting(
            until: now + min(max(lifetime, Self.lifetimes.lowerBound), Self.lifetimes.upperBound))
        let isNews: Bool
        switch knowledge {
        case .known(let old, _): isNews = old != sorted
        case .awaited, .unknown: isNews = true
        }
        knowledge = .known(sorted, confirmed: now)
        return isNews ? [.aim(.resolved(sorted))] : []
    }

    private mutating func fail(isFinal: Bool, isPathUsable: Bool, at now: Instant) -> [Effect] {
        // Six doublings are beyond the longest wait; more would only overflow.
        let wait = Self.retries.lowerBound * (1 << min(failures, 6))
        failures += 1
        question = .resting(until: now + min(wait, Self.retries.upperBound))
        switch knowledge {
        case .unknown: return []
        case .known(_, let confirmed) where !isFinal && (isPathUsable || now - confirmed < Self.keptMax):
            return []
        case .awaited, .known:
            knowledge = .unknown
            return [.aim(.unresolved)]
        }
    }
}
