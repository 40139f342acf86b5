/// From when on something was in another state, as org.adslotd.Ledger.Timeline tells it.
public struct Mark: Hashable, Sendable {
    /// What it is about.
    public enum Kind: String, CaseIterable, Sendable {
        /// The daemon started, and knows the network.
        case started
        /// The daemon runs, and the network is as the mark says.
        case alive
        /// The network is as the mark says.
        case changed
        /// The daemon stopped.
        case stopped
        /// The daemon ended without a word.
        case killed
        /// A slot is in another state.
        case slot
        /// A piece of work is in another state.
        case work
        /// The network changed and changed back before that was posted.
        case flap
        /// Messages of the kernel were lost.
        case resync
        /// A clock jumped.
        case clock
    }

    /// What it is about.
    public let kind: Kind
    /// When, in microseconds since the Unix epoch.
    public let time: Int64
    /// The name of the slot or the work.
    public let subject: String?
    /// The state; of the network the path.
    public let state: String?
    /// Whether the internet could be reached.
    public let isReachable: Bool?

    /// Creates a mark.
    public init(
        _ kind: Kind, at time: Int64, _ subject: String? = nil, state: String? = nil,
        isReachable: Bool? = nil
    ) {
        (self.kind, self.time, self.subject) = (kind, time, subject)
        (self.state, self.isReachable) = (state, isReachable)
    }
}

/// What a slot has delivered.
public struct SlotCount: Hashable, Sendable {
    /// The slot's name.
    public let slot: String
    /// Advertisements in view for long enough.
    public let impressions: Int64
    /// Actions allowed.
    public let actions: Int64

    /// Creates a count.
    public init(_ slot: String, impressions: Int64 = 0, actions: Int64 = 0) {
        (self.slot, self.impressions, self.actions) = (slot, impressions, actions)
    }
}

/// The time that a picture shows, in microseconds since the Unix epoch.
public struct Extent: Hashable, Sendable {
    /// The beginning.
    public let since: Int64
    /// The end, which is no part of it.
    public let until: Int64
    /// The moment after which nothing is known.
    public let now: Int64

    /// Creates an extent. One that is shorter or longer than can be shown is brought into its bounds, by its
    /// beginning.
    public init(since: Int64, until: Int64, now: Int64) {
        let length = min(
            max(until - since, Limits.spanMicroseconds.lowerBound), Limits.spanMicroseconds.upperBound)
        (self.since, self.until, self.now) = (until - length, until, now)
    }

    var length: Int64 { until - since }
    /// Up to where something can be known.
    var known: Int64 { min(max(now, since), until) }
}
