internal import AdSlots
internal import Configuration
internal import Reachability

/// Runs a scenario: the model and the coordinator that the daemon runs, with a virtual clock, kernel,
/// sources, hosts and work, and the invariants checked after every event.
///
///     var run = try ScenarioRun(Scenario(parsing: text))
///     let outcome = run.run { report in … }
///
/// The same scenario gives the same answer every time: even the jitter of the back-off has one seed.
public struct ScenarioRun: Sendable {
    /// A piece of work as the world sees it.
    struct Work: Sendable {
        var id: WorkID?
        let kind: WorkKind
        var manner: WorkManner
        /// The last instruction to pause that has not been taken back.
        var pauseToken: Int?
        var isStopped = false
        /// It has never been made to refuse.
        var isObedient: Bool
    }

    /// What became of what a label stands for.
    enum Answer: Hashable, Sendable {
        case awaited
        case allowed(ActionID?)
        case refused(String)
    }

    let scenario: Scenario
    let configuration: Configuration
    var now = Instant.zero
    var line = 0
    var outcome = Outcome()
    var notifications = 0

    var model: ReachabilityModel
    var network = VirtualNetwork()
    var coordinator: Coordinator
    var generator: SeededGenerator
    var agenda = Agenda()
    var sources: [String: TestSource] = [:]
    var hosts: [HostID: VirtualHost] = [:]
    var hostBySlot: [String: HostID] = [:]
    var works: [String: Work] = [:]
    var workNames: [WorkID: String] = [:]
    var answers: [String: Answer] = [:]
    var labels: [BeginID: (label: String, host: HostID)] = [:]
    var hostLabels: [HostID: String] = [:]
    var invariants: Invariants
    var lastID = 0
    var keepsReports = false
    var reports: [Report] = []

    /// Prepares a run. What its `set` lines say may be refused.
    public init(_ scenario: Scenario) throws(ScenarioError) {
        self.scenario = scenario
        configuration = try scenario.configuration()
        generator = SeededGenerator(seed: 1)
        model = ReachabilityModel(settings: configuration.reachability)
        coordinator = Coordinator(settings: configuration.coordinator, reachable: false, at: .zero)
        invariants = Invariants(settings: configuration.coordinator)
        for source in configuration.sources { sources[source.name] = source.test }
    }

    /// Runs the scenario to its end, then lets quiet return to see what comes of it.
    ///
    /// - Parameter report: Is told of every effect and notification, up to the last step.
    public mutating func run(report: ((Report) -> Void)? = nil) -> Outcome {
        keepsReports = report != nil
        line = scenario.steps.first?.line ?? 1
        takeFirstDump()
        for (index, step) in scenario.steps.enumerated() {
            advance(to: step.at)
            flush(report)
            guard outcome.breach == nil else { return outcome }
            line = step.line
            do throws(StepFailure) {
                try perform(step, next: index + 1 < scenario.steps.count ? scenario.steps[index + 1] : nil)
            } catch {
                outcome.failures.append(Outcome.Failure(line: line, message: error.message))
            }
            flush(report)
        }
        advance(to: now)
        flush(report)
        if outcome.breach == nil { rest() }
        return outcome
    }

    private mutating func flush(_ report: ((Report) -> Void)?) {
        guard let report else { return }
        for each in reports { report(each) }
        reports.removeAll(keepingCapacity: true)
    }

    mutating func fail(_ breach: Breach?) {
        guard let breach, outcome.breach == nil else { return }
        outcome.breach = breach
        let message = "\(breach), at \(ScenarioTime(now))"
        outcome.failures.append(Outcome.Failure(line: line, message: message))
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }
}

// Time.
extension ScenarioRun {
    /// Lets everything happen that is due up to and including a moment.
    mutating func advance(to end: Instant) {
        while outcome.breach == nil, let due = nextDue, due <= end {
            now = max(now, due)
            if let deadline = model.deadline, deadline <= now {
                publish(model.timerFired(at: now))
            } else if let deadline = coordinator.deadline, deadline <= now {
                handle(.timer)
            } else if let event = agenda.next() {
                arrive(event)
            }
        }
        now = max(now, end)
    }

    var nextDue: Instant? {
        [model.deadline, coordinator.deadline, agenda.first].compactMap { $0 }.min()
    }

    /// Nothing happens any more: after the longest time that anything can take, every slot shows an ad or
    /// waits for a retry.
    private mutating func rest() {
        keepsReports = false
        let reachability = configuration.reachability
        let slots = configuration.coordinator.slots
        let longest = slots.map { $0.requestTimeout * max(1, $0.sources.count) + $0.minimumInterval }.max()
        let quiet =
            configuration.coordinator.actionTimeout + configuration.coordinator.pauseTimeout
            + reachability.dampMax + reachability.gainHold + reachability.lossHold + (longest ?? .zero)
        advance(to: now + quiet)
        var unsettled = Set(slots.map(\.name))
        // A slot may be asking just then; that ends within the time of its questions.
        let end = now + (longest ?? .zero)
        repeat {
            guard outcome.breach == nil, model.current?.reachable == true else { return }
            for slot in coordinator.slots where unsettled.contains(slot.name) {
                if slot.hasSettled(at: now) { unsettled.remove(slot.name) }
            }
            guard !unsettled.isEmpty, let due = nextDue, due <= end else { break }
            advance(to: due)
        } while true
        guard let slot = coordinator.slots.first(where: { unsettled.contains($0.name) }) else { return }
        fail(Breach(.progress, "\(slot.name) is \(slot.state) (\(slot.reason.rawValue)) for ever"))
    }
}

extension SlotSnapshot {
    /// Whether it shows an ad, waits for a retry that has a time, or cannot show any.
    fileprivate func hasSettled(at now: Instant) -> Bool {
        if state == .shown || !visible || reason == .noSize || reason == .noSource { return true }
        if enablement.isDisabled { return true }
        return nextAttempt.map { $0 > now } ?? false
    }
}

// The kernel and the model.
extension ScenarioRun {
    /// The first dump is all that the lines at 0s say of the network, wherever they stand among the others.
    private mutating func takeFirstDump() {
        for step in scenario.steps where step.at == .zero {
            guard case .network(let change) = step.action else { continue }
            line = step.line
            do throws(StepFailure) {
                _ = try network.apply(change)
            } catch {
                outcome.failures.append(Outcome.Failure(line: line, message: error.message))
            }
        }
        start()
    }

    /// The daemon starts: it reads the dump, and posts its first state without a hold.
    mutating func start() {
        model = ReachabilityModel(settings: configuration.reachability)
        adoptRules()
        model.replaceNetwork(network.dump)
        judge()
    }

    /// The kinds that `link` lines give come after those of the configuration.
    mutating func adoptRules() {
        var settings = configuration.reachability
        settings.linkRules += network.rules
        if settings != model.settings { model.configure(settings) }
    }

    mutating func judge() {
        var lookup = network.lookup
        publish(model.judge(at: now, lookup: &lookup))
    }

    mutating func publish(_ changes: [ReachabilityChange]) {
        for change in changes {
            if keepsReports { reports.append(Report(change, at: now)) }
            guard case .posted(let state) = change else { continue }
            if state.sequence > 1 { notifications += 1 }
            handle(.reachability(reachable: state.reachable))
        }
    }
}
