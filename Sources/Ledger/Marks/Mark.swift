/// From when on something was in another state: the network, a slot, a piece of work, the daemon itself.
public struct Mark: Hashable, Sendable {
    /// What it is about.
    public enum Kind: String, CaseIterable, Sendable {
        /// The daemon started and knows the state of the network. No slot has a host, no work is registered.
        case started
        /// The daemon still runs, and the network is as it was. Marks of all that is not at rest follow.
        case alive
        /// The posted state of the network changed.
        case changed
        /// The daemon stopped: from here on nobody knows.
        case stopped
        /// A slot is in another state: a word of ``AdSlots/SlotState``, none where there is no such slot any
        /// more.
        case slot
        /// A piece of work is in another state: a word of ``AdSlots/WorkState``, none where it is not
        /// registered any more.
        case work
        /// The network changed and changed back before that was posted.
        case flap
        /// Messages of the kernel were lost, and its lists read anew.
        case resync
        /// The wall clock was set (`set`), or the machine slept (`slept`).
        case clock
    }

    /// What it is about.
    public let kind: Kind
    /// The moment.
    public let clocks: Clocks
    /// The name of the slot or the work.
    public let subject: String?
    /// The state; of the network the path: `ethernet`, `wifi`, `cellular`, `other`, `none`.
    public let state: String?
    /// Whether the internet could be reached; of marks about the network alone.
    public let isReachable: Bool?

    /// Creates a mark about something else than the network.
    public init(_ kind: Kind, _ subject: String? = nil, state: String? = nil, at clocks: Clocks) {
        (self.kind, self.clocks) = (kind, clocks)
        (self.subject, self.state, isReachable) = (subject?.cut, state, nil)
    }

    /// Creates a mark about the network.
    public init(_ kind: Kind, path: String, isReachable: Bool, at clocks: Clocks) {
        (self.kind, self.clocks) = (kind, clocks)
        (subject, state, self.isReachable) = (nil, path, isReachable)
    }
}
