import Testing
import Varlink

extension DaemonProcess {
    /// The steps of a slot's decisions, as Explain tells them.
    func explanation(of slot: String = "banner") throws -> [String] {
        let reply = try call("org.adslotd.Slots.Explain", ["slot": .string(slot)])
        return try #require(reply["steps"]?.array).compactMap(\.string)
    }

    /// Waits until Explain has a step with these words.
    @discardableResult
    func waitForStep(_ words: String, of slot: String = "banner") throws -> String {
        let deadline = Deadline()
        while true {
            let steps = try explanation(of: slot)
            if let step = steps.last(where: { $0.contains(words) }) { return step }
            guard deadline.pause() else {
                throw NotInTime(what: "'\(words)'", account: "\(steps.joined(separator: "\n"))\n\(log.text)")
            }
        }
    }
}
