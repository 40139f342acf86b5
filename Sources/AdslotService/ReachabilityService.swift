internal import Configuration
internal import LinuxSupport
internal import NameResolution
internal import NetlinkWatcher
internal import Reachability
internal import Varlink

/// The kernel's side of the daemon: facts into the model, changes out, and org.adslotd.Reachability.
final class ReachabilityService {
    /// Is told of each change, the first state included.
    var onChange: (ReachabilityChange) -> Void = { _ in }
    /// Is told of what no state shows.
    var onIncident: (Incident) -> Void = { _ in }

    /// What happened beside the changes.
    enum Incident {
        /// The network changed and changed back before that was posted.
        case flap
        /// The kernel's lists were read anew after a loss of messages.
        case resync
        /// A clock jumped.
        case clock(ClockJump)
    }

    private let loop: EventLoop
    private let log: Log
    private var model: ReachabilityModel
    private var watcher: NetlinkWatcher?
    private let resolver: NameResolver
    private let target: TargetKeeper
    private lazy var probes = ProbeRunner(resolver: resolver) { [unowned self] in judged($0) }
    private var timer: LoopTimer?
    private var secondLook: LoopTimer?
    private var armed: Instant?
    private var isDirty = false
    private var isHeld = false
    private var lastFlap = Int64.min
    private var knownResyncs = 0
    private var hasSaidCut = false
    /// The kernel's lists have been read: before that there is nothing to judge.
    private var isComplete = false
    private let recorder = FlightRecorder()
    private var checker: ConnectivityChecker?
    private var networkManager: NetworkManagerMetered?
    private var clocks: ClockWatch?
    private let subscribers = Subscribers()
    private var wallClock = WallClock()
    /// What is posted, and its replies kept encoded until it or its time of day changes.
    private var posted: ReachabilityState?
    private var getReply: EncodedReply?
    private var monitorReply: EncodedReply?

    init(loop: EventLoop, log: Log, settings: ReachabilitySettings) throws(SystemError) {
        self.loop = loop
        self.log = log
        model = ReachabilityModel(settings: settings)
        resolver = NameResolver(loop: loop)
        target = try TargetKeeper(loop: loop, log: log, resolver: resolver)
        timer = try loop.makeTimer(priority: .facts) { [unowned self] in timerFired() }
        secondLook = try loop.makeTimer(priority: .facts) { [unowned self] in lookAgain() }
        recorder.model = { [unowned self] in self.model }
        checker = ConnectivityChecker(loop: loop, log: log) { [unowned self] question, answer in
            let now = self.loop.instant
            recorder.takes(answer, to: question, at: now)
            publish(model.answered(question, answer, at: now))
        }
        watcher = try NetlinkWatcher(
            loop: loop, recorder: recorder, onEvent: { [unowned self] in handle($0) },
            onNotice: { [unowned self] in self.log.write(.warning, "netlink", $0.description) })
    }

    /// Reads the kernel's lists and posts the first state, at once where no name has to be resolved for it.
    func start() throws(SystemError) {
        clocks = try loop.watchClocks(priority: .facts) { [unowned self] in clocksJumped($0) }
        resolver.onNotice = { [log] in log.write(.warning, "resolver", "\($0), ignoring") }
        target.isPathUsable = { [unowned self] in isPathUsable }
        try watcher?.start()
        target.onTarget = { [unowned self] in aim(at: $0) }
        target.follow(model.settings.targetHost)
        followNetworkManager()
    }

    /// Whether a network ad's action could go out now, whatever is held.
    var isPathUsable: Bool { model.raw?.reachable ?? false }
    /// Netlink messages so far.
    var linkEvents: Int { watcher?.linkEvents ?? 0 }
    /// Times the kernel's lists were read anew after a loss.
    var resyncs: Int { watcher?.resyncs ?? 0 }

    /// What went into the latest judgements, as a file.
    func flightRecord() -> [UInt8] {
        let now = loop.instant
        return recorder.file(
            boottime: now.microseconds, realtime: WallClock().microseconds(at: now))
    }

