internal import CCurl
public import LinuxSupport

/// Speaks HTTP on the event loop: libcurl's multi-socket interface, of which the loop watches the sockets.
///
///     let client = try HTTPClient(loop: loop, userAgent: "adslotd/1")
///     let exchange = try client.start(HTTPRequest(url: "http://example.org/")) { result in … }
///
/// Nothing here waits. Names are resolved by getaddrinfo(3) in a thread that libcurl makes for each; it runs
/// no code of this program, blocks the signals that its maker blocks, and is let go where the exchange ends
/// first. An address instead of a name makes none. Proxies of the environment, cookies and `.netrc` are not
/// used. SIGPIPE must be ignored (``Signals/prepare()``): OpenSSL writes without MSG_NOSIGNAL.
@safe
public final class HTTPClient {
    let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let userAgent: String
    private var timer: LoopTimer?
    private var watches: [Int32: IOWatch] = [:]
    private var exchanges: [UnsafeMutableRawPointer: HTTPExchange] = unsafe [:]

    /// Loads libcurl where it is not loaded yet.
    /// - Throws: `unavailable` where there is none that will do.
    public init(loop: EventLoop, userAgent: String) throws(HTTPFailure) {
        if let reason = unsafe adslot_curl_load() {
            throw HTTPFailure(code: .unavailable, description: unsafe String(cString: reason))
        }
        guard let created = unsafe adslot_multi_init() else { throw .outOfMemory }
        unsafe multi = created
        self.loop = loop
        self.userAgent = userAgent
        do throws(SystemError) {
            timer = try loop.makeTimer { [unowned self] in act(on: CURL_SOCKET_BAD, events: 0) }
        } catch {
            throw HTTPFailure(code: .unavailable, description: error.description)
        }
        try connectCallbacks()
    }

    private func connectCallbacks() throws(HTTPFailure) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe adslot_multi_set_callbacks(
            multi,
            { _, socket, what, context, _ in
                guard let context = unsafe context else { return 0 }
                unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
                    .watch(socket, for: what)
                return 0
            },
            { _, milliseconds, context in
                guard let context = unsafe context else { return 0 }
                unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
                    .arm(milliseconds: milliseconds)
                return 0
            }, me)
        guard code == CURLM_OK,
            unsafe adslot_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Limits.idleConnectionsMax) == CURLM_OK
        else { throw .outOfMemory }
    }

    deinit {
        _ = unsafe adslot_multi_set_callbacks(multi, nil, nil, nil)
        for watch in watches.values { watch.cancel() }
        let left: [HTTPExchange] = unsafe Array(exchanges.values)
        for exchange in left {
            exchange.abandon()
            _ = unsafe adslot_multi_remove(multi, exchange.easy)
        }
        _ = unsafe adslot_multi_cleanup(multi)
    }

    /// How many exchanges are under way.
    public var exchangeCount: Int { unsafe exchanges.count }

    /// Starts an exchange.
    /// - Parameter completion: called once, never within this call, and not at all after a cancel.
    /// - Throws: `invalidRequest`, or `busy` where ``exchangeCount`` is at its bound.
    @discardableResult
    public func start(
        _ request: HTTPRequest, completion: @escaping (Result<HTTPResponse, HTTPFailure>) -> Void
    ) throws(HTTPFailure) -> HTTPExchange {
        guard exchangeCount < Limits.exchangesMax else {
            throw HTTPFailure(code: .busy, description: "\(Limits.exchangesMax) exchanges are under way")
        }
        let exchange = try HTTPExchange(
            request, userAgent: userAgent, client: self, completion: completion)
        guard unsafe adslot_multi_add(multi, exchange.easy) == CURLM_OK else { throw .outOfMemory }
        unsafe exchanges[exchange.easy] = exchange
        return exchange
    }

    /// Takes an exchange out, so that its completion is never called.
    func cancel(_ exchange: HTTPExchange) {
        guard unsafe exchanges.removeValue(forKey: exchange.easy) != nil else { return }
        _ = unsafe adslot_multi_remove(multi, exchange.easy)
    }

    /// libcurl wants to know when a socket is ready.
    private func watch(_ socket: Int32, for what: Int32) {
        var interest: IOInterest = []
        if what & CURL_POLL_IN != 0, what != CURL_POLL_REMOVE { interest.insert(.readable) }
        if what & CURL_POLL_OUT != 0, what != CURL_POLL_REMOVE { interest.insert(.writable) }
        guard !interest.isEmpty else {
            // Not left to the object's end: within its own handler that comes after libcurl has closed the
            // descriptor and perhaps opened another of the same number.
            watches.removeValue(forKey: socket)?.cancel()
            return
        }
        if let watch = watches[socket] {
            watch.interest = interest
            return
        }
        // One that cannot be watched, for want of memory, ends its exchange by the time-out.
        watches[socket] = try? loop.watch(socket, for: interest) { [unowned self] readiness in
            var events: Int32 = 0
            if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
            if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
            if !readiness.isDisjoint(with: [.error, .hangUp]) { events |= CURL_CSELECT_ERR }
            act(on: socket, events: events)
        }
    }

    /// libcurl wants to be called at a time, at once even, but never from within this call.
    private func arm(milliseconds: Int) {
        guard milliseconds >= 0 else {
            timer?.disarm()
            return
        }
        timer?.arm(at: loop.now + Int64(milliseconds) * 1_000)
    }

    private func act(on socket: Int32, events: Int32) {
        // A completion may drop the last reference to the client.
        withExtendedLifetime(self) {
            _ = unsafe adslot_multi_act(multi, socket, events)
            for (exchange, result) in takeEnded() { exchange.complete(result) }
        }
    }

    private func takeEnded() -> [(HTTPExchange, Result<HTTPResponse, HTTPFailure>)] {
        var ended: [(HTTPExchange, Result<HTTPResponse, HTTPFailure>)] = []
        var code = CURLE_OK
        while let easy = unsafe adslot_multi_next_done(multi, &code) {
            guard let exchange = unsafe exchanges.removeValue(forKey: easy) else { continue }
            ended.append((exchange, exchange.result(code)))
            _ = unsafe adslot_multi_remove(multi, easy)
        }
        return ended
    }
}
