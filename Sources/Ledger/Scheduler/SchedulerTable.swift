internal import Campaigns

/// What the scheduler remembers, in an open file. Its statements are prepared when they are first needed:
/// many devices have no house campaigns.
final class SchedulerTable {
    let database: Database
    private var statements: [String: Statement] = [:]
    /// What of the traffic is in the file.
    var traffic: TrafficCount?
    /// Impressions that were added since the last look at how many there are.
    private var added = 0

    init(_ database: Database) {
        self.database = database
    }

    private func run(_ sql: String, _ values: [Statement.Value] = []) throws(LedgerError) {
        let statement: Statement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try database.prepare(sql)
            statements[sql] = statement
        }
        try statement.run(values)
    }

    /// Writes changes, within the caller's transaction.
    func write(_ changes: SchedulerChanges) throws(LedgerError) {
        let memory = changes.memory
        if changes.isWhole { try clear() }
        try write(memory.clock, since: memory.traffic.since)
        for campaign in memory.campaigns { try write(campaign) }
        for lane in memory.lanes {
            try run(
                "INSERT OR REPLACE INTO scheduler_lanes VALUES (?1, ?2, ?3, ?4)",
                lane.size.values + [.integer(Int64(lane.tier)), .integer(lane.level)])
        }
        for slot in memory.slots {
            try run(
                "INSERT OR REPLACE INTO scheduler_slots VALUES (?1, ?2, ?3)",
                [.text(slot.slot), .text(slot.current?.lines), .text(slot.last?.lines)])
        }
        for (number, decision) in memory.decisions.enumerated() { try write(decision, number: number) }
        for impression in memory.impressions { try write(impression, changes) }
        if let own = memory.clock?.ownMilliseconds {
            try run("DELETE FROM scheduler_impressions WHERE until <= ?1", [.integer(own)])
        }
        for campaign in changes.removed { try remove(campaign) }
        for slot in changes.forgottenSlots {
            try run("DELETE FROM scheduler_slots WHERE slot = ?1", [.text(slot)])
        }
        if added >= Limits.schedulerImpressionsMax / 10 { try bound() }
        try write(memory.traffic, memory.profile)
    }

    private func clear() throws(LedgerError) {
        for table in [
            "clock", "campaigns", "turns", "creatives", "lanes", "slots", "decisions", "impressions",
            "profile", "traffic",
        ] {
            try database.execute("DELETE FROM scheduler_\(table)")
        }
        traffic = nil
    }

    private func write(_ clock: ClockMemory?, since: Int64?) throws(LedgerError) {
        guard let clock else { return }
        try run(
            "INSERT OR REPLACE INTO scheduler_clock VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)",
            [
                .text(clock.boot), .integer(clock.steadyMilliseconds), .integer(clock.ownMilliseconds),
                .integer(clock.wall?.milliseconds), .integer(clock.isBehind ? 1 : 0), .integer(since),
            ])
    }

    private func write(_ memory: CampaignMemory) throws(LedgerError) {
        let id = Statement.Value.integer(memory.campaign.value)
        try run(
            "INSERT OR REPLACE INTO scheduler_campaigns VALUES (?1, ?2, ?3, ?4)",
            [
                id, .integer(Int64(memory.delivered)), .integer(memory.lastServed?.milliseconds),
                .integer(memory.isCompeting ? 1 : 0),
            ])
        // Sizes and creatives that it has no more are gone from its memory too.
        try run("DELETE FROM scheduler_turns WHERE campaign = ?1", [id])
        for turn in memory.turns {
            try run(
                "INSERT INTO scheduler_turns VALUES (?1, ?2, ?3, ?4, ?5)",
                [id] + turn.size.values + [.integer(turn.start), .integer(turn.served)])
        }
        try run("DELETE FROM scheduler_creatives WHERE campaign = ?1", [id])
        for creative in memory.shown {
            try run(
                "INSERT INTO scheduler_creatives VALUES (?1, ?2, ?3)",
                [id, .integer(creative.creative.value), .integer(Int64(creative.count))])
        }
    }

    /// Keeps a decision for as long as it is open.
    private func write(_ decision: CountedDecision, number: Int) throws(LedgerError) {
        let placement = decision.placement
        let id = Statement.Value.text(placement.decision.value)
        guard decision.state == .pending else {
            try run("DELETE FROM scheduler_decisions WHERE decision = ?1", [id])
            if decision.state == .withdrawn {
                try run("DELETE FROM scheduler_impressions WHERE decision = ?1", [id])
            }
            return
        }
        let (due, weight): (Int64?, Int64?) =
            switch placement.basis {
            case .guaranteed(let due): (due.milliseconds, nil)
            case .share(let weight): (nil, Int64(weight))
            }
        try run(
            """
            INSERT OR REPLACE INTO scheduler_decisions
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """,
            [
                id, .integer(Int64(number)), .text(placement.slot), .integer(placement.campaign.value),
                .integer(placement.revision), .integer(placement.creative.value),
            ] + placement.size.values + [
                .integer(placement.cost.nanos), .text(placement.cost.currency.code), .integer(due),
                .integer(weight), .integer(placement.isRepeat ? 1 : 0), .text(decision.separation.lines),
                .integer(decision.ownMilliseconds), .integer(decision.previouslyServed?.milliseconds),
                .integer(decision.servedAt?.milliseconds),
            ])
    }

    private func write(
        _ impression: CappedImpression, _ changes: SchedulerChanges
    ) throws(LedgerError) {
        let window = changes.windows[impression.campaign] ?? Limits.schedulerWindowMilliseconds
        try run(
            "INSERT OR REPLACE INTO scheduler_impressions VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .text(impression.decision.value), .integer(impression.campaign.value),
                .text(impression.slot), .integer(impression.ownMilliseconds),
                .integer(impression.ownMilliseconds + window),
            ])
        added += 1
    }

    private func remove(_ campaign: CampaignID) throws(LedgerError) {
        for table in ["campaigns", "turns", "creatives", "decisions", "impressions"] {
            try run("DELETE FROM scheduler_\(table) WHERE campaign = ?1", [.integer(campaign.value)])
        }
    }

    /// Lets go of impressions that are too many: those first that would soonest be of no interest.
    private func bound() throws(LedgerError) {
        added = 0
        try run(
            """
            DELETE FROM scheduler_impressions WHERE decision IN (
                SELECT decision FROM scheduler_impressions ORDER BY until DESC
                LIMIT -1 OFFSET \(Limits.schedulerImpressionsMax))
            """)
    }

    private func write(_ traffic: TrafficCount, _ profile: TrafficProfile) throws(LedgerError) {
        guard traffic != self.traffic else { return }
        if traffic.since != self.traffic?.since {
            for (hour, estimate) in profile.estimates.enumerated() {
                try run(
                    "INSERT OR REPLACE INTO scheduler_profile VALUES (?1, ?2, ?3)",
                    [
                        .integer(Int64(hour)), .integer(Int64(bitPattern: estimate.bitPattern)),
                        .integer(Int64(profile.observations[hour])),
                    ])
            }
        }
        for hour in (self.traffic?.hours ?? [:]).keys where traffic.hours[hour] == nil {
            try run("DELETE FROM scheduler_traffic WHERE hour = ?1", [.integer(hour)])
        }
        for (hour, count) in traffic.hours where count != self.traffic?.hours[hour] {
            try run(
                "INSERT OR REPLACE INTO scheduler_traffic VALUES (?1, ?2)",
                [.integer(hour), .integer(Int64(count))])
        }
        // A transaction that fails closes the file, and this with it.
        self.traffic = traffic
    }
}

extension CreativeSize {
    fileprivate var values: [Statement.Value] { [.integer(Int64(width)), .integer(Int64(height))] }
}

extension Separation {
    /// Domains and categories, one a line, each with a letter for which it is.
    fileprivate var lines: String {
        let lines = domains.map { "d\($0.oneLine)" } + categories.map { "c\($0.oneLine)" }
        return lines.joined(separator: "\n")
    }

    init(lines: String) {
        let lines = lines.split(separator: "\n")
        self.init(
            domains: lines.filter { $0.first == "d" }.map { String($0.dropFirst()) },
            categories: lines.filter { $0.first == "c" }.map { String($0.dropFirst()) })
    }
}

extension String {
    /// The text without the ends of lines that a domain from outside may have.
    fileprivate var oneLine: String { filter { !$0.isNewline } }
}
