/// All that a scheduler has to remember over a restart, as plain values; the inventory comes from elsewhere.
///
/// Lists may be in any order. Numbers that no scheduler could have come to are brought into their bounds, and
/// what belongs to a campaign or creative that is gone is dropped.
public struct SchedulerMemory: Hashable, Sendable {
    /// Its clock.
    public var clock: ClockMemory?
    /// What each campaign has had.
    public var campaigns: [CampaignMemory] = []
    /// How far the share of voice has gone.
    public var lanes: [LaneMemory] = []
    /// What each slot shows, and showed last.
    public var slots: [SlotMemory] = []
    /// Decisions that can still be confirmed or withdrawn, in the order in which they were made.
    public var decisions: [CountedDecision] = []
    /// What frequency caps count.
    public var impressions: [CappedImpression] = []
    /// What was learned of past traffic.
    public var profile = TrafficProfile()
    /// What was counted since.
    public var traffic = TrafficCount()

    /// Nothing is remembered.
    public init() {}

    /// Puts changes, as `Scheduler.takeChanges` gives them, over what was remembered before.
    public mutating func merge(_ changes: SchedulerMemory) {
        clock = changes.clock
        profile = changes.profile
        traffic = changes.traffic
        SchedulerMemory.put(changes.campaigns, over: &campaigns) { $0.campaign }
        SchedulerMemory.put(changes.lanes, over: &lanes) { [$0.size.width, $0.size.height, $0.tier] }
        SchedulerMemory.put(changes.slots, over: &slots) { $0.slot }
        SchedulerMemory.put(changes.decisions, over: &decisions) { $0.placement.decision }
        SchedulerMemory.put(changes.impressions, over: &impressions) { $0.decision }
        let withdrawn = Set(
            changes.decisions.lazy.filter { $0.state == .withdrawn }.map(\.placement.decision))
        impressions.removeAll { withdrawn.contains($0.decision) }
        decisions.removeFirst(max(0, decisions.count - Limits.decisionsMax))
    }

    /// Replaces what has the same key in its place, and appends what is new.
    private static func put<Element, Key: Hashable>(
        _ changes: [Element], over elements: inout [Element], by key: (Element) -> Key
    ) {
        let places = Dictionary(
            elements.enumerated().map { (key($0.element), $0.offset) }, uniquingKeysWith: { $1 })
        for change in changes {
            if let place = places[key(change)] { elements[place] = change } else { elements.append(change) }
        }
    }
}

/// What is remembered of one campaign.
public struct CampaignMemory: Hashable, Sendable {
    /// Which one.
    public var campaign: CampaignID
    /// Decisions for it that were not withdrawn.
    public let delivered: Int
    /// When the last of them was, by a trusted clock.
    public var lastServed: WallTime?
    /// Whether it was competing; one that was not begins at the level of those that were.
    public var isCompeting: Bool
    /// Its turns in the share of voice.
    public var turns: [TurnMemory]
    /// How often its creatives were chosen.
    public var shown: [CreativeMemory]

    /// Puts the values together.
    public init(
        campaign: CampaignID, delivered: Int, lastServed: WallTime?, isCompeting: Bool, turns: [TurnMemory],
        shown: [CreativeMemory]
    ) {
        self.campaign = campaign
        self.delivered = delivered.clamped(to: Limits.rememberedCounts)
        self.lastServed = lastServed
        self.isCompeting = isCompeting
        self.turns = turns
        self.shown = shown
    }
}

/// How far one campaign's turns have gone, in one size.
public struct TurnMemory: Hashable, Sendable {
    /// The size.
    public var size: CreativeSize
    /// Virtual time at which the count begins.
    public let start: Int64
    /// Turns since.
    public let served: Int64

    /// Puts the values together.
    public init(size: CreativeSize, start: Int64, served: Int64) {
        self.size = size
        self.start = start.clamped(to: Limits.rememberedVirtualTime)
        self.served = served.clamped(to: Limits.rememberedTurns)
    }
}

/// How often a creative was chosen, counted from the level at which it came in.
public struct CreativeMemory: Hashable, Sendable {
    /// Which one.
    public var creative: CreativeID
    /// How often.
    public let count: Int

    /// Puts the values together.
    public init(creative: CreativeID, count: Int) {
        self.creative = creative
        self.count = count.clamped(to: Limits.rememberedCounts)
    }
}

/// How far the share of voice of one size and tier has gone.
public struct LaneMemory: Hashable, Sendable {
    /// The size.
    public var size: CreativeSize
    /// The tier.
    public var tier: Int
    /// Virtual time.
    public let level: Int64

    /// Puts the values together.
    public init(size: CreativeSize, tier: Int, level: Int64) {
        self.size = size
        self.tier = tier
        self.level = level.clamped(to: Limits.rememberedVirtualTime)
    }
}

/// What a slot shows, and showed last.
public struct SlotMemory: Hashable, Sendable {
    /// The slot's name.
    public var slot: String
    /// Whose advertisement is on screen.
    public var current: Separation?
    /// Whose was last.
    public var last: Separation?

    /// Puts the values together.
    public init(slot: String, current: Separation?, last: Separation?) {
        self.slot = slot
        self.current = current
        self.last = last
    }
}

/// A decision that was counted, and what became of it.
public struct CountedDecision: Hashable, Sendable {
    /// What was decided.
    public var placement: Placement
    /// Whose advertisement it is.
    public var separation: Separation
    /// When it counts, by the scheduler's own clock, in milliseconds.
    public var ownMilliseconds: Int64
    /// When the campaign's impression before it was.
    public var previouslyServed: WallTime?
    /// When it was made, by a trusted clock.
    public var servedAt: WallTime?
    /// What became of it.
    public var state: State

    /// What became of a decision.
    public enum State: String, Sendable {
        /// It may still reach the screen. Moves to: confirmed, withdrawn.
        case pending
        /// It reached the screen.
        case confirmed
        /// It never did, and was taken out of the count.
        case withdrawn
    }

    /// Puts the values together.
    public init(
        placement: Placement, separation: Separation, ownMilliseconds: Int64, previouslyServed: WallTime?,
        servedAt: WallTime?, state: State
    ) {
        self.placement = placement
        self.separation = separation
        self.ownMilliseconds = ownMilliseconds.clamped(to: Limits.steadyMilliseconds)
        self.previouslyServed = previouslyServed
        self.servedAt = servedAt
        self.state = state
    }
}

/// An impression that frequency caps count.
public struct CappedImpression: Hashable, Sendable {
    /// The decision behind it.
    public var decision: DecisionID
    /// The campaign.
    public var campaign: CampaignID
    /// The slot.
    public var slot: String
    /// When it counts, by the scheduler's own clock, in milliseconds.
    public let ownMilliseconds: Int64

    /// Puts the values together.
    public init(decision: DecisionID, campaign: CampaignID, slot: String, ownMilliseconds: Int64) {
        self.decision = decision
        self.campaign = campaign
        self.slot = slot
        self.ownMilliseconds = ownMilliseconds.clamped(to: Limits.steadyMilliseconds)
    }
}
