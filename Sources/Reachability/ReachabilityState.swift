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

extension ReachabilityState {
    /// The state in a person's words: `wifi over wl0 (IPv4), usable`.
    public var text: String {
        var text = judgement.status == .none ? "not reachable" : judgement.status.rawValue
        if judgement.reason == .captivePortal { text = "not reachable: \(text)" }
        if let interface = judgement.interface { text += " over \(interface)" }
        if let tunnel = judgement.tunnel { text += " under \(tunnel)" }
        switch (judgement.ipv4, judgement.ipv6) {
        case (true, true): text += " (IPv4, IPv6)"
        case (true, false): text += " (IPv4)"
        case (false, true): text += " (IPv6)"
        case (false, false): break
        }
        text += ", \(judgement.reason.rawValue)"
        if judgement.connectionRequired { text += ", a connection is required" }
        if judgement.expensive { text += ", metered" }
        if held { text += ", held" }
        return text
    }
}

/// Something that hosts or operators are to be told.
public enum ReachabilityChange: Equatable, Sendable {
    /// A notification, the first state included.
    case posted(ReachabilityState)
    /// No notification: another interface, tunnel, family or reason of the same state, or `held` has changed.
    case detail(ReachabilityState)
}
