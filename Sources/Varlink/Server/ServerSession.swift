internal import LinuxSupport

/// One connection of a server: the socket around a ``ServerConnection``.
///
/// Effects wait in a list and are carried out by ``dispatch()``, which only the event loop calls. So a
/// handler that answers never finds itself called again from within that answer.
final class ServerSession {
    let id: ConnectionID
    let peer: PeerCredentials

    private weak var server: VarlinkServer?
    private var machine: ServerConnection
    private var descriptor: OwnedDescriptor?
    private var watch: IOWatch?
    private var openCall: (serial: UInt64, call: VarlinkCall)?
    /// The call whose last answer the peer may not have read yet.
    private var answered: VarlinkCall?
    private var effects: [ServerConnection.Effect] = []
    private var isDispatching = false
    private var isDeferred = false
    /// The kernel had no room at the last attempt.
    private var isBlocked = false
    private var isLingering = false
    /// The server sends nothing for now.
    private var isCorked = false

    init(
        id: ConnectionID, peer: PeerCredentials, machine: ServerConnection, server: VarlinkServer,
        descriptor: consuming OwnedDescriptor
    ) throws(SystemError) {
        self.id = id
        self.peer = peer
        self.machine = machine
        self.server = server
        let raw = descriptor.raw
        self.descriptor = consume descriptor
        watch = try server.loop.watch(raw, for: .readable) { [weak self] readiness in
            self?.ready(readiness)
        }
    }

    deinit {
        // The watch must go before the descriptor that it watches.
        watch?.cancel()
    }

    /// Takes an answer, sends it at once where that is possible, and leaves what follows from it to the loop.
    func reply(_ reply: EncodedReply, serial: UInt64) {
        effects += machine.handle(.reply(reply, serial: serial))
        if !reply.continues, let open = openCall, open.serial == serial {
            openCall = nil
            answered = open.call
        }
        guard !isDispatching else { return }
        flush()
        settle()
        dispatchLater()
    }

    /// Leaves what is still to be done to a later turn of the loop.
    private func dispatchLater() {
        guard !effects.isEmpty, !isDeferred else { return }
        isDeferred = true
        server?.work.add { [weak self] in
            self?.isDeferred = false
            self?.dispatch()
        }
    }

    /// Ends the connection whatever is still to be sent.
    func hangUp() {
        // The machine forgets what it has not sent.
        if machine.wantsToSend { loseAnswer() }
        effects += machine.handle(.hungUp)
        dispatch()
    }

    private func ready(_ readiness: IOReadiness) {
        if readiness.contains(.readable) { receive() }
        if readiness.contains(.writable) { isBlocked = false }
        dispatch()
        // What the peer sent before it went is still read, a portion each turn, unless a call is open:
        // what stands behind that one is lost.
        let isGone = readiness.contains(.hangUp) || readiness.contains(.error)
        if readiness.contains(.error) { loseAnswer() }
        if isGone, !(readiness.contains(.readable) && machine.wantsToRead) { hangUp() }
    }

    private func receive() {
        guard machine.wantsToRead, let raw = descriptor?.raw else { return }
        var bytes: [UInt8] = []
        do {
            switch try UnixSocket.receive(raw, into: &bytes, maximum: Limits.receiveBytesMax) {
            case .bytes: effects += machine.handle(.received(bytes))
            case .endOfFile: effects += machine.handle(.endOfFile)
            case .wouldBlock: break
            }
        } catch {
            // A reset connection: the peer went without reading what it was sent.
            loseAnswer()
            effects += machine.handle(.hungUp)
        }
    }

    /// Carries out what is to be done; answers given meanwhile are sent in one go. Who sends many calls at a
    /// time has them answered some a turn, so that nobody else waits for all of them.
    private func dispatch() {
        guard !isDispatching else { return }
        isDispatching = true
        var opened = 0
        repeat {
            // A handler may answer at once, and that may bring up the next effect.
            var next = 0
            while next < effects.count, opened < Limits.callsPerTurnMax {
                let effect = effects[next]
                next += 1
                if case .open = effect { opened += 1 }
                perform(effect)
            }
            effects.removeFirst(next)
            flush()
        } while !effects.isEmpty && opened < Limits.callsPerTurnMax
        isDispatching = false
        settle()
        dispatchLater()
    }

    private func perform(_ effect: ServerConnection.Effect) {
        switch effect {
        case .open(let message, let serial): server?.open(message, serial: serial, on: self)
        case .abandon(let serial): abandon(serial)
        case .report(let fault): server?.report(fault, by: self)
        case .close: close()
        }
    }

    /// Remembers the call that the connection now waits for. Who calls again has read the answer before.
    func begin(_ call: VarlinkCall, serial: UInt64) {
        answered = nil
        openCall = (serial, call)
    }

    private func abandon(_ serial: UInt64) {
        guard let open = openCall, open.serial == serial else { return }
        openCall = nil
        open.call.abandon()
    }

    /// The peer went without reading the last answer, which the kernel tells by an error (unix(7)).
    private func loseAnswer() {
        guard let call = answered else { return }
        answered = nil
        server?.work.add { call.lose() }
    }

    private func close() {
        watch?.cancel()
        watch = nil
        descriptor = nil
        server?.forget(self)
    }

    /// Sends what has waited for the server's word.
    func uncork() {
        isCorked = false
        guard !isDispatching else { return }
        flush()
        settle()
        dispatchLater()
    }

    /// Sends until the queue is empty or the kernel has no room.
    private func flush() {
        guard let raw = descriptor?.raw, machine.wantsToSend, !isCorked else { return }
        isCorked = server?.corks(self) ?? false
        guard !isCorked else { return }
        while machine.wantsToSend, !isBlocked {
            let (bytes, offset) = machine.queue.next(maximum: Limits.sendBytesMax)
            do {
                guard let count = try UnixSocket.send(raw, bytes, from: offset) else {
                    isBlocked = true
                    return
                }
                effects += machine.handle(.sent(count))
            } catch {
                // EPIPE or ECONNRESET: nobody is there to read.
                loseAnswer()
                effects += machine.handle(.hungUp)
            }
        }
    }

    /// Lets the open call go on where nothing is queued any more.
    func tellIfSent() {
        guard !machine.wantsToSend, let call = openCall?.call, let handler = call.takeSentHandler() else {
            return
        }
        server?.work.add { if call.isOpen { handler() } }
    }

    /// Waits for what the machine now wants.
    private func settle() {
        tellIfSent()
        guard let watch else { return }
        var interest: IOInterest = []
        if machine.wantsToRead { interest.insert(.readable) }
        if machine.wantsToSend, !isCorked { interest.insert(.writable) }
        watch.interest = interest
        if machine.isExpelling, !isLingering {
            isLingering = true
            server?.linger(self)
        }
    }
}
