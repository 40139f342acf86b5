internal import CNetlink
public import LinuxSupport
public import Reachability

/// Watches the kernel's links, addresses, routes and rules, and repairs itself when messages are lost.
///
/// It subscribes first, then reads the lists, so that nothing falls between the two. A burst of messages is
/// read to its end and then announced once. When the kernel says that messages were lost, it reads the
/// lists anew on its second socket and announces the whole; events that came meanwhile apply on top.
public final class NetlinkWatcher {
    /// What the watcher has to say.
    public enum Event: Sendable {
        /// A fact, in the kernel's order.
        case fact(Fact)
        /// The lists were read anew; this is all there is now.
        case resynchronised(Network)
        /// The facts so far are complete: time to judge.
        case settled
    }

    /// What is worth a line in the log.
    public enum Notice: Sendable, CustomStringConvertible {
        /// The receive buffer is smaller than asked for, so storms are more likely to cost a resync.
        case smallBuffer
        /// Messages were lost; the lists will be read anew.
        case overrun
        /// The lists could not be read; tried again after a pause.
        case resyncFailed(String)
        /// The kernel did not answer a route lookup.
        case lookupFailed(SystemError)
        /// nl80211 cannot be asked although the kernel has it.
        case wirelessUnknown(SystemError)

        /// The line for the log.
        public var description: String {
            switch self {
            case .smallBuffer:
                "the netlink receive buffer is limited by net.core.rmem_max (no CAP_NET_ADMIN), ignoring"
            case .overrun: "netlink messages were lost, reading the lists anew"
            case .resyncFailed(let cause): "could not read the kernel's lists, will try again: \(cause)"
            case .lookupFailed(let error): "route lookup failed, taken as no route: \(error)"
            case .wirelessUnknown(let error):
                "wireless links cannot be told by nl80211, ignoring: \(error)"
            }
        }
    }

    /// Messages about links, addresses, routes and rules so far.
    public private(set) var linkEvents = 0
    /// Times the lists were read anew after a loss.
    public private(set) var resyncs = 0

    private enum State {
        /// Facts are complete and messages apply one by one. Moves to: due.
        case following
        /// The facts are not complete, and the lists are to be read. Moves to: following.
        case due(Cause, attempts: Int)
    }

    /// Why the lists are to be read.
    private enum Cause {
        /// Nothing has been read yet.
        case start
        /// Messages were lost.
        case loss
        /// Somebody knows that the kernel may have kept silent.
        case doubt
    }

    /// What tests make smaller, so that a short queue already exceeds it.
    struct Bounds {
        /// The receive buffer asked for on the event socket.
        var receiveBufferBytes = Limits.receiveBufferBytes
        /// Datagrams read in one turn of the loop.
        var datagramsPerTurn = Limits.datagramsPerTurnMax
    }

    private let loop: EventLoop
    private let bounds: Bounds
    private let events: NetlinkSocket
    private let queries: QuerySocket
    private let buffer = DatagramBuffer(capacity: Limits.datagramBytesMax)
    private let onEvent: (Event) -> Void
    private let onNotice: (Notice) -> Void
    private var state = State.due(.start, attempts: 0)
    private var lastDump = Int64.min / 2
    private var deviceTypes = DeviceTypes()
    private var watch: IOWatch?
    private var retry: LoopTimer?
    private var routes: KernelRoutes
    private var wireless: WirelessLinks?
    private let recorder: FlightRecorder?

    /// Opens the sockets. Nothing is announced before ``start()``.
    /// - Parameter recorder: is told of every message that is about to be announced as a fact.
    public convenience init(
        loop: EventLoop, recorder: FlightRecorder? = nil, onEvent: @escaping (Event) -> Void,
        onNotice: @escaping (Notice) -> Void
    ) throws(SystemError) {
        try self.init(
            loop: loop, recorder: recorder, bounds: Bounds(), onEvent: onEvent, onNotice: onNotice)
    }

