extension Scenario {
    /// A shorter scenario that still breaks the same invariant, also when it is read from its text.
    ///
    /// - Parameter invariant: The one that this scenario breaks.
    public func shrunk(keeping invariant: Invariant) -> Scenario {
        shrunk { candidate in
            guard let scenario = try? Scenario(parsing: candidate.text), var run = try? ScenarioRun(scenario)
            else { return false }
            return run.run().breach?.invariant == invariant
        }
    }

    /// A shorter scenario of which something still holds: steps are left out, half of them at first, then
    /// ever fewer at a time, until every single one is needed.
    ///
    /// - Parameter holds: What must hold of what is left; it holds of this scenario.
    public func shrunk(while holds: (Scenario) -> Bool) -> Scenario {
        var best = self
        var runs = 0
        var size = max(1, steps.count / 2)
        while true {
            var hasShrunk = false
            var start = 0
            while start < best.steps.count, runs < Limits.shrinkRunsMax {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
                runs += 1
                if holds(candidate) {
                    best = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            guard runs < Limits.shrinkRunsMax, size > 1 || hasShrunk else { return best }
            if !hasShrunk { size /= 2 }
        }
    }
}
