internal import AdSlots
internal import Configuration
internal import Reachability

extension ScenarioRun {
    /// Takes a step.
    ///
    /// - Parameter next: The step after it: lines about the network that share a moment are one burst, which
    ///   is read to its end before it is judged.
    mutating func perform(_ step: Scenario.Step, next: Scenario.Step?) throws(StepFailure) {
        switch step.action {
        case .set: break
        case .network(let change):
            // Those at 0s were the first dump.
            guard step.at > .zero else { return }
            try perform(change, isLastOfBurst: !step.isFollowedInBurst(by: next))
        case .overrun:
            model.replaceNetwork(network.dump)
            judge()
        case .attach(let slot, let viewport, let visible, let host, let label):
            attach(slot, viewport, visible: visible, name: host, label: label)
        case .viewport(let slot, let size):
            let host = try self.host(of: slot)
            if Layout.problem(with: size) == nil {
                hosts[host]?.change(viewport: size, visible: nil, at: now)
            }
            handle(.update(host: host, viewport: size, visible: nil))
        case .visible(let slot, let visible):
            let host = try self.host(of: slot)
            hosts[host]?.change(viewport: nil, visible: visible, at: now)
            handle(.update(host: host, viewport: nil, visible: visible))
        case .detach(let slot):
            if let host = hostBySlot[slot] { detach(host, from: slot) }
        case .source(let name, let change): sources[name, default: TestSource()].take(change)
        case .begin(let slot, let label, let leaves): begin(slot, label, leaves: leaves)
        case .finish(let label): finish(label)
        case .work(let name, let kind, let manner): try register(name, kind, manner)
        case .unwork(let name):
            guard let id = works[name]?.id else { return }
            works[name]?.leave()
            handle(.workGone(work: id))
            works[name] = nil
        case .disable(let slot, let time):
            try checkKnown(slot)
            handle(.setEnablement(slot: slot, .disabled(until: time.map { now + $0 })))
        case .enable(let slot):
            try checkKnown(slot)
            handle(.setEnablement(slot: slot, .enabled))
        case .pressure: handle(.memoryPressure)
        case .crash: crash()
        case .expect(let expectation): try check(expectation)
        }
    }

    private mutating func perform(_ change: NetworkStep, isLastOfBurst: Bool) throws(StepFailure) {
        defer { if isLastOfBurst { judge() } }
        for fact in try network.apply(change) { model.apply(fact) }
        adoptRules()
    }

    private func checkKnown(_ slot: String) throws(StepFailure) {
        if coordinator.slot(named: slot) == nil {
            throw StepFailure(expected: "slot \(slot)", found: "no such slot")
        }
    }

    private func host(of slot: String) throws(StepFailure) -> HostID {
        guard let host = hostBySlot[slot] else {
            throw StepFailure(expected: "a host of slot \(slot)", found: "none")
        }
        return host
    }

    private mutating func attach(
        _ slot: String, _ viewport: Size, visible: Bool, name: String?, label: String
    ) {
        let host = HostID(nextID())
        let settings = configuration.coordinator.slots.first { $0.name == slot }
        hosts[host] = VirtualHost(
            slot: slot, viewport: viewport, visible: visible, placement: settings?.placement ?? .bottom,
            keepsCommands: false)
        hostLabels[host] = label
        answers[label] = .awaited
        handle(.attach(slot: slot, host: host, name: name, viewport: viewport, visible: visible))
    }

    private mutating func detach(_ host: HostID, from slot: String) {
        handle(.detach(host: host))
        if hosts[host]?.banner != nil { fail(Breach(.released, "a banner of \(slot) outlives its host")) }
        hosts[host] = nil
        hostLabels[host] = nil
        hostBySlot[slot] = nil
    }

    /// Without a host there is nobody to touch anything: refused as the banner is not shown.
    private mutating func begin(_ slot: String, _ label: String, leaves: Bool) {
        guard let host = hostBySlot[slot] else {
            answers[label] = .refused(BeginRefusal.notShown.word)
            return
        }
        let begin = BeginID(nextID())
        answers[label] = .awaited
        labels[begin] = (label, host)
        handle(
            .beginAction(
                begin: begin, host: host, banner: hosts[host]?.banner ?? BannerID(0),
                leavesApplication: leaves, pathUsable: model.raw?.reachable ?? false))
    }

    /// An action that was not allowed has no end that the host could tell.
    private mutating func finish(_ label: String) {
        guard case .allowed(let action?) = answers[label],
            let host = labels.first(where: { $0.value.label == label && hosts[$0.value.host] != nil })
        else { return }
        handle(.finishAction(host: host.value.host, action: action))
    }

    private mutating func register(
        _ name: String, _ kind: WorkKind, _ manner: WorkManner
    ) throws(StepFailure) {
        if let known = works[name], known.id != nil {
            guard known.kind == kind else {
                throw StepFailure(
                    expected: "work \(name) of kind \(kind.rawValue)", found: known.kind.rawValue)
            }
            works[name]?.manner = manner
            if manner == .vetoes { works[name]?.isObedient = false }
            return
        }
        let id = WorkID(nextID())
        works[name] = Work(id: id, kind: kind, manner: manner, isObedient: manner != .vetoes)
        workNames[id] = name
        handle(.register(work: id, name: name, kind: kind, mayVeto: true))
    }

    /// The daemon is killed, which closes every connection, and starts again: it resumes what the record of
    /// paused work names, and goes on with back-off and counters.
    private mutating func crash() {
        let memories = coordinator.memories
        agenda.clear()
        hosts.removeAll()
        hostBySlot.removeAll()
        hostLabels.removeAll()
        for label in answers.keys where answers[label] == .awaited {
            answers[label] = .refused(BeginRefusal.shutdown.word)
        }
        labels.removeAll()
        for name in works.keys { works[name]?.leave() }
        invariants.restart()
        coordinator = Coordinator(
            settings: configuration.coordinator, reachable: false, at: now, remembering: memories)
        if keepsReports { reports.append(Report("restart", at: now)) }
        start()
    }
}

extension Scenario.Step {
    /// Whether the next step belongs to the same burst of the kernel's messages.
    fileprivate func isFollowedInBurst(by next: Scenario.Step?) -> Bool {
        guard let next, next.at == at else { return false }
        switch next.action {
        case .network, .overrun: return true
        default: return false
        }
    }
}

extension ScenarioRun.Work {
    /// The registration ends: what stood still goes on.
    mutating func leave() {
        id = nil
        pauseToken = nil
        isStopped = false
    }
}

extension TestSource {
    fileprivate mutating func take(_ change: SourceChange) {
        behaviour = change.behaviour
        delay = change.delay ?? delay
        expires = change.expires ?? expires
        size = change.size ?? size
    }
}
