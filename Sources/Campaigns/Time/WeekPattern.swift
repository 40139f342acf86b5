/// What several dayparts together leave open: minutes of a week of the local clock, Monday midnight first.
public struct WeekPattern: Hashable, Sendable {
    /// Open ranges in seconds of the week, in order, neither touching nor overlapping.
    let ranges: [Range<Int>]

    /// Seconds of a week.
    static let length = 604_800

    /// All of the week.
    public static let always = WeekPattern(dayparts: [])

    /// The hours of the dayparts; all of the week where there are none.
    public init(dayparts: [Daypart]) {
        guard !dayparts.isEmpty else {
            ranges = [0..<WeekPattern.length]
            return
        }
        var pieces: [Range<Int>] = []
        for daypart in dayparts {
            for weekday in daypart.weekdays {
                let start = weekday.rawValue * 86_400 + daypart.startMinute * 60
                let crosses = daypart.endMinute <= daypart.startMinute
                let end = weekday.rawValue * 86_400 + daypart.endMinute * 60 + (crosses ? 86_400 : 0)
                pieces.append(start..<min(end, WeekPattern.length))
                // From Sunday into Monday.
                if end > WeekPattern.length { pieces.append(0..<(end - WeekPattern.length)) }
            }
        }
        pieces.sort { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for piece in pieces {
            if let last = merged.last, piece.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, piece.upperBound)
            } else {
                merged.append(piece)
            }
        }
        ranges = merged
    }

    /// Whether a second of the week is in it.
    func contains(_ second: Int) -> Bool {
        let index = ranges.partitioningIndex { $0.upperBound > second }
        return index < ranges.count && ranges[index].contains(second)
    }

    /// Seconds from a second of the week to the next at which it opens or closes, going over the week's end;
    /// nil when it never does.
    func secondsToChange(after second: Int) -> Int? {
        guard ranges != [0..<WeekPattern.length] else { return nil }
        let isOpen = contains(second)
        let bounds = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        for bound in bounds + bounds.map({ $0 + WeekPattern.length }) where bound > second {
            if contains(bound % WeekPattern.length) != isOpen { return bound - second }
        }
        return nil
    }

    /// Whether a clock on the wall shows one of its hours. An hour that the clock skips is never shown, and
    /// one that it shows twice counts twice.
    public func isActive(at time: WallTime, in zone: TimeZoneRules) -> Bool {
        contains(zone.local(at: time).secondOfWeek)
    }

    /// The next moment at which it becomes active or inactive; nil when it never does.
    public func nextChange(after time: WallTime, in zone: TimeZoneRules) -> WallTime? {
        var seconds = time.seconds
        let isOpen = isActive(at: time, in: zone)
        // Each step ends at a change of the zone's offset, or at the answer: a week has at most a few.
        for _ in 0..<WeekPattern.stepsMax {
            let local = LocalTime(seconds: seconds + Int64(zone.offset(at: seconds)))
            let transition = zone.nextTransition(after: seconds)
            let isOpenHere = contains(local.secondOfWeek)
            guard isOpenHere == isOpen else { return WallTime(seconds: seconds) }
            guard let wait = secondsToChange(after: local.secondOfWeek) else { return nil }
            let change = seconds + Int64(wait)
            guard let transition, transition <= change else { return WallTime(seconds: change) }
            seconds = transition
        }
        return WallTime(seconds: seconds)
    }

    private static let stepsMax = 64
}
