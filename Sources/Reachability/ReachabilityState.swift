/// What has been posted: what hosts are told when they ask.
///
/// The fields of the judgement can be read directly: `state.status`, `state.reachable`.
@dynamicMemberLookup
public struct ReachabilityState: Equatable, Sendable {
    /// The judgement last posted, whole: its fields always agree with each other.
    public var judgement: Judgement
    /// The kernel already says otherwise, but a hold or damping has not run out.
    public var held: Bool
    /// Grows by one with every notification; the first state has 1.
    public var sequence: Int
    /// When this state was posted. Details that change later leave it alone.
    public var since: Instant

    /// Creates a posted state.
    public init(judgement: Judgement, held: Bool, sequence: Int, since: Instant) {
        self.judgement = judgement
        self.held = held
        self.sequence = sequence
        self.since = since
    }

    /// A field of the judgement.
    public subscript<Value>(dynamicMember field: KeyPath<Judgement, Value>) -> Value {
        judgement[keyPath: field]
    }
}

/// Something that hosts or operators are to be told.
public enum ReachabilityChange: Equatable, Sendable {
    /// A notification, the first state included.
    case posted(ReachabilityState)
    /// No notification: another interface, tunnel, family or reason of the same state, or `held` has changed.
    case detail(ReachabilityState)
}
