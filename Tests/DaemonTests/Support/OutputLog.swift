import Foundation

/// Collects the lines that a process writes, so that it never waits for its reader.
final class OutputLog: @unchecked Sendable {
    private let condition = NSCondition()
    private var lines: [String] = []
    private var taken = 0
    private var hasEnded = false

    /// Reads until the other end is closed.
    init(_ handle: FileHandle) {
        let thread = Thread { [self] in
            var rest = Data()
            while true {
                let data = handle.availableData
                rest.append(data)
                condition.withLock {
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                        rest.removeSubrange(rest.startIndex...end)
                    }
                    if data.isEmpty {
                        if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
                        hasEnded = true
                    }
                    condition.broadcast()
                }
                if data.isEmpty { return }
            }
        }
        thread.start()
    }

    /// All lines so far.
    var text: String { condition.withLock { lines.joined(separator: "\n") } }

    /// The next line that nobody has taken, `nil` after the last one.
    func takeLine(within duration: Duration = Deadline.patience) throws -> String? {
        try wait(for: "a line of output", within: duration) {
            if taken < lines.count {
                taken += 1
                return .some(lines[taken - 1])
            }
            return hasEnded ? .some(nil) : nil
        }
    }

    /// Waits for a line that contains a text.
    /// - Parameter start: the line, counted from 0, at which to begin.
    @discardableResult
    func wait(
        for text: String, from start: Int = 0, within duration: Duration = Deadline.patience
    ) throws -> String {
        let found: String? = try wait(for: "a line with '\(text)'", within: duration) {
            if let line = lines.dropFirst(start).first(where: { $0.contains(text) }) { return .some(line) }
            return hasEnded ? .some(nil) : nil
        }
        guard let found else { throw NotInTime(what: "a line with '\(text)'", account: self.text) }
        return found
    }

    /// Waits until the process has closed its output.
    func waitForEnd(within duration: Duration = Deadline.patience) throws {
        try wait(for: "the end of the output", within: duration) { hasEnded ? () : nil }
    }

    /// How many lines there are.
    var count: Int { condition.withLock { lines.count } }

    private func wait<Value>(
        for what: String, within duration: Duration, _ look: () -> Value?
    ) throws -> Value {
        let end = Date(timeIntervalSinceNow: duration.seconds)
        return try condition.withLock {
            while true {
                if let value = look() { return value }
                guard condition.wait(until: end) else {
                    if let value = look() { return value }
                    throw NotInTime(what: what, account: lines.suffix(40).joined(separator: "\n"))
                }
            }
        }
    }
}
