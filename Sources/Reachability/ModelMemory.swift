/// What a model remembers of the past, besides the network and its settings: a plain value, so that it can be
/// written down and a model begun from it.
///
///     let again = ReachabilityModel(
///         network: model.network, settings: model.settings, memory: model.memory)
public struct ReachabilityMemory: Equatable, Sendable {
    /// A judgement that waits for its hold to run out.
    public struct Pending: Equatable, Sendable {
        /// How the network was judged last.
        public var raw: Judgement
        /// When the difference to what is posted began.
        public var since: Instant

        /// Creates a judgement that is waiting.
        public init(raw: Judgement, since: Instant) {
            self.raw = raw
            self.since = since
        }
    }

    /// What the posted losses have added up to.
    public struct Penalty: Equatable, Sendable {
        /// The penalty right after the last posted loss.
        public var value: Double
        /// When that loss was posted.
        public var lastLoss: Instant
        /// Whether that loss took the penalty so high that gains are suppressed.
        public var suppresses: Bool

        /// Creates a penalty.
        public init(value: Double, lastLoss: Instant, suppresses: Bool) {
            self.value = value
            self.lastLoss = lastLoss
            self.suppresses = suppresses
        }
    }

    /// What is posted; nil before the first judgement.
    public var posted: ReachabilityState?
    /// The latest judgement where it is not what is posted; nil while they agree.
    public var pending: Pending?
    /// The penalty for losses; nil while there has been none.
    public var penalty: Penalty?
    /// The latest moment that the model has been told; earlier ones count as this one.
    public var latest: Instant

    /// Creates a memory; without arguments it is that of a model to which nothing has happened.
    public init(
        posted: ReachabilityState? = nil, pending: Pending? = nil, penalty: Penalty? = nil,
        latest: Instant = Instant(microseconds: .min)
    ) {
        self.posted = posted
        self.pending = pending
        self.penalty = penalty
        self.latest = latest
    }
}

extension ReachabilityMemory {
    /// The latest judgement, held or not.
    var raw: Judgement? { pending?.raw ?? posted?.judgement }
}
