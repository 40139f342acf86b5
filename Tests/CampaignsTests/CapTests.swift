import Simulation
import Testing

@testable import Campaigns

@Suite("Frequency caps")
struct CapTests {
    private func capped(_ count: Int, _ seconds: Int64, _ scope: CapScope = .device) -> Campaign {
        Campaign.sample(1).with {
            $0.caps = [FrequencyCap(count: count, windowSeconds: seconds, scope: scope)]
        }
    }

    @Test("A cap of 20 lets exactly 20 through (brave#4207)")
    func exactly() throws {
        var rig = try Rig([capped(20, 86_400)])
        #expect(rig.shows(30).compactMap { $0 }.count == 20)
        #expect(rig.reason(1) == .capped(.device, until: .monday + 86_400))
    }

    @Test("However many ask before any is shown, ten are ten (revive#306)", arguments: 1...10)
    func interleaved(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rig = try Rig([capped(10, 86_400).with { $0.domain = nil }])
        var open: [DecisionID] = []
        var shown = 0
        for _ in 0..<700 {
            rig.wait(Int64.random(in: 0...2, using: &random))
            if Int.random(in: 0..<3, using: &random) > 0 {
                if let placement = rig.decide("slot\(Int.random(in: 0..<70, using: &random))").placement {
                    open.append(placement.decision)
                }
            } else if let place = open.indices.randomElement(using: &random) {
                let id = open.remove(at: place)
                guard Bool.random(using: &random) else {
                    #expect(rig.scheduler.withdraw(id, at: rig.now) == .done)
                    continue
                }
                #expect(rig.scheduler.confirm(id, at: rig.now) == .done)
                shown += 1
            }
            #expect(shown + open.count <= 10, "seed \(seed)")
        }
        #expect(shown + open.count == 10, "seed \(seed)")
    }

    @Test("The window slides: the next comes when the oldest is out of it")
    func sliding() throws {
        var rig = try Rig([capped(2, 100)])
        #expect(rig.show() == 1)
        rig.wait(60)
        #expect(rig.show() == 1)
        rig.wait(39)
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
        rig.wait(59)
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
    }

    @Test("By slot each slot has its own count; several caps all hold")
    func scopes() throws {
        let campaign = capped(1, 3_600, .slot).with {
            $0.domain = nil
            $0.caps.append(FrequencyCap(count: 2, windowSeconds: 7_200, scope: .device))
        }
        var rig = try Rig([campaign])
        #expect(rig.show("left") == 1)
        #expect(rig.show("left") == nil)
        #expect(rig.reason(1, slot: "left") == .capped(.slot, until: .monday + 3_600))
        #expect(rig.show("right") == 1)
        #expect(rig.show("middle") == nil)
        rig.wait(3_600)
        #expect(rig.show("left") == nil)
        #expect(rig.reason(1, slot: "left") == .capped(.device, until: .monday + 7_200))
        rig.wait(3_600)
        #expect(rig.show("left") == 1)
    }

    @Test("It counts from when it is on screen, which may be after the decision")
    func confirmedLater() throws {
        var rig = try Rig([capped(1, 100)])
        let placement = try #require(rig.decide().placement)
        rig.wait(50)
        #expect(rig.scheduler.confirm(placement.decision, at: rig.now) == .done)
        rig.wait(99)
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
    }

    @Test(
        "No step of the wall clock opens a cap or prolongs it",
        arguments: [-400 * 86_400, -7_200, 7_200, 400 * 86_400])
    func clockSteps(step: Int64) throws {
        var rig = try Rig([capped(1, 3_600)])
        #expect(rig.show() == 1)
        rig.wait(1_000)
        rig.wallShift += step
        #expect(rig.show() == nil)
        rig.wait(2_599)
        rig.wallShift -= step
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
    }

    @Test("After a restart history in any order holds the wait (brave#36504)", arguments: 1...5)
    func unsorted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let campaign = capped(5, 86_400).with {
            $0.caps.append(FrequencyCap(count: 1, windowSeconds: 600, scope: .slot))
        }
        var rig = try Rig([campaign])
        for _ in 0..<4 {
            #expect(rig.show() == 1)
            rig.wait(700)
        }
        rig.wait(-200)
        try rig.restart(shuffling: &random)
        #expect(rig.show() == nil)
        rig.wait(100)
        #expect(rig.show() == 1)
        rig.wait(700)
        #expect(rig.show() == nil)
    }

    @Test("Over a reboot the wall clock says how long it took, as soon as it is trusted")
    func reboot() throws {
        var random = SeededGenerator(seed: 1)
        var rig = try Rig([capped(1, 3_600)])
        #expect(rig.show() == 1)
        // The steady clock begins anew, and half an hour has passed.
        rig.steady = 5_000
        rig.wallShift = 1_800 - 5
        try rig.restart(boot: "second", shuffling: &random)
        #expect(rig.show() == nil)
        rig.wait(1_799)
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
        // Again, with a clock that has lost the time, and finds it after ten minutes.
        rig.steady = 0
        rig.wallShift = -86_400
        rig.trust = .untrusted(.notSynchronised)
        try rig.restart(boot: "third", shuffling: &random)
        rig.wait(600)
        #expect(rig.show() == nil)
        try rig.restart(boot: "third", shuffling: &random)
        rig.wallShift = 3_600 + 3_600 - 601
        rig.trust = .trusted
        #expect(rig.show() == nil)
        rig.wait(1)
        #expect(rig.show() == 1)
    }

    @Test("History from the ledger counts for caps that are new, and once")
    func recall() throws {
        var rig = try Rig([.sample(1)])
        #expect(rig.shows(3, every: 60) == [1, 1, 1])
        try rig.scheduler.upsert(capped(3, 3_600))
        #expect(rig.show() == 1)
        let past = [3, 1, 2, 2].map { number in
            CappedImpression(
                decision: DecisionID("\(number)"), campaign: CampaignID(1), slot: "banner",
                ownMilliseconds: Int64(number - 1) * 60_000)
        }
        rig.scheduler.recall(past)
        rig.scheduler.recall(past)
        #expect(rig.show() == nil)
        // Four in all: the second of them has to leave the window.
        #expect(rig.reason(1) == .capped(.device, until: .monday + 3_600 + 60))
    }
}
