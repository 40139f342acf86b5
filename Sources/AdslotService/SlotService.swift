internal import AdSlots
internal import AdSources
internal import Configuration
internal import LinuxSupport
internal import Reachability
internal import Varlink

/// The hosts' side of the daemon: performs what the coordinator says. It decides nothing itself.
final class SlotService {
    /// A host that is attached, or is being attached.
    private struct Host {
        let call: VarlinkCall
        let slot: String
    }

    /// Is told of each file that an ad is drawn from.
    var onFileUse: (String) -> Void = { _ in }
    /// Something to be done once what brought it is on disk, with what it tells of the coordinator as it was
    /// when that was decided.
    enum Step {
        case perform(Effect)
        case showSlot(String, SlotSnapshot?)
        case showWork(WorkSnapshot)
        case warnUnanswered(work: String)
        case letGo(WorkID)
    }

    /// Is told of each change that Monitor shows.
    var onNews: (News) -> Void = { _ in }

    /// What happened, for the log and for Manager.Monitor.
    enum News {
        case slot(SlotSnapshot)
        case work(WorkSnapshot)
        case source(name: String, text: String)
        case action(slot: String, text: String)
    }

    let loop: EventLoop
    private let log: Log
    private(set) var coordinator: Coordinator
    private let ledger: LedgerService
    let sources: SourceRunner
    let house: HouseService
    let pauser: WorkPauser
    var access: Access

    private var generator = SystemRandomNumberGenerator()
    private var timer: LoopTimer?
    private var armed: Instant?
    var leases = Leases()
    private var hosts: [HostID: Host] = [:]
    /// Those who have registered work, or are about to.
    var works: [WorkID: VarlinkCall] = [:]
    private var begins: [BeginID: (call: VarlinkCall, host: HostID)] = [:]
    private var lastID = 0
    private var wallClock = WallClock()
    /// What was decided and is not performed yet, in order.
    private var decided: [Step] = []
    /// What the log last said of each slot.
    private var loggedTexts: [String: String] = [:]

