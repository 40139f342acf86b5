import Testing
import Varlink

/// What tests ask of slots and work.
extension DaemonProcess {
    /// A slot as List tells it.
    func slot(_ name: String = "banner") throws -> JSONObject {
        let slots = try call("org.adslotd.Slots.List").objects("slots")
        return try #require(slots.first { $0["name"]?.string == name })
    }

    /// A piece of work as List tells it, `nil` when it is not registered.
    func work(_ name: String = "game") throws -> JSONObject? {
        try call("org.adslotd.Work.List").objects("work").first { $0["name"]?.string == name }
    }

    /// Waits until nobody hosts the slot: the daemon sees the end of a connection a little after it.
    func waitUntilDetached(_ name: String = "banner") throws {
        let deadline = Deadline()
        while try slot(name).text("state") != "detached" {
            guard deadline.pause() else { throw NotInTime(what: "slot \(name) detached", account: log.text) }
        }
    }

    /// Calls a method that streams, and waits for the error that must come in place of the stream.
    func refusal(
        ofStream method: String, _ parameters: JSONObject, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Refusal {
        do {
            let reply = try connect().open(method, parameters).next()
            Issue.record("not refused: \(JSONValue.object(reply))", sourceLocation: sourceLocation)
            return Refusal(name: "", parameters: reply)
        } catch let refusal as Refusal {
            return refusal
        }
    }
}