    init(
        loop: EventLoop, recorder: FlightRecorder?, bounds: Bounds, onEvent: @escaping (Event) -> Void,
        onNotice: @escaping (Notice) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.bounds = bounds
        self.recorder = recorder
        self.onEvent = onEvent
        self.onNotice = onNotice
        events = try NetlinkSocket(groups: Self.groups, blocking: false)
        queries = try QuerySocket()
        routes = KernelRoutes(socket: queries, wireGuard: nil)
        if try !DatagramSocket.setReceiveBuffer(events.descriptor, bytes: bounds.receiveBufferBytes) {
            onNotice(.smallBuffer)
        }
        try openGeneric()
    }

    /// Opens what speaks generic netlink. A kernel without it has neither nl80211 nor WireGuard.
    private func openGeneric() throws(SystemError) {
        do throws(SystemError) {
            let generic = try QuerySocket(.generic)
            routes = KernelRoutes(socket: queries, wireGuard: WireGuardDevices(queries: generic))
            wireless = try WirelessLinks(
                loop: loop, queries: generic, datagramsPerTurn: bounds.datagramsPerTurn)
        } catch  where error.isUnsupportedProtocol {
            return
        }
        wireless?.onChange = { [unowned self] in tellAgain($0) }
        wireless?.onFailure = { [unowned self] in onNotice(.wirelessUnknown($0)) }
    }

    private static let groups: [rtnetlink_groups] = [
        RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
        RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_RULE, RTNLGRP_NEXTHOP, RTNLGRP_IPV4_NETCONF, RTNLGRP_IPV6_NETCONF,
    ]

    /// Reads the lists for the first time and follows the events from then on.
    public func start() throws(SystemError) {
        retry = try loop.makeTimer(priority: .facts) { [unowned self] in resynchronise() }
        watch = try loop.watch(events.descriptor, for: .readable, priority: .facts) { [unowned self] _ in
            drain()
        }
        resynchronise()
    }

    /// Reads the lists anew although nothing was lost: for a moment at which the kernel may have changed
    /// something without a message. What it has told until then is older and is not announced.
    public func readAnew() {
        guard case .following = state else { return }
        state = .due(.doubt, attempts: 0)
        drain()
    }

    /// Asks the kernel for routes, for a judgement or a question of its own.
    public func withRoutes<Result>(_ body: (inout KernelRoutes) -> Result) -> Result {
        let result = body(&routes)
        if let failure = routes.failure { onNotice(.lookupFailed(failure)) }
        return result
    }

    /// Reads what has come, up to the bound of one turn; what is left makes the descriptor ready again.
    private func drain() {
        var isNews = false
        var isRouteNews = false
        var isDrained = false
        reading: for _ in 0..<bounds.datagramsPerTurn {
            do throws(SystemError) {
                switch try DatagramSocket.receive(events.descriptor, into: buffer) {
                case .bytes(let count):
                    let now = loop.now
                    unsafe buffer.withBytes(count) { bytes in
                        unsafe RawMessage.forEach(in: bytes) { message in
                            apply(message, at: now, isNews: &isNews, isRouteNews: &isRouteNews)
                            return true
                        }
                    }
                case .wouldBlock:
                    isDrained = true
                    break reading
                case .truncated, .overrun: lose()
                }
            } catch {
                // The socket itself is broken; a new dump either works or says so.
                onNotice(.resyncFailed(error.description))
                lose()
                isDrained = true
                break
            }
        }
        switch state {
        case .following:
            if isRouteNews { onEvent(.fact(.routesMayHaveChanged)) }
            if isNews || isRouteNews { onEvent(.settled) }
        case .due:
            // Only when nothing is left: what is left is older than the lists, and after a loss the kernel
            // drops without saying so again until its queue is empty (NETLINK_S_CONGESTED).
            if isDrained { scheduleResync() }
        }
    }