    init(
        loop: EventLoop, log: Log, configuration: Configuration, reachable: Bool, ledger: LedgerService,
        state: StateDirectory
    ) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.ledger = ledger
        coordinator = Coordinator(
            settings: configuration.coordinator, reachable: reachable, at: loop.instant,
            remembering: ledger.remembered)
        access = Access(hostGroup: configuration.hostGroup, pauseGroup: configuration.pauseGroup)
        pauser = try WorkPauser(loop: loop, log: log, state: state)
        house = try HouseService(loop: loop, log: log, configuration: configuration, ledger: ledger)
        sources = SourceRunner(
            loop: loop, log: log, settings: configuration.sources, notices: ledger, house: house.ads)
        sources.onAnswer = { [unowned self] request, answer in
            handle(.sourceAnswered(request: request, answer.result, detail: answer.detail))
        }
        ledger.takeChangedMemories = { [unowned self] in coordinator.takeChangedMemories() }
        ledger.takeSchedulerChanges = { [unowned self] in house.ads.takeChanges() }
        ledger.memories = { [unowned self] in coordinator.memories }
        house.onEvent = { [unowned self] in handle($0) }
        timer = try loop.makeTimer { [unowned self] in
            armed = nil
            handle(.timer)
        }
        pauser.onStill = { [unowned self] in handle(.acknowledged(work: $0, token: $1)) }
        pauser.onGone = { [unowned self] in endWork($0, because: $1) }
    }

    /// The wall clock for one reply.
    func currentWallClock() -> WallClock {
        wallClock.refresh()
        return wallClock
    }

    /// Whether a network ad's action could go out now; asked at each click.
    var isPathUsable: () -> Bool = { false }

    /// A number that was never given out before.
    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Lets the coordinator judge an event. What it says is performed at the end of the loop's turn, when
    /// what happened in it, and what is remembered over a restart, is on disk.
    ///
    /// Whoever answers a call by the effects may do so at once: the server holds back the answer until then.
    /// - Parameter last: what is to be done after all effects of the event.
    @discardableResult
    func handle(_ event: Event, then last: Step? = nil) -> [Effect] {
        if let earlier = house.ads.unshowable(beforeEventOf: slot(of: event)) { _ = decide(earlier) }
        return decide(event, then: last)
    }

    /// The slot whose host an event comes from, where that can bring back an ad that was on screen before.
    private func slot(of event: Event) -> String? {
        if case .update(let host, _, _) = event { hosts[host]?.slot } else { nil }
    }

    private func decide(_ event: Event, then last: Step? = nil) -> [Effect] {
        let effects = coordinator.handle(event, at: loop.instant, using: &generator)
        house.ads.follow(effects, after: event) { sources.isJudged($0) }
        for effect in effects { decided.append(step(effect)) }
        if let last { decided.append(last) }
        // Not in one call: what is full is performed at once, and nothing may hold the coordinator then.
        let changes = ledger.changes(for: effects, of: coordinator)
        ledger.keep(changes, announcing: sources.notices(of: effects))
        return effects
    }

    /// Has on disk and performs all that was decided so far, before somebody is told how things stand.
    func settle() {
        ledger.settle()
    }

    /// Performs what was decided, now that it is on disk, and sets the timer to the next deadline.
    func performDecided() {
        let steps = decided
        decided = []
        for step in steps { perform(step) }
        pauser.flush()
        house.arm()
        guard armed != coordinator.deadline else { return }
        armed = coordinator.deadline
        if let deadline = armed { timer?.arm(at: deadline.microseconds) } else { timer?.disarm() }
    }

    private func step(_ effect: Effect) -> Step {
        switch effect {
        case .slotChanged(let name): .showSlot(name, coordinator.slot(named: name))
        case .workChanged(let work): coordinator.work(work).map { .showWork($0) } ?? .perform(effect)
        case .pauseUnanswered(let work): .warnUnanswered(work: coordinator.work(work)?.name ?? "?")
        default: .perform(effect)
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .perform(let effect): perform(effect)
        case .showSlot(let name, nil): loggedTexts[name] = nil
        case .showSlot(let name, let slot?):
            // Counters change too; the log only says what a person would call another state.
            let text = slot.text
            if loggedTexts.updateValue(text, forKey: name) != text { log.write(.info, "slot \(name)", text) }
            onNews(.slot(slot))
        case .showWork(let work):
            log.write(.info, "work \(work.name)", work.text)
            onNews(.work(work))
        case .warnUnanswered(let name):
            log.write(.warning, "work \(name)", "did not answer in time, not waited for")
        case .letGo(let work): pauser.remove(work)
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .attached(let host): grantHost(host)
        case .attachRefused(let host, let refusal): refuseHost(host, refusal)
        case .command(let host, let command): tell(host, command)
        case .hostDropped(let host, let drop): dropHost(host, drop)

        case .request(let request):
            sources.ask(request)
            log.write(.debug, "slot \(request.slot)", "asks \(request.source.name) for \(request.size)")
        case .cancel(let request): sources.cancel(request)
        case .filled(_, let creative):
            sources.noteFill(of: creative)
            if let path = creative.path { onFileUse(path) }
        case .sourceFailed(let slot, let source, let error):
            sources.noteFailure(source: source, error)
            let text = "\(source) has nothing for \(slot): \(error.rawValue)"
            log.write(.info, "source \(source)", text)
            onNews(.source(name: source, text: text))
        case .impression(let impression):
            log.write(.info, "slot \(impression.slot)", "impression of \(impression.creative.id)")

        case .dropped, .leftScreen: break

        case .beginAnswered(let begin, let answer): answerBegin(begin, answer)
        case .actionStarted(let action, let slot, _, let leaves):
            let text = "action \(action.value) runs" + (leaves ? " and leaves the application" : "")
            log.write(.info, "slot \(slot)", text)
            onNews(.action(slot: slot, text: text))
        case .actionEnded(let action, let slot, let end):
            let text = "action \(action.value) ended: \(end.rawValue)"
            log.write(.info, "slot \(slot)", text)
            onNews(.action(slot: slot, text: text))
        case .updateRefused, .finishRefused, .tokenRefused, .enablementRefused:
            // Whoever made the call reads these from the effects and answers it.
            break

        case .registered(let work): grantWork(work)
        case .registerRefused(let work, let refusal): refuseWork(work, refusal)
        case .instruct(let work, let instruction): tell(work, instruction)
        case .slotChanged, .workChanged, .pauseUnanswered:
            // Steps of their own.
            break
        }
    }
}

