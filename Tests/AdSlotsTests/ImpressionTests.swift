import AdSlots
import Reachability
import Simulation
import Testing

@Suite("Impressions")
struct ImpressionTests {
    @Test("An ad counts after one continuous second in view, not before")
    func oneSecond() {
        let rig = Rig()
        _ = rig.showAd()
        rig.run(for: .microseconds(999_999))
        #expect(rig.slot.impressions == 0)
        rig.run(for: .microseconds(1))
        #expect(rig.slot.impressions == 1)
        let impression = rig.impressions.first
        #expect(impression?.start == .zero + .milliseconds(50))
        #expect(impression?.visible == .seconds(1))
    }

    @Test("A hide breaks the second off, and it begins anew")
    func brokenOff() {
        let rig = Rig()
        let host = rig.showAd()
        for _ in 0..<5 {
            rig.run(for: .milliseconds(900))
            rig.update(host, visible: false)
            rig.update(host, visible: true)
        }
        #expect(rig.slot.impressions == 0)
        rig.run(for: .seconds(1))
        #expect(rig.slot.impressions == 1)
    }

    @Test("Showing an ad again after a hide is no second impression; a new ad is")
    func oncePerCreative() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(2))
        rig.update(host, visible: false)
        rig.update(host, visible: true)
        rig.run(for: .seconds(100))
        #expect(rig.slot.impressions == 1)
        rig.run(for: .seconds(100))
        #expect(rig.slot.impressions == 2)
    }

    @Test("MinimumView is the slot's own", arguments: [0, 1, 5])
    func minimumView(seconds: Int64) {
        let rig = Rig { $0.minimumView = .seconds(seconds) }
        _ = rig.showAd()
        rig.run(for: .seconds(seconds))
        #expect(rig.slot.impressions == 1)
    }

    @Test("An ad that expires within its first second does not count")
    func expired() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .milliseconds(900))
        _ = rig.showAd()
        rig.run(for: .seconds(3))
        #expect(rig.slot.impressions == 0)
    }

    @Test("Nor when the timer that would have hidden it comes late")
    func expiredLongAgo() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .milliseconds(900))
        _ = rig.showAd()
        var coordinator = rig.coordinator
        var random = SeededGenerator(seed: 1)
        _ = coordinator.handle(.timer, at: rig.now + .seconds(60), using: &random)
        #expect(coordinator.slots[0].impressions == 0)
    }

    @Test("Time under an action does not count: the second begins anew when the action ends")
    func underAction() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .milliseconds(900))
        let begin = rig.begin(host)
        rig.run(for: .seconds(10))
        rig.finish(host, begin)
        rig.run(for: .milliseconds(999))
        #expect(rig.slot.impressions == 0)
        rig.run(for: .milliseconds(1))
        #expect(rig.slot.impressions == 1)
    }

    @Test("A timer that comes late counts the time that was in view")
    func lateTimer() {
        let rig = Rig()
        let host = rig.showAd()
        var coordinator = rig.coordinator
        var random = SeededGenerator(seed: 1)
        let hide = Event.update(host: host, viewport: nil, visible: false)
        let effects = coordinator.handle(hide, at: rig.now + .seconds(3), using: &random)
        #expect(coordinator.slots[0].impressions == 1)
        guard case .impression = effects.first else {
            Issue.record("what was due comes first: \(effects)")
            return
        }
    }
}

extension Rig {
    /// All impressions.
    var impressions: [Impression] {
        log.compactMap { entry in
            guard case .impression(let impression) = entry.effect else { return nil }
            return impression
        }
    }
}
