import Simulation
import Testing

@Suite("Random scenarios")
struct RandomScenarioTests {
    /// Runs of one seed after the other; the longer form is `make soak`.
    @Test("No invariant is broken", arguments: 0..<4 as Range<UInt64>)
    func seeds(block: UInt64) throws {
        for seed in (block * 12)..<(block * 12 + 12) {
            let scenario = Scenario.random(seed: seed, length: .seconds(3_600))
            var run = try ScenarioRun(scenario)
            guard let breach = run.run().breach else { continue }
            let shrunk = scenario.shrunk(keeping: breach.invariant)
            Issue.record("seed \(seed): \(breach)\n\(shrunk.text)")
        }
    }

    @Test("A life has something of every kind in it")
    func variety() throws {
        var kinds: Set<String> = []
        for seed in 1...10 as ClosedRange<UInt64> {
            var run = try ScenarioRun(Scenario.random(seed: seed))
            _ = run.run { kinds.insert($0.kind) }
        }
        let expected: Set<String> = [
            "reachability", "link", "restart", "attached", "attachRefused", "command", "request", "cancel",
            "filled", "sourceFailed", "impression", "beginAnswered", "actionStarted", "actionEnded",
            "registered", "instruct", "pauseUnanswered", "slotChanged", "workChanged",
        ]
        #expect(kinds.isSuperset(of: expected), "\(expected.subtracting(kinds))")
    }

    @Test("The same seed gives the same scenario")
    func repeatable() {
        #expect(Scenario.random(seed: 7) == Scenario.random(seed: 7))
        #expect(Scenario.random(seed: 7) != Scenario.random(seed: 8))
    }

    @Test("Shrinking leaves what is needed and nothing else")
    func shrinking() throws {
        let scenario = Scenario.random(seed: 3)
        func crashesAfterOverrun(_ scenario: Scenario) -> Bool {
            guard let overrun = scenario.steps.firstIndex(where: { $0.action == .overrun }) else {
                return false
            }
            return scenario.steps[overrun...].contains { $0.action == .crash }
        }
        try #require(crashesAfterOverrun(scenario))
        let shrunk = scenario.shrunk(while: crashesAfterOverrun)
        #expect(shrunk.steps.map(\.action) == [.overrun, .crash])
    }
}
