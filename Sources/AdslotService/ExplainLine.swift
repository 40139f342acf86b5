internal import AdSlots
internal import LinuxSupport

extension ExplainStep {
    /// The step as one line with its time, and the moment it speaks of.
    func line(_ clock: WallClock) -> String {
        let time = SystemClock.localText(clock.microseconds(at: at), milliseconds: true)
        let until = until.map { " (\(SystemClock.localText(clock.microseconds(at: $0))))" } ?? ""
        return "\(time)  \(text)\(until)"
    }
}
