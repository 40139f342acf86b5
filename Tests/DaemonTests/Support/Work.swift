import Testing
import Varlink

/// A program that pauses itself when told. It answers when the test says so: at once, late, or never.
final class Work {
    /// What it was told.
    struct Instruction: Equatable {
        let kind: String
        let token: Int64
        let action: Int64?
        let reason: String
    }

    /// All instructions so far.
    private(set) var instructions: [Instruction] = []
    /// What its calls are allowed by.
    let lease: String

    private let replies: Replies
    private let calls: Connection

    /// Registers work that pauses itself.
    init(on daemon: DaemonProcess, _ name: String = "game", mayVeto: Bool? = nil) throws {
        var parameters: JSONObject = ["name": .string(name), "kind": "client"]
        if let mayVeto { parameters["mayVeto"] = .bool(mayVeto) }
        calls = try daemon.connect()
        replies = try daemon.connect().open("org.adslotd.Work.Register", parameters)
        lease = try #require(try replies.next()["lease"]?.string)
    }

    /// The next instruction, which must be of this kind.
    @discardableResult
    func expect(_ kind: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Instruction {
        let instruction = try read(replies.next())
        #expect(instruction.kind == kind, "after \(instructions.dropLast())", sourceLocation: sourceLocation)
        return instruction
    }

    /// No instruction may come for so long.
    func expectNothing(for duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if let reply = try replies.next(within: duration) {
            Issue.record("told: \(JSONValue.object(reply))", sourceLocation: sourceLocation)
        }
    }

    /// It stands still.
    func acknowledge(_ instruction: Instruction) throws {
        try calls.call(
            "org.adslotd.Work.Acknowledge", ["lease": .string(lease), "token": .integer(instruction.token)])
    }

    /// It cannot stand still now.
    func veto(_ instruction: Instruction, _ reason: String) throws {
        try calls.call(
            "org.adslotd.Work.Veto",
            ["lease": .string(lease), "token": .integer(instruction.token), "reason": .string(reason)])
    }

    /// What the daemon says of it.
    func item() throws -> JSONObject? {
        try calls.call("org.adslotd.Work.List")["work"]?.array?.first?.object
    }

    /// Waits for the error or the closing with which the daemon lets it go, taking what comes before.
    func end() throws -> String {
        while true {
            do {
                _ = try read(replies.next())
            } catch let refusal as Refusal {
                return refusal.name
            } catch VarlinkClientError.connectionClosed {
                return "closed"
            }
        }
    }

    /// The program is gone.
    func die() {
        replies.close()
        calls.close()
    }

    private func read(_ reply: JSONObject) throws -> Instruction {
        let value = try #require(reply["instruction"])
        let instruction = Instruction(
            kind: try #require(value["kind"]?.string), token: try #require(value["token"]?.integer),
            action: value["action"]?.integer, reason: try #require(value["reason"]?.string))
        if let last = instructions.last, instruction.token <= last.token { Issue.record("\(instruction)") }
        instructions.append(instruction)
        return instruction
    }
}
