public import Reachability

/// The ad-slot coordinator: which slot asks, shows, hides and releases what, and which work stands still.
///
/// A plain value. Events go in with the moment at which they happen, effects come out in the order in which
/// they must be performed; it reads no clock and touches nothing.
///
///     var coordinator = Coordinator(settings: settings, reachable: true, at: now)
///     let effects = coordinator.handle(.attach(slot: "banner", …), at: now, using: &generator)
///     timer.set(coordinator.deadline)
public struct Coordinator: Sendable {
    var pauseTimeout: Duration
    var actionTimeout: Duration
    /// In the configuration's order.
    var entries: [Slot]
    var indexByName: [String: Int] = [:]
    var indexByHost: [HostID: Int] = [:]
    var indexByRequest: [RequestID: Int] = [:]
    var deadlines = DeadlineQueue()
    var roster = WorkRoster()
    var actions: [ActionID: Action] = [:]
    var isReachable: Bool
    var isShutDown = false
    var clock: Instant
    var ids = IdentifierSupply()
    /// The slots that this event may have changed, as queries showed them before; `nil` for new ones.
    var touched: [(name: String, before: SlotSnapshot?, memory: SlotMemory?)] = []
    /// What slots remember that the configuration does not name now.
    var departed: [String: SlotMemory] = [:]
    /// The slots whose memory has changed since it was last taken; more than once where a slot left the
    /// configuration meanwhile.
    var changedMemories: [String] = []

    /// Creates a coordinator without hosts and work.
    ///
    /// - Parameters:
    ///   - settings: The configuration; slots' names differ.
    ///   - reachable: The posted state of the network.
    ///   - now: The present moment.
    ///   - memories: What slots remember from before a restart, in any order. Names that
    ///     the configuration does not know wait for one that does.
    public init(
        settings: CoordinatorSettings, reachable: Bool, at now: Instant,
        remembering memories: [SlotMemory] = []
    ) {
        let settings = settings.bounded
        pauseTimeout = settings.pauseTimeout
        actionTimeout = settings.actionTimeout
        entries = settings.slots.map { Slot(settings: $0) }
        isReachable = reachable
        clock = now
        indexNames()
        for memory in memories { departed[memory.name] = memory }
        for index in entries.indices {
            recall(index, at: now)
            file(index)
        }
    }

    /// Takes an event and says what is to be done about it.
    ///
    /// Everything that is due at or before `now` is done first, in the order in which it fell due. What is
    /// done late is done at `now`, not backdated: after hours of suspend a slot asks once, not as often as
    /// it would have asked meanwhile. Whoever steps through virtual time sends ``Event/timer`` at each
    /// ``deadline``.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When it happened; a moment before the last event's counts as that one's.
    ///   - generator: Drawn from only when an attempt may fail, for the jitter of the back-off.
    /// - Returns: The effects, in the order in which they must be performed.
    public mutating func handle(
        _ event: Event, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard !isShutDown else { return [] }
        clock = max(clock, now)
        var turn = Turn(
            now: clock, reachable: isReachable, ids: ids,
            jitter: JitterSource(seed: needsJitter(event) ? generator.next() : 0))
        doWhatIsDue(&turn)
        perform(event, &turn)
        doWhatIsDue(&turn)
        reportChangedSlots(&turn)
        turn.effects += roster.takeChanges().map { .workChanged($0) }
        ids = turn.ids
        return turn.effects
    }

    /// When the shell must send ``Event/timer`` if nothing happens before, `nil` when nothing is due.
    public var deadline: Instant? { deadlines.first?.due }

    private func needsJitter(_ event: Event) -> Bool {
        if case .sourceAnswered = event { return true }
        guard let deadline else { return false }
        return deadline <= clock
    }

    private mutating func doWhatIsDue(_ turn: inout Turn) {
        while let (due, key) = deadlines.first, due <= turn.now {
            switch key {
            case .action(let action):
                deadlines.remove(key)
                actionIsDue(action, &turn)
            case .slot(let index):
                touch(index)
                settle(index, &turn)
            }
            let isDone = deadlines.first.map { $0 != (due, key) } ?? true
            precondition(isDone, "what was due is still due: the daemon would spin")
        }
    }

    private mutating func perform(_ event: Event, _ turn: inout Turn) {
        switch event {
        case .reachability(let reachable):
            reachabilityChanged(to: reachable, &turn)
        case .attach(let slot, let host, let name, let viewport, let visible):
            let hosting = Hosting(host: host, name: name, viewport: viewport, visible: visible)
            attach(hosting, to: slot, &turn)
        case .update(let host, let viewport, let visible):
            update(host, viewport: viewport, visible: visible, &turn)
        case .detach(let host):
            detach(host, &turn)
        case .sourceAnswered(let request, let result, let detail):
            sourceAnswered(request, result, detail: detail, &turn)
        case .sourceChanged(let slots):
            sourceChanged(for: slots, &turn)
        case .expiryChanged(let expiries):
            expiryChanged(expiries, &turn)
        case .beginAction(let begin, let host, let banner, let leavesApplication, let pathUsable):
            let action = Action(host: host, begin: begin, leavesApplication: leavesApplication)
            beginAction(action, banner: banner, pathUsable: pathUsable, &turn)
        case .finishAction(let host, let action):
            finishAction(action, of: host, &turn)
        case .register(let work, let name, let kind, let mayVeto):
            let item = WorkItem(id: work, name: name, kind: kind, mayVeto: mayVeto)
            roster.register(item, pauseTimeout: pauseTimeout, &turn)
        case .acknowledged(let work, let token):
            roster.acknowledge(work, token: token, &turn)
            allowWhatWaits(&turn)
        case .vetoed(let work, let token, let reason):
            vetoed(work, token: token, reason: reason, &turn)
        case .workGone(let work):
            roster.forget(work, &turn)
            allowWhatWaits(&turn)
        case .setEnablement(let slot, let enablement):
            setEnablement(enablement, of: slot, &turn)
        case .memoryPressure:
            memoryPressure(&turn)
        case .configure(let settings):
            configure(settings.bounded, &turn)
        case .timer:
            break
        case .shutdown:
            shutDown(&turn)
        }
    }
}
