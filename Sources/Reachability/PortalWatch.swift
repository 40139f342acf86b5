/// Decides when to ask whether a captive portal stands in the way, and keeps the answer for the path.
///
/// Each path that becomes usable is asked about at once, and again after an interval. While there is no good
/// answer, because of a portal or of a failure, it is asked about sooner: after 10 s, then after twice that
/// each time up to the interval. A failed check leaves the last answer standing, but several in a row say
/// that nobody knows any more: a server that is down must not keep a device unreachable for ever.
struct PortalWatch: Equatable, Sendable {
    /// The least time from one question to the next, so that a path that flaps does not ask without end: the
    /// resolver may stay busy with each for a while.
    static let spacing = Duration.seconds(1)
    /// The first pause after an answer that is not good.
    static let pauseMin = Duration.seconds(10)
    /// Failures in a row after which the last answer counts no more.
    static let failuresMax = 3

    /// What makes a path another one.
    private struct Path: Equatable {
        var interfaceIndex: Int?
        var tunnel: String?
    }

    /// What is known about a path.
    private struct Record: Equatable {
        var path: Path
        /// Whether there is a portal; nil while nobody knows.
        var isCaptive: Bool?
        var failures = 0
        /// The pause after the last answer; nil after a good one, and after none.
        var pause: Duration?
    }

    private enum Phase: Equatable {
        /// The check is off, or no path is usable. Moves to: asking, waiting.
        case idle
        /// The path is new, and came too soon after the last question. Moves to: asking (due), waiting
        /// (another path), idle.
        case waiting(Record, until: Instant)
        /// A question is under way. Moves to: resting (answer or deadline), asking or waiting (another path),
        /// idle.
        case asking(Record, ConnectivityQuestion)
        /// The last question is answered, since a moment. Moves to: asking (due), asking or waiting (another
        /// path), idle.
        case resting(Record, since: Instant)
    }

    private var phase = Phase.idle
    private var settings: ConnectivitySettings
    private var questions = 0
    private var lastAsked: Instant?
    private var now = Instant(microseconds: .min)

    /// Starts without a path.
    init(settings: ConnectivitySettings) {
        self.settings = settings
    }

    /// Whether a portal stands in the way of the path; nil when there is no path, no check, or no answer.
    var isCaptive: Bool? {
        switch phase {
        case .idle: return nil
        case .waiting(let record, _), .asking(let record, _), .resting(let record, _):
            return record.isCaptive
        }
    }

    /// What is to be asked now. While it stays the same the question is under way; when it is another or nil,
    /// nobody waits for the answer of the earlier one.
    var question: ConnectivityQuestion? {
        switch phase {
        case .idle, .waiting, .resting: return nil
        case .asking(_, let question): return question
        }
    }

    /// When `timerFired(at:)` is due; nil when there is nothing to wait for.
    var deadline: Instant? {
        switch phase {
        case .idle: return nil
        case .waiting(_, let until): return until
        case .asking(_, let question): return question.deadline
        case .resting(let record, let since):
            return since + min(record.pause ?? settings.interval, settings.interval)
        }
    }

    /// Changes the settings. When another thing is to be asked, what is known is forgotten, and the next
    /// judgement asks.
    mutating func configure(_ settings: ConnectivitySettings) {
        if !settings.asksTheSame(as: self.settings) { phase = .idle }
        self.settings = settings
    }

    /// Takes in how the kernel's part of the rule judges the network.
    mutating func pathJudged(_ judgement: Judgement, at instant: Instant) {
        now = max(now, instant)
        guard judgement.reachable, let url = settings.url else {
            phase = .idle
            return
        }
        let path = Path(interfaceIndex: judgement.interfaceIndex, tunnel: judgement.tunnel)
        switch phase {
        case .waiting(let record, _) where record.path == path: break
        case .asking(let record, _) where record.path == path: break
        case .resting(let record, _) where record.path == path: break
        case .idle, .waiting, .asking, .resting:
            let record = Record(path: path)
            if let lastAsked, now < lastAsked + Self.spacing {
                phase = .waiting(record, until: lastAsked + Self.spacing)
            } else {
                ask(url, for: record)
            }
        }
    }

