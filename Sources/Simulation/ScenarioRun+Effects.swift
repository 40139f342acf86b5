internal import AdSlots
internal import Reachability

extension ScenarioRun {
    /// Gives the coordinator an event, does what it says, and judges what came of it.
    mutating func handle(_ event: Event) {
        guard outcome.breach == nil else { return }
        outcome.events += 1
        let effects = coordinator.handle(event, at: now, using: &generator)
        for effect in effects {
            if keepsReports { reports.append(Report(effect, at: now, names: names)) }
            react(to: effect)
            fail(invariants.observe(effect, at: now, hosts: hosts))
        }
        let stopped = works.filter(\.value.isStopped).map(\.key).sorted()
        let obedient = Set(works.filter(\.value.isObedient).map(\.key))
        fail(
            invariants.check(
                at: now, hosts: hosts, coordinator: coordinator,
                reachable: model.current?.reachable ?? false, stopped: stopped,
                obedient: obedient))
    }

    /// What the agenda brings. Work that acknowledges stands still from then on, if it has not been told to
    /// go on meanwhile.
    mutating func arrive(_ event: Event) {
        if case .acknowledged(let work, let token) = event, let name = workNames[work],
            works[name]?.pauseToken == token
        {
            works[name]?.isStopped = true
        }
        handle(event)
    }

    private var names: ReportNames {
        let (hosts, works, labels) = (hosts, workNames, labels)
        return ReportNames(
            slot: { hosts[$0]?.slot ?? "" }, work: { works[$0] ?? "" }, begin: { labels[$0]?.label ?? "" })
    }

    /// What the shell and the world do about an effect.
    private mutating func react(to effect: Effect) {
        switch effect {
        case .attached(let host):
            if let slot = hosts[host]?.slot { hostBySlot[slot] = host }
            if let label = hostLabels[host] { answers[label] = .allowed(nil) }
        case .attachRefused(let host, let refusal):
            if let label = hostLabels[host] { answers[label] = .refused(refusal.word) }
            drop(host)
        case .hostDropped(let host, _): drop(host)
        case .command(let host, let command):
            fail(hosts[host]?.obey(command, at: now, hasLeft: command.reason == .detached))
        case .request(let request):
            guard let answer = sources[request.source.name]?.answer(to: request, at: now) else { return }
            agenda.add(.sourceAnswered(request: request.id, answer.result), at: now + answer.after)
        case .beginAnswered(let begin, let answer): note(answer, to: begin)
        case .actionEnded(_, let slot, _):
            if let host = hostBySlot[slot] { hosts[host]?.uncover(at: now) }
        case .instruct(let work, let instruction): obey(instruction, work)
        case .updateRefused, .cancel, .filled, .dropped, .sourceFailed, .impression, .leftScreen,
            .actionStarted, .finishRefused, .registered, .registerRefused, .pauseUnanswered, .tokenRefused,
            .enablementRefused, .slotChanged,
            .workChanged:
            break
        }
    }

    private mutating func drop(_ host: HostID) {
        guard let gone = hosts.removeValue(forKey: host) else { return }
        if gone.banner != nil { fail(Breach(.released, "a dropped host of \(gone.slot) keeps a banner")) }
        if hostBySlot[gone.slot] == host { hostBySlot[gone.slot] = nil }
    }

    private mutating func note(_ answer: BeginAnswer, to begin: BeginID) {
        guard let label = labels[begin]?.label else { return }
        switch answer {
        case .allowed(let action): answers[label] = .allowed(action)
        case .refused(let refusal):
            answers[label] = .refused(refusal.word)
            labels[begin] = nil
        }
    }

    private mutating func obey(_ instruction: Instruction, _ work: WorkID) {
        guard let name = workNames[work], let manner = works[name]?.manner else { return }
        guard instruction.kind == .pause else {
            works[name]?.pauseToken = nil
            works[name]?.isStopped = false
            return
        }
        works[name]?.pauseToken = instruction.token
        switch manner {
        case .acknowledges(let delay):
            agenda.add(.acknowledged(work: work, token: instruction.token), at: now + delay)
        case .vetoes:
            agenda.add(.vetoed(work: work, token: instruction.token, reason: "busy"), at: now)
        case .keepsSilent: break
        }
    }
}
