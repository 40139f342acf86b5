internal import AdSlots
internal import Reachability

/// The rows of what happened, and their sums, in an open file.
struct EntryTable {
    private let insert, endImpression, endAction, sum, hour: Statement
    private let marks: MarkTable
    private let database: Database

    init(_ database: Database, marks: MarkTable) throws(LedgerError) {
        self.database = database
        self.marks = marks
        insert = try database.prepare(
            """
            INSERT INTO entries (sequence, id, kind, wall, trusted, at, slot, host, source, creative,
                campaign, path, reason, request, cpm_nanos, currency, started, visible)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
            """)
        endImpression = try database.prepare(
            "UPDATE entries SET ended = ?3, visible = ?4 WHERE sequence = ?1 AND id = ?2")
        endAction = try database.prepare(
            "UPDATE entries SET ended = ?3, reason = ?4 WHERE sequence = ?1 AND id = ?2")
        sum = try database.prepare(
            """
            INSERT INTO sums VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            ON CONFLICT DO UPDATE SET requests = requests + ?7, fills = fills + ?8,
                no_fills = no_fills + ?9, cancelled = cancelled + ?10, shown = shown + ?11,
                impressions = impressions + ?12, actions = actions + ?13,
                cpm_units = cpm_units + ?14 + (cpm_nanos + ?15) / \(Sums.nanosPerUnit),
                cpm_nanos = (cpm_nanos + ?15) % \(Sums.nanosPerUnit)
            """)
        hour = try database.prepare(
            """
            INSERT INTO hours VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET first = min(first, ?2), last = max(last, ?3)
            """)
    }

    /// The number that the next row may have. The newest row is never taken out, so that none is given twice.
    func next() throws(LedgerError) -> Int64 {
        try database.integer("SELECT coalesce(max(sequence), 0) + 1 FROM entries")
    }

    /// Writes changes, within the caller's transaction.
    /// - Parameter base: the sequence of the run's row number 0.
    func write(_ changes: [Change], base: Int64) throws(LedgerError) {
        var sums: [Sums.Key: Sums] = [:]
        var hours: [Int64: ClosedRange<Int64>] = [:]
        for change in changes {
            switch change {
            case .append(let entry):
                let sequence = base + entry.reference.number
                try append(entry, sequence, base: base)
                let hour = entry.wall.hour
                hours[hour] = min(hours[hour]?.lowerBound ?? sequence, sequence)...sequence
                if let key = Sums.Key(entry) { sums[key, default: Sums()].count(entry) }
            case .endImpression(let row, let ended, let visible):
                try endImpression.run([
                    .integer(base + row.number), .blob(row.id.bytes), .integer(ended), .integer(visible),
                ])
            case .endAction(let row, let ended, let reason):
                try endAction.run([
                    .integer(base + row.number), .blob(row.id.bytes), .integer(ended), .text(reason),
                ])
            case .mark(let mark): try marks.append(mark)
            case .notice, .noticeDone, .noticeTried: break
            }
        }
        for (key, sum) in sums { try add(sum, to: key) }
        for (hour, range) in hours {
            try self.hour.run([.integer(hour), .integer(range.lowerBound), .integer(range.upperBound)])
        }
    }

    private func append(_ entry: Entry, _ sequence: Int64, base: Int64) throws(LedgerError) {
        try insert.run([
            .integer(sequence), .blob(entry.reference.id.bytes), .text(entry.kind.rawValue),
            .integer(entry.wall), .integer(entry.isTrusted ? 1 : 0), .integer(entry.at.microseconds),
            .text(entry.slot), .text(entry.host), .text(entry.source), .text(entry.creative),
            .text(entry.campaign), .text(entry.path), .text(entry.reason),
            .integer(entry.request.map { base + $0.number }), .integer(entry.price?.nanos),
            .text(entry.price?.currency), .integer(entry.started), .integer(entry.visible),
        ])
    }

    private func add(_ sums: Sums, to key: Sums.Key) throws(LedgerError) {
        try sum.run([
            .integer(key.hour), .text(key.slot), .text(key.source), .text(key.campaign), .text(key.path),
            .text(key.currency), .integer(sums.requests), .integer(sums.fills), .integer(sums.noFills),
            .integer(sums.cancelled), .integer(sums.shown), .integer(sums.impressions),
            .integer(sums.actions), .integer(sums.cpm.units), .integer(sums.cpm.nanos),
        ])
    }
}

/// How many rows of each kind there are.
struct Sums {
    static let nanosPerUnit: Int64 = 1_000_000_000

    /// What the rows have in common.
    struct Key: Hashable {
        let hour: Int64
        let slot, source, campaign, path, currency: String

        /// `nil` for rows that reports do not count.
        init?(_ entry: Entry) {
            guard let slot = entry.slot else { return nil }
            hour = entry.wall.hour
            self.slot = slot
            source = entry.source ?? ""
            campaign = entry.campaign ?? ""
            path = entry.path ?? ""
            currency = entry.price?.currency ?? ""
        }
    }

    private(set) var requests: Int64 = 0
    private(set) var fills: Int64 = 0
    private(set) var noFills: Int64 = 0
    private(set) var cancelled: Int64 = 0
    private(set) var shown: Int64 = 0
    private(set) var impressions: Int64 = 0
    private(set) var actions: Int64 = 0
    /// What a thousand of each impression cost, summed up.
    private(set) var cpm: (units: Int64, nanos: Int64) = (0, 0)

    mutating func count(_ entry: Entry) {
        switch entry.kind {
        case .request: requests += 1
        case .fill: fills += 1
        case .noFill: noFills += 1
        case .cancelled: cancelled += 1
        case .shown: shown += 1
        case .impression:
            impressions += 1
            let nanos = cpm.nanos + (entry.price?.nanos ?? 0) % Self.nanosPerUnit
            cpm.units += (entry.price?.nanos ?? 0) / Self.nanosPerUnit + nanos / Self.nanosPerUnit
            cpm.nanos = nanos % Self.nanosPerUnit
        case .action: actions += 1
        case .noticeGivenUp, .lost: break
        }
    }
}

extension Int64 {
    /// The hour, counted from the Unix epoch, of a moment in microseconds.
    var hour: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 3_600_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
