import AdSlots
import Reachability
import Simulation
import Testing

/// How a piece of work answers the instruction to pause.
enum WorkManner {
    case acknowledges(after: Duration)
    case vetoes
    case keepsSilent
}

/// A coordinator in virtual time, with sources that answer, hosts that obey, work that pauses, and the
/// invariants checked after each step.
final class Rig {
    private(set) var coordinator: Coordinator
    private(set) var now = Instant.zero
    private(set) var log: [(at: Instant, effect: Effect)] = []
    private(set) var hosts: [HostID: VirtualHost] = [:]
    private(set) var answers: [BeginID: BeginAnswer] = [:]
    private(set) var settings: CoordinatorSettings
    private(set) var isReachable: Bool
    private(set) var breaches: [Breach] = []
    var sources: [String: TestSource] = [:]
    /// Said with every breach: the seed of a random run.
    var label = ""
    /// Said in place of what the source would answer, once.
    var nextAnswer: ((SourceRequest) -> Result<Creative, SourceError>)?

    private var random: SeededGenerator
    private var coming: [(due: Instant, event: Event)] = []
    private var manners: [WorkID: WorkManner] = [:]
    private var watch: Invariants
    private var given = 0

    init(
        _ settings: CoordinatorSettings = CoordinatorSettings(), reachable: Bool = true, seed: UInt64 = 1,
        remembering memories: [SlotMemory] = []
    ) {
        self.settings = settings
        isReachable = reachable
        random = SeededGenerator(seed: seed)
        watch = Invariants(settings: settings)
        coordinator = Coordinator(settings: settings, reachable: reachable, at: .zero, remembering: memories)
    }

    /// One slot, with changes to its defaults.
    convenience init(reachable: Bool = true, _ change: (inout SlotSettings) -> Void) {
        var slot = SlotSettings(name: "banner")
        change(&slot)
        self.init(CoordinatorSettings(slots: [slot]), reachable: reachable)
    }

    // MARK: Time

    /// Lets time pass up to and including a moment.
    func run(until end: Instant) {
        while let due = nextDue, due <= end { step(to: due) }
        now = max(now, end)
    }

    func run(for duration: Duration) {
        run(until: now + duration)
    }

    private var nextDue: Instant? {
        let comes = coming.map(\.due).min()
        guard let deadline = coordinator.deadline else { return comes }
        return comes.map { min($0, deadline) } ?? deadline
    }

    private func step(to due: Instant) {
        now = max(now, due)
        if let deadline = coordinator.deadline, deadline <= now {
            perform(.timer)
            return
        }
        guard let index = coming.indices.min(by: { (coming[$0].due, $0) < (coming[$1].due, $1) })
        else { return }
        perform(coming.remove(at: index).event)
    }

    // MARK: Events

    /// Gives the coordinator any event, now.
    @discardableResult
    func perform(_ event: Event) -> [Effect] {
        let effects = coordinator.handle(event, at: now, using: &random)
        for effect in effects {
            log.append((now, effect))
            react(to: effect)
            report(watch.observe(effect, at: now, hosts: hosts))
        }
        report(
            watch.check(at: now, hosts: hosts, coordinator: coordinator, reachable: isReachable))
        return effects
    }

    @discardableResult
    func attach(
        _ slot: String = "banner", _ viewport: Size = .phone, visible: Bool = true, name: String? = nil
    ) -> HostID {
        given += 1
        let host = HostID(given)
        let placement = settings.slots.first { $0.name == slot }?.placement ?? .bottom
        hosts[host] = VirtualHost(slot: slot, viewport: viewport, visible: visible, placement: placement)
        perform(.attach(slot: slot, host: host, name: name, viewport: viewport, visible: visible))
        return host
    }

    func update(_ host: HostID, viewport: Size? = nil, visible: Bool? = nil) {
        hosts[host]?.change(viewport: viewport, visible: visible, at: now)
        perform(.update(host: host, viewport: viewport, visible: visible))
    }

    func detach(_ host: HostID) {
        perform(.detach(host: host))
        if hosts[host]?.banner != nil { report(Breach(.released, "a banner outlives its host")) }
        hosts[host] = nil
    }

