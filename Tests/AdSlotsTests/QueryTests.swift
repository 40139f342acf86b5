import AdSlots
import Reachability
import Testing

@Suite("What queries show")
struct QueryTests {
    @Test("A slot's change is reported once per event, at its end, and only where something changed")
    func changes() {
        let rig = Rig(CoordinatorSettings(slots: ["b", "a", "idle"].map { SlotSettings(name: $0) }))
        rig.attach("a")
        rig.attach("b")
        rig.run(for: .seconds(2))
        let effects = rig.perform(.reachability(reachable: false))
        #expect(effects.suffix(2) == [.slotChanged("b"), .slotChanged("a")])
        #expect(effects.filter { if case .slotChanged = $0 { true } else { false } }.count == 2)
        rig.gain()
    }

    @Test("Work's change is reported once per event")
    func workChanges() {
        let rig = Rig()
        let work = rig.register("game", .keepsSilent)
        #expect(rig.log.last?.effect == .workChanged(work))
        let host = rig.showAd()
        rig.begin(host)
        #expect(rig.log.last?.effect == .workChanged(work))
        #expect(rig.perform(.acknowledged(work: work, token: 1)).last == .workChanged(work))
        #expect(rig.perform(.workGone(work: work)).last == .workChanged(work))
    }

    @Test("A slot shows its host, viewport, banner and counters")
    func snapshot() {
        let rig = Rig()
        let host = rig.attach(name: "kiosk")
        rig.run(for: .seconds(2))
        let slot = rig.slot
        #expect((slot.host, slot.viewport, slot.visible) == ("kiosk", .phone, true))
        #expect(slot.banner == BannerID(1))
        #expect((slot.requests, slot.fills, slot.impressions, slot.actions) == (1, 1, 1, 0))
        #expect(rig.coordinator.slot(of: host) == slot)
        #expect(rig.coordinator.slot(named: "none") == nil)
        rig.detach(host)
        #expect((rig.slot.host, rig.slot.viewport, rig.slot.visible) == (nil, nil, false))
    }

    @Test("Explain tells the decisions in order and ends with what is waited for")
    func explain() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach(name: "kiosk")
        rig.run(for: .seconds(1))
        let steps = try #require(rig.coordinator.explain(slot: "banner"))
        #expect(
            steps.map(\.text) == [
                "Host kiosk attached with a viewport of 400x800, visible.",
                "Banner 1 was created off screen.",
                "Source test was asked for 320x50.",
                "Source test failed: noFill.",
                "The attempt failed (1 in a row since the last fill); the next one waits.",
                "Banner 1 was hidden (noFill).",
                "Waits for the next attempt; nothing sooner changes this.",
            ])
        #expect(steps.map(\.at) == steps.map(\.at).sorted())
        #expect(steps.last?.until == rig.slot.nextAttempt)
        #expect(rig.coordinator.explain(slot: "none") == nil)
    }

    @Test("Explain forgets the oldest decisions and keeps to its bound")
    func bound() throws {
        let rig = Rig()
        let host = rig.showAd()
        for _ in 0..<100 {
            rig.update(host, visible: false)
            rig.update(host, visible: true)
        }
        let steps = try #require(rig.coordinator.explain(slot: "banner"))
        #expect(steps.count == Limits.explainStepsMax + 1)
        #expect(steps.dropLast().last?.text == "Banner 1 shows an ad of source test (visible).")
    }

    @Test("The outlook names what would change it")
    func outlooks() {
        func outlook(_ rig: Rig) -> String? { rig.coordinator.explain(slot: "banner")?.last?.text }
        let rig = Rig(reachable: false)
        #expect(outlook(rig) == "Waits for a host; attaching changes this.")
        let host = rig.attach()
        #expect(outlook(rig) == "Waits for the network; a posted gain changes this.")
        rig.gain()
        #expect(outlook(rig)?.contains("answer of a source") == true)
        rig.run(for: .seconds(1))
        #expect(outlook(rig)?.contains("until the next attempt") == true)
        rig.begin(host)
        #expect(outlook(rig)?.contains("until the action ends") == true)
        rig.run(for: .seconds(300))
        rig.update(host, visible: false)
        #expect(outlook(rig) == "Waits for the host to say visible.")
    }
}
