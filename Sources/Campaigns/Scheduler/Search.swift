/// The search for what one slot shows: all lanes of a size in their order, up to the first campaign that
/// nothing stands against.
struct Search {
    struct Choice {
        var place: Int
        var nearness: Nearness
    }

    /// What a separation means for the slot.
    private enum Judgement {
        case separated(from: String)
        case near(Nearness)
    }

    private let scheduler: Scheduler?
    private let request: AdRequest
    private var judgements: [Int: Judgement] = [:]
    private var best: Choice?
    /// On campaigns that were passed over, as many as are handed out.
    private(set) var verdicts: [Verdict] = []
    /// When something that was passed over may change by itself.
    private(set) var nextChange: WallTime?

    init(scheduler: Scheduler?, request: AdRequest) {
        self.scheduler = scheduler
        self.request = request
    }

    mutating func run() -> Choice? {
        guard let scheduler, let shelf = scheduler.shelves[request.size],
            let nearest = leastNearness(scheduler, shelf.separations)
        else { return nil }
        // Nothing but repeats is left, and none is wanted.
        guard nearest == .apart || scheduler.settings.repeats != .never else { return nil }
        let now = scheduler.clock.now.wall.milliseconds
        for lane in shelf.lanes {
            for entry in lane.guaranteed {
                guard entry.key <= now else {
                    let due = WallTime(milliseconds: entry.key)
                    note(entry, .aheadOfPace(until: due), until: due)
                    break
                }
                if consider(entry, scheduler, nearest) { return best }
            }
            for entry in lane.shares where consider(entry, scheduler, nearest) { return best }
        }
        return best
    }

    /// Looks at one campaign, and says whether there can be no better one.
    private mutating func consider(_ entry: LaneEntry, _ scheduler: Scheduler, _ nearest: Nearness) -> Bool {
        guard request.excluded.isEmpty || !request.excluded.contains(entry.campaign) else {
            note(entry, .excluded, until: nil)
            return false
        }
        let nearness: Nearness
        switch judgement(entry.separation, scheduler) {
        case .separated(let other):
            note(entry, .separated(from: other), until: nil)
            return false
        case .near(let near):
            nearness = near
        }
        if let best, nearness >= best.nearness { return false }
        if entry.isCapped,
            let until = scheduler.states[entry.place]?.cappedUntil(
                slot: request.slot, now: scheduler.clock.own)
        {
            let time = scheduler.clock.wall(at: until.time)
            note(entry, .capped(until.scope, until: time), until: time)
            return false
        }
        if let reason = nearness.reason { note(entry, reason, until: nil) }
        guard nearness == .apart || scheduler.settings.repeats != .never else { return false }
        best = Choice(place: entry.place, nearness: nearness)
        return nearness <= nearest
    }

    private mutating func note(_ entry: LaneEntry, _ reason: Verdict.Reason, until: WallTime?) {
        if let until { nextChange = min(nextChange ?? until, until) }
        guard verdicts.count < Limits.verdictsMax else { return }
        verdicts.append(Verdict(campaign: entry.campaign, reason: reason))
    }

    private mutating func judgement(_ separation: Int, _ scheduler: Scheduler) -> Judgement {
        if let known = judgements[separation] { return known }
        let judgement = Search.judge(scheduler.separations[separation], slot: request.slot, scheduler.screens)
        judgements[separation] = judgement
        return judgement
    }

    private static func judge(_ separation: Separation, slot: String, _ screens: Screens) -> Judgement {
        if let other = screens.competitor(of: separation, besides: slot) { return .separated(from: other) }
        return .near(screens.slots[slot]?.previous.map(separation.nearness) ?? .apart)
    }

    /// The best that any campaign on a shelf can be, so that an inventory of one advertiser is not looked
    /// through to its end each time; nil when all are separated.
    private mutating func leastNearness(_ scheduler: Scheduler, _ separations: [Int: Int]) -> Nearness? {
        guard separations.count <= Limits.separationsLookedThroughMax else { return .apart }
        var least: Nearness?
        for separation in separations.keys {
            if case .near(let near) = judgement(separation, scheduler) { least = min(least ?? near, near) }
        }
        return least
    }
}

extension Nearness {
    var reason: Verdict.Reason? {
        switch self {
        case .apart: nil
        case .sameCategory: .sameCategoryAgain
        case .sameAdvertiser: .sameAdvertiserAgain
        }
    }
}

extension CampaignState {
    /// The cap that lets nothing through for the longest, and until when.
    func cappedUntil(slot: String, now: Int64) -> (scope: CapScope, time: Int64)? {
        guard !campaign.caps.isEmpty else { return nil }
        return CapScope.allCases
            .compactMap { scope in
                history.cappedUntil(scope, slot: slot, caps: campaign.caps, now: now).map { (scope, $0) }
            }
            .max { $0.1 < $1.1 }
    }
}