// Hosts.
extension SlotService {
    /// Begins an attachment; the coordinator's answer completes or refuses it.
    func attach(_ call: VarlinkCall, slot: String, viewport: Size, visible: Bool, name: String?) {
        let host = HostID(nextID())
        hosts[host] = Host(call: call, slot: slot)
        // Registered first: a connection that goes within the next lines must still detach.
        call.onEnd { [unowned self] in leave(host) }
        handle(.attach(slot: slot, host: host, name: name, viewport: viewport, visible: visible))
    }

    private func grantHost(_ host: HostID) {
        guard let call = hosts[host]?.call else { return }
        let lease = leases.issue(to: .host(host), user: call.peer.uid)
        call.replyContinuing(["lease": .string(lease)])
    }

    private func refuseHost(_ host: HostID, _ refusal: AttachRefusal) {
        guard let call = hosts.removeValue(forKey: host)?.call else { return }
        switch refusal {
        case .unknownSlot(let slot, let known):
            call.failUnknownSlot(slot, known: known)
        case .slotTaken(let slot, let host):
            call.fail(
                "org.adslotd.Slots.SlotTaken", ["slot": .string(slot), "host": .string(host ?? "")])
        case .invalidViewport(let size, let message):
            call.failInvalidViewport(size, message)
        }
    }

    private func tell(_ host: HostID, _ command: Command) {
        guard let call = hosts[host]?.call else { return }
        call.reply(
            EncodedReply(continues: true) { writer in
                writer.key("command")
                writer.value(command)
            })
    }

    private func dropHost(_ host: HostID, _ drop: HostDrop) {
        leases.withdraw(.host(host))
        guard let entry = hosts.removeValue(forKey: host) else { return }
        switch drop {
        case .slotRemoved:
            entry.call.failUnknownSlot(entry.slot, known: coordinator.slotNames)
        case .shutdown:
            entry.call.fail("org.adslotd.Slots.ShuttingDown")
        }
    }

    private func leave(_ host: HostID) {
        leases.withdraw(.host(host))
        guard hosts.removeValue(forKey: host) != nil else { return }
        handle(.detach(host: host))
    }
}

// Actions.
extension SlotService {
    /// Begins an action; the answer comes when work has paused.
    func begin(_ call: VarlinkCall, host: HostID, banner: BannerID, leavesApplication: Bool) {
        let begin = BeginID(nextID())
        begins[begin] = (call, host)
        handle(
            .beginAction(
                begin: begin, host: host, banner: banner, leavesApplication: leavesApplication,
                pathUsable: isPathUsable()))
    }

    private func answerBegin(_ begin: BeginID, _ answer: BeginAnswer) {
        guard let (call, host) = begins.removeValue(forKey: begin) else { return }
        switch answer {
        case .allowed(let action):
            guard call.isOpen else {
                // Nobody heard the answer, so nobody could ever finish the action.
                handle(.finishAction(host: host, action: action))
                return
            }
            // The same where it was sent to somebody who is gone.
            call.onUnread { [weak self] in self?.handle(.finishAction(host: host, action: action)) }
            call.reply(["allowed": true, "action": .integer(Int64(action.value))])
        case .refused(let refusal):
            call.reply(["allowed": false, "reason": .string(refusal.word)])
        }
    }
}

extension VarlinkCall {
    func failUnknownSlot(_ slot: String, known: [String]) {
        fail(
            "org.adslotd.Slots.UnknownSlot",
            ["slot": .string(slot), "known": .array(known.map { .string($0) })])
    }

    func failInvalidViewport(_ size: Size, _ message: String) {
        fail(
            "org.adslotd.Slots.InvalidViewport",
            [
                "viewport": ["width": .integer(Int64(size.width)), "height": .integer(Int64(size.height))],
                "message": .string(message),
            ])
    }
}
