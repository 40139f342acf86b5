/// When a guaranteed campaign is to have how many impressions.
///
/// The part of its impressions that it should have is the part of its flight's traffic that has passed, by
/// the profile and within its dayparts. One that has fallen behind catches up at a bounded multiple of that
/// pace, counted in traffic too: after a day without power its budget is not gone in the small hours.
struct PacingPlan: Sendable {
    private let curve: PacingCurve
    let impressions: Int
    private let goal: Int128
    private let start: LocalTime
    /// What has passed of all time when the flight begins, and what passes in it.
    private let base: Int64
    private let total: Int64

    init(curve: PacingCurve, goal: Int, start: LocalTime, end: LocalTime) {
        self.curve = curve
        impressions = goal
        self.goal = Int128(goal)
        self.start = start
        base = curve.passed(at: start)
        total = max(0, curve.passed(at: end) - base)
    }

    /// What has passed of the flight, up to its end.
    private func passed(at local: LocalTime) -> Int64 {
        min(max(curve.passed(at: local) - base, 0), total)
    }

    /// How many impressions it should have had by a time of the local clock, rounded down.
    func target(at local: LocalTime) -> Int {
        total == 0 ? 0 : Int(goal * Int128(passed(at: local)) / Int128(total))
    }

    /// When the next impression is due; nil when there is none to come, or no traffic in all of its flight.
    ///
    /// - Parameters:
    ///   - delivered: impressions so far.
    ///   - last: when the last of them was.
    func due(delivered: Int, last: LocalTime?) -> LocalTime? {
        let delivered = Int128(delivered)
        guard total > 0, delivered < goal else { return nil }
        let total = Int128(total)
        var amount = (delivered * total + goal - 1) / goal
        if let last {
            let passed = Int128(passed(at: last))
            let fastest = total / goal / Limits.catchUpFactor
            let required = (total - passed) / (goal - delivered)
            amount = max(amount, passed + min(fastest, required))
        }
        amount = min(amount, total)
        return amount == 0 ? start : curve.local(at: base + Int64(amount))
    }
}