    /// What is posted; nil before the first state is known.
    var published: PublishedReachability? {
        if wallClock.refresh() { dropReplies() }
        return posted.map { PublishedReachability(state: $0, wallClock: wallClock) }
    }

    /// Everything is decided by the boot clock, to which neither is anything. But asleep a link can change
    /// without a message: Linux 4.20 to 5.13 drop that of a carrier lost while the driver has detached its
    /// link for the sleep (linkwatch_do_dev), and firmware does as it pleases. NetworkManager takes its links
    /// down over a sleep, or after it, so as to look at each anew; somebody who only watches reads the lists.
    private func clocksJumped(_ jump: ClockJump) {
        defer { onIncident(.clock(jump)) }
        switch jump {
        case .set: log.write(.info, "clock", "the wall clock was set")
        case .slept(let microseconds):
            let seconds = "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10)"
            log.write(.info, "clock", "woke up after \(seconds) s, reading the kernel's lists anew")
            watcher?.readAnew()
        }
    }

    /// Takes new settings into force at once.
    func configure(_ settings: ReachabilitySettings) {
        guard settings != model.settings else { return }
        let isOtherTarget = settings.targetHost != model.settings.targetHost
        recorder.configures(settings, at: loop.instant)
        model.configure(settings)
        followNetworkManager()
        isDirty = true
        judge()
        if isOtherTarget { target.follow(settings.targetHost) }
    }

    private func aim(at target: Target) {
        guard model.target != target else { return }
        recorder.aims(at: target, at: loop.instant)
        model.target = target
        isDirty = true
        judge()
    }

    private func followNetworkManager() {
        guard model.settings.followsNetworkManager else {
            networkManager = nil
            return setMetered(false)
        }
        guard networkManager == nil else { return }
        do throws(SystemError) {
            networkManager = try NetworkManagerMetered(loop: loop, log: log) { [unowned self] isMetered in
                setMetered(isMetered)
            }
        } catch {
            log.write(.warning, "NetworkManager", "cannot be followed, ignoring: \(error)")
        }
    }

    private func setMetered(_ isMetered: Bool) {
        let now = loop.instant
        recorder.setsMetered(isMetered, at: now)
        publish(model.setMetered(isMetered, at: now))
    }

    private func handle(_ event: NetlinkWatcher.Event) {
        switch event {
        case .fact(let fact):
            if log.isWritten(.debug) { logChange(by: fact) }
            if model.apply(fact) { isDirty = true }
        case .resynchronised(let network):
            model.replaceNetwork(network)
            isComplete = true
            isDirty = true
            if resyncs > knownResyncs { onIncident(.resync) }
            knownResyncs = resyncs
        case .settled:
            guard isDirty else { return }
            judge()
            secondLook?.arm(at: loop.now + Limits.secondLookMicroseconds)
            target.networkChanged()
        }
    }

    /// The kernel announces the end of a route, an address or a nexthop before it takes it out of its tables
    /// (fib_table_delete, __inet_del_ifa, remove_nexthop), and says no more when it has: a lookup in between
    /// finds what is no longer there. Rare, but wrong until the next message, so the routes are asked for
    /// once more when all is quiet.
    private func lookAgain() {
        isDirty = true
        judge()
    }

    private func logChange(by fact: Fact) {
        switch fact {
        case .link(let link): logChange(to: link)
        case .linkGone(let index):
            if let link = model.network.link(index) { log.write(.debug, "link \(link.name)", "gone") }
        case .address, .addressGone, .routesMayHaveChanged: break
        }
    }

    private func logChange(to link: Link) {
        let old = model.network.link(link.index)
        guard
            old?.name != link.name || old?.administrativelyUp != link.administrativelyUp
                || old?.carrier != link.carrier || old?.operationalState != link.operationalState
        else { return }
        let words = [
            link.administrativelyUp ? "up" : "down", link.carrier ? "carrier" : "no carrier",
            link.operationalState.name,
        ]
        log.write(.debug, "link \(link.name)", (old == nil ? "new: " : "") + words.joined(separator: ", "))
    }

