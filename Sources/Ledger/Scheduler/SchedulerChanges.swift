public import Campaigns

/// What the scheduler of house campaigns remembers anew, to be kept with the rows of the same turn.
public struct SchedulerChanges: Hashable, Sendable {
    /// What has changed, as `Scheduler.takeChanges` gives it, or all of it.
    public var memory: SchedulerMemory
    /// Whether it is all, and takes the place of what was kept before.
    public var isWhole: Bool
    /// For how long impressions of these campaigns are of interest to their frequency caps, in milliseconds;
    /// for others as long as is worth while in case that they get caps.
    public var windows: [CampaignID: Int64]
    /// Campaigns that are gone from the inventory.
    public var removed: [CampaignID]
    /// Slots that are gone from the configuration.
    public var forgottenSlots: [String]

    /// Puts the parts together.
    public init(
        memory: SchedulerMemory, isWhole: Bool = false, windows: [CampaignID: Int64] = [:],
        removed: [CampaignID] = [], forgottenSlots: [String] = []
    ) {
        self.memory = memory
        self.isWhole = isWhole
        self.windows = windows
        self.removed = removed
        self.forgottenSlots = forgottenSlots
    }

    /// Whether an ad has come on screen: what was decided about it must not be forgotten with a loss of
    /// power, or it would be shown more often than its caps allow.
    var isMoney: Bool { memory.decisions.contains { $0.state == .confirmed } }
}
