internal import AdSlots
internal import AdSources
internal import Configuration
internal import Ledger
internal import LinuxSupport
internal import OpenRTB
internal import Reachability

/// Keeps what happened and what slots remember, and says in the log when it cannot.
///
/// What the events of one turn of the loop bring goes to disk in one transaction; only then are their effects
/// performed and their callers answered, so that nobody hears of anything that a crash could undo.
final class LedgerService {
    /// What slots remembered before this start.
    var remembered: [SlotMemory] { ledger.remembered }

    let ledger: Ledger
    private(set) var settings: LedgerSettings
    /// Exports on their way to clients.
    var exports = 0
    /// The notices to bidders; what it decides is kept here.
    var notices: OutboxSender?
    /// What slots remember of which that has changed, told once.
    var takeChangedMemories: () -> [SlotMemory] = { [] }
    /// What the scheduler of house campaigns remembers anew, told once.
    var takeSchedulerChanges: () -> SchedulerChanges? = { nil }
    /// What all slots remember, for when earlier changes could not be kept.
    var memories: () -> [SlotMemory] = { [] }
    /// Something is decided and not on disk yet: nobody may be told.
    var onOpened: () -> Void = {}
    /// All that was decided is on disk: time to perform it. What that brings up forms the next group.
    var onKept: () -> Void = {}
    /// The names of the slots that there are.
    var slotNames: () -> [String] = { [] }

    /// Is told when the file can be written again, which may be another file then.
    var onWorking: () -> Void = {}

    private var group = CommitGroup()
    private var isSettling = false
    private var turnEnd: TurnEnd?
    private let boot: String
    private let log: Log
    private var path = ""
    /// When all was last marked again, on the boot clock.
    private var lastAlive = Int64.min
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
            case .setAside, .failing, .losing, .ending, .unreadable, .fileBroken, .carriedOver, .missing:
                log.write(.warning, "ledger", notice.description)
            case .working: log.write(.info, "ledger", notice.description)
            }
        }
    }

    /// From now on what waits is written, and what is too old taken out, by timers of the loop.
    func run(on loop: EventLoop) throws(SystemError) {
        self.loop = loop
        turnEnd = try loop.makeTurnEnd { [unowned self] in settle() }
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

    /// What an event has brought, for the ledger.
    /// - Parameter coordinator: as it is now.
    func changes(for effects: [Effect], of coordinator: borrowing Coordinator) -> [Change] {
        let now = clocks()
        return ledger.changes(
            for: effects, path: path, hostName: { coordinator.slot(named: $0)?.host }, at: now)
            + ledger.marks(
                for: effects, slotState: { coordinator.slotState(named: $0) },
                workSnapshot: { coordinator.work($0) }, at: now)
    }

    /// Takes into the group what an event has brought.
    /// - Parameter notices: what bidders are to be told of it: in the same transaction, so that neither is
    ///   there without the other.
    func keep(_ changes: [Change], announcing notices: [Notice]) {
        let now = clocks()
        join { $0.add(changes, announcing: notices.map { OutboundNotice($0, at: now) }) }
    }

    /// Takes into the group what has happened elsewhere.
    func keep(_ changes: [Change]) {
        join { $0.add(changes) }
    }

    private func join(_ add: (inout CommitGroup) -> Void) {
        let isFirst = group.isEmpty
        add(&group)
        // Whoever settles goes on until nothing is left.
        guard !isSettling else { return }
        if isFirst {
            onOpened()
            turnEnd?.arm()
        }
        if group.isFull || turnEnd == nil { settle() }
    }

    /// Has on disk and performs all that was decided so far. Whoever asks what there is gets it told after
    /// that.
    func settle() {
        guard !isSettling else { return }
        isSettling = true
        while !group.isEmpty {
            commit()
            onKept()
        }
        isSettling = false
        turnEnd?.disarm()
    }

    /// The network is as it is from now on.
    func note(_ state: ReachabilityState) {
        let now = clocks()
        if path.isEmpty { lastAlive = now.now.microseconds }
        path = state.status.rawValue
        keep([ledger.mark(path: path, isReachable: state.reachable, at: now)])
        notices?.setReachable(state.reachable)
    }

    /// Something happened that a timeline shows.
    func note(_ kind: Mark.Kind, state: String? = nil) {
        let now = clocks()
        keep([.mark(Mark(kind, state: state, at: now))])
    }

    /// The daemon stops, and the network is watched no more.
    func noteStop() {
        keep(ledger.stopMark(at: clocks()))
    }

    /// Nothing comes any more: what could not be written gets its last chance.
    func finish() {
        settle()
        ledger.finish(memories, at: clocks())
    }

    /// Writes the group in one transaction.
    private func commit() {
        let kept = group
        group = CommitGroup()
        let wasFailing = ledger.retryAt != nil
        ledger.keep(
            kept.changes, takeChangedMemories(), takeSchedulerChanges(), else: memories, at: clocks())
        armRetry()
        if wasFailing, ledger.retryAt == nil {
            notices?.add(ledger.takeUnsentNotices())
            onWorking()
        }
        if !kept.notices.isEmpty { notices?.add(kept.notices) }
    }

    private func armRetry() {
        guard let retryAt = ledger.retryAt else { return }
        retryTimer?.arm(at: retryAt.microseconds)
    }

    private func sweep() {
        let retention = Retention(
            ageMax: .seconds(settings.retainDays * 86_400), sizeMaxBytes: settings.sizeMaxBytes)
        let hasMore = ledger.sweep(retention, at: clocks())
        noteAlive()
        let pause = hasMore ? Limits.sweepMicroseconds.busy : Limits.sweepMicroseconds.idle
        if let loop { sweepTimer?.arm(at: loop.now + pause) }
    }

    /// Marks all again now and then: with what is looked after anyway, so that nothing wakes up for it.
    private func noteAlive() {
        let now = clocks()
        guard !path.isEmpty, now.now.microseconds - lastAlive >= Limits.aliveMicroseconds else { return }
        lastAlive = now.now.microseconds
        keep(ledger.aliveMarks(at: now))
    }

    private static func clocks(_ boot: String) -> Clocks {
        Clocks(
            boot: boot, now: Instant(microseconds: SystemClock.boottime()), wall: SystemClock.realtime(),
            isTrusted: SystemClock.isSynchronised)
    }
}

extension LedgerService: NoticeSender {
    /// Takes notices into the group, and sends them when they are on disk and the network allows.
    func enqueue(_ notices: [Notice]) {
        guard !notices.isEmpty else { return }
        let now = clocks()
        join { $0.add([], announcing: notices.map { OutboundNotice($0, at: now) }) }
    }
}

extension OutboundNotice {
    fileprivate init(_ notice: Notice, at clocks: Clocks) {
        self.init(
            id: notice.id, kind: notice.kind.rawValue, url: notice.url, wall: clocks.wall,
            isTrusted: clocks.isTrusted)
    }
}
