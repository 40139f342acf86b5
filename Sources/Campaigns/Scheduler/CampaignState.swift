/// A campaign's place in the share of voice of one size: how far its turns have gone in virtual time.
///
/// The turns are counted and not added up, so that nothing is lost to rounding in the long run.
struct Turn: Hashable, Sendable {
    /// Virtual time at which the count begins.
    var start: Int64
    /// Turns since.
    var served: Int64 = 0

    /// Virtual time that one turn of weight 1 takes.
    static let unit: Int64 = 1 << 32

    static func stride(_ weight: Int) -> Int64 { unit / Int64(weight) }

    /// Virtual time at which the next turn begins.
    func begin(weight: Int) -> Int64 {
        start + Int64((Int128(served) * Int128(Turn.unit)).floored(by: Int128(weight)))
    }

    /// Virtual time at which the next turn ends, which is what the turns are ordered by.
    func end(weight: Int) -> Int64 {
        Turn(start: start, served: served + 1).begin(weight: weight)
    }
}

/// A campaign with all that the scheduler remembers of it.
struct CampaignState: Sendable {
    var campaign: Campaign
    /// The number of its separation.
    var separation: Int
    var pattern: WeekPattern
    /// The creatives that may be shown, by size, oldest first.
    var creatives: [CreativeSize: [CreativeID]]

    /// Decisions that were not withdrawn.
    var delivered = 0
    /// When the last of them was, by a trusted clock.
    var lastServed: WallTime?
    var turns: [CreativeSize: Turn] = [:]
    /// How often each creative was chosen; a new one begins with as many as the others have at least.
    var shown: [CreativeID: Int] = [:]
    var history = CapHistory()

    /// Whether nothing stood against it when it was last judged; also what an earlier scheduler remembers.
    var isCompeting = false
    /// Whether its appointments are made, and, while it competes, its places in the lanes.
    var isEntered = false
    /// What stands against it, whatever the request; nil while it competes.
    var hindrance: Hindrance?
    /// The wall time at which that has to be judged anew, in milliseconds.
    var nextChange: Int64?
    /// When its guaranteed impressions are to come; made when it is needed.
    var plan: PacingPlan?
    /// When the next guaranteed impression is due.
    var due: WallTime?

    /// What stands against a campaign, whatever the request.
    enum Hindrance: Hashable, Sendable {
        case verdict(Verdict.Reason)
        /// A cap on the device, until this time of the scheduler's own clock.
        case capped(until: Int64)
    }

    init(_ campaign: Campaign, separation: Int) {
        self.campaign = campaign
        self.separation = separation
        pattern = WeekPattern(dayparts: campaign.dayparts)
        creatives = [:]
        updateCreatives()
    }

    /// Takes an edited campaign, and keeps what is remembered as far as it still means something.
    mutating func replace(with edited: Campaign, separation: Int) {
        let old = campaign
        campaign = edited
        plan = nil
        self.separation = separation
        pattern = WeekPattern(dayparts: edited.dayparts)
        updateCreatives()
        turns = turns.filter { creatives[$0.key] != nil }
        switch (old.delivery, edited.delivery) {
        case (.share(let before), .share(let after)) where old.tier == edited.tier:
            // What it has had counts by the old weight, what comes by the new one.
            if before != after { turns = turns.mapValues { Turn(start: $0.begin(weight: before)) } }
        case (.share, .share), (.share, .guaranteed), (.guaranteed, .share), (.guaranteed, .guaranteed):
            turns = [:]
        }
    }

    private mutating func updateCreatives() {
        let before = creatives
        creatives = [:]
        for size in campaign.sizes { creatives[size] = campaign.creatives(of: size).map(\.id) }
        levelCreatives { size, id in before[size]?.contains(id) ?? false }
        let present = Set(campaign.creatives.map(\.id))
        shown = shown.filter { present.contains($0.key) }
    }

    /// Lets creatives that are new in the rotation begin with as many as the others have at least.
    private mutating func levelCreatives(_ isKnown: (CreativeSize, CreativeID) -> Bool) {
        for (size, ids) in creatives {
            let level = ids.filter { isKnown(size, $0) }.map { shown[$0] ?? 0 }.min() ?? 0
            for id in ids where !isKnown(size, id) { shown[id] = max(shown[id] ?? 0, level) }
        }
    }

    /// Takes over what was remembered of this campaign.
    mutating func restore(_ memory: CampaignMemory) {
        delivered = memory.delivered
        lastServed = memory.lastServed
        isCompeting = memory.isCompeting
        for turn in memory.turns where creatives[turn.size] != nil {
            turns[turn.size] = Turn(start: turn.start, served: turn.served)
        }
        let counts = Dictionary(memory.shown.map { ($0.creative, $0.count) }, uniquingKeysWith: max)
        for (id, count) in counts where shown[id] != nil { shown[id] = count }
        levelCreatives { _, id in counts[id] != nil }
    }

    var memory: CampaignMemory {
        CampaignMemory(
            campaign: campaign.id, delivered: delivered, lastServed: lastServed, isCompeting: isCompeting,
            turns: turns.sorted { $0.key < $1.key }.map { size, turn in
                TurnMemory(size: size, start: turn.start, served: turn.served)
            },
            shown: shown.sorted { $0.key < $1.key }.map { CreativeMemory(creative: $0.key, count: $0.value) })
    }

    /// The creative that was chosen least often.
    func nextCreative(of size: CreativeSize) -> CreativeID? {
        creatives[size]?.min { (shown[$0] ?? 0, $0) < (shown[$1] ?? 0, $1) }
    }
}
