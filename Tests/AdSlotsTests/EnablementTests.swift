import AdSlots
import Reachability
import Testing

@Suite("The operator's switch")
struct EnablementTests {
    private func disable(_ rig: Rig, for duration: Duration? = nil) {
        rig.perform(.setEnablement(slot: "banner", .disabled(until: duration.map { rig.now + $0 })))
    }

    private func enable(_ rig: Rig) {
        rig.perform(.setEnablement(slot: "banner", .enabled))
    }

    /// What a slot can be in the middle of, and what its host is told when it is disabled then.
    enum Moment: CaseIterable {
        case shown, loading, refreshing, covered, backedOff, unreachable, noHost

        var commands: [Command.Kind] {
            switch self {
            case .shown, .loading, .refreshing: [.hide, .release]
            case .covered, .backedOff: [.release]
            case .unreachable, .noHost: []
            }
        }

        func prepare(_ rig: Rig) {
            switch self {
            case .shown: _ = rig.showAd()
            case .loading: rig.attach()
            case .refreshing:
                _ = rig.showAd()
                rig.run(for: .seconds(180))
            case .covered: rig.update(rig.showAd(), visible: false)
            case .backedOff:
                rig.sources["test"] = .answering(.noFill)
                rig.attach()
                rig.run(for: .seconds(1))
            case .unreachable:
                rig.lose()
                rig.attach()
            case .noHost: break
            }
        }
    }

    @Test("Whatever a slot is doing, disabling hides, releases and asks nothing", arguments: Moment.allCases)
    func disabling(moment: Moment) {
        let rig = Rig()
        moment.prepare(rig)
        let (told, asked) = (rig.log.count, rig.requests.count)
        disable(rig)
        let commands = rig.log[told...].compactMap { entry -> Command? in
            guard case .command(_, let command) = entry.effect else { return nil }
            return command
        }
        #expect(commands.map(\.kind) == moment.commands)
        #expect(commands.allSatisfy { $0.reason == .disabled })
        #expect(rig.slot.reason == .disabled)
        #expect(rig.slot.banner == nil && rig.slot.nextAttempt == nil)
        switch moment {
        case .noHost: #expect(rig.slot.state == .detached)
        case .unreachable: #expect(rig.slot.state == .waiting)
        case .shown, .loading, .refreshing, .covered, .backedOff: #expect(rig.slot.state == .hidden)
        }
        rig.run(for: .seconds(86_400))
        rig.gain()
        rig.run(for: .seconds(86_400))
        #expect(rig.requests.count == asked)
        #expect(
            rig.coordinator.explain(slot: "banner")?.last?.text.contains("enabling the slot") == true)
    }

    @Test("Enabling asks again, after the minimum interval and the back-off")
    func enabling() {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(1))
        let due = rig.slot.nextAttempt
        disable(rig)
        enable(rig)
        #expect(rig.slot.nextAttempt == due)
        rig.sources["test"] = TestSource()
        rig.run(for: .seconds(60))
        #expect(rig.slot.state == .shown)
        disable(rig)
        enable(rig)
        #expect(rig.slot.state == .loading, "the last request was long ago")
        disable(rig)
        enable(rig)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(5), "and now it was not")
        rig.run(for: .seconds(6))
        #expect(rig.slot.state == .shown)
    }

    @Test(
        "With a time it is over by itself, at that moment, with a host or without", arguments: [true, false])
    func time(hosted: Bool) {
        let rig = Rig()
        if hosted { _ = rig.showAd() }
        disable(rig, for: .seconds(600))
        #expect(rig.slot.enablement.until == rig.now + .seconds(600))
        rig.run(for: .seconds(599))
        #expect(rig.slot.reason == .disabled)
        #expect(rig.slot.nextAttempt == (hosted ? rig.now + .seconds(1) : nil))
        let told = rig.log.count
        rig.run(for: .seconds(1))
        #expect(rig.slot.reason != .disabled)
        #expect(rig.log[told...].contains { $0.effect == .slotChanged("banner") })
        rig.run(for: .seconds(1))
        #expect(rig.slot.state == (hosted ? .shown : .detached))
    }

    @Test("The operator may change the time, shorten and lengthen it")
    func again() {
        let rig = Rig()
        disable(rig, for: .seconds(600))
        disable(rig)
        rig.run(for: .seconds(1_000))
        #expect(rig.slot.enablement == .disabled(until: nil))
        disable(rig, for: .seconds(10))
        rig.run(for: .seconds(10))
        #expect(rig.slot.enablement == .enabled)
    }

    @Test("A moment that is past enables at once, and one beyond the bound comes down to it")
    func bounds() {
        let rig = Rig()
        disable(rig, for: .zero)
        #expect(rig.slot.enablement == .enabled)
        disable(rig, for: .seconds(400 * 86_400))
        #expect(rig.slot.enablement.until == rig.now + Limits.disableDurationMax)
    }

    @Test("An action that runs is over: work goes on, and only then the screen changes")
    func runningAction() {
        let rig = Rig()
        let work = rig.register("game")
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .milliseconds(10))
        #expect(rig.isAllowed(begin))
        let told = rig.log.count
        disable(rig)
        let effects = rig.log[told...].map(\.effect)
        let resumed = effects.firstIndex { effect in
            if case .instruct(work, let instruction) = effect { instruction.kind == .resume } else { false }
        }
        let hidden = effects.firstIndex { effect in
            if case .command(host, let command) = effect { command.kind == .hide } else { false }
        }
        #expect(resumed != nil && hidden != nil && (resumed ?? 0) < (hidden ?? 0))
        #expect(effects.contains { $0 == .actionEnded(ActionID(1), slot: "banner", .disabled) })
        #expect(rig.work(work) == .running)
        #expect(
            rig.perform(.finishAction(host: host, action: ActionID(1)))
                == [.finishRefused(host, ActionID(1))])
    }

    @Test("An action that waits for work is refused, and one that comes later too")
    func pausingAction() {
        let rig = Rig()
        let work = rig.register("game", .acknowledges(after: .milliseconds(400)))
        let host = rig.showAd()
        let begin = rig.begin(host)
        disable(rig)
        #expect(rig.answers[begin] == .refused(.disabled))
        rig.run(for: .seconds(1))
        #expect(rig.work(work) == .running)
        let later = rig.begin(host)
        #expect(rig.answers[later] == .refused(.disabled))
    }

    @Test("A host may attach meanwhile, and is told nothing")
    func attaching() {
        let rig = Rig()
        disable(rig)
        let host = rig.attach()
        rig.run(for: .seconds(100))
        #expect(rig.slot.state == .hidden && rig.slot.host == nil)
        #expect(rig.commands(host).isEmpty)
        enable(rig)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show])
    }

    @Test("It stays over a reload, and over one that takes the slot away and brings it back")
    func reload() {
        let rig = Rig()
        disable(rig)
        rig.reconfigure(CoordinatorSettings(slots: [SlotSettings(name: "banner"), SlotSettings(name: "x")]))
        #expect(rig.slot.reason == .disabled)
        rig.reconfigure(CoordinatorSettings(slots: [SlotSettings(name: "x")]))
        rig.reconfigure(CoordinatorSettings())
        #expect(rig.slot.reason == .disabled)
    }

    @Test("It stays over a restart, and its time goes on")
    func restart() {
        let rig = Rig()
        disable(rig, for: .seconds(100))
        let restarted = Rig(remembering: rig.coordinator.memories)
        #expect(restarted.slot.reason == .disabled)
        restarted.attach()
        restarted.run(for: .seconds(99))
        #expect(restarted.requests.isEmpty)
        restarted.run(for: .seconds(2))
        #expect(restarted.slot.state == .shown)
    }

    @Test("A slot that is unknown is refused with the names that there are")
    func unknown() {
        let rig = Rig()
        #expect(
            rig.perform(.setEnablement(slot: "basement", .disabled(until: nil)))
                == [.enablementRefused(slot: "basement", known: ["banner"])])
    }
}

