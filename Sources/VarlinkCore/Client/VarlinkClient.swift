public import LinuxBase

/// A connection to a Varlink service, for programs that wait for their replies.
///
///     let client = try VarlinkClient(connectingTo: "/run/adslotd/socket")
///     let reply = try client.call("org.adslotd.Slots.List", timeout: .seconds(5))
///     for slot in reply["slots"]?.array ?? [] { … }
///
/// One call is under way at a time. After an error other than ``VarlinkClientError/remote(name:parameters:)``
/// the connection is closed and every further call throws ``VarlinkClientError/connectionClosed``.
public final class VarlinkClient {
    private var socket: OwnedDescriptor?
    private var framer = MessageFramer(messageBytesMax: Limits.replyBytesMax)
    private var expectsReply = false

    /// Connects to the socket at `path`.
    ///
    /// - Parameter timeout: how long to try while the service has no room for another connection.
    /// - Throws: ``VarlinkClientError/cannotConnect(_:)`` when nobody is there.
    public init(connectingTo path: String, timeout: Duration = .seconds(5)) throws(VarlinkClientError) {
        let deadline = Deadline(after: timeout)
        while true {
            do {
                socket = try UnixSocket.connect(path: path)
                return
            } catch {
                guard error.isTryAgain, deadline.pause() else { throw .cannotConnect(error) }
            }
        }
    }

    /// Takes over a connected, non-blocking stream socket.
    public init(takingOver socket: consuming OwnedDescriptor) {
        self.socket = consume socket
    }

    /// The socket, to be polled together with others; `nil` once the connection is closed. It is readable
    /// when ``VarlinkReplies/available()`` has something new to say.
    public var descriptor: CInt? { socket?.raw }

    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - method: the method with its interface.
    ///   - timeout: how long to wait, for ever when `nil`.
    public func call(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration? = nil
    ) throws(VarlinkClientError) -> JSONObject {
        let deadline = Deadline(after: timeout)
        try send(CallMessage(method: method, parameters: parameters), deadline)
        let reply = try waitForReply(deadline)
        guard !reply.continues else { throw fail(.malformedReply) }
        return reply.parameters
    }

    /// Calls a method and waits for no reply; there will be none.
    public func callOneway(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration? = nil
    ) throws(VarlinkClientError) {
        let call = CallMessage(method: method, parameters: parameters, isOneway: true)
        try send(call, Deadline(after: timeout))
    }

    /// Calls a method that replies again and again. The connection takes no other call until the replies
    /// have come to their end.
    ///
    /// - Parameter timeout: how long sending may take; each reply has a time of its own.
    public func callMore(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration? = nil
    ) throws(VarlinkClientError) -> VarlinkReplies {
        let call = CallMessage(method: method, parameters: parameters, wantsMore: true)
        try send(call, Deadline(after: timeout))
        return VarlinkReplies(client: self)
    }

    /// Closes the connection. What the service holds for it, leases for instance, ends.
    public func close() {
        socket = nil
        expectsReply = false
    }

    private func send(_ call: CallMessage, _ deadline: Deadline) throws(VarlinkClientError) {
        precondition(!expectsReply, "another call has not come to its end")
        guard let raw = socket?.raw else { throw .connectionClosed }
        let bytes = call.encoded
        var sent = 0
        while sent < bytes.count {
            let count: Int?
            let isReady: Bool
            do {
                count = try UnixSocket.send(raw, bytes, from: sent)
                isReady = if count == nil { try deadline.wait(for: .writable, on: raw) } else { true }
            } catch {
                throw fail(error.isDisconnection ? .connectionClosed : .system(error))
            }
            guard isReady else { throw fail(.timedOut) }
            sent += count ?? 0
        }
        expectsReply = !call.isOneway
    }

    /// Waits for the next reply to the open call.
    func waitForReply(_ deadline: Deadline) throws(VarlinkClientError) -> ReplyMessage {
        while true {
            if let reply = try availableReply() { return reply }
            guard let raw = socket?.raw else { throw .connectionClosed }
            let isReady: Bool
            do {
                isReady = try deadline.wait(for: .readable, on: raw)
            } catch {
                throw fail(.system(error))
            }
            guard isReady else { throw fail(.timedOut) }
        }
    }

    /// The next reply to the open call, `nil` when it has not come yet.
    func availableReply() throws(VarlinkClientError) -> ReplyMessage? {
        while true {
            if let reply = try framedReply() { return reply }
            guard let raw = socket?.raw else { throw .connectionClosed }
            var bytes: [UInt8] = []
            let result: ReceiveResult
            do {
                result = try UnixSocket.receive(raw, into: &bytes, maximum: Limits.sendBytesMax)
            } catch {
                throw fail(error.isDisconnection ? .connectionClosed : .system(error))
            }
            switch result {
            case .bytes: framer.append(bytes)
            case .wouldBlock: return nil
            case .endOfFile: throw fail(.connectionClosed)
            }
        }
    }

    private func framedReply() throws(VarlinkClientError) -> ReplyMessage? {
        let message: ArraySlice<UInt8>?
        do {
            message = try framer.next()
        } catch {
            throw fail(.malformedReply)
        }
        guard let message else { return nil }
        guard expectsReply, let reply = ReplyMessage(reading: message) else { throw fail(.malformedReply) }
        expectsReply = reply.continues
        if let name = reply.error { throw .remote(name: name, parameters: reply.parameters) }
        return reply
    }

    private func fail(_ error: VarlinkClientError) -> VarlinkClientError {
        close()
        return error
    }
}
