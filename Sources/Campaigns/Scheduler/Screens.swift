/// What is on the screens of all slots, or about to be.
struct Screens: Sendable {
    struct Screen: Sendable {
        /// What is on screen.
        var current: Separation?
        /// What was on screen last, and may still be.
        var last: Separation?
        /// What was decided and neither confirmed nor withdrawn, oldest first.
        var pending: [(decision: DecisionID, separation: Separation)] = []

        /// What the next advertisement comes after.
        var previous: Separation? { pending.last?.separation ?? last }
    }

    private(set) var slots: [String: Screen] = [:]
    /// How many advertisements of which slots have a mark.
    private var marks: [SeparationMark: [String: Int]] = [:]

    mutating func expect(_ decision: DecisionID, _ separation: Separation, in slot: String) {
        slots[slot, default: Screen()].pending.append((decision, separation))
        add(separation, slot)
    }

    /// Takes back what was expected.
    @discardableResult
    mutating func forget(_ decision: DecisionID, in slot: String) -> Separation? {
        guard let place = slots[slot]?.pending.firstIndex(where: { $0.decision == decision }),
            let separation = slots[slot]?.pending.remove(at: place).separation
        else { return nil }
        remove(separation, slot)
        return separation
    }

    mutating func show(_ separation: Separation, in slot: String) {
        vacate(slot)
        slots[slot, default: Screen()].current = separation
        slots[slot, default: Screen()].last = separation
        add(separation, slot)
    }

    mutating func vacate(_ slot: String) {
        guard let current = slots[slot]?.current else { return }
        slots[slot]?.current = nil
        remove(current, slot)
    }

    /// Takes over what was remembered of a slot that is not known yet.
    mutating func restore(_ slot: String, current: Separation?, last: Separation?) {
        slots[slot, default: Screen()].last = last
        guard let current else { return }
        slots[slot, default: Screen()].current = current
        add(current, slot)
    }

    /// Forgets a slot that is empty.
    mutating func remove(_ slot: String) {
        vacate(slot)
        for pending in slots[slot]?.pending ?? [] { remove(pending.separation, slot) }
        slots[slot] = nil
    }

    /// The slot, first by name, in which a competitor is; the slot itself does not count.
    func competitor(of separation: Separation, besides slot: String) -> String? {
        var first: String?
        for mark in separation.avoided {
            for other in (marks[mark] ?? [:]).keys where other != slot {
                first = min(first ?? other, other)
            }
        }
        return first
    }

    private mutating func add(_ separation: Separation, _ slot: String) {
        for mark in separation.presented { marks[mark, default: [:]][slot, default: 0] += 1 }
    }

    private mutating func remove(_ separation: Separation, _ slot: String) {
        for mark in separation.presented {
            guard let count = marks[mark]?[slot] else { continue }
            marks[mark]?[slot] = count == 1 ? nil : count - 1
            if marks[mark]?.isEmpty == true { marks[mark] = nil }
        }
    }
}
