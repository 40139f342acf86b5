public import LinuxSupport

/// Serves interfaces over Unix sockets on an event loop.
///
///     let server = try VarlinkServer(loop: loop, identity: identity, interfaces: [slots, work])
///     try server.listen(on: UnixSocket.listen(path: "/run/adslotd/socket", mode: 0o666))
///
/// The server lives on the loop's thread. It must be kept: when it goes, its connections are closed.
public final class VarlinkServer {
    /// The bounds of a server, and what it tells a client that overruns one.
    public struct Options: Sendable {
        /// How much may be queued for a client that does not read, in bytes.
        public var queueBytesMax = Limits.queueBytesMax
        /// How many clients there may be. A further one is closed at once.
        public var clientsMax = Limits.clientsMax
        /// How many clients one user may have. A further one is closed at once.
        public var clientsPerUserMax = Limits.clientsPerUserMax
        /// How long a connection that is being closed may take to read what is queued, in microseconds.
        public var lingerMicroseconds = Limits.lingerMicroseconds
        /// How long accepting rests after it failed, in microseconds.
        public var acceptPauseMicroseconds = Limits.acceptPauseMicroseconds
        /// The error that a client is told before it is dropped because it does not read.
        public var tooSlowError = "org.adslotd.Manager.TooSlow"

        /// Creates the default options.
        public init() {}
    }

    /// Is told of what is worth a line in a log, from the event loop.
    public var onNotice: (ServerNotice) -> Void = { _ in }

    /// Is told of each connection that has gone, from the event loop and outside of whatever ended it.
    public var onDisconnect: (ConnectionID) -> Void = { _ in }

    let loop: EventLoop
    private let options: Options
    private let tooSlow: EncodedReply
    let work: DeferredWork
    private let lingering: LingerQueue
    private var service: ServiceInterface
    private var interfaces: [String: VarlinkInterface] = [:]
    /// Every method by its whole name: what is called often is found in one step.
    private var methods: [String: (name: MethodName, method: VarlinkMethod)] = [:]
    private var listeners: [Listener] = []
    private var sessions: [ConnectionID: ServerSession] = [:]
    private var census: ClientCensus
    private var counters = ServerStatistics()
    private var lastID: UInt64 = 0
    private var isCorked = false
    /// Those with answers that wait for ``uncork(after:)``, in the order of their first.
    private var corked: [ServerSession] = []

    /// Creates a server that listens nowhere yet.
    ///
    /// - Throws: when the loop takes no further source.
    public init(
        loop: EventLoop, identity: ServiceIdentity, interfaces: [VarlinkInterface] = [],
        options: Options = Options()
    ) throws(SystemError) {
        self.loop = loop
        self.options = options
        tooSlow = EncodedReply(
            error: options.tooSlowError, parameters: ["queueBytesMax": .integer(Int64(options.queueBytesMax))]
        )
        work = try DeferredWork(loop: loop)
        lingering = try LingerQueue(loop: loop, microseconds: options.lingerMicroseconds)
        service = ServiceInterface(identity: identity)
        census = ClientCensus(clientsMax: options.clientsMax, clientsPerUserMax: options.clientsPerUserMax)
        for interface in interfaces { add(interface) }
    }

    /// What the server has counted.
    public var statistics: ServerStatistics {
        var statistics = counters
        statistics.clients = census.count
        return statistics
    }

    /// Offers one more interface. Two of one name are a programming error.
    public func add(_ interface: VarlinkInterface) {
        precondition(interfaces[interface.name] == nil && interface.name != ServiceInterface.name)
        interfaces[interface.name] = interface
        for (name, method) in interface.methods {
            let whole = MethodName(interface: interface.name, method: name)
            methods[interface.name + "." + name] = (whole, method)
        }
        service.add(interface)
    }

    /// Accepts connections on a listening socket, which is the server's from now on.
    ///
    /// - Throws: when the loop cannot watch the socket.
    public func listen(on descriptor: consuming OwnedDescriptor) throws(SystemError) {
        let listener = try Listener(
            loop: loop, descriptor: descriptor, pauseMicroseconds: options.acceptPauseMicroseconds,
            connected: { [weak self] descriptor in self?.serve(descriptor) },
            failed: { [weak self] error in
                guard let self else { return }
                onNotice(.acceptPaused(error, microseconds: options.acceptPauseMicroseconds))
            })
        listeners.append(listener)
    }

    /// Serves one connection, which is the server's from now on.
    public func serve(_ descriptor: consuming OwnedDescriptor) {
        do throws(SystemError) {
            let peer = try UnixSocket.peerCredentials(descriptor.raw)
            let machine = ServerConnection(queueBytesMax: options.queueBytesMax, tooSlow: tooSlow)
            let id = ConnectionID(value: lastID + 1)
            let session = try ServerSession(
                id: id, peer: peer, machine: machine, server: self, descriptor: descriptor)
            guard admit(peer) else { return }
            lastID = id.value
            sessions[id] = session
        } catch {
            onNotice(.connectionFailed(error))
        }
    }

