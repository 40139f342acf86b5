import Reachability
import Testing

@testable import AdSlots

@Suite("Back-off and the minimum interval")
struct RetryTests {
    @Test(
        "The wait doubles from RetryInterval to RetryMax, within ±20 % and never above RetryMax",
        arguments: [(0, 30), (1, 60), (2, 120), (3, 240), (4, 480), (5, 600), (6, 600), (60, 600)])
    func doubling(failuresBefore: Int, seconds: Int64) throws {
        var jitter = JitterSource(seed: UInt64(failuresBefore))
        let settings = SlotSettings(name: "banner")
        var waits: Set<Duration> = []
        for _ in 0..<200 {
            var backoff = Backoff(failures: failuresBefore, notBefore: nil)
            backoff.fail(at: .zero, settings: settings, jitter: &jitter)
            let wait = try #require(backoff.notBefore) - .zero
            #expect(wait >= .seconds(seconds) * 0.8)
            #expect(wait <= min(.seconds(seconds) * 1.2, settings.retryMax))
            waits.insert(wait)
        }
        #expect(waits.count > 50, "jitter spreads slots that failed together")
    }

    @Test("A fill resets the back-off")
    func reset() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(600))
        #expect(rig.requests.count >= 4)
        rig.sources["test"] = .answering(.ok)
        rig.run(for: .seconds(600))
        #expect(rig.slot.state == .shown)
        rig.sources["test"] = .answering(.noFill)
        let before = rig.slot.requests
        while rig.slot.requests == before { rig.run(for: .seconds(1)) }
        rig.run(for: .seconds(1))
        let wait = try #require(rig.slot.nextAttempt) - rig.now
        #expect(wait <= .seconds(36), "the first failure after a fill waits for RetryInterval")
    }

    @Test("Neither a flap nor a new host nor a rotation shortens the back-off")
    func backOffSurvives() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        let first = rig.attach()
        rig.run(for: .seconds(1))
        let due = try #require(rig.slot.nextAttempt)
        rig.lose()
        rig.gain()
        #expect(rig.slot.nextAttempt == due)
        rig.update(first, viewport: .phoneOnItsSide)
        #expect(rig.slot.nextAttempt == due)
        rig.detach(first)
        rig.attach()
        #expect(rig.slot.nextAttempt == due)
        #expect(rig.slot.reason == .noFill)
        rig.run(until: due)
        #expect(rig.requests.map(\.at) == [.zero, due])
    }

    @Test("Without failures a gain, a rotation, a re-attach wait for the minimum and nothing else")
    func minimum() {
        let rig = Rig()
        let host = rig.showAd()
        rig.lose()
        rig.run(for: .seconds(1))
        rig.gain()
        #expect(rig.slot.reason == .minimumInterval)
        rig.run(for: .seconds(10))
        rig.detach(host)
        let again = rig.attach()
        rig.run(for: .seconds(1))
        rig.update(again, viewport: .phoneOnItsSide)
        rig.run(for: .seconds(20))
        let seconds = rig.requests.map { Double($0.at.microseconds) / 1e6 }
        #expect(seconds == [0, 5, 11.05, 16.05])
    }

    @Test("A loss while loading cancels the request and is no failure")
    func lossIsNoFailure() {
        let rig = Rig()
        let host = rig.attach()
        rig.lose()
        #expect(rig.log.contains { $0.effect == .cancel(RequestID(1)) })
        #expect(rig.kinds(host) == [.create, .hide, .release])
        #expect(rig.slot.lastError == nil)
        rig.gain()
        rig.run(for: .seconds(6))
        #expect(rig.requests.map(\.at) == [.zero, .zero + .seconds(5)])
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.fills == 1, "the answer to the cancelled request came, and was nobody's")
    }

    @Test("What a slot remembers over a restart holds its back-off and its counters")
    func memory() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(1))
        let memories = rig.coordinator.memories
        let due = try #require(rig.slot.nextAttempt)
        let restarted = Rig(remembering: memories)
        restarted.attach()
        #expect(restarted.slot.nextAttempt == due)
        #expect(restarted.slot.requests == 1)
        #expect(restarted.slot.lastError == .noFill)
        #expect(restarted.coordinator.memory(slot: "banner") == memories.first)
    }
}
