/// The replies to a call with `more`, one after the other.
///
///     let replies = try client.callMore("org.adslotd.Reachability.Monitor")
///     while let reply = try replies.next() { … }
public final class VarlinkReplies {
    /// What has come so far.
    public enum Available: Equatable, Sendable {
        /// The next reply.
        case reply(JSONObject)
        /// Nothing yet: wait until the client's descriptor is readable.
        case nothingYet
        /// The last reply has been taken.
        case ended
    }

    private let client: VarlinkClient
    private var hasEnded = false

    init(client: VarlinkClient) {
        self.client = client
    }

    /// Waits for the next reply.
    ///
    /// - Parameter timeout: how long to wait, for ever when `nil`.
    /// - Returns: `nil` after the last one, and after an error.
    public func next(timeout: Duration? = nil) throws(VarlinkClientError) -> JSONObject? {
        guard !hasEnded else { return nil }
        hasEnded = true
        let reply = try client.waitForReply(Deadline(after: timeout))
        hasEnded = !reply.continues
        return reply.parameters
    }

    /// The next reply if it has come; does not wait.
    public func available() throws(VarlinkClientError) -> Available {
        guard !hasEnded else { return .ended }
        hasEnded = true
        let reply = try client.availableReply()
        hasEnded = !(reply?.continues ?? true)
        return reply.map { .reply($0.parameters) } ?? .nothingYet
    }
}
