import Testing
import Varlink

/// What the daemon refused a call with.
struct Refusal: Error, Equatable, CustomStringConvertible {
    /// The error with its interface.
    let name: String
    let parameters: JSONObject

    var description: String { "\(name) \(JSONValue.object(parameters))" }
}

/// A connection to the daemon. What it answers is held against its own description.
final class Connection {
    private let client: VarlinkClient
    private let contract: Contract

    init(_ client: VarlinkClient, _ contract: Contract) {
        self.client = client
        self.contract = contract
    }

    /// Calls a method and waits for the answer.
    @discardableResult
    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        try checked(method) { try client.call(method, parameters, timeout: Deadline.patience) }
    }

    /// Calls a method and waits for the error that must come.
    func refusal(
        of method: String, _ parameters: JSONObject = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Refusal {
        do {
            let reply = try call(method, parameters)
            Issue.record(
                "\(method) was not refused: \(JSONValue.object(reply))", sourceLocation: sourceLocation)
            return Refusal(name: "", parameters: reply)
        } catch let refusal as Refusal {
            return refusal
        }
    }

    /// Calls a method whose replies come when they come.
    func open(_ method: String, _ parameters: JSONObject = [:]) throws -> Replies {
        Replies(method, try client.callMore(method, parameters, timeout: Deadline.patience), self)
    }

    /// Closes the connection.
    func close() { client.close() }

    fileprivate var descriptor: CInt? { client.descriptor }

    /// Holds a reply or an error, where there is one, against the description.
    fileprivate func checked<Reply>(_ method: String, _ body: () throws -> Reply) throws -> Reply {
        do {
            let reply = try body()
            if let object = reply as? JSONObject { contract.check(reply: object, of: method) }
            return reply
        } catch VarlinkClientError.remote(let name, let parameters) {
            contract.check(error: name, parameters)
            throw Refusal(name: name, parameters: parameters)
        }
    }
}

/// The replies to an open call.
final class Replies {
    private let method: String
    private let replies: VarlinkReplies
    private let connection: Connection

    fileprivate init(_ method: String, _ replies: VarlinkReplies, _ connection: Connection) {
        self.method = method
        self.replies = replies
        self.connection = connection
    }

    /// The next reply, `nil` when none came in time.
    func next(within duration: Duration) throws -> JSONObject? {
        let deadline = Deadline(after: duration)
        while true {
            let reply: JSONObject? = try connection.checked(method) {
                switch try replies.available() {
                case .reply(let reply): return reply
                case .nothingYet: return nil
                case .ended: throw NotInTime(what: "a reply of \(method)", account: "it has ended")
                }
            }
            if let reply { return reply }
            guard let descriptor = connection.descriptor, deadline.waitReadable(descriptor) else {
                return nil
            }
        }
    }

    /// The next reply, which must come.
    func next() throws -> JSONObject {
        guard let reply = try next(within: Deadline.patience) else {
            throw NotInTime(what: "a reply of \(method)", account: "")
        }
        return reply
    }

    /// Waits for the error, or the closing of the connection, with which the stream must end.
    func end() throws -> String {
        do {
            while try next(within: Deadline.patience) != nil {}
            throw NotInTime(what: "the end of \(method)", account: "")
        } catch let refusal as Refusal {
            return refusal.name
        } catch VarlinkClientError.connectionClosed {
            return "closed"
        }
    }

    /// Closes the connection and with it whatever it holds.
    func close() { connection.close() }
}
