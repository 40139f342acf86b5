internal import Campaigns

extension SchedulerTable {
    /// All that is kept.
    func read() throws(LedgerError) -> SchedulerMemory {
        let memory = try Self.read(database)
        traffic = memory.traffic
        return memory
    }

    /// All that is kept. What makes no sense is left out, as if it had never been.
    static func read(_ database: Database) throws(LedgerError) -> SchedulerMemory {
        var memory = SchedulerMemory()
        var own: Int64 = 0
        try database.prepare("SELECT boot, steady, own, wall, behind, traffic_since FROM scheduler_clock")
            .rows { row in
                own = row.integer(2) ?? 0
                memory.clock = ClockMemory(
                    boot: row.text(0) ?? "", steadyMilliseconds: row.integer(1) ?? 0, ownMilliseconds: own,
                    wall: row.wall(3), isBehind: row.integer(4) == 1)
                memory.traffic.since = row.integer(5)
            }
        memory.campaigns = try campaigns(database)
        try database.prepare("SELECT width, height, tier, level FROM scheduler_lanes").rows { row in
            memory.lanes.append(
                LaneMemory(size: row.size(0), tier: Int(row.integer(2) ?? 0), level: row.integer(3) ?? 0))
        }
        try database.prepare("SELECT slot, current, last FROM scheduler_slots").rows { row in
            memory.slots.append(
                Campaigns.SlotMemory(
                    slot: row.text(0) ?? "", current: row.text(1).map { Separation(lines: $0) },
                    last: row.text(2).map { Separation(lines: $0) }))
        }
        memory.decisions = try decisions(database)
        memory.impressions = try impressions(
            database, "WHERE until > ?1 ORDER BY until DESC LIMIT \(Limits.schedulerImpressionsMax)", own)
        try readTraffic(database, into: &memory)
        return memory
    }

    /// What is known of the past of one campaign.
    func impressions(of campaign: CampaignID) throws(LedgerError) -> [CappedImpression] {
        try Self.impressions(
            database, "WHERE campaign = ?1 ORDER BY own DESC LIMIT \(Limits.schedulerImpressionsMax)",
            campaign.value)
    }

    private static func impressions(
        _ database: Database, _ condition: String, _ value: Int64
    ) throws(LedgerError) -> [CappedImpression] {
        var impressions: [CappedImpression] = []
        try database.prepare("SELECT decision, campaign, slot, own FROM scheduler_impressions \(condition)")
            .rows([.integer(value)]) { row in
                impressions.append(
                    CappedImpression(
                        decision: DecisionID(row.text(0) ?? ""), campaign: CampaignID(row.integer(1) ?? 0),
                        slot: row.text(2) ?? "", ownMilliseconds: row.integer(3) ?? 0))
            }
        return impressions
    }

    private static func campaigns(_ database: Database) throws(LedgerError) -> [CampaignMemory] {
        var turns: [Int64: [TurnMemory]] = [:]
        try database.prepare("SELECT campaign, width, height, start, served FROM scheduler_turns")
            .rows { row in
                turns[row.integer(0) ?? 0, default: []].append(
                    TurnMemory(size: row.size(1), start: row.integer(3) ?? 0, served: row.integer(4) ?? 0))
            }
        var shown: [Int64: [CreativeMemory]] = [:]
        try database.prepare("SELECT campaign, creative, count FROM scheduler_creatives").rows { row in
            shown[row.integer(0) ?? 0, default: []].append(
                CreativeMemory(
                    creative: CreativeID(row.integer(1) ?? 0), count: Int(clamping: row.integer(2) ?? 0)))
        }
        var campaigns: [CampaignMemory] = []
        try database.prepare(
            "SELECT campaign, delivered, last_served, competing FROM scheduler_campaigns ORDER BY campaign"
        ).rows { row in
            let id = row.integer(0) ?? 0
            campaigns.append(
                CampaignMemory(
                    campaign: CampaignID(id), delivered: Int(clamping: row.integer(1) ?? 0),
                    lastServed: row.wall(2), isCompeting: row.integer(3) == 1, turns: turns[id] ?? [],
                    shown: shown[id] ?? []))
        }
        return campaigns
    }

    private static func decisions(_ database: Database) throws(LedgerError) -> [CountedDecision] {
        var decisions: [CountedDecision] = []
        try database.prepare(
            """
            SELECT decision, slot, campaign, revision, creative, width, height, cost_nanos, currency, due,
                weight, repeats, separation, own, previously_served, served
            FROM scheduler_decisions ORDER BY own, number LIMIT \(Campaigns.Limits.decisionsMax)
            """
        ).rows { row in
            guard let currency = Currency(code: row.text(8) ?? "") else { return }
            let basis: Placement.Basis =
                row.wall(9).map { .guaranteed(due: $0) }
                ?? .share(weight: Int(clamping: row.integer(10) ?? 1))
            let placement = Placement(
                decision: DecisionID(row.text(0) ?? ""), slot: row.text(1) ?? "",
                campaign: CampaignID(row.integer(2) ?? 0), revision: row.integer(3) ?? 1,
                creative: CreativeID(row.integer(4) ?? 0), size: row.size(5),
                cost: ImpressionCost(nanos: row.integer(7) ?? 0, currency: currency), basis: basis,
                isRepeat: row.integer(11) == 1)
            decisions.append(
                CountedDecision(
                    placement: placement, separation: Separation(lines: row.text(12) ?? ""),
                    ownMilliseconds: row.integer(13) ?? 0, previouslyServed: row.wall(14),
                    servedAt: row.wall(15), state: .pending))
        }
        return decisions
    }

    private static func readTraffic(
        _ database: Database, into memory: inout SchedulerMemory
    ) throws(LedgerError) {
        try database.prepare("SELECT hour, count FROM scheduler_traffic").rows { row in
            memory.traffic.hours[row.integer(0) ?? 0] = Int(clamping: max(0, row.integer(1) ?? 0))
        }
        var estimates: [Double] = []
        var observations: [Int] = []
        try database.prepare("SELECT estimate, observations FROM scheduler_profile ORDER BY hour")
            .rows { row in
                estimates.append(Double(bitPattern: UInt64(bitPattern: row.integer(0) ?? 0)))
                observations.append(Int(clamping: row.integer(1) ?? 0))
            }
        if let profile = TrafficProfile(estimates: estimates, observations: observations) {
            memory.profile = profile
        }
    }
}

extension Statement {
    fileprivate func wall(_ column: Int32) -> WallTime? {
        integer(column).map { WallTime(milliseconds: $0) }
    }

    fileprivate func size(_ column: Int32) -> CreativeSize {
        CreativeSize(
            width: Int(clamping: integer(column) ?? 0), height: Int(clamping: integer(column + 1) ?? 0))
    }
}
