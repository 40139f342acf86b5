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
                "The attempt failed, 1 failure in a row since the last fill; the next one waits.",
                "Banner 1 was hidden (noFill).",
                "Nothing is on screen: the last attempt failed (noFill).",
                "The next attempt waits for the back-off after 1 failure in a row.",
                "The next attempt changes this; nothing sooner does.",
            ])
        #expect(steps.map(\.at) == steps.map(\.at).sorted())
        #expect(steps.dropLast().last?.until == rig.slot.nextAttempt)
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
        #expect(steps.count == Limits.explainStepsMax + 3)
        #expect(steps.dropLast(3).last?.text == "Banner 1 shows an ad of source test (visible).")
    }

    /// How a slot stands, in the three sentences that Explain ends with, and the moments that they speak of.
    private func outlook(_ rig: Rig) -> [String] {
        (rig.coordinator.explain(slot: "banner") ?? []).suffix(3).map { step in
            step.text + (step.until.map { " [\(($0 - rig.now).components.seconds) s]" } ?? "")
        }
    }

    @Test("The end names how things stand, the next attempt with its reason, and what would change it")
    func outlooks() {
        let rig = Rig(reachable: false)
        #expect(outlook(rig) == ["No host has the slot.", "A host that attaches changes this."])
        let host = rig.attach()
        #expect(
            outlook(rig).suffix(2) == [
                "Nothing is on screen: the network is lost.", "A posted gain of the network changes this.",
            ])
        rig.gain()
        #expect(
            outlook(rig).suffix(2) == [
                "Nothing is on screen, and source test is being asked.",
                "An answer changes this, or the end of the source's time. [10 s]",
            ])
        rig.run(for: .seconds(1))
        #expect(
            outlook(rig) == [
                "Shows ad test-1 of source test.", "The next attempt comes after RefreshInterval=. [179 s]",
                "A new ad changes this, a loss of the network, the host that says not visible or leaves, "
                    + "a person who touches it.",
            ])
        rig.begin(host)
        #expect(
            outlook(rig).suffix(2) == [
                "An action covers the screen; nothing changes under it.",
                "The host that ends the action changes this, or the end of ActionTimeout=. [300 s]",
            ])
        rig.run(for: .seconds(300))
        rig.update(host, visible: false)
        #expect(
            outlook(rig) == [
                "Nothing is on screen: the host says not visible.",
                "Of the time to the next ad 0 seconds are left, and stand still meanwhile.",
                "The host that says visible changes this.",
            ])
        rig.perform(.setEnablement(slot: "banner", .disabled(until: rig.now + .seconds(60))))
        rig.update(host, visible: true)
        #expect(
            outlook(rig) == [
                "The operator has disabled the slot.",
                "The next attempt comes when the operator's time is over. [60 s]",
                "Enabling the slot changes this, and the end of its time. [60 s]",
            ])
        rig.perform(.setEnablement(slot: "banner", .disabled(until: nil)))
        #expect(
            outlook(rig).suffix(2) == [
                "The operator has disabled the slot.", "Only enabling the slot changes this.",
            ])
    }

    @Test("The expiry of the ad on screen is named with its time, and the minimum interval as a reason")
    func reasons() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(90))
        let host = rig.showAd()
        #expect(outlook(rig).last?.hasSuffix("or its expiry. [90 s]") == true)
        rig.perform(.setEnablement(slot: "banner", .disabled(until: nil)))
        rig.perform(.setEnablement(slot: "banner", .enabled))
        #expect(
            outlook(rig) == [
                "Nothing is on screen: the last request was a moment ago.",
                "The next attempt waits for MinimumInterval= since the last request. [4 s]",
                "The next attempt changes this; nothing sooner does.",
            ])
        rig.update(host, viewport: Size(width: 10, height: 10))
        #expect(
            outlook(rig).suffix(2) == [
                "Nothing is on screen: no allowed size fits the viewport.",
                "Another viewport changes this, or Sizes= in the configuration.",
            ])
    }
}
