import Foundation

/// When a wait is over.
struct Deadline {
    /// How long something may take that must happen. Long, so that a busy machine fails no test; nothing waits
    /// for it to pass unless the test fails.
    static let patience = Duration.seconds(15)

    private let end: ContinuousClock.Instant

    /// The end of a wait that begins now.
    init(after duration: Duration = Deadline.patience) {
        end = .now + duration
    }

    var left: Duration { max(.zero, end - .now) }
    var isOver: Bool { left == .zero }

    /// Waits until a descriptor has something to read.
    /// - Returns: false when the time was over first.
    func waitReadable(_ descriptor: CInt) -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = left.milliseconds
            let result = unsafe poll(&request, 1, CInt(clamping: milliseconds))
            if result > 0 { return true }
            if result == 0, isOver || milliseconds == 0 { return false }
        }
    }

    /// Waits a moment between two looks at what cannot be waited for as an event.
    /// - Returns: false when the time is over.
    func pause() -> Bool {
        guard !isOver else { return false }
        usleep(2_000)
        return true
    }
}

extension Duration {
    /// Whole milliseconds, rounded up.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    /// For Foundation.
    var seconds: TimeInterval { TimeInterval(milliseconds) / 1_000 }
}

/// Something that must happen did not.
struct NotInTime: Error, CustomStringConvertible {
    let what: String
    /// What did happen.
    let account: String

    var description: String { "not in time: \(what)\n\(account)" }
}
