internal import AdSlots
internal import Reachability

/// What the world will tell the coordinator, in the order of its moments, then of its making.
struct Agenda: Sendable {
    private var entries: [(due: Instant, event: Event)] = []

    /// The earliest moment, `nil` when nothing will come.
    var first: Instant? { entries.first?.due }

    mutating func add(_ event: Event, at due: Instant) {
        let index = entries.partitioningIndex { due < $0.due }
        entries.insert((due, event), at: index)
    }

    mutating func next() -> Event? {
        entries.isEmpty ? nil : entries.removeFirst().event
    }

    mutating func clear() { entries.removeAll() }
}

extension Array {
    /// The first index whose element satisfies a condition that all later ones satisfy too.
    fileprivate func partitioningIndex(where isLater: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isLater(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
