public import Reachability

/// What a slot remembers over a restart of the daemon: the operator's switch, its back-off and its counters.
/// Hosts and banners do not survive.
///
/// Moments stay good over a restart, since the clock counts from the boot; after a reboot they do not, and
/// the shell leaves them out.
public struct SlotMemory: Hashable, Sendable {
    /// The slot's name.
    public var name: String
    /// The operator's switch.
    public var enablement: Enablement
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
        name: String, enablement: Enablement = .enabled, failures: Int = 0, notBefore: Instant? = nil,
        lastRequest: Instant? = nil, lastError: SourceError? = nil, requests: Int = 0, fills: Int = 0,
        impressions: Int = 0, actions: Int = 0
    ) {
        self.name = name
        self.enablement = enablement
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
            name: settings.name, enablement: enablement, failures: backoff.failures,
            notBefore: backoff.notBefore, lastRequest: lastRequest, lastError: lastError, requests: requests,
            fills: fills,
            impressions: impressions, actions: actions)
    }

    /// Takes up what was remembered.
    mutating func recall(_ memory: SlotMemory, at now: Instant) {
        enablement = memory.enablement
        backoff = Backoff(failures: memory.failures, notBefore: memory.notBefore)
        lastRequest = memory.lastRequest
        lastError = memory.lastError
        requests = memory.requests
        fills = memory.fills
        impressions = memory.impressions
        actions = memory.actions
        if case .disabled(let until) = enablement {
            history.append(.stayedDisabled(until: until), at: now)
        }
        if let notBefore = backoff.notBefore, notBefore > now {
            history.append(.stayedBackedOff(failures: backoff.failures, until: notBefore), at: now)
        }
    }
}

extension Coordinator {
    /// Takes the memories that have changed since they were last taken, by name. The shell has them on disk
    /// before it performs the effects of the event that changed them.
    public mutating func takeChangedMemories() -> [SlotMemory] {
        guard !changedMemories.isEmpty else { return [] }
        let names = Set(changedMemories)
        changedMemories.removeAll(keepingCapacity: true)
        return names.sorted().compactMap { name in
            if let index = indexByName[name] { entries[index].hasChangedMemory = false }
            return memory(slot: name)
        }
    }

    /// Gives a slot what one of its name remembered, before a restart or in an earlier configuration.
    mutating func recall(_ index: Int, at now: Instant) {
        guard let memory = departed.removeValue(forKey: entries[index].record.settings.name) else { return }
        entries[index].record.recall(memory, at: now)
    }

    /// Keeps what a slot remembers that leaves the configuration, in case that it comes back.
    mutating func keepMemory(of index: Int) {
        guard departed.count < Limits.slotsMax else { return }
        let memory = entries[index].record.memory
        departed[memory.name] = memory
    }
}
