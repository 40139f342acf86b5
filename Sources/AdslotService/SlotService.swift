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
    private(set) var leases = Leases()
    private var hosts: [HostID: Host] = [:]
    private var works: [WorkID: VarlinkCall] = [:]
    private var begins: [BeginID: (call: VarlinkCall, host: HostID)] = [:]
    private var lastID = 0
    private var wallClock = WallClock()
    private var followUps: [Event] = []
    private var isHandling = false
    /// What the log last said of each slot.
    private var loggedTexts: [String: String] = [:]

    init(
        loop: EventLoop, log: Log, configuration: Configuration, reachable: Bool, ledger: LedgerService,
        stateDirectory: String
    ) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.ledger = ledger
        coordinator = Coordinator(
            settings: configuration.coordinator, reachable: reachable, at: loop.instant,
            remembering: ledger.remembered)
        access = Access(hostGroup: configuration.hostGroup, pauseGroup: configuration.pauseGroup)
        pauser = try WorkPauser(loop: loop, log: log, directory: stateDirectory)
        house = try HouseService(loop: loop, log: log, configuration: configuration, ledger: ledger)
        sources = SourceRunner(
            loop: loop, log: log, settings: configuration.sources, notices: ledger, house: house.ads)
        sources.onAnswer = { [unowned self] request, answer in
            handle(.sourceAnswered(request: request, answer.result, detail: answer.detail))
        }
        ledger.memories = { [unowned self] in coordinator.memories }
        house.onEvent = { [unowned self] in handleNext($0) }
        timer = try loop.makeTimer { [unowned self] in
            armed = nil
            handle(.timer)
        }
        pauser.onStill = { [unowned self] in handleNext(.acknowledged(work: $0, token: $1)) }
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

    /// Lets the coordinator judge an event, performs what it says, and sets the timer to its next deadline.
    /// What happened, and what is remembered over a restart, is on disk before anybody is told.
    @discardableResult
    func handle(_ event: Event) -> [Effect] {
        if let earlier = house.ads.unshowable(beforeEventOf: slot(of: event)) { _ = perform(earlier) }
        return perform(event)
    }

    /// The slot whose host an event comes from, where that can bring back an ad that was on screen before.
    private func slot(of event: Event) -> String? {
        if case .update(let host, _, _) = event { hosts[host]?.slot } else { nil }
    }

    private func perform(_ event: Event) -> [Effect] {
        let effects = coordinator.handle(event, at: loop.instant, using: &generator)
        house.ads.follow(effects, after: event) { sources.isJudged($0) }
        ledger.keep(
            effects, of: &coordinator, announcing: sources.notices(of: effects),
            remembering: house.ads.takeChanges())
        isHandling = true
        for effect in effects { perform(effect) }
        pauser.flush()
        isHandling = false
        // What performing brought up comes after all effects of this event.
        while let next = followUps.first {
            followUps.removeFirst()
            handle(next)
        }
        if armed != coordinator.deadline {
            armed = coordinator.deadline
            if let deadline = armed { timer?.arm(at: deadline.microseconds) } else { timer?.disarm() }
        }
        house.arm()
        return effects
    }

    /// Handles an event, after the effects of the present one where it comes up in the midst of them.
    private func handleNext(_ event: Event) {
        if isHandling { followUps.append(event) } else { handle(event) }
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
        case .pauseUnanswered(let work):
            let name = coordinator.work(work)?.name ?? "?"
            log.write(.warning, "work \(name)", "did not answer in time, not waited for")

        case .slotChanged(let name):
            guard let slot = coordinator.slot(named: name) else {
                loggedTexts[name] = nil
                return
            }
            // Counters change too; the log only says what a person would call another state.
            let text = slot.text
            if loggedTexts.updateValue(text, forKey: name) != text { log.write(.info, "slot \(name)", text) }
            onNews(.slot(slot))
        case .workChanged(let id):
            guard let work = coordinator.work(id) else { return }
            log.write(.info, "work \(work.name)", work.text)
            onNews(.work(work))
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
                followUps.append(.finishAction(host: host, action: action))
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

// Work.
extension SlotService {
    /// Begins a registration; the coordinator's answer completes or refuses it.
    /// - Parameter target: what the daemon pauses itself, nil for work that does so when told.
    func register(
        _ call: VarlinkCall, name: String, kind: WorkKind, mayVeto: Bool, target: (any PauseTarget)? = nil
    ) {
        let work = WorkID(nextID())
        works[work] = call
        if let target { pauser.add(work, name: name, target) }
        call.onEnd { [unowned self] in forget(work) }
        handle(.register(work: work, name: name, kind: kind, mayVeto: mayVeto))
    }

    private func grantWork(_ work: WorkID) {
        guard let call = works[work] else { return }
        let lease = leases.issue(to: .work(work), user: call.peer.uid)
        call.replyContinuing(["lease": .string(lease)])
    }

    private func refuseWork(_ work: WorkID, _ refusal: RegisterRefusal) {
        pauser.remove(work)
        guard let call = works.removeValue(forKey: work) else { return }
        switch refusal {
        case .nameTaken(let name): call.fail("org.adslotd.Work.NameTaken", ["name": .string(name)])
        case .invalidName(let message):
            call.failInvalidTarget(message)
        case .tooMany(let max):
            call.failInvalidTarget("\(max) pieces of work are registered")
        }
    }

    private func tell(_ work: WorkID, _ instruction: Instruction) {
        pauser.instruct(work, instruction)
        guard let call = works[work] else { return }
        call.reply(
            EncodedReply(continues: true) { writer in
                writer.key("instruction")
                writer.value(instruction)
            })
    }

    private func forget(_ work: WorkID) {
        leases.withdraw(.work(work))
        guard works.removeValue(forKey: work) != nil else { return }
        handle(.workGone(work: work))
        pauser.remove(work)
    }

    /// What the work names is no longer there: the registration ends and says why.
    private func endWork(_ work: WorkID, because text: String) {
        guard let call = works[work] else { return }
        forget(work)
        call.failInvalidTarget(text)
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
