internal import LinuxBase

/// When a wait is over, however often the waiting is interrupted and begun again.
struct Deadline {
    /// Microseconds of CLOCK_BOOTTIME, `nil` for never.
    private let end: Int64?

    /// The end of a wait that begins now.
    init(after timeout: Duration?) {
        guard let timeout else {
            end = nil
            return
        }
        let (seconds, attoseconds) = timeout.components
        // Half of the range of the clock is longer than any machine will run.
        let microseconds =
            min(max(seconds, 0), .max / 2_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000
        end = SystemClock.boottime() + microseconds
    }

    /// Waits for a descriptor.
    ///
    /// - Returns: false when the time was over first.
    func wait(for interest: IOInterest, on descriptor: CInt) throws(SystemError) -> Bool {
        while true {
            if try Waiting.wait(for: interest, on: descriptor, milliseconds: millisecondsLeft) { return true }
            if millisecondsLeft == 0 { return false }
        }
    }

    /// Waits a little before another attempt.
    ///
    /// - Returns: false when the time is over.
    func pause() -> Bool {
        let left = millisecondsLeft
        guard left != 0 else { return false }
        Waiting.pause(milliseconds: left < 0 ? 10 : min(left, 10))
        return true
    }

    /// What poll(2) takes: whole milliseconds, rounded up, and -1 for ever.
    private var millisecondsLeft: CInt {
        guard let end else { return -1 }
        let left = end - SystemClock.boottime()
        return CInt(min(max((left + 999) / 1000, 0), Int64(CInt.max)))
    }
}
