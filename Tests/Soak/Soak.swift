import Reachability
import Simulation

#if canImport(Glibc)
    import Glibc
#endif

/// Runs random scenarios, many of them: `soak [--seeds N] [--first SEED] [--hours H] [--output FILE]`.
///
/// With `--print SEED` it only prints that seed's scenario. Prints what was run; on a breach prints the seed and writes a shrunk scenario that `adslotctl simulate`
/// runs into the same breach.
@main
struct Soak {
    var seeds: UInt64 = 10_000
    var first: UInt64 = 1
    var hours: Int64 = 1
    var output = "soak-failure.scenario"
    var printed: UInt64?

    static func main() {
        guard let soak = Soak(Array(CommandLine.arguments.dropFirst())) else {
            print("usage: soak [--seeds N] [--first SEED] [--hours H] [--output FILE] | --print SEED")
            exit(2)
        }
        exit(soak.run() ? 0 : 1)
    }

    private init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--seeds": guard let number = UInt64(value), number > 0 else { return nil }; seeds = number
            case "--first": guard let number = UInt64(value) else { return nil }; first = number
            case "--hours": guard let number = Int64(value), number > 0 else { return nil }; hours = number
            case "--output": output = value
            case "--print": guard let number = UInt64(value) else { return nil }; printed = number
            default: return nil
            }
        }
    }

    private func run() -> Bool {
        if let printed {
            print(Scenario.random(seed: printed, length: .seconds(hours * 3_600)).text, terminator: "")
            return true
        }
        let clock = ContinuousClock()
        let start = clock.now
        var simulated = Duration.zero
        var events = 0
        var steps = 0
        for seed in first..<first + seeds {
            let scenario = Scenario.random(seed: seed, length: .seconds(hours * 3_600))
            let outcome: Outcome
            do {
                var run = try ScenarioRun(scenario)
                outcome = run.run()
            } catch {
                print("seed \(seed): the scenario cannot be run: \(error)")
                return false
            }
            events += outcome.events
            steps += scenario.steps.count
            if let last = scenario.steps.last { simulated += last.at - .zero }
            guard outcome.breach == nil else {
                report(outcome, of: scenario, seed: seed)
                return false
            }
        }
        let spent = clock.now - start
        let days = simulated / .seconds(86_400)
        print(
            """
            \(seeds) seeds from \(first) on, none broke an invariant.
            simulated  \(rounded(days, 1)) days (\(rounded(days / 365, 2)) years), \(steps) steps, \(events) events
            took       \(rounded(spent / .seconds(1), 1)) s, \(Int(Double(events) / (spent / .seconds(1)))) events/s
            """)
        return true
    }

    private func report(_ outcome: Outcome, of scenario: Scenario, seed: UInt64) {
        print("seed \(seed): \(outcome.breach.map { "\($0)" } ?? "")")
        guard let breach = outcome.breach else { return }
        let shrunk = scenario.shrunk(keeping: breach.invariant)
        let text = "# seed \(seed): \(breach)\n" + shrunk.text
        print("shrunk to \(shrunk.steps.count) of \(scenario.steps.count) steps, in \(output):\n\(text)")
        guard let file = fopen(output, "w") else { return perror(output) }
        fputs(text, file)
        fclose(file)
    }

    private func rounded(_ value: Double, _ places: Int) -> String {
        let scale = places == 1 ? 10.0 : 100.0
        return "\((value * scale).rounded() / scale)"
    }
}
