internal import LinuxBase
internal import VarlinkCore

/// Holds a lease of the daemon: the open call that it comes from, the connection for calls that name it, and
/// new attempts for as long as there is none.
///
/// It has one descriptor, which stays the same over all connections, and never waits. Whatever it tells is
/// told from within ``process()`` or from the call that caused it, on the caller's thread.
final class LeaseKeeper {
    /// What happens to the lease.
    enum Notice {
        /// The daemon has granted it.
        case granted(JSONObject)
        /// The connection is gone, and what the daemon held for it; the next attempt comes after a time.
        case lost(AdslotError, retryIn: Duration)
        /// The daemon refuses for good.
        case refused(AdslotError)
    }

    typealias Answer = (Result<JSONObject, AdslotError>) -> Void

    private enum State {
        /// Moves to: asking (its time has come), ended.
        case waiting
        /// The daemon has been asked. Moves to: holding (granted), waiting (lost, refused after it was once
        /// granted), ended (refused).
        case asking(Wire)
        /// Moves to: waiting (lost), ended.
        case holding(Wire, lease: String)
        /// The end.
        case ended
    }

    private let method: String
    private let parameters: () -> JSONObject
    private let sockets: [String]
    private let poller: Poller
    private let timer: TimerDescriptor
    private let onNotice: (Notice) -> Void
    private let onMessage: (JSONObject) throws(AdslotError) -> Void
    private var state = State.waiting
    private var calls: Wire?
    private var answers: [Answer] = []
    private var path = ""
    private var backoff = Backoff()
    private var generator = SystemRandomNumberGenerator()
    private var wasGranted = false

    /// - Parameters:
    ///   - method: the method whose first reply carries the lease.
    ///   - parameters: its parameters, asked for at each attempt.
    ///   - socket: the daemon's socket, `nil` for the user's own, then the service's.
    ///   - onMessage: is given what the daemon says to the lease's holder. An error ends the connection:
    ///     whoever does not understand the daemon cannot stay in step with it.
    init(
        _ method: String, socket: String?, parameters: @escaping () -> JSONObject,
        onMessage: @escaping (JSONObject) throws(AdslotError) -> Void,
        onNotice: @escaping (Notice) -> Void
    ) throws(AdslotError) {
        self.method = method
        self.parameters = parameters
        self.onMessage = onMessage
        self.onNotice = onNotice
        sockets = Product.sockets(named: socket)
        do throws(SystemError) {
            poller = try Poller()
            timer = try TimerDescriptor()
            try poller.add(timer.descriptor, .readable)
        } catch {
            throw .system(error.description)
        }
        // The first attempt is made in the first turn, when the caller has this object in hand.
        timer.set(after: .zero)
    }

    var descriptor: CInt { poller.descriptor }

    /// Does what is to be done now. Without an event it does nothing.
    func process() {
        let ready: [(descriptor: CInt, readiness: IOReadiness)]
        do throws(SystemError) {
            ready = try poller.ready()
        } catch {
            return lose(.system(error.description))
        }
        for (descriptor, readiness) in ready {
            if descriptor == timer.descriptor {
                timeIsOver()
            } else if descriptor == calls?.descriptor {
                serve(calls, readiness) { wire throws(AdslotError) in try takeAnswers(wire) }
            } else {
                serve(stream, readiness) { wire throws(AdslotError) in try takeMessages(wire) }
            }
        }
    }

    /// Calls a method of the lease; the answers come in the order of the calls.
    func call(_ method: String, _ parameters: JSONObject, then answer: @escaping Answer) {
        guard case .holding(_, let lease) = state else {
            return answer(.failure(isEnded ? .closed : .disconnected("no daemon at the moment")))
        }
        guard answers.count < Limits.callsMax else {
            return answer(.failure(.system("\(Limits.callsMax) calls wait for their answers")))
        }
        var parameters = parameters
        parameters["lease"] = .string(lease)
        do throws(AdslotError) {
            answers.append(answer)
            if calls == nil { calls = try connect(path) }
            try calls?.send(CallMessage(method: method, parameters: parameters))
        } catch {
            // With one connection the other is of no use: the daemon is gone, or cannot be talked to.
            lose(error)
        }
    }