    /// Asks when it is time, and gives up a question whose time is over.
    /// - Returns: whether `isCaptive` may be another now.
    mutating func timerFired(at instant: Instant) -> Bool {
        now = max(now, instant)
        guard let deadline, deadline <= now, let url = settings.url else { return false }
        switch phase {
        case .idle: return false
        case .asking(let record, _):
            rest(record, after: .unknown)
            return true
        case .waiting(let record, _), .resting(let record, _):
            ask(url, for: record)
            return false
        }
    }

    /// Takes in an answer.
    /// - Returns: whether `isCaptive` may be another now.
    mutating func answered(_ number: Int, _ answer: ConnectivityAnswer, at instant: Instant) -> Bool {
        now = max(now, instant)
        switch phase {
        case .asking(let record, let question) where question.number == number:
            rest(record, after: settings.finding(answer))
            return true
        case .idle, .waiting, .asking, .resting: return false
        }
    }

    private mutating func ask(_ url: String, for record: Record) {
        questions += 1
        lastAsked = now
        let question = ConnectivityQuestion(
            number: questions, url: url, bodyBytes: settings.text.utf8.count,
            deadline: now + settings.timeout)
        phase = .asking(record, question)
    }

    private mutating func rest(_ old: Record, after finding: ConnectivityFinding) {
        var record = old
        switch finding {
        case .open:
            record.isCaptive = false
            record.failures = 0
        case .captive:
            record.isCaptive = true
            record.failures = 0
        case .unknown:
            record.failures += 1
            if record.failures >= Self.failuresMax { record.isCaptive = nil }
        }
        let isNews = record.isCaptive != old.isCaptive
        switch (finding, old.pause) {
        case (.open, _): record.pause = nil
        case (.captive, let pause?) where !isNews, (.unknown, let pause?) where !isNews:
            record.pause = min(pause + pause, settings.interval)
        case (.captive, _), (.unknown, _): record.pause = Self.pauseMin
        }
        phase = .resting(record, since: now)
    }
}

// Written down, and begun again.
extension PortalWatch {
    /// What must be known to go on from here later.
    var memory: ReachabilityMemory.Portal {
        let (record, phase): (Record, ReachabilityMemory.Portal.Phase)
        switch self.phase {
        case .idle:
            return ReachabilityMemory.Portal(questions: questions, lastAsked: lastAsked, latest: now)
        case .waiting(let new, let until): (record, phase) = (new, .waiting(until: until))
        case .asking(let asked, let question): (record, phase) = (asked, .asking(deadline: question.deadline))
        case .resting(let rested, let since): (record, phase) = (rested, .resting(since: since))
        }
        let path = ReachabilityMemory.Portal.Path(
            interfaceIndex: record.path.interfaceIndex, tunnel: record.path.tunnel,
            isCaptive: record.isCaptive, failures: record.failures, pause: record.pause, phase: phase)
        return ReachabilityMemory.Portal(
            path: path, questions: questions, lastAsked: lastAsked, latest: now)
    }

    /// Goes on from where a memory was taken, under the settings that were in force then.
    init(settings: ConnectivitySettings, memory: ReachabilityMemory.Portal) {
        self.init(settings: settings)
        questions = memory.questions
        lastAsked = memory.lastAsked
        now = memory.latest
        guard let path = memory.path, let url = settings.url else { return }
        let record = Record(
            path: Path(interfaceIndex: path.interfaceIndex, tunnel: path.tunnel), isCaptive: path.isCaptive,
            failures: path.failures, pause: path.pause)
        switch path.phase {
        case .waiting(let until): phase = .waiting(record, until: until)
        case .asking(let deadline):
            let question = ConnectivityQuestion(
                number: questions, url: url, bodyBytes: settings.text.utf8.count, deadline: deadline)
            phase = .asking(record, question)
        case .resting(let since): phase = .resting(record, since: since)
        }
    }
}
