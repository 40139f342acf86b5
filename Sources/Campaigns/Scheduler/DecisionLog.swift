/// The latest decisions, by their identifiers; the oldest is forgotten first.
struct DecisionLog: Sendable {
    private var decisions: [DecisionID: CountedDecision] = [:]
    private var order: [DecisionID] = []
    /// The number of each decision, from the first one on.
    private var numbers: [DecisionID: Int] = [:]
    private var count = 0
    /// How many of `order` are forgotten already.
    private var forgotten = 0

    subscript(id: DecisionID) -> CountedDecision? { decisions[id] }

    /// Adds a decision, and gives the one that is forgotten for it.
    mutating func append(_ decision: CountedDecision) -> CountedDecision? {
        decisions[decision.placement.decision] = decision
        order.append(decision.placement.decision)
        numbers[decision.placement.decision] = count
        count += 1
        guard order.count - forgotten > Limits.decisionsMax else { return nil }
        let oldest = order[forgotten]
        forgotten += 1
        if forgotten >= Limits.decisionsMax {
            order.removeFirst(forgotten)
            forgotten = 0
        }
        numbers[oldest] = nil
        return decisions.removeValue(forKey: oldest)
    }

    mutating func update(_ decision: CountedDecision) {
        decisions[decision.placement.decision] = decision
    }

    /// Some of them, in the order in which they were made.
    func select(_ ids: Set<DecisionID>) -> [CountedDecision] {
        ids.compactMap { id in numbers[id].map { ($0, id) } }
            .sorted { $0.0 < $1.0 }
            .compactMap { decisions[$0.1] }
    }

    /// All that are known, in the order in which they were made.
    var all: [CountedDecision] { order[forgotten...].compactMap { decisions[$0] } }
}