    /// From now on what is answered waits for ``uncork(after:)``, so that nobody hears of something before it
    /// is on disk. Calls are taken meanwhile as ever, those included that stand behind an answered one.
    public func cork() {
        isCorked = true
    }

    /// Calls `body`, and then sends what it has answered and after that what has waited. On each connection
    /// the answers keep their order.
    public func uncork(after body: () -> Void) {
        let waiting = corked
        corked = []
        isCorked = true
        body()
        isCorked = false
        let told = corked
        corked = []
        for session in told + waiting { session.uncork() }
    }

    /// Stops listening and closes every connection. What is still queued is lost, and no call's `onEnd` is
    /// called: whoever stops the server knows.
    public func stop() {
        listeners = []
        for session in sessions.values { census.leave(uid: session.peer.uid) }
        sessions = [:]
    }

    private func admit(_ peer: PeerCredentials) -> Bool {
        switch census.enter(uid: peer.uid) {
        case .admitted:
            return true
        case .tooMany(let clients):
            onNotice(.tooManyClients(clients: clients))
        case .tooManyOfUser(let clients):
            onNotice(.tooManyClientsOfUser(uid: peer.uid, clients: clients))
        }
        counters.refusedClients += 1
        return false
    }
}

// What sessions ask of their server.
extension VarlinkServer {
    /// Hands a call to its method, or refuses it.
    func open(_ message: CallMessage, serial: UInt64, on session: ServerSession) {
        counters.calls += 1
        let found = methods[message.method]
        let name = found?.name ?? MethodName(message.method)
        let call = VarlinkCall(
            message, name: name ?? MethodName(interface: "", method: message.method), serial: serial,
            session: session, work: work)
        if !call.isOneway { session.begin(call, serial: serial) }
        guard name != nil else { return call.invalidParameter("method") }
        guard !message.wantsUpgrade else { return call.notImplemented() }
        do {
            if let found { try carryOut(found.method, call) } else { try answerByService(call) }
        } catch {
            call.invalidParameter(error.parameter)
        }
    }

    private func carryOut(_ method: VarlinkMethod, _ call: VarlinkCall) throws(ParameterError) {
        switch method {
        case .reply(let handler): try handler(call)
        case .stream(let handler): if call.wantsMore { try handler(call) } else { call.expectedMore() }
        case .unimplemented: call.notImplemented()
        }
    }

    /// Answers what no interface that was added has: the service's own interface, or why there is no answer.
    private func answerByService(_ call: VarlinkCall) throws(ParameterError) {
        switch (call.interfaceName, call.methodName) {
        case (ServiceInterface.name, "GetInfo"): return try service.getInfo(call)
        case (ServiceInterface.name, "GetInterfaceDescription"):
            return try service.getInterfaceDescription(call)
        case (ServiceInterface.name, let method):
            return call.fail(.methodNotFound(ServiceInterface.name + "." + method))
        case (let interface, let method):
            guard interfaces[interface] != nil else { return call.fail(.interfaceNotFound(interface)) }
            call.fail(.methodNotFound(interface + "." + method))
        }
    }

    /// Counts and passes on what a client did wrong.
    func report(_ fault: ServerConnection.Fault, by session: ServerSession) {
        let (id, peer) = (session.id, session.peer)
        switch fault {
        case .malformed(let failure):
            counters.faultyClients += 1
            onNotice(.malformed(id, peer, reason: failure.description))
        case .oversize(let messageBytesMax):
            counters.faultyClients += 1
            onNotice(.oversize(id, peer, messageBytesMax: messageBytesMax))
        case .truncated(let bytes):
            onNotice(.truncated(id, peer, bytes: bytes))
        case .tooSlow(let queuedBytes):
            counters.droppedClients += 1
            onNotice(.tooSlow(id, peer, queuedBytes: queuedBytes))
        }
    }

    /// Whether a connection has to keep its answers for now; it is told when that is over.
    func corks(_ session: ServerSession) -> Bool {
        if isCorked { corked.append(session) }
        return isCorked
    }

    /// Gives a connection that is being closed some time to read.
    func linger(_ session: ServerSession) {
        lingering.add(session)
    }

    /// Lets go of a connection whose socket is closed.
    func forget(_ session: ServerSession) {
        guard sessions.removeValue(forKey: session.id) != nil else { return }
        census.leave(uid: session.peer.uid)
        work.add { [weak self, id = session.id] in self?.onDisconnect(id) }
        for listener in listeners { listener.resume() }
    }
}