    func lose() {
        isReachable = false
        perform(.reachability(reachable: false))
    }

    func gain() {
        isReachable = true
        perform(.reachability(reachable: true))
    }

    @discardableResult
    func begin(_ host: HostID, banner: BannerID? = nil, pathUsable: Bool = true) -> BeginID {
        given += 1
        let begin = BeginID(given)
        let banner = banner ?? hosts[host]?.banner ?? BannerID(0)
        perform(
            .beginAction(
                begin: begin, host: host, banner: banner, leavesApplication: false, pathUsable: pathUsable))
        return begin
    }

    /// The host says that an action is over; nothing happens where it was not allowed.
    func finish(_ host: HostID, _ begin: BeginID) {
        guard case .allowed(let action) = answers[begin] else { return }
        perform(.finishAction(host: host, action: action))
    }

    @discardableResult
    func register(
        _ name: String, _ manner: WorkManner = .acknowledges(after: .zero), kind: WorkKind = .client
    ) -> WorkID {
        given += 1
        let work = WorkID(given)
        manners[work] = manner
        perform(.register(work: work, name: name, kind: kind, mayVeto: true))
        return work
    }

    /// A source may have something for these slots again.
    func endWait(of slots: [String]) {
        watch.sourceChanged(for: slots)
        perform(.sourceChanged(slots: slots))
    }

    func reconfigure(_ settings: CoordinatorSettings) {
        self.settings = settings
        watch.reconfigure(settings)
        perform(.configure(settings))
    }

    // MARK: What the shell would do

    private func react(to effect: Effect) {
        switch effect {
        case .command(let host, let command):
            let hasLeft = command.reason == .detached
            if let fault = hosts[host]?.obey(command, at: now, hasLeft: hasLeft) { report(fault) }
        case .request(let request):
            answer(request)
        case .beginAnswered(let begin, let answer):
            if answers.updateValue(answer, forKey: begin) != nil {
                report(Breach(.commands, "a begin is answered twice"))
            }
        case .instruct(let work, let instruction):
            obey(instruction, of: work)
        case .actionEnded(_, let slot, _):
            for (id, host) in hosts where host.slot == slot { hosts[id]?.uncover(at: now) }
        case .attachRefused(let host, _), .hostDropped(let host, _):
            if hosts.removeValue(forKey: host)?.banner != nil {
                report(Breach(.released, "a dropped host keeps a banner"))
            }
        case .attached, .updateRefused, .cancel, .filled, .dropped, .sourceFailed, .impression, .leftScreen,
            .actionStarted, .finishRefused, .registered, .registerRefused, .pauseUnanswered, .tokenRefused,
            .enablementRefused, .slotChanged, .workChanged:
            break
        }
    }

    private func answer(_ request: SourceRequest) {
        var answer = (sources[request.source.name] ?? TestSource()).answer(to: request, at: now)
        if let nextAnswer {
            answer = TestSource.Answer(after: .milliseconds(50), result: nextAnswer(request))
            self.nextAnswer = nil
        }
        guard let answer else { return }
        coming.append((now + answer.after, .sourceAnswered(request: request.id, answer.result)))
    }

    private func obey(_ instruction: Instruction, of work: WorkID) {
        guard instruction.kind == .pause, let manner = manners[work] else { return }
        switch manner {
        case .acknowledges(let delay):
            coming.append((now + delay, .acknowledged(work: work, token: instruction.token)))
        case .vetoes:
            coming.append((now, .vetoed(work: work, token: instruction.token, reason: "busy")))
        case .keepsSilent:
            break
        }
    }

    private func report(_ fault: Breach?) {
        guard let fault else { return }
        breaches.append(fault)
        Issue.record("\(label)\(now.microseconds) µs: \(fault)")
    }
}

extension Size {
    static let phone = Size(width: 400, height: 800)
    static let phoneOnItsSide = Size(width: 800, height: 400)
    static let small = Size(width: 320, height: 50)
    static let medium = Size(width: 480, height: 32)
    static let large = Size(width: 728, height: 90)
}
