/// The impressions of one campaign that its frequency caps still count.
///
/// All times are milliseconds of the scheduler's own clock, which only goes forward.
struct CapHistory: Sendable {
    struct Stamp: Hashable, Comparable, Sendable {
        var time: Int64
        var decision: DecisionID
        var slot: String

        static func < (left: Stamp, right: Stamp) -> Bool {
            (left.time, left.decision.value) < (right.time, right.decision.value)
        }
    }

    /// In order, whatever order they came in.
    private(set) var device: [Stamp] = []
    private(set) var slots: [String: [Stamp]] = [:]

    /// Counts an impression, by the scopes that the caps ask for.
    mutating func insert(_ stamp: Stamp, caps: [FrequencyCap]) {
        if let window = CapHistory.window(of: caps, .device) {
            CapHistory.insert(stamp, into: &device, window: window)
        }
        if let window = CapHistory.window(of: caps, .slot) {
            CapHistory.insert(stamp, into: &slots[stamp.slot, default: []], window: window)
        }
    }

    private static func insert(_ stamp: Stamp, into stamps: inout [Stamp], window: Int64) {
        stamps.insert(stamp, at: stamps.partitioningIndex { $0 > stamp })
        // An impression exactly a window ago does not count any more.
        let horizon = stamps[stamps.count - 1].time - window
        let old = stamps.partitioningIndex { $0.time > horizon }
        if old > 0 { stamps.removeFirst(old) }
    }

    /// Takes an impression back.
    mutating func remove(_ stamp: Stamp) {
        CapHistory.remove(stamp, from: &device)
        guard slots[stamp.slot] != nil else { return }
        CapHistory.remove(stamp, from: &slots[stamp.slot, default: []])
        if slots[stamp.slot]?.isEmpty == true { slots[stamp.slot] = nil }
    }

    private static func remove(_ stamp: Stamp, from stamps: inout [Stamp]) {
        let place = stamps.partitioningIndex { $0 >= stamp }
        if place < stamps.count, stamps[place] == stamp { stamps.remove(at: place) }
    }

    /// Until when the caps of a scope let nothing through; nil when they do.
    func cappedUntil(_ scope: CapScope, slot: String, caps: [FrequencyCap], now: Int64) -> Int64? {
        let stamps = scope == .device ? device : slots[slot] ?? []
        var latest: Int64?
        for cap in caps where cap.scope == scope && stamps.count >= cap.count {
            // With this one still in the window there are as many as the cap lets through: checked before.
            let until = stamps[stamps.count - cap.count].time + cap.windowSeconds * 1_000
            if until > now { latest = max(latest ?? until, until) }
        }
        return latest
    }

    /// The longest window of a scope, in milliseconds.
    private static func window(of caps: [FrequencyCap], _ scope: CapScope) -> Int64? {
        caps.lazy.filter { $0.scope == scope }.map { $0.windowSeconds * 1_000 }.max()
    }

    /// All impressions that are known, in order.
    var all: [Stamp] { Set(slots.values.joined()).union(device).sorted() }
}
