/// What a link is, for the purpose of the rule: which transport its traffic takes.
public enum LinkKind: String, Sendable, Hashable, CaseIterable {
    /// Ethernet, or anything that cannot be told from it.
    case ethernet
    /// IEEE 802.11.
    case wifi
    /// A mobile network.
    case cellular
    /// Traffic inside other traffic: judged by the link under it.
    case tunnel
    /// A bridge without ports.
    case bridge
    /// Traffic that never leaves the machine.
    case loopback
    /// Something else, or a link over links of several kinds.
    case other
}

/// The kind given to a link, and why.
public struct Classification: Hashable, Sendable {
    /// The kind of the link.
    public var kind: LinkKind

    /// What spoke for that kind, in a few words: `nl80211`, `ARPHRD 512`, `below eth0`, `default`.
    public var evidence: String

    /// The index of the link whose own evidence it was: the link itself, or the first one below it.
    public var speaker: Int

    /// Creates a classification by the evidence of the link `speaker`.
    public init(kind: LinkKind, evidence: String, speaker: Int) {
        self.kind = kind
        self.evidence = evidence
        self.speaker = speaker
    }
}