    private func apply(
        _ message: RawMessage, at now: Int64, isNews: inout Bool, isRouteNews: inout Bool
    ) {
        let decoded = MessageDecoder.decode(message)
        if decoded != nil { linkEvents += 1 }
        guard case .following = state else { return }
        let fact = decoded.map { complete($0) }
        recorder?.message(message, meaning: fact, at: now)
        switch fact {
        case nil: break
        case .routesMayHaveChanged: isRouteNews = true
        case .link(_)?, .linkGone(_)?, .address(_)?, .addressGone(_, _, _)?:
            isNews = true
            if let fact { onEvent(.fact(fact)) }
        }
    }

    /// Adds to a fact about a link what its message does not carry.
    private func complete(_ fact: Fact) -> Fact {
        guard case .link(var link) = deviceTypes.complete(fact) else { return fact }
        link.isWireless = wireless?.contains(link.index) ?? false
        return .link(link)
    }

    /// Tells what the kernel says now of links of which nl80211 has said something new. Messages about them
    /// that still wait are older, and those that come later put right what they undo.
    private func tellAgain(_ indices: [Int]) {
        guard case .following = state else { return }
        var isNews = false
        for index in indices {
            do throws(SystemError) {
                guard let link = try queries.link(index) else { continue }
                let fact = complete(.link(link))
                recorder?.told(fact, at: loop.now)
                onEvent(.fact(fact))
                isNews = true
            } catch {
                onNotice(.wirelessUnknown(error))
            }
        }
        if isNews { onEvent(.settled) }
    }

    private func lose() {
        switch state {
        case .following, .due(.doubt, _): break
        case .due(.start, _), .due(.loss, _): return
        }
        state = .due(.loss, attempts: 0)
        recorder?.lost(at: loop.now)
        onNotice(.overrun)
    }

    /// Dumps at once after a quiet time, and later when dumps follow one another: a storm that keeps
    /// overrunning the buffer must not make the daemon do nothing but dump.
    private func scheduleResync() {
        let attempts = if case .due(_, let attempts) = state { attempts } else { 0 }
        let pause = min(
            Limits.resyncPauseMicroseconds << min(attempts, 10), Limits.resyncPauseMicrosecondsMax)
        let due = lastDump + pause
        if loop.now >= due { resynchronise() } else { retry?.arm(at: due) }
    }

    private func resynchronise() {
        guard case .due(let cause, let attempts) = state else { return }
        do throws(SystemError) {
            if let network = try readLists() {
                lastDump = loop.now
                state = .following
                if cause == .loss { resyncs += 1 }
                recorder?.dumpEnds(at: lastDump)
                onEvent(.resynchronised(network))
                onEvent(.settled)
                return
            }
            onNotice(.resyncFailed("they kept changing while being read"))
        } catch {
            onNotice(.resyncFailed(error.description))
        }
        lastDump = loop.now
        state = .due(cause, attempts: attempts + 1)
        scheduleResync()
    }

    /// Reads links and addresses into a fresh picture.
    /// - Returns: nil when every attempt was interrupted.
    private func readLists() throws(SystemError) -> Network? {
        for _ in 0..<Limits.dumpAttemptsMax {
            let now = loop.now
            deviceTypes = DeviceTypes()
            wireless?.reload()
            recorder?.dumpBegins(at: now)
            var network = Network()
            func take(_ message: RawMessage) {
                let fact = MessageDecoder.decode(message).map { complete($0) }
                recorder?.dumped(message, meaning: fact, at: now)
                if let fact { _ = network.apply(fact) }
            }
            let links = try queries.dump(
                type: RTM_GETLINK, headerBytes: MemoryLayout<ifinfomsg>.size, take)
            guard links == .complete else { continue }
            let addresses = try queries.dump(
                type: RTM_GETADDR, headerBytes: MemoryLayout<ifaddrmsg>.size, take)
            if addresses == .complete { return network }
        }
        return nil
    }
}
