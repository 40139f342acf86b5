public import Reachability

/// What a slot remembers over a restart of the daemon: its back-off and its counters. Hosts and banners do
/// not survive.
///
/// Moments stay good over a restart, since the clock counts from the boot; after a reboot they do not, and
/// the shell leaves them out.
public struct SlotMemory: Hashable, Sendable {
    /// The slot's name.
    public var name: String
    /// Attempts that failed since the last fill.
    public var failures: Int
    /// No attempt begins before this moment.
    public var notBefore: Instant?
    /// When a source was last asked.
    public var lastRequest: Instant?
    /// The last failure.
    public var lastError: SourceError?
    /// Requests to sources so far.
    public var requests: Int
    /// Advertisements received so far.
    public var fills: Int
    /// Advertisements seen long enough so far.
    public var impressions: Int
    /// Actions allowed so far.
    public var actions: Int

    /// Creates what a slot remembers.
    public init(
        name: String, failures: Int = 0, notBefore: Instant? = nil, lastRequest: Instant? = nil,
        lastError: SourceError? = nil, requests: Int = 0, fills: Int = 0, impressions: Int = 0,
        actions: Int = 0
    ) {
        self.name = name
        self.failures = failures
        self.notBefore = notBefore
        self.lastRequest = lastRequest
        self.lastError = lastError
        self.requests = requests
        self.fills = fills
        self.impressions = impressions
        self.actions = actions
    }
}

extension SlotRecord {
    /// What survives a restart.
    var memory: SlotMemory {
        SlotMemory(
            name: settings.name, failures: backoff.failures, notBefore: backoff.notBefore,
            lastRequest: lastRequest, lastError: lastError, requests: requests, fills: fills,
            impressions: impressions, actions: actions)
    }

    /// Takes up what was remembered.
    mutating func recall(_ memory: SlotMemory) {
        backoff = Backoff(failures: memory.failures, notBefore: memory.notBefore)
        lastRequest = memory.lastRequest
        lastError = memory.lastError
        requests = memory.requests
        fills = memory.fills
        impressions = memory.impressions
        actions = memory.actions
    }
}
