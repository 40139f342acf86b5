internal import LinuxSupport

/// The daemon's log: one event a line, on standard error.
///
/// Under systemd the line begins with the level as sd-daemon(3) says and the journal keeps the time; for a
/// person it begins with the time. The rate is bounded, and what was left out is counted and said.
public final class Log {
    /// How much a line matters, after syslog(3).
    public enum Level: Int, Comparable, Sendable {
        /// Something failed that somebody must mend.
        case error = 3
        /// Something is wrong but tolerated.
        case warning = 4
        /// What an operator wants to know.
        case info = 6
        /// What only somebody who looks closely wants to know.
        case debug = 7

        /// The graver level comes first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private enum Manner {
        case journal, terminal, plain
    }

    /// A line that waits to be written.
    private struct Line {
        let level: Level
        let topic: String
        let text: String
        /// When it happened, of ``SystemClock/realtime()``.
        let time: Int64
    }

    private let manner: Manner
    private let threshold: Level
    private var budget: LineBudget
    private var waiting: [Line] = []
    private var deferral: Deferral?

    /// Opens the log.
    /// - Parameter verbose: whether debug lines are written too.
    public init(verbose: Bool) {
        if ProcessContext.environment("JOURNAL_STREAM") != nil {
            manner = .journal
        } else {
            manner = StandardStream.error.isTerminal ? .terminal : .plain
        }
        threshold = verbose ? .debug : .info
        budget = LineBudget(
            linesMax: Limits.logLinesMax, windowMicroseconds: Limits.logWindowMicroseconds)
    }

    /// From now on lets lines wait until the turn of the loop is done: whoever is served in it comes first.
    /// Warnings and errors do not wait, so that they are there whatever comes next.
    func wait(for loop: EventLoop) throws(SystemError) {
        deferral = try loop.makeDeferral { [unowned self] in flush() }
    }

    /// Writes what waits.
    func flush() {
        let lines = waiting
        waiting.removeAll(keepingCapacity: true)
        for line in lines { emit(line) }
    }

    /// Writes a line.
    /// - Parameter topic: what it is about, in a word or two: `slot banner`, `reachability`.
    func write(_ level: Level, _ topic: @autoclosure () -> String, _ text: @autoclosure () -> String) {
        guard isWritten(level) else { return }
        switch budget.spend(at: SystemClock.boottime()) {
        case .refused: return
        case .granted(let leftOut):
            if leftOut > 0 { add(.warning, "log", "left out \(leftOut) lines") }
            add(level, topic(), text())
        }
    }

    /// Whether lines of a level are written, for those that cost something to put together.
    func isWritten(_ level: Level) -> Bool { level <= threshold }

    private func add(_ level: Level, _ topic: String, _ text: String) {
        waiting.append(Line(level: level, topic: topic, text: text, time: SystemClock.realtime()))
        guard let deferral, level > .warning, waiting.count < Limits.logLinesWaitingMax else {
            return flush()
        }
        deferral.arm()
    }

    private func emit(_ line: Line) {
        let padding = String(repeating: " ", count: max(1, 14 - line.topic.count))
        let time = SystemClock.localText(line.time, milliseconds: true)
        let text =
            switch manner {
            case .journal: "<\(line.level.rawValue)>\(line.topic.printable): \(line.text.printable)"
            case .plain: "\(time) \(line.topic.printable)\(padding)\(line.text.printable)"
            case .terminal:
                "\u{1B}[2m\(time)\u{1B}[0m \u{1B}[1m\(line.topic.printable)\u{1B}[0m"
                    + "\(padding)\(colour(line.level))\(line.text.printable)\u{1B}[0m"
            }
        // Nobody may stop the daemon by not reading its log.
        if !StandardStream.error.writeLineIfReady(text) { budget.leaveOut() }
    }

    private func colour(_ level: Level) -> String {
        switch level {
        case .error: "\u{1B}[31m"
        case .warning: "\u{1B}[33m"
        case .info: ""
        case .debug: "\u{1B}[2m"
        }
    }
}

/// Grants so many lines a window of time, and counts those it refuses.
struct LineBudget {
    enum Verdict: Equatable {
        /// The line may be written; so many were left out before it.
        case granted(leftOut: Int)
        case refused
    }

    let linesMax: Int
    let windowMicroseconds: Int64
    private var windowStart: Int64?
    private var spent = 0
    private var leftOut = 0

    init(linesMax: Int, windowMicroseconds: Int64) {
        self.linesMax = linesMax
        self.windowMicroseconds = windowMicroseconds
    }

    /// A granted line could not be written after all.
    mutating func leaveOut() {
        leftOut += 1
    }

    mutating func spend(at now: Int64) -> Verdict {
        if windowStart.map({ now - $0 >= windowMicroseconds }) ?? true {
            windowStart = now
            spent = 0
        }
        guard spent < linesMax else {
            leftOut += 1
            return .refused
        }
        spent += 1
        defer { leftOut = 0 }
        return .granted(leftOut: leftOut)
    }
}
