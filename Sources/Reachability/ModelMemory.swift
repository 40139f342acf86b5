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

    /// What is known of a captive portal.
    public struct Portal: Equatable, Sendable {
        /// Where the check of a path stands.
        public enum Phase: Equatable, Sendable {
            /// The path came too soon after the latest question, and is asked about at a moment.
            case waiting(until: Instant)
            /// The latest question is under way, up to a moment.
            case asking(deadline: Instant)
            /// It is answered, since a moment.
            case resting(since: Instant)
        }

        /// What is known of the path that is usable now.
        public struct Path: Equatable, Sendable {
            /// The index of the link that it leaves by.
            public var interfaceIndex: Int?
            /// The tunnel that it enters first.
            public var tunnel: String?
            /// Whether there is a portal; nil while nobody knows.
            public var isCaptive: Bool?
            /// Checks that failed in a row.
            public var failures: Int
            /// The pause after the last answer; nil after a good one, and after none.
            public var pause: Duration?
            /// Where its check stands.
            public var phase: Phase

            /// Creates what is known of a path.
            public init(
                interfaceIndex: Int?, tunnel: String?, isCaptive: Bool?, failures: Int, pause: Duration?,
                phase: Phase
            ) {
                self.interfaceIndex = interfaceIndex
                self.tunnel = tunnel
                self.isCaptive = isCaptive
                self.failures = failures
                self.pause = pause
                self.phase = phase
            }
        }

        /// The usable path; nil where there is none, or no check.
        public var path: Path?
        /// How many questions there have been.
        public var questions: Int
        /// When the latest question was put; nil before the first.
        public var lastAsked: Instant?
        /// The latest moment that the check has been told.
        public var latest: Instant

        /// Creates a memory of a check; without arguments it is that of one to which nothing has happened.
        public init(
            path: Path? = nil, questions: Int = 0, lastAsked: Instant? = nil,
            latest: Instant = Instant(microseconds: .min)
        ) {
            self.path = path
            self.questions = questions
            self.lastAsked = lastAsked
            self.latest = latest
        }
    }

    /// What is judged; nil while the addresses of a named host are awaited for the first time.
    public var target: Target?
    /// What the kernel alone says; nil before the first judgement.
    public var kernel: Judgement?
    /// Whether the system's own network service says that the connection is metered.
    public var isMetered: Bool
    /// What is known of a captive portal.
    public var portal: Portal
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
        target: Target? = .internet, kernel: Judgement? = nil, isMetered: Bool = false,
        portal: Portal = Portal(), posted: ReachabilityState? = nil, pending: Pending? = nil,
        penalty: Penalty? = nil, latest: Instant = Instant(microseconds: .min)
    ) {
        self.target = target
        self.kernel = kernel
        self.isMetered = isMetered
        self.portal = portal
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
