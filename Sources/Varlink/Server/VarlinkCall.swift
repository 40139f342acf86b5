public import LinuxSupport

/// Names one connection to a server; never used again for another.
public struct ConnectionID: Hashable, Sendable {
    /// Counts the connections of one server.
    public let value: UInt64
}

/// One call that a server hands to a method: what was asked, by whom, and how to answer.
///
/// It may be answered at once or at any later time. Neither an answer nor anything else done to a call
/// ever calls a handler or an ``onEnd(_:)`` before it returns: those are called by the event loop only.
public final class VarlinkCall {
    private enum State {
        /// Not answered yet, or answers still follow. Moves to: finished, abandoned.
        case open
        /// The last answer has been given.
        case finished
        /// The connection has gone first.
        case abandoned
    }

    /// The interface that was called.
    public let interfaceName: String
    /// The method without its interface.
    public let methodName: String
    /// What was asked, unchecked; ``read(_:)`` checks.
    public let parameters: JSONObject
    /// Whether the caller takes several replies.
    public let wantsMore: Bool
    /// Whether the caller takes no reply; what is answered then goes nowhere.
    public let isOneway: Bool
    /// Who called.
    public let peer: PeerCredentials
    /// The connection that the call came on.
    public let connection: ConnectionID

    private let serial: UInt64
    private weak var session: ServerSession?
    private let work: DeferredWork
    private var state = State.open
    private var endHandlers: [() -> Void] = []
    private var lossHandler: (() -> Void)?
    private var sentHandler: (() -> Void)?

    init(_ message: CallMessage, name: MethodName, serial: UInt64, session: ServerSession, work: DeferredWork)
    {
        interfaceName = name.interface
        methodName = name.method
        parameters = message.parameters
        wantsMore = message.wantsMore && !message.isOneway
        isOneway = message.isOneway
        peer = session.peer
        connection = session.id
        self.serial = serial
        self.session = session
        self.work = work
    }

    /// Whether an answer can still be given.
    public var isOpen: Bool { state == .open }

    /// Answers for the last time.
    public func reply(_ parameters: JSONObject = [:]) {
        reply(EncodedReply(parameters))
    }

    /// Answers, and more answers will follow. The caller must have asked for that (``wantsMore``).
    public func replyContinuing(_ parameters: JSONObject) {
        reply(EncodedReply(parameters, continues: true))
    }

    /// Answers with a message that has been encoded before, for the last time unless it says `continues`.
    ///
    /// Nothing happens when the connection has gone. A further answer after the last one, and several
    /// answers to a call without `more`, are programming errors.
    public func reply(_ encoded: EncodedReply) {
        precondition(state != .finished, "\(methodName) was answered after its last answer")
        precondition(wantsMore || !encoded.continues, "several answers to \(methodName) without 'more'")
        guard state == .open else { return }
        if !encoded.continues {
            state = .finished
            endHandlers = []
            sentHandler = nil
        }
        guard !isOneway else { return }
        session?.reply(encoded, serial: serial)
    }

    /// Answers with an error of an interface, for the last time.
    ///
    /// - Parameters:
    ///   - error: the name with its interface, `org.adslotd.Slots.UnknownSlot`.
    ///   - parameters: what the error carries.
    public func fail(_ error: String, _ parameters: JSONObject = [:]) {
        reply(EncodedReply(error: error, parameters: parameters))
    }

    /// Answers with an error that every service has, for the last time.
    public func fail(_ error: ServiceError) {
        reply(error.encoded)
    }

    /// Answers that a parameter cannot be taken, for the last time.
    public func invalidParameter(_ name: String) {
        fail(.invalidParameter(name))
    }

    /// Answers that the method needs `more`, for the last time.
    public func expectedMore() {
        fail(.expectedMore)
    }

    /// Answers that the method is not carried out here, for the last time.
    public func notImplemented() {
        fail(.methodNotImplemented(interfaceName + "." + methodName))
    }

    /// Calls `handler` once, from the event loop, when the connection goes before the last answer: because
    /// the peer hung up, or because the server dropped it. After the last answer it is forgotten.
    /// Of a oneway call nobody waits for an end, so it is never called.
    public func onEnd(_ handler: @escaping () -> Void) {
        switch state {
        case .open where !isOneway: endHandlers.append(handler)
        case .abandoned: work.add(handler)
        case .open, .finished: break
        }
    }

    /// Calls `handler` once, from the event loop, when the connection is found to have gone without the last
    /// answer having been read. To be set before that answer. A peer that read it, or called again, has it.
    public func onUnread(_ handler: @escaping () -> Void) {
        lossHandler = handler
    }

    /// Calls `handler` once, from the event loop, as soon as the kernel has taken all that was answered so
    /// far; never when the connection goes first. A long answer is given in pieces like this, each when the
    /// one before it is on its way, so that none of them overruns the queue.
    public func whenSent(_ handler: @escaping () -> Void) {
        guard state == .open, !isOneway else { return }
        sentHandler = handler
        session?.tellIfSent()
    }

    /// What waits for the answers to be sent, to be called once.
    func takeSentHandler() -> (() -> Void)? {
        defer { sentHandler = nil }
        return sentHandler
    }

    /// Reads the parameters with their types and refuses those that `body` did not ask for.
    public func read<Value>(
        _ body: (inout Parameters) throws(ParameterError) -> Value
    ) throws(ParameterError) -> Value {
        var reader = Parameters(parameters)
        let value = try body(&reader)
        try reader.finish()
        return value
    }

    /// Refuses any parameter.
    public func expectNoParameters() throws(ParameterError) {
        try Parameters(parameters).finish()
    }

    /// The last answer went nowhere.
    func lose() {
        let handler = lossHandler
        lossHandler = nil
        handler?()
    }

    /// The connection has gone.
    func abandon() {
        guard state == .open else { return }
        state = .abandoned
        sentHandler = nil
        let handlers = endHandlers
        endHandlers = []
        for handler in handlers { handler() }
    }
}
