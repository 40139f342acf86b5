/// A source as a slot sees it: a name to ask, and whether asking needs the network.
public struct SourceReference: Hashable, Sendable {
    /// The name of the source's section in the configuration.
    public var name: String
    /// Whether its advertisements come over the network (`test`, `openrtb`) or from this device (`house`).
    public var isNetwork: Bool

    /// Creates a reference to a source.
    public init(name: String, isNetwork: Bool) {
        self.name = name
        self.isNetwork = isNetwork
    }
}

/// What a slot does when a loss of the network is posted (`WhenUnreachable=`).
public enum UnreachablePolicy: String, CaseIterable, Sendable {
    /// Its banner is hidden and released, whatever it shows.
    case release
    /// It asks its local sources, and keeps a banner that shows one of their advertisements.
    case house
}

/// The configuration of one slot (`[Slot NAME]`).
public struct SlotSettings: Hashable, Sendable {
    /// The slot's name, unique in the configuration.
    public var name: String
    /// The edge that the banner lies at.
    public var placement: Placement = .bottom
    /// The sources, in the order in which they are asked.
    public var sources: [SourceReference] = [SourceReference(name: "test", isNetwork: true)]
    /// The sizes that may be asked for, in density-independent pixels.
    public var sizes: [Size] = Layout.defaultSizes
    /// How long an advertisement stays before a new one is asked for.
    public var refreshInterval: Duration = .seconds(180)
    /// The wait after the first failure; each further failure doubles it.
    public var retryInterval: Duration = .seconds(30)
    /// The longest wait after a failure.
    public var retryMax: Duration = .seconds(600)
    /// The least time between two requests that belong to different attempts.
    public var minimumInterval: Duration = .seconds(5)
    /// How long an advertisement must be in view, without a break, to count as an impression.
    public var minimumView: Duration = .seconds(1)
    /// What happens when the network is lost.
    public var whenUnreachable: UnreachablePolicy = .release
    /// How long one source may take to answer.
    public var requestTimeout: Duration = .seconds(10)

    /// Creates the settings of a slot with the documented defaults.
    public init(name: String) {
        self.name = name
    }
}

/// The configuration of the coordinator.
public struct CoordinatorSettings: Hashable, Sendable {
    /// The slots, in the order of the configuration; their names differ.
    public var slots: [SlotSettings]
    /// How long the answer to a begun action waits for work to pause (`PauseTimeout=`).
    public var pauseTimeout: Duration = .milliseconds(500)
    /// How long an action may last (`ActionTimeout=`).
    public var actionTimeout: Duration = .seconds(300)

    /// Creates settings with the documented defaults; without slots there is one, `banner`.
    public init(slots: [SlotSettings] = [SlotSettings(name: "banner")]) {
        self.slots = slots
    }
}

extension SlotSettings {
    /// These settings with every duration inside its bound.
    ///
    /// The reader of the configuration refuses such values with file and line; this keeps a value that got
    /// past it (a retry after no time at all) from making the coordinator spin.
    var bounded: SlotSettings {
        var bounded = self
        bounded.refreshInterval = refreshInterval.clamped(to: Limits.refreshInterval)
        bounded.retryInterval = retryInterval.clamped(to: Limits.retryInterval)
        bounded.retryMax = max(retryMax.clamped(to: Limits.retryInterval), bounded.retryInterval)
        bounded.minimumInterval = minimumInterval.clamped(to: Limits.minimumInterval)
        bounded.minimumView = minimumView.clamped(to: Limits.minimumView)
        bounded.requestTimeout = requestTimeout.clamped(to: Limits.requestTimeout)
        return bounded
    }

    /// The sources that may be asked now, in order.
    func usableSources(reachable: Bool) -> [SourceReference] {
        guard !reachable else { return sources }
        switch whenUnreachable {
        case .release: return []
        case .house: return sources.filter { !$0.isNetwork }
        }
    }

    /// Whether a source may be asked now.
    func hasUsableSource(reachable: Bool) -> Bool {
        guard !reachable else { return !sources.isEmpty }
        switch whenUnreachable {
        case .release: return false
        case .house: return sources.contains { !$0.isNetwork }
        }
    }

    /// Whether an advertisement may be on screen now, by where it came from.
    func maySee(networkAd: Bool, reachable: Bool) -> Bool {
        guard !reachable else { return true }
        switch whenUnreachable {
        case .release: return false
        case .house: return !networkAd
        }
    }
}

extension CoordinatorSettings {
    /// These settings with every duration inside its bound.
    var bounded: CoordinatorSettings {
        var bounded = self
        bounded.slots = slots.map(\.bounded)
        bounded.pauseTimeout = pauseTimeout.clamped(to: Limits.pauseTimeout)
        bounded.actionTimeout = actionTimeout.clamped(to: Limits.actionTimeout)
        return bounded
    }
}
