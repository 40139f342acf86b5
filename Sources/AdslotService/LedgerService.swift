internal import AdSlots
internal import AdSources
internal import Configuration
internal import Ledger
internal import LinuxSupport
internal import OpenRTB
internal import Reachability

/// Keeps what happened and what slots remember, and says in the log when it cannot.
final class LedgerService {
    /// What slots remembered before this start.
    var remembered: [SlotMemory] { ledger.remembered }

    let ledger: Ledger
    private(set) var settings: LedgerSettings
    /// Exports on their way to clients.
    var exports = 0
    /// The notices to bidders; what it decides is kept here.
    var notices: OutboxSender?
    /// What all slots remember, for when earlier changes could not be kept.
    var memories: () -> [SlotMemory] = { [] }

    /// Is told when the file can be written again, which may be another file then.
    var onWorking: () -> Void = {}

    private let boot: String
    private let log: Log
    private var path = ""
    private var isReachable = false
    private var retryTimer: LoopTimer?
    private var sweepTimer: LoopTimer?
    private(set) weak var loop: EventLoop?

    /// - Parameter directory: the state directory.
    init(in directory: String, settings: LedgerSettings, log: Log) throws(LedgerError) {
        // Without it every start counts as one after a reboot, and moments go by the wall clock.
        boot = (try? Boot.identifier()) ?? ""
        self.settings = settings
        self.log = log
        ledger = try Ledger(directory: directory, at: Self.clocks(boot)) { notice in
            switch notice {
            case .setAside, .failing, .losing, .unreadable, .fileBroken, .carriedOver:
                log.write(.warning, "ledger", notice.description)
            case .working: log.write(.info, "ledger", notice.description)
            }
        }
    }

    /// From now on what waits is written, and what is too old taken out, by timers of the loop.
    func run(on loop: EventLoop) throws(SystemError) {
        self.loop = loop
        retryTimer = try loop.makeTimer { [unowned self] in keep([]) }
        sweepTimer = try loop.makeTimer { [unowned self] in sweep() }
        sweepTimer?.arm(at: loop.now + Limits.sweepMicroseconds.busy)
        armRetry()
    }

    /// Takes other bounds into force.
    func configure(_ settings: LedgerSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        if let loop { sweepTimer?.arm(at: loop.now) }
    }

    /// The clocks at this moment.
    func clocks() -> Clocks { Self.clocks(boot) }

    /// Has on disk what an event has brought, before its effects are performed.
    /// - Parameter notices: what bidders are to be told of it: in the same transaction, so that neither is
    ///   there without the other.
    /// - Parameter scheduler: what the scheduler of house campaigns remembers anew of it.
    func keep(
        _ effects: [Effect], of coordinator: inout Coordinator, announcing notices: [Notice],
        remembering scheduler: SchedulerChanges?
    ) {
        let now = clocks()
        // No copy of the coordinator may live here: all of its slots would be copied with the next change.
        var changes = ledger.changes(
            for: effects, path: path, hostName: { coordinator.slot(named: $0)?.host }, at: now)
        let outbound = notices.map { OutboundNotice($0, at: now) }
        changes += outbound.map { .notice($0) }
        let changed = coordinator.takeChangedMemories()
        keep(changes, changed, scheduler, else: { coordinator.memories }, at: now)
        if !outbound.isEmpty { self.notices?.add(outbound) }
    }

    /// Has changes on disk that come from elsewhere.
    func keep(_ changes: [Change]) {
        keep(changes, [], nil, else: memories, at: clocks())
    }

    /// The network is as it is from now on.
    func note(_ state: ReachabilityState) {
        let kind: NetworkMark.Kind = path.isEmpty ? .started : .changed
        (path, isReachable) = (state.status.rawValue, state.reachable)
        keep([.network(NetworkMark(kind, path: path, isReachable: isReachable, at: clocks()))])
        notices?.setReachable(isReachable)
    }

    /// The daemon stops, and the network is watched no more.
    func noteStop() {
        guard !path.isEmpty else { return }
        keep([.network(NetworkMark(.stopped, path: path, isReachable: isReachable, at: clocks()))])
    }

    private func keep(
        _ changes: [Change], _ changed: [SlotMemory], _ scheduler: SchedulerChanges?,
        else everything: () -> [SlotMemory], at clocks: Clocks
    ) {
        let wasFailing = ledger.retryAt != nil
        ledger.keep(changes, changed, scheduler, else: everything, at: clocks)
        armRetry()
        guard wasFailing, ledger.retryAt == nil else { return }
        notices?.add(ledger.takeUnsentNotices())
        onWorking()
    }

    private func armRetry() {
        guard let retryAt = ledger.retryAt else { return }
        retryTimer?.arm(at: retryAt.microseconds)
    }

    private func sweep() {
        let retention = Retention(
            ageMax: .seconds(settings.retainDays * 86_400), sizeMaxBytes: settings.sizeMaxBytes)
        let hasMore = ledger.sweep(retention, at: clocks())
        let pause = hasMore ? Limits.sweepMicroseconds.busy : Limits.sweepMicroseconds.idle
        if let loop { sweepTimer?.arm(at: loop.now + pause) }
    }

    private static func clocks(_ boot: String) -> Clocks {
        Clocks(
            boot: boot, now: Instant(microseconds: SystemClock.boottime()), wall: SystemClock.realtime(),
            isTrusted: SystemClock.isSynchronised)
    }
}

extension LedgerService: NoticeSender {
    /// Has notices on disk in one transaction, and sends them when the network allows.
    func enqueue(_ notices: [Notice]) {
        guard !notices.isEmpty else { return }
        let now = clocks()
        let outbound = notices.map { OutboundNotice($0, at: now) }
        keep(outbound.map { .notice($0) })
        self.notices?.add(outbound)
    }
}

extension OutboundNotice {
    fileprivate init(_ notice: Notice, at clocks: Clocks) {
        self.init(
            id: notice.id, kind: notice.kind.rawValue, url: notice.url, wall: clocks.wall,
            isTrusted: clocks.isTrusted)
    }
}
