/// How much traffic each hour of the week has, learned from the opportunities of past weeks.
public struct TrafficProfile: Hashable, Sendable {
    /// The smoothed count of each hour, Monday midnight first, by the local clock.
    public private(set) var estimates: [Double]
    /// How often each hour was counted.
    public private(set) var observations: [Int]

    /// Hours of a week.
    public static let hours = 168
    /// What a new count changes once an hour is known: one part in five.
    static let newest = 0.2
    /// No hour weighs less than this part of the mean: whatever has never had traffic may have some yet.
    static let floor = 0.02
    /// The weight of an hour of mean traffic.
    static let meanWeight = 10_000.0
    /// Counts beyond this are as good as this.
    static let countMax = 1_000_000_000

    /// Nothing is known: all hours weigh alike.
    public init() {
        estimates = Array(repeating: 0, count: TrafficProfile.hours)
        observations = Array(repeating: 0, count: TrafficProfile.hours)
    }

    /// Goes on with what was learned before; nil when it is not of 168 hours, or holds what no count gives.
    public init?(estimates: [Double], observations: [Int]) {
        guard estimates.count == TrafficProfile.hours, observations.count == TrafficProfile.hours,
            estimates.allSatisfy({ (0...Double(TrafficProfile.countMax)).contains($0) }),
            observations.allSatisfy({ $0 >= 0 })
        else { return nil }
        self.estimates = estimates
        self.observations = observations
    }

    /// Takes the opportunities of one hour that is over; zero is a count too.
    public mutating func learn(hourOfWeek hour: Int, count: Int) {
        precondition(estimates.indices.contains(hour), "no such hour of the week")
        let counted = Double(count.clamped(to: 0...TrafficProfile.countMax))
        let known = observations[hour]
        let part = max(1 / Double(known + 1), TrafficProfile.newest)
        estimates[hour] += part * (counted - estimates[hour])
        observations[hour] = min(known + 1, TrafficProfile.countMax)
    }

    /// What each hour weighs, in whole numbers of at least one.
    ///
    /// An hour that was never counted weighs what the same hour weighs on the days that were; where there are
    /// none, the mean.
    public var weights: [Int] {
        let known = estimates.indices.filter { observations[$0] > 0 }
        guard !known.isEmpty else {
            return Array(repeating: Int(TrafficProfile.meanWeight), count: TrafficProfile.hours)
        }
        let knownMean = mean(of: known)
        let filled = estimates.indices.map { hour -> Double in
            guard observations[hour] == 0 else { return estimates[hour] }
            let sameHour = known.filter { $0 % 24 == hour % 24 }
            return sameHour.isEmpty ? knownMean : mean(of: sameHour)
        }
        let total = filled.reduce(0, +) / Double(TrafficProfile.hours)
        guard total > 0 else {
            return Array(repeating: Int(TrafficProfile.meanWeight), count: TrafficProfile.hours)
        }
        return filled.map { estimate in
            max(1, Int(max(estimate / total, TrafficProfile.floor) * TrafficProfile.meanWeight))
        }
    }

    private func mean(of hours: [Int]) -> Double {
        hours.reduce(0) { $0 + estimates[$1] } / Double(hours.count)
    }
}

/// Opportunities counted since the profile last learned.
public struct TrafficCount: Hashable, Sendable {
    /// Opportunities by the local hour: seconds of the local clock divided by 3,600.
    public var hours: [Int64: Int] = [:]
    /// The first hour that the profile has not learned; nil before the first count.
    public var since: Int64?

    /// Nothing was counted.
    public init() {}

    /// Counts one opportunity. When a day has passed, gives the hours that are over to the profile, those
    /// without any opportunity too, and says so.
    mutating func add(at local: LocalTime, to profile: inout TrafficProfile) -> Bool {
        let hour = local.seconds.floored(by: 3_600)
        let midnight = local.seconds.floored(by: 86_400) * 24
        defer { hours[hour] = min(hours[hour] ?? 0, TrafficProfile.countMax) + 1 }
        // A clock that was put back a day and more makes its counts worthless.
        guard let begin = since, begin <= midnight + 24 else {
            hours = [:]
            // This hour is not counted whole.
            since = hour + 1
            return false
        }
        guard begin < midnight else { return false }
        // After more than a week without a count only the last week is learned.
        for hour in max(begin, midnight - Int64(TrafficProfile.hours))..<midnight {
            let seconds = LocalTime(seconds: hour * 3_600).secondOfWeek
            profile.learn(hourOfWeek: seconds / 3_600, count: hours[hour] ?? 0)
        }
        hours = hours.filter { $0.key >= midnight }
        since = midnight
        return true
    }
}
