public import Reachability

/// What a slot is doing, in one word.
public enum SlotState: String, CaseIterable, Sendable {
    /// No host. Moves to: waiting, loading, hidden (a host attaches).
    case detached
    /// A host, and no network. Moves to: loading (gain), hidden (gain, not visible), detached.
    case waiting
    /// The sources are being asked and nothing is on screen. Moves to: shown (fill), hidden (failure, not
    /// visible), waiting (loss), detached.
    case loading
    /// An advertisement is on screen. Moves to: acting (a person touched it), hidden (not visible, expired),
    /// loading (expired), waiting (loss), detached.
    case shown
    /// Not visible, disabled, or without an advertisement until the next attempt. Moves to: shown (visible
    /// again), loading (next attempt), waiting (loss), detached.
    case hidden
    /// An action is beginning or running, and nothing changes on screen. Moves to: what `shown` moves to,
    /// when it ends; detached.
    case acting
}

/// A slot as queries show it.
public struct SlotSnapshot: Hashable, Sendable {
    /// The slot's name.
    public var name: String
    /// What it is doing.
    public var state: SlotState
    /// The edge that its banner lies at.
    public var placement: Placement
    /// The operator's switch.
    public var enablement: Enablement
    /// The name of its host, where the host gave one.
    public var host: String?
    /// The banner that the host holds for it, on screen or off.
    public var banner: BannerID?
    /// The advertisement on screen.
    public var creative: Creative?
    /// The host's viewport, in density-independent pixels.
    public var viewport: Size?
    /// Whether the host says that the banner is, or would be, in view.
    public var visible: Bool
    /// Why it does what it does.
    public var reason: Reason
    /// The last failure of an attempt's source.
    public var lastError: SourceError?
    /// When the sources will be asked next, where nothing else must happen first.
    public var nextAttempt: Instant?
    /// Requests to sources so far.
    public var requests: Int
    /// Advertisements received so far.
    public var fills: Int
    /// Advertisements seen long enough so far.
    public var impressions: Int
    /// Actions allowed so far.
    public var actions: Int
}
