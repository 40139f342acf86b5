import AdSlots
import Reachability
import Testing

@Suite("Hosts come and go")
struct HostTests {
    @Test("One host per slot; the next one may come when it has left")
    func taken() {
        let rig = Rig()
        let first = rig.attach(name: "kiosk")
        let second = rig.attach()
        let refusal = AttachRefusal.slotTaken(slot: "banner", host: "kiosk")
        #expect(rig.log.last?.effect == .attachRefused(second, refusal))
        rig.detach(first)
        let third = rig.attach()
        #expect(rig.log.contains { $0.effect == .attached(third) })
    }

    @Test("An unknown slot is refused with the names that there are")
    func unknown() {
        let rig = Rig(CoordinatorSettings(slots: [SlotSettings(name: "b"), SlotSettings(name: "a")]))
        let host = rig.attach("c")
        #expect(rig.log.last?.effect == .attachRefused(host, .unknownSlot(slot: "c", known: ["b", "a"])))
    }

    @Test("An absurd viewport is refused and the slot stays free")
    func absurd() {
        let rig = Rig()
        rig.attach("banner", Size(width: 0, height: 0))
        #expect(rig.slot.state == .detached)
        _ = rig.showAd()
    }

    @Test("The lease comes before the first command")
    func order() {
        let rig = Rig()
        let host = rig.attach()
        #expect(rig.log.first?.effect == .attached(host))
        #expect(rig.commands(host).map(\.sequence) == [1])
    }

    @Test("A host that leaves takes its banner along; nothing is asked after that")
    func leaves() {
        let rig = Rig()
        let host = rig.attach()
        rig.detach(host)
        #expect(rig.kinds(host) == [.create, .release])
        #expect(rig.coordinator.deadline == nil)
        rig.run(for: .seconds(3_600))
        #expect(rig.slot.requests == 1)
        #expect(rig.slot.fills == 0)
        #expect(rig.slot.reason == .noHost)
    }

    @Test("A host without a slot is told so")
    func stranger() {
        let rig = Rig()
        let stranger = HostID(99)
        let update = rig.perform(.update(host: stranger, viewport: .phone, visible: nil))
        #expect(update == [.updateRefused(stranger, .notAttached)])
        #expect(rig.perform(.detach(host: stranger)) == [])
    }

    @Test("Several slots live side by side, each with its own host, settings and banner")
    func severalSlots() {
        var top = SlotSettings(name: "top")
        top.placement = .top
        let rig = Rig(CoordinatorSettings(slots: [top, SlotSettings(name: "bottom")]))
        let (upper, lower) = (rig.showAd("top"), rig.showAd("bottom"))
        #expect(rig.commands(upper).last?.bannerFrame.y == 0)
        #expect(rig.commands(lower).last?.bannerFrame.y == 750)
        rig.update(upper, visible: false)
        #expect(rig.coordinator.slots.map(\.state) == [.hidden, .shown])
    }
}

@Suite("A new configuration")
struct ReconfigurationTests {
    private func settings(_ names: String...) -> CoordinatorSettings {
        CoordinatorSettings(slots: names.map { SlotSettings(name: $0) })
    }

    @Test("A slot that is gone drops its host; the others keep theirs, wherever they now stand")
    func removed() {
        let rig = Rig(settings("a", "b"))
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        rig.reconfigure(settings("c", "b"))
        #expect(rig.kinds(first) == [.create, .show, .hide, .release])
        #expect(rig.log.contains { $0.effect == .hostDropped(first, .slotRemoved) })
        #expect(rig.kinds(second) == [.create, .show])
        #expect(rig.coordinator.slots.map(\.name) == ["c", "b"])
        #expect(rig.coordinator.slots.map(\.state) == [.detached, .shown])
        let changed = rig.log.suffix(2).map(\.effect)
        #expect(changed == [.slotChanged("a"), .slotChanged("c")])
        rig.run(for: .seconds(200))
        #expect(rig.slot("b").requests == 2, "its refresh still comes")
    }

    @Test("A slot that is gone ends its action and work resumes")
    func removedWhileActing() {
        let rig = Rig(settings("a", "b"))
        let work = rig.register("game", .acknowledges(after: .milliseconds(10)))
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        rig.begin(first)
        rig.run(for: .seconds(1))
        let waiting = rig.begin(second)
        #expect(rig.isAllowed(waiting))
        rig.reconfigure(settings("a"))
        #expect(rig.work(work) == .paused)
        rig.reconfigure(settings("c"))
        #expect(rig.work(work) == .running)
    }

    @Test("New sources cancel the question under way; new sizes replace the ad; a new placement moves it")
    func changed() {
        let rig = Rig()
        let host = rig.attach()
        var new = settings("banner")
        new.slots[0].sources = [.network("other")]
        rig.reconfigure(new)
        rig.run(for: .seconds(6))
        #expect(rig.requests.map(\.request.source.name) == ["test", "other"])
        #expect(rig.slot.state == .shown)
        rig.run(for: .seconds(6))
        new.slots[0].sizes = [Size(width: 300, height: 50)]
        rig.reconfigure(new)
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.creative?.size.width == 300)
        rig.update(host, visible: false)
        rig.update(host, visible: true)
        #expect(rig.kinds(host) == [.create, .show, .show, .hide, .show])
    }

    @Test("The same configuration again changes nothing and says nothing")
    func same() {
        let rig = Rig()
        _ = rig.showAd()
        #expect(rig.perform(.configure(rig.settings)) == [])
    }

    @Test("A duration out of its bounds is brought inside them")
    func bounds() {
        let rig = Rig {
            $0.refreshInterval = .zero
            $0.requestTimeout = .zero
            $0.retryInterval = .zero
        }
        rig.sources["test"] = .answering(.timeout)
        rig.attach()
        rig.run(for: .seconds(30))
        #expect(rig.requests.count <= 7)
    }
}

@Suite("Shutdown")
struct ShutdownTests {
    @Test("Work resumes before anything else, clicks are answered, hosts let go, and that is the end")
    func everything() throws {
        let settings = CoordinatorSettings(slots: ["a", "b", "c"].map { SlotSettings(name: $0) })
        let rig = Rig(settings)
        let work = rig.register("game", .keepsSilent)
        rig.attach("a")
        let (first, second) = (rig.showAd("b"), rig.showAd("c"))
        rig.begin(first)
        rig.run(for: .seconds(1))
        rig.register("late", .keepsSilent)
        let pausing = rig.begin(second)
        let effects = rig.perform(.shutdown)
        let lastInstruction = effects.lastIndex { if case .instruct = $0 { true } else { false } }
        let drop = effects.firstIndex { if case .hostDropped(HostID(2), _) = $0 { true } else { false } }
        #expect(try #require(lastInstruction) < #require(drop), "the slot without an action comes last")
        #expect(rig.answers[pausing] == .refused(.shutdown))
        #expect(rig.work(work) == .running)
        #expect(rig.coordinator.work.allSatisfy { $0.state == .running })
        #expect(rig.hosts.isEmpty)
        #expect(rig.coordinator.slots.allSatisfy { $0.state == .detached })
        #expect(rig.coordinator.deadline == nil)
        let after = Event.attach(slot: "a", host: HostID(99), name: nil, viewport: .phone, visible: true)
        #expect(rig.perform(after) == [])
    }
}
