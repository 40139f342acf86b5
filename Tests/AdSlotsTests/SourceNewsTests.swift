import Reachability
import Testing

@testable import AdSlots

/// What sources say unasked: that they may have something again, and that an ad has another end.
@Suite("News from sources")
struct SourceNewsTests {
    @Test("A source that may have something again ends the wait, but not the minimum interval")
    func wait() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(1))
        let due = try #require(rig.slot.nextAttempt)
        #expect(due > rig.now + .seconds(20))
        rig.sources["test"] = TestSource()
        rig.endWait(of: ["banner", "none"])
        #expect(rig.slot.nextAttempt == .zero + .seconds(5))
        #expect(rig.slot.reason == .noFill)
        rig.run(for: .seconds(5))
        #expect(rig.slot.state == .shown && rig.requests.count == 2)
        let texts = try #require(rig.coordinator.explain(slot: "banner")).map(\.text)
        #expect(texts.contains("A source may have an ad again; the wait after 1 failure in a row is over."))
    }

    @Test("The next failure brings a longer wait all the same")
    func nextFailure() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(6))
        rig.endWait(of: ["banner"])
        rig.run(for: .seconds(1))
        #expect(rig.requests.count == 2)
        #expect(try #require(rig.slot.nextAttempt) - rig.now > .seconds(40))
    }

    @Test("A slot that does not wait for a retry goes on as it was")
    func nothingToEnd() {
        let rig = Rig()
        _ = rig.showAd()
        let before = rig.slot
        #expect(rig.perform(.sourceChanged(slots: ["banner"])).isEmpty)
        #expect(rig.slot == before)
        let empty = Rig()
        #expect(empty.perform(.sourceChanged(slots: ["banner"])).isEmpty)
    }

    private func expire(_ rig: Rig, at moment: Instant?) -> [Effect] {
        let request = rig.slot.creative?.request ?? RequestID(0)
        return rig.perform(.expiryChanged([Expiry(slot: "banner", request: request, expires: moment)]))
    }

    @Test("An ad on screen that must not be seen any more leaves it, and the next one is asked for")
    func onScreen() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(10))
        let effects = expire(rig, at: .zero)
        #expect(rig.kinds(host) == [.create, .show, .hide])
        #expect(rig.commands(host).last?.reason == .expired)
        let time = effects.compactMap { effect in
            if case .leftScreen(let time) = effect { time } else { nil }
        }
        #expect(time.map(\.visible) == [.seconds(10)], "what was seen was rightly seen")
        rig.run(for: .seconds(1))
        #expect(rig.slot.state == .shown && rig.requests.count == 2)
    }

    @Test("An end that comes nearer or goes away is kept")
    func otherEnd() {
        let rig = Rig()
        _ = rig.showAd()
        _ = expire(rig, at: rig.now + .seconds(100))
        #expect(rig.slot.creative?.expires == rig.now + .seconds(100))
        _ = expire(rig, at: nil)
        rig.run(for: .seconds(120))
        #expect(rig.slot.state == .shown && rig.requests.count == 1)
    }

    @Test("An ad that is covered does not come back")
    func covered() {
        let rig = Rig()
        let host = rig.showAd()
        let request = rig.slot.creative?.request ?? RequestID(0)
        rig.update(host, visible: false)
        rig.perform(.expiryChanged([Expiry(slot: "banner", request: request, expires: nil)]))
        rig.perform(.expiryChanged([Expiry(slot: "banner", request: request, expires: .zero)]))
        rig.update(host, visible: true)
        #expect(rig.kinds(host) == [.create, .show, .hide])
    }

    @Test("Under an action the screen stands still, and the ad goes when it ends")
    func held() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        _ = expire(rig, at: .zero)
        #expect(rig.kinds(host) == [.create, .show])
        rig.finish(host, begin)
        #expect(rig.kinds(host) == [.create, .show, .hide])
    }

    @Test("An action that is still being begun is refused")
    func pausing() {
        let rig = Rig()
        rig.register("game", .keepsSilent)
        let host = rig.showAd()
        let begin = rig.begin(host)
        _ = expire(rig, at: .zero)
        #expect(rig.answers[begin] == .refused(.expired))
    }

    @Test("An ad that waits for the end of an action is dropped, and that is said")
    func arrived() throws {
        let rig = Rig { $0.requestTimeout = .seconds(60) }
        rig.sources["test"] = TestSource()
        let host = rig.showAd()
        // The answer to the refresh comes under an action.
        rig.run(for: .milliseconds(179_960))
        rig.sources["test"]?.delay = .seconds(5)
        rig.run(for: .milliseconds(100))
        let begin = rig.begin(host)
        rig.run(for: .seconds(10))
        let filled = rig.log.compactMap { entry -> Creative? in
            if case .filled(_, let creative) = entry.effect { creative } else { nil }
        }
        let waiting = try #require(filled.last)
        #expect(filled.count == 2 && rig.slot.state == .acting)
        rig.perform(
            .expiryChanged([Expiry(slot: "banner", request: try #require(waiting.request), expires: .zero)]))
        rig.finish(host, begin)
        #expect(dropped(rig) == [waiting.id])
        #expect(rig.slot.creative?.id == filled.first?.id, "the one on screen stays")
    }

    @Test("An ad that came under an action and is not wanted at its end is dropped, and that is said")
    func unwanted() {
        let rig = Rig { $0.requestTimeout = .seconds(60) }
        rig.sources["test"] = TestSource()
        let host = rig.showAd()
        rig.run(for: .milliseconds(179_960))
        rig.sources["test"]?.delay = .seconds(5)
        rig.run(for: .milliseconds(100))
        rig.begin(host)
        rig.run(for: .seconds(10))
        rig.detach(host)
        #expect(dropped(rig).count == 1)
    }

    @Test("Ads and slots that are not there any more change nothing")
    func unknown() {
        let rig = Rig()
        _ = rig.showAd()
        let news = [
            Expiry(slot: "banner", request: RequestID(99), expires: .zero),
            Expiry(slot: "none", request: RequestID(1), expires: .zero),
        ]
        #expect(rig.perform(.expiryChanged(news)).isEmpty)
    }

    private func dropped(_ rig: Rig) -> [String] {
        rig.log.compactMap { entry in
            if case .dropped(_, let creative) = entry.effect { creative.id } else { nil }
        }
    }
}