    private func judge() {
        guard isDirty, isComplete, let watcher else { return }
        isDirty = false
        if model.network.isCut, !hasSaidCut {
            hasSaidCut = true
            log.write(.warning, "netlink", "more links or addresses than are kept, leaving out the rest")
        }
        let now = loop.instant
        publish(
            watcher.withRoutes { routes in
                recorder.judge(at: now, &routes) { model.judge(at: now, lookup: &$0) }
            })
    }

    private func timerFired() {
        armed = nil
        let now = loop.instant
        recorder.timerFires(at: now)
        publish(model.timerFired(at: now))
    }

    private func publish(_ changes: [ReachabilityChange]) {
        for change in changes {
            switch change {
            case .posted(let state): (posted, isHeld) = (state, false)
            case .detail(let state):
                posted = state
                if isHeld, !state.held { noteFlap() }
                isHeld = state.held
            }
            dropReplies()
            if case .posted = change, !subscribers.isEmpty { subscribers.send(currentReply(continues: true)) }
            onChange(change)
        }
        arm()
        checker?.follow(model.question)
    }

    /// A link that never rests shall not fill the disk.
    private func noteFlap() {
        guard loop.now - Limits.flapMicroseconds >= lastFlap else { return }
        lastFlap = loop.now
        onIncident(.flap)
    }

    private func arm() {
        guard armed != model.deadline else { return }
        armed = model.deadline
        if let deadline = armed { timer?.arm(at: deadline.microseconds) } else { timer?.disarm() }
    }

    private func dropReplies() {
        getReply = nil
        monitorReply = nil
    }

    private func currentReply(continues: Bool) -> EncodedReply {
        // Nobody is served before the first state is known.
        guard let published else { return EncodedReply(continues: continues) }
        if let kept = continues ? monitorReply : getReply { return kept }
        let reply = published.reply(continues: continues)
        if continues { monitorReply = reply } else { getReply = reply }
        return reply
    }
}

extension ReachabilityService {
    /// The interface as the server offers it.
    func interface() -> VarlinkInterface {
        VarlinkInterface(
            name: "org.adslotd.Reachability", description: InterfaceText.reachability,
            methods: [
                "Get": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    call.reply(currentReply(continues: false))
                },
                "Monitor": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    guard call.wantsMore else { return call.reply(currentReply(continues: false)) }
                    subscribers.add(call)
                    call.reply(currentReply(continues: true))
                },
                "ListLinks": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    call.reply(linksReply())
                },
                "Probe": .reply { [unowned self] call throws(ParameterError) in try probes.start(call) },
            ])
    }

    /// The paths to a host's addresses as they are now.
    private func judged(_ addresses: [IPAddress]) -> PublishedReachability? {
        guard let watcher, let published else { return nil }
        let judgement = watcher.withRoutes { routes in
            Reachability.judge(model.network, targets: addresses, settings: model.settings, lookup: &routes)
        }
        let state = ReachabilityState(
            judgement: judgement, held: false, sequence: published.state.sequence,
            since: published.state.since)
        return PublishedReachability(state: state, wallClock: wallClock)
    }

    private func linksReply() -> EncodedReply {
        EncodedReply { writer in
            writer.key("links")
            writer.array { writer in
                for link in model.network.links {
                    writer.object(publishedLink(link).write)
                }
            }
        }
    }

    private func publishedLink(_ link: Link) -> PublishedLink {
        let classification = model.network.classify(link, rules: model.settings.linkRules)
        return PublishedLink(
            link: link, classification: classification,
            isMetered: model.settings.isMetered(link, kind: classification.kind),
            addresses: model.network.addresses(of: link.index),
            isEgress: model.raw?.interfaceIndex == link.index)
    }
}
