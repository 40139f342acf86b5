import AdSlots
import Reachability
import Testing

@Suite("How long an ad was in view is told when it leaves the screen")
struct ScreenTimeTests {
    /// The times in view told so far, in milliseconds, and whether each ad had counted.
    private func told(_ rig: Rig) -> [ScreenTime] {
        rig.log.compactMap { entry in
            guard case .leftScreen(let time) = entry.effect else { return nil }
            return time
        }
    }

    @Test("A hide tells it, and a view after it adds to it")
    func hides() {
        let rig = Rig()
        let host = rig.showAd()
        for seconds in [3, 4] as [Int64] {
            rig.run(for: .seconds(seconds))
            rig.update(host, visible: false)
            rig.run(for: .seconds(60))
            rig.update(host, visible: true)
        }
        #expect(told(rig).map(\.visible) == [.seconds(3), .seconds(7)])
        #expect(told(rig).allSatisfy { $0.isCounted && $0.slot == "banner" })
        #expect(Set(told(rig).map(\.creative.request)).count == 1)
    }

    @Test("A refresh tells it of the old ad, and the new one begins at nothing")
    func refresh() {
        let rig = Rig { $0.refreshInterval = .seconds(30) }
        let host = rig.showAd()
        rig.run(for: .seconds(35))
        rig.detach(host)
        let times = told(rig)
        #expect(times.count == 2)
        #expect(times.first?.visible == .seconds(30) + .milliseconds(50))
        #expect(times.first?.creative.request != times.last?.creative.request)
        #expect(times.last?.visible == .seconds(35) - .seconds(30) - .milliseconds(50))
    }

    @Test("Less than the minimum is told too, and that it does not count")
    func short() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .milliseconds(400))
        rig.detach(host)
        #expect(told(rig).map(\.visible) == [.milliseconds(400)])
        #expect(told(rig).first?.isCounted == false)
    }

    @Test(
        "The loss of the network, a stop and the slot's end tell it", arguments: ["loss", "stop", "reload"])
    func ends(kind: String) {
        let rig = Rig()
        _ = rig.showAd()
        rig.run(for: .seconds(5))
        switch kind {
        case "loss": rig.lose()
        case "stop": rig.perform(.shutdown)
        default: rig.reconfigure(CoordinatorSettings(slots: []))
        }
        #expect(told(rig).map(\.visible) == [.seconds(5)])
    }

    @Test("The time under an action is no time in view")
    func action() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(2))
        let begin = rig.begin(host)
        rig.run(for: .seconds(100))
        rig.finish(host, begin)
        rig.run(for: .seconds(3))
        rig.update(host, visible: false)
        #expect(told(rig).map(\.visible) == [.seconds(5)])
    }

    @Test("Nor is that in which the host is not visible while work is being paused")
    func pausing() {
        var settings = CoordinatorSettings()
        settings.pauseTimeout = .seconds(8)
        let rig = Rig(settings)
        rig.register("game", .keepsSilent)
        let host = rig.showAd()
        rig.run(for: .seconds(2))
        _ = rig.begin(host)
        rig.run(for: .seconds(1))
        rig.update(host, visible: false)
        rig.run(for: .seconds(4))
        rig.update(host, visible: true)
        rig.run(for: .seconds(1))
        rig.detach(host)
        #expect(told(rig).map(\.visible) == [.seconds(4)])
    }

    @Test("An ad that has expired is not seen, however late the timer")
    func expired() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(10))
        _ = rig.showAd()
        var coordinator = rig.coordinator
        var random = SystemRandomNumberGenerator()
        let effects = coordinator.handle(.timer, at: rig.now + .seconds(60), using: &random)
        let times = effects.compactMap { effect -> Duration? in
            if case .leftScreen(let time) = effect { time.visible } else { nil }
        }
        #expect(times.count == 1 && times[0] <= .seconds(10) && times[0] > .seconds(9))
    }
}
