/// How much was fetched over paths that cost money, today.
public struct MeteredUse: Hashable, Sendable {
    /// The day, counted from the Unix epoch on the clock of the zone; nil while the clock is not trusted.
    public private(set) var day: Int64?
    /// Bytes since it began.
    public private(set) var bytes: Int64
    /// Since when they are counted, by the steady clock of this run, in milliseconds.
    private var since: Int64?

    /// Creates an account: what is remembered of an earlier run, or nothing.
    public init(day: Int64? = nil, bytes: Int64 = 0) {
        self.day = day
        self.bytes = max(0, bytes)
    }

    /// Counts bytes.
    mutating func add(_ bytes: Int64, at moment: Moment, in zone: TimeZoneRules) {
        renew(at: moment, in: zone)
        self.bytes += max(0, bytes)
    }

    /// Begins anew with a later day, and after 24 hours of a day that is unknown or lies ahead. A clock that
    /// is put back and forth gives no second budget.
    mutating func renew(at moment: Moment, in zone: TimeZoneRules) {
        let begin = since ?? moment.steadyMilliseconds
        since = begin
        let isOld = moment.steadyMilliseconds - begin >= MeteredUse.dayMilliseconds
        guard moment.trust == .trusted else {
            if isOld { restart(nil, at: moment) }
            return
        }
        let today = zone.local(at: moment.wall).date.daysSinceEpoch
        guard let day else { return self.day = today }
        if today > day || (today < day && isOld) { restart(today, at: moment) }
    }

    /// How long it is, in milliseconds, until it begins anew.
    func millisecondsLeft(at moment: Moment, in zone: TimeZoneRules) -> Int64 {
        let today = zone.local(at: moment.wall).date.daysSinceEpoch
        guard moment.trust == .trusted, day.map({ $0 <= today }) ?? true else {
            let begin = since ?? moment.steadyMilliseconds
            return MeteredUse.dayMilliseconds - (moment.steadyMilliseconds - begin)
        }
        let midnight = zone.first(LocalTime(seconds: (today + 1) * 86_400))
        return max(0, midnight.milliseconds - moment.wall.milliseconds)
    }

    private mutating func restart(_ day: Int64?, at moment: Moment) {
        self.day = day
        bytes = 0
        since = moment.steadyMilliseconds
    }

    private static let dayMilliseconds: Int64 = 86_400_000
}
