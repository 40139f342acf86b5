/// The server's side of one connection, without a socket: what comes in goes to ``handle(_:)``, what has
/// to be done comes back as effects in order, and what has to be sent waits in a queue.
///
/// Replies go out in the order of the calls (varlink.org), so one call is open at a time. While it is
/// open nothing more is read, nor while much is queued: a peer that calls faster than it reads waits, it
/// is not dropped. Only what it did not ask for one by one, the stream of a `more` call, can overrun the
/// queue.
struct ServerConnection: Sendable {
    /// What happens to a connection.
    enum Event: Sendable {
        /// Bytes came.
        case received([UInt8])
        /// The peer will send nothing more, but may still read.
        case endOfFile
        /// The peer is gone in both directions.
        case hungUp
        /// The handler of a call answers. Answers to calls that are over are ignored.
        case reply(EncodedReply, serial: UInt64)
        /// The kernel took bytes of the queue.
        case sent(Int)
    }

    /// What has to be done.
    enum Effect: Equatable, Sendable {
        /// Hand a call to its handler. The replies to it name its serial.
        case open(CallMessage, serial: UInt64)
        /// The call can no longer be answered: its handler must let go of it.
        case abandon(serial: UInt64)
        /// Tell whoever looks after this service.
        case report(Fault)
        /// Close the socket; nothing comes after it.
        case close
    }

    /// What a peer did wrong.
    enum Fault: Equatable, Sendable {
        /// A message that is no call.
        case malformed(CallMessage.Failure)
        /// A message over the bound.
        case oversize(messageBytesMax: Int)
        /// The stream ended within a message.
        case truncated(bytes: Int)
        /// It did not read what it had asked for.
        case tooSlow(queuedBytes: Int)
    }

    private enum State: Sendable {
        /// No call is open. Moves to: calling, finishing, expelling, closed.
        case reading
        /// A call waits for its last reply. Moves to: reading, expelling (too slow), closed.
        case calling(serial: UInt64, wantsMore: Bool)
        /// The peer has sent all its calls; it still has replies to read. Moves to: closed.
        case finishing
        /// The peer is thrown out; it may still read what is queued. Moves to: closed.
        case expelling
        /// The end.
        case closed
    }

    private let queueBytesMax: Int
    private let tooSlow: EncodedReply
    private var state = State.reading
    private var inputEnded = false
    private var lastSerial: UInt64 = 0
    private var framer = MessageFramer(messageBytesMax: Limits.callBytesMax)
    private(set) var queue = OutputQueue()

    /// Creates the machine of a new connection.
    ///
    /// - Parameters:
    ///   - queueBytesMax: how much may be queued for a peer that does not read, in bytes.
    ///   - tooSlow: the last thing that such a peer is told.
    init(queueBytesMax: Int, tooSlow: EncodedReply) {
        self.queueBytesMax = queueBytesMax
        self.tooSlow = tooSlow
    }

    /// Whether the socket should be read.
    var wantsToRead: Bool {
        if case .reading = state { !inputEnded && hasRoomForReply } else { false }
    }

    /// Whether something waits to be sent.
    var wantsToSend: Bool {
        if case .closed = state { false } else { !queue.isEmpty }
    }

    /// Whether the peer should be given a limited time only to read what is queued.
    var isExpelling: Bool {
        if case .expelling = state { true } else { false }
    }

    /// A further call is opened only while at most half of the bound is queued.
    private var hasRoomForReply: Bool { queue.count <= queueBytesMax / 2 }

    /// Takes an event; what has to be done comes back in order.
    mutating func handle(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.reading, .received(let bytes)):
            framer.append(bytes)
            return advance()
        case (.calling, .received(let bytes)):
            framer.append(bytes)
            return []
        case (.reading, .endOfFile):
            inputEnded = true
            return advance()
        case (.calling, .endOfFile):
            inputEnded = true
            return []
        case (.calling(let serial, let wantsMore), .reply(let reply, let answered)):
            guard serial == answered else { return [] }
            return take(reply, serial: serial, wantsMore: wantsMore)
        case (.reading, .sent(let count)):
            queue.consume(count)
            return advance()
        case (.calling, .sent(let count)):
            queue.consume(count)
            return []
        case (.finishing, .sent(let count)), (.expelling, .sent(let count)):
            queue.consume(count)
            return queue.isEmpty ? close() : []
        case (.calling(let serial, _), .hungUp):
            return [.abandon(serial: serial)] + close()
        case (.reading, .hungUp), (.finishing, .hungUp), (.expelling, .hungUp):
            return close()
        case (.reading, .reply), (.finishing, .reply), (.expelling, .reply), (.closed, .reply),
            (.finishing, .received), (.expelling, .received), (.closed, .received),
            (.finishing, .endOfFile), (.expelling, .endOfFile), (.closed, .endOfFile),
            (.closed, .sent), (.closed, .hungUp):
            return []
        }
    }

    /// Opens the next call that has come in whole; calls that want no reply do not hold up the next.
    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        while hasRoomForReply {
            let call: CallMessage
            switch nextCall() {
            case .call(let next): call = next
            case .incomplete: return effects + (inputEnded ? finish() : [])
            case .fault(let fault): return effects + [.report(fault)] + closeWhenSent(by: .expelling)
            }
            lastSerial += 1
            effects.append(.open(call, serial: lastSerial))
            guard call.isOneway else {
                state = .calling(serial: lastSerial, wantsMore: call.wantsMore)
                return effects
            }
        }
        return effects
    }

    private enum Next {
        case call(CallMessage)
        case incomplete
        case fault(Fault)
    }

    private mutating func nextCall() -> Next {
        let message: ArraySlice<UInt8>?
        do {
            message = try framer.next()
        } catch {
            return .fault(.oversize(messageBytesMax: error.messageBytesMax))
        }
        guard let message else { return .incomplete }
        do {
            return .call(try CallMessage(reading: message))
        } catch {
            return .fault(.malformed(error))
        }
    }

    private mutating func take(_ reply: EncodedReply, serial: UInt64, wantsMore: Bool) -> [Effect] {
        guard reply.continues else {
            // A call has one last reply and a call is opened only when there is room, so these stay
            // bounded without a check; a long one to a peer that reads is no fault of the peer.
            queue.append(reply.bytes)
            state = .reading
            return advance()
        }
        precondition(wantsMore, "several replies to a call without 'more'")
        guard queue.isEmpty || queue.count + reply.bytes.count <= queueBytesMax else {
            let queuedBytes = queue.count
            queue.dropUnbegun()
            queue.append(tooSlow.bytes)
            state = .expelling
            return [.report(.tooSlow(queuedBytes: queuedBytes)), .abandon(serial: serial)]
        }
        queue.append(reply.bytes)
        return []
    }

    /// The peer has sent all its calls and has all its replies.
    private mutating func finish() -> [Effect] {
        let rest = framer.rest.count
        return (rest > 0 ? [.report(.truncated(bytes: rest))] : []) + closeWhenSent(by: .finishing)
    }

    private mutating func closeWhenSent(by way: State) -> [Effect] {
        guard queue.isEmpty else {
            state = way
            return []
        }
        return close()
    }

    private mutating func close() -> [Effect] {
        state = .closed
        queue = OutputQueue()
        return [.close]
    }
}
