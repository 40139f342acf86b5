/// When a local clock shows which time: the offsets from UTC of one zone, past and to come.
public struct TimeZoneRules: Hashable, Sendable {
    /// The moments at which the offset changes, in seconds since the epoch, in order.
    private let transitions: [Int64]
    /// The offset from each of them on, in seconds.
    private let offsets: [Int]
    /// The offset before the first.
    private let initialOffset: Int
    /// The rule after the last.
    var footer: PosixTimeZone?

    /// Coordinated Universal Time.
    public static let utc = TimeZoneRules(transitions: [], offsets: [], initialOffset: 0)

    init(transitions: [Int64], offsets: [Int], initialOffset: Int) {
        self.transitions = transitions
        self.offsets = offsets
        self.initialOffset = initialOffset
    }

    /// Reads a compiled time zone file, such as those of `/usr/share/zoneinfo` (TZif, RFC 8536).
    public init(tzif bytes: [UInt8]) throws(TimeZoneError) {
        var reader = try TZifReader(bytes)
        self = try reader.read()
    }

    /// What is to be added to UTC for local time, in seconds, at a moment in seconds since the epoch.
    public func offset(at time: Int64) -> Int {
        let passed = transitions.partitioningIndex { $0 > time }
        if passed == transitions.count, let footer { return footer.offset(at: time) }
        return passed == 0 ? initialOffset : offsets[passed - 1]
    }

    /// The next moment at which the offset becomes another, in seconds since the epoch; nil when it never
    /// does.
    public func nextTransition(after time: Int64) -> Int64? {
        var passed = transitions.partitioningIndex { $0 > time }
        let present = offset(at: time)
        while passed < transitions.count {
            if offset(at: transitions[passed]) != present { return transitions[passed] }
            passed += 1
        }
        // What the rule says about times before the last transition does not count.
        return footer?.nextTransition(after: max(time, transitions.last ?? time))
    }

    /// The time that a clock on the wall shows.
    public func local(at time: WallTime) -> LocalTime {
        LocalTime(seconds: time.seconds + Int64(offset(at: time.seconds)))
    }

    /// When a clock on the wall shows a time.
    public func resolve(_ local: LocalTime) -> LocalResolution {
        let range = Limits.zoneOffsetSeconds
        var begin = local.seconds - Int64(range.upperBound)
        let end = local.seconds - Int64(range.lowerBound)
        var found: [Int64] = []
        // No zone changes more than a few times in two days; a file that does is cut off.
        for _ in 0..<TimeZoneRules.changesMax {
            let offset = Int64(offset(at: begin))
            let next = nextTransition(after: begin)
            let candidate = local.seconds - offset
            if candidate >= begin, next.map({ candidate < $0 }) ?? true { found.append(candidate) }
            guard let next, next <= end else { break }
            let isSkipped =
                next + offset <= local.seconds && local.seconds < next + Int64(self.offset(at: next))
            if found.isEmpty, isSkipped { return .skipped(WallTime(seconds: next)) }
            begin = next
        }
        guard let first = found.first, let last = found.last else { return .once(WallTime(seconds: begin)) }
        return first == last
            ? .once(WallTime(seconds: first)) : .twice(WallTime(seconds: first), WallTime(seconds: last))
    }

    private static let changesMax = 64

    /// The first moment at which a clock on the wall has reached a time: of a time that is skipped, the
    /// moment of the jump; of one that comes twice, the first.
    public func first(_ local: LocalTime) -> WallTime {
        switch resolve(local) {
        case .once(let time), .skipped(let time), .twice(let time, _): time
        }
    }
}

/// When a clock on the wall shows a time.
public enum LocalResolution: Hashable, Sendable {
    /// At this moment.
    case once(WallTime)
    /// Never: at this moment the clock is put forward past it.
    case skipped(WallTime)
    /// At both: the clock is put back in between.
    case twice(WallTime, WallTime)
}

extension RandomAccessCollection where Index == Int {
    /// The first index whose element passes, in a collection where all that fail come first.
    func partitioningIndex(_ passes: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
