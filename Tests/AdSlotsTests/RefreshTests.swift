import AdSlots
import Reachability
import Simulation
import Testing

@Suite("Refresh and expiry")
struct RefreshTests {
    @Test("After RefreshInterval a new ad takes the old one's place in the same banner")
    func refresh() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(180))
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.reason == .refreshing)
        #expect(rig.kinds(host) == [.create, .show], "the old ad stays until the new one has arrived")
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show, .show])
        #expect(Set(rig.commands(host).map(\.banner)).count == 1)
        #expect(rig.commands(host).last?.reason == .refreshed)
        #expect(rig.slot.creative?.id == "test-2")
    }

    @Test("A refresh that fails keeps the ad and retries with back-off")
    func failedRefresh() throws {
        let rig = Rig()
        let host = rig.showAd()
        rig.sources["test"] = .answering(.noFill)
        rig.run(for: .seconds(181))
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.lastError == .noFill)
        let wait = try #require(rig.slot.nextAttempt) - rig.now
        #expect(wait > .seconds(22) && wait < .seconds(36))
        rig.run(for: .seconds(3_600))
        #expect(rig.kinds(host) == [.create, .show], "an ad that never expires stays")
    }

    @Test("When its refreshes fail an ad stays until it expires, then hides")
    func failedUntilExpiry() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(200))
        let host = rig.showAd()
        rig.sources["test"] = .answering(.noFill)
        let expiry = try #require(rig.slot.creative?.expires)
        rig.run(until: expiry + .microseconds(-1))
        #expect(rig.slot.state == .shown)
        rig.run(until: expiry)
        #expect(rig.slot.state == .hidden)
        #expect(rig.commands(host).last?.kind == .hide)
        #expect(rig.commands(host).last?.reason == .expired)
        #expect(rig.slot.nextAttempt != nil)
    }

    @Test("An ad that expires before its refresh is hidden at that moment and a new one asked for")
    func expiry() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(60))
        let host = rig.showAd()
        rig.run(for: .seconds(60))
        #expect(rig.slot.state == .loading)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show, .hide, .show])
    }

    @Test("An ad that expired while it was hidden is not shown again")
    func expiredUnseen() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(60))
        let host = rig.showAd()
        rig.update(host, visible: false)
        rig.run(for: .seconds(60))
        rig.update(host, visible: true)
        #expect(rig.slot.state == .loading)
        rig.run(for: .milliseconds(50))
        #expect(rig.commands(host).last?.creative?.id == "test-2")
    }

    @Test("After hours asleep an expired ad is hidden and one new ad asked for, not one per interval")
    func suspend() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(600))
        _ = rig.showAd()
        var coordinator = rig.coordinator
        var random = SeededGenerator(seed: 1)
        let effects = coordinator.handle(.timer, at: .zero + .seconds(36_000), using: &random)
        let requests = effects.filter { if case .request = $0 { true } else { false } }
        #expect(requests.count == 1)
        #expect(coordinator.slots[0].state == .loading)
    }

    @Test("Another RefreshInterval in the configuration moves the refresh that is due")
    func reconfigured() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(50))
        var settings = rig.settings
        settings.slots[0].refreshInterval = .seconds(60)
        rig.reconfigure(settings)
        rig.run(for: .seconds(11))
        #expect(rig.kinds(host) == [.create, .show, .show])
    }
}