@Suite("The system is short of memory")
struct MemoryPressureTests {
    @Test(
        "A banner of a slot that is not visible is released; a visible one stays", arguments: [true, false])
    func release(visible: Bool) {
        let rig = Rig()
        let host = rig.showAd()
        rig.update(host, visible: visible)
        rig.perform(.memoryPressure)
        if visible {
            #expect(rig.kinds(host) == [.create, .show])
        } else {
            #expect(rig.kinds(host) == [.create, .show, .hide, .release])
            #expect(rig.commands(host).last?.reason == .memoryPressure)
            #expect(
                rig.coordinator.explain(slot: "banner")?.contains { $0.text.contains("memoryPressure") }
                    == true)
        }
        rig.run(for: .seconds(10))
        rig.update(host, visible: true)
        rig.run(for: .seconds(1))
        #expect(rig.slot.state == .shown)
    }

    @Test("A view without an ad goes too")
    func emptyView() {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        let host = rig.attach()
        rig.run(for: .seconds(1))
        rig.perform(.memoryPressure)
        #expect(rig.kinds(host) == [.create, .hide], "visible: it waits for its next attempt")
        rig.update(host, visible: false)
        rig.perform(.memoryPressure)
        #expect(rig.kinds(host) == [.create, .hide, .release])
    }

    @Test("Pressure that lasts says nothing twice")
    func lasting() {
        let rig = Rig()
        rig.update(rig.showAd(), visible: false)
        rig.perform(.memoryPressure)
        #expect(rig.perform(.memoryPressure) == [])
    }

    @Test("Under an action nothing changes, and pressure that is over by its end has no effect")
    func action() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.update(host, visible: false)
        #expect(rig.perform(.memoryPressure) == [])
        rig.finish(host, begin)
        #expect(rig.kinds(host) == [.create, .show, .hide])
    }
}
