internal import CAres
internal import LinuxSupport
internal import Reachability

/// One question to the servers, on the event loop: the addresses of a name in one family.
///
/// Each question has a channel of its own. So it can be ended alone (c-ares ends all questions of a channel
/// or none), comes from a port that nobody can foresee, and hears of its own errors: of two questions on one
/// socket the second one's attempt to send takes the first one's ECONNREFUSED away.
@safe
final class AresChannel {
    /// The family asked for.
    let family: AddressFamily
    /// Is called once with the answer, never from within a call into c-ares. It may let go of the channel.
    var onAnswer: (Answers.Answer) -> Void = { _ in }

    private let raw: OpaquePointer
    private let sockets: ChannelSockets
    private let loop: EventLoop
    private let timer: LoopTimer
    private let inbox = Inbox()

    init(
        loop: EventLoop, configuration: AresConfiguration, family: AddressFamily
    ) throws(ResolutionFailure) {
        self.family = family
        let sockets = ChannelSockets(loop: loop)
        self.sockets = sockets
        self.loop = loop
        do throws(SystemError) {
            timer = try loop.makeTimer { [weak sockets] in sockets?.onReady(nil, []) }
        } catch {
            throw .resolver(error.description)
        }
        unsafe raw = try unsafe configuration.makeChannel(
            socketContext: Unmanaged.passUnretained(sockets).toOpaque(),
            onSocket: { context, socket, isReading, isWriting in
                guard let context = unsafe context else { return }
                let sockets = unsafe Unmanaged<ChannelSockets>.fromOpaque(context).takeUnretainedValue()
                var interest: IOInterest = []
                if isReading != 0 { interest.insert(.readable) }
                if isWriting != 0 { interest.insert(.writable) }
                sockets.change(socket, to: interest)
            })
        sockets.onReady = { [weak self] in self?.process($0, $1) }
    }

    deinit {
        timer.cancel()
        inbox.isOpen = false
        // Tells the sockets' end while they are still watched, and an open question's, which goes nowhere.
        unsafe ares_destroy(raw)
    }

    /// Asks for a name, once.
    func ask(_ name: String) {
        var hints = ares_addrinfo_hints()
        hints.ai_flags = ARES_AI_NOSORT
        hints.ai_family = family == .ipv4 ? AF_INET : AF_INET6
        let answer = unsafe Unmanaged.passRetained(inbox).toOpaque()
        unsafe ares_getaddrinfo(
            raw, name, nil, &hints,
            { context, status, _, result in
                guard let context = unsafe context else { return }
                // The one and only call for this question.
                let inbox = unsafe Unmanaged<Inbox>.fromOpaque(context).takeRetainedValue()
                if inbox.isOpen { inbox.answer = unsafe AresChannel.read(status, result) }
                if let result = unsafe result { unsafe ares_freeaddrinfo(result) }
            }, answer)
        armTimer()
    }

    /// Hands over what has been answered within the calls so far.
    func deliver() {
        guard let answer = inbox.answer else { return }
        inbox.answer = nil
        onAnswer(answer)
    }

    private func process(_ socket: Int32?, _ readiness: IOReadiness) {
        let none: Int32 = -1
        if let socket {
            // An error is found by reading, and by writing where a connection is being made.
            let isFailing = readiness.contains(.error) || readiness.contains(.hangUp)
            let reads = readiness.contains(.readable) || isFailing
            let writes = readiness.contains(.writable) || isFailing
            unsafe ares_process_fd(raw, reads ? socket : none, writes ? socket : none)
        } else {
            unsafe ares_process_fd(raw, none, none)
        }
        armTimer()
        deliver()
    }

    private func armTimer() {
        var next = timeval()
        guard unsafe ares_timeout(raw, nil, &next) != nil else { return timer.disarm() }
        let wait = Int64(next.tv_sec) * 1_000_000 + Int64(next.tv_usec)
        timer.arm(at: loop.now + max(wait, Limits.timerMicrosecondsMin))
    }

    private static func read(
        _ status: Int32, _ result: UnsafeMutablePointer<ares_addrinfo>?
    ) -> Answers.Answer {
        switch Int(status) {
        case ADSLOT_ARES_SUCCESS: break
        case ADSLOT_ARES_ENOTFOUND: return .failure(.noSuchName)
        case ADSLOT_ARES_ENODATA: return .failure(.noAddress)
        case ADSLOT_ARES_ETIMEOUT: return .failure(.timedOut)
        case ADSLOT_ARES_ECONNREFUSED: return .failure(.unreachable)
        case ADSLOT_ARES_ESERVFAIL, ADSLOT_ARES_EREFUSED, ADSLOT_ARES_ENOTIMP: return .failure(.refused)
        case ADSLOT_ARES_EBADRESP, ADSLOT_ARES_EFORMERR: return .failure(.malformedAnswer)
        default: return .failure(.resolver(AresConfiguration.text(of: status)))
        }
        var found: [TimedAddress] = []
        var node = unsafe result?.pointee.nodes
        while let current = unsafe node, found.count < nodesMax {
            if let address = unsafe address(current.pointee.ai_addr) {
                let lifetime = unsafe Duration.seconds(max(0, current.pointee.ai_ttl))
                found.append(TimedAddress(address: address, lifetime: lifetime))
            }
            unsafe node = current.pointee.ai_next
        }
        return found.isEmpty ? .failure(.noAddress) : .success(found)
    }

    /// No answer holds more: 64 KiB of records of 16 bytes.
    private static let nodesMax = 4096

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer = unsafe pointer else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            return unsafe withUnsafeBytes(of: address.sin_addr) { unsafe IPAddress($0) }
        case AF_INET6:
            let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            return unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe IPAddress($0) }
        default: return nil
        }
    }
}

/// An answer on its way out of c-ares: handed on when its call has returned, since the channel must not be
/// destroyed from within. It outlives the channel's own end, within which c-ares still calls.
private final class Inbox {
    var isOpen = true
    var answer: Answers.Answer?
}

/// The sockets of a channel, watched as c-ares says. It outlives the channel's own end, within which c-ares
/// still calls.
private final class ChannelSockets {
    /// Is called with a socket that is ready, or with none when time has passed.
    var onReady: (Int32?, IOReadiness) -> Void = { _, _ in }

    private let loop: EventLoop
    private var watches: [Int32: IOWatch] = [:]

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Watches a socket for something else. Without any interest it is about to be closed.
    func change(_ socket: Int32, to interest: IOInterest) {
        if interest.isEmpty {
            watches.removeValue(forKey: socket)?.cancel()
        } else if let watch = watches[socket] {
            watch.interest = interest
        } else {
            // Without a watch the question runs into its time limit, which says enough.
            watches[socket] = try? loop.watch(socket, for: interest) { [weak self] readiness in
                self?.onReady(socket, readiness)
            }
        }
    }
}
