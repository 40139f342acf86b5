import Reachability

/// What falls due: kept in one queue, so that the earliest is always at hand.
enum DeadlineKey: Hashable, Comparable, Sendable {
    /// The pausing or the running time of an action is over.
    case action(ActionID)
    /// Something in the slot at this place of the configuration is due.
    case slot(Int)
}

/// A heap with one deadline per key. Setting, moving and removing one costs O(log n).
///
/// Equal moments come out in the order of their keys, so that the order never depends on history.
struct DeadlineQueue: Sendable {
    private struct Entry: Comparable {
        let due: Instant
        let key: DeadlineKey

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.key) < (right.due, right.key)
        }
    }

    private var entries: [Entry] = []
    private var positions: [DeadlineKey: Int] = [:]

    /// The earliest deadline, `nil` when there is none.
    var first: (due: Instant, key: DeadlineKey)? {
        entries.first.map { ($0.due, $0.key) }
    }

    /// How many keys have a deadline.
    var count: Int { entries.count }

    /// The deadline of a key, `nil` when it has none.
    func due(of key: DeadlineKey) -> Instant? {
        positions[key].map { entries[$0].due }
    }

    /// Gives a key its deadline in place of any it had; `nil` takes it away.
    mutating func set(_ key: DeadlineKey, due: Instant?) {
        guard let due else { return remove(key) }
        let entry = Entry(due: due, key: key)
        if let position = positions[key] {
            guard entries[position].due != due else { return }
            entries[position] = entry
            settle(position)
        } else {
            entries.append(entry)
            positions[key] = entries.count - 1
            settle(entries.count - 1)
        }
    }

    /// Takes a key's deadline away.
    mutating func remove(_ key: DeadlineKey) {
        guard let position = positions.removeValue(forKey: key) else { return }
        let last = entries.removeLast()
        guard position < entries.count else { return }
        place(last, at: position)
        settle(position)
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        entries[position] = entry
        positions[entry.key] = position
    }

    /// Moves one entry up or down until the heap is in order.
    private mutating func settle(_ start: Int) {
        let entry = entries[start]
        var position = start
        while position > 0, entry < entries[(position - 1) / 2] {
            place(entries[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
            guard entries[child] < entry else { break }
            place(entries[child], at: position)
            position = child
        }
        if position != start { place(entry, at: position) }
    }
}