    /// Lets go of the lease. Nothing is told any more, but to calls that wait.
    func close() {
        state = .ended
        timer.set(after: nil)
        dropCalls(.closed)
    }

    private var isEnded: Bool {
        if case .ended = state { true } else { false }
    }

    private var stream: Wire? {
        switch state {
        case .waiting, .ended: nil
        case .asking(let wire), .holding(let wire, _): wire
        }
    }

    private func timeIsOver() {
        switch state {
        case .waiting: ask()
        case .asking: lose(.disconnected("the daemon does not answer"))
        case .holding, .ended: timer.set(after: nil)
        }
    }

    private func ask() {
        var tried: [String] = []
        for path in sockets {
            do throws(SystemError) {
                let wire = try Wire(path, poller)
                self.path = path
                state = .asking(wire)
                timer.set(after: Limits.grantTimeout)
                do throws(AdslotError) {
                    return try wire.send(
                        CallMessage(method: method, parameters: parameters(), wantsMore: true))
                } catch {
                    return lose(error)
                }
            } catch {
                tried.append("\(path) (\(error))")
            }
        }
        lose(.noDaemon(tried.joined(separator: ", ")))
    }

    private func connect(_ path: String) throws(AdslotError) -> Wire {
        do throws(SystemError) {
            return try Wire(path, poller)
        } catch {
            throw .disconnected(error.description)
        }
    }

    private func serve(
        _ wire: Wire?, _ readiness: IOReadiness, _ take: (Wire) throws(AdslotError) -> Void
    ) {
        guard let wire else { return }
        do throws(AdslotError) {
            if readiness.contains(.writable) { try wire.flush() }
            // What the peer said last comes before its end.
            if readiness != .writable { try take(wire) }
        } catch {
            lose(error)
        }
    }

    private func takeMessages(_ wire: Wire) throws(AdslotError) {
        for reply in try wire.receive() {
            // What the holder was told may have made it close, or call on a dead connection.
            guard stream === wire else { return }
            if let name = reply.error { return refuse(.answer(name, reply.parameters), name) }
            guard reply.continues else { throw .disconnected("the daemon ended the call") }
            switch state {
            case .asking:
                guard let lease = reply.parameters["lease"]?.string else { throw .malformed("no lease") }
                state = .holding(wire, lease: lease)
                timer.set(after: nil)
                backoff.reset()
                wasGranted = true
                onNotice(.granted(reply.parameters))
            case .holding:
                try onMessage(reply.parameters)
            case .waiting, .ended:
                return
            }
        }
    }

    /// A refusal is final before anything was granted: somebody has made a mistake. Later it is the daemon
    /// that has changed, and may change back: it stops, the slot has left its configuration, or the place
    /// was taken meanwhile.
    private func refuse(_ error: AdslotError, _ name: String) {
        guard !wasGranted, !name.hasSuffix(".ShuttingDown") else { return lose(error) }
        close()
        onNotice(.refused(error))
    }

    private func takeAnswers(_ wire: Wire) throws(AdslotError) {
        for reply in try wire.receive() {
            guard calls === wire else { return }
            guard !answers.isEmpty, !reply.continues else { throw .malformed("an answer to no call") }
            let answer = answers.removeFirst()
            if let name = reply.error {
                answer(.failure(.answer(name, reply.parameters)))
            } else {
                answer(.success(reply.parameters))
            }
        }
    }

    private func lose(_ error: AdslotError) {
        guard !isEnded else { return }
        state = .waiting
        let wait = backoff.next(using: &generator)
        timer.set(after: wait)
        dropCalls(error)
        guard !isEnded else { return }
        onNotice(.lost(error, retryIn: wait))
    }

    private func dropCalls(_ error: AdslotError) {
        calls = nil
        let waiting = answers
        answers = []
        for answer in waiting { answer(.failure(error)) }
    }
}
