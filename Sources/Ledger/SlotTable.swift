internal import AdSlots
internal import Reachability

/// What slots remember, in an open file.
struct SlotTable {
    private let database: Database
    private let upsert: Statement

    init(_ database: Database) throws(LedgerError) {
        self.database = database
        upsert = try database.prepare(
            """
            INSERT INTO slots (name, disabled, disabled_until, failures, not_before, last_request, last_error,
                requests, fills, impressions, actions, boot, saved_at, saved_wall)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT (name) DO UPDATE SET disabled = ?2, disabled_until = ?3, failures = ?4,
                not_before = ?5, last_request = ?6, last_error = ?7, requests = ?8, fills = ?9,
                impressions = ?10, actions = ?11, boot = ?12, saved_at = ?13, saved_wall = ?14
            """)
    }

    /// Writes memories, within the caller's transaction.
    func write(_ memories: [SlotMemory], at clocks: Clocks) throws(LedgerError) {
        for memory in memories {
            try upsert.run([
                .text(memory.name), .integer(memory.enablement.isDisabled ? 1 : 0),
                .integer(memory.enablement.until?.microseconds), .integer(Int64(memory.failures)),
                .integer(memory.notBefore?.microseconds), .integer(memory.lastRequest?.microseconds),
                .text(memory.lastError?.rawValue), .integer(Int64(memory.requests)),
                .integer(Int64(memory.fills)), .integer(Int64(memory.impressions)),
                .integer(Int64(memory.actions)), .text(clocks.boot), .integer(clocks.now.microseconds),
                .integer(clocks.wall),
            ])
        }
    }

    /// Reads all memories, by name.
    func read(at clocks: Clocks) throws(LedgerError) -> [SlotMemory] {
        try Self.read(database, at: clocks)
    }

    /// Reads what a file holds that cannot be written.
    static func read(
        unwritable database: Database, at clocks: Clocks
    ) throws(LedgerError) -> [SlotMemory] {
        let version = try database.integer("PRAGMA user_version")
        // This table is as it was in the first version.
        guard (1...Int64(Schema.migrations.count)).contains(version) else { return [] }
        return try read(database, at: clocks)
    }

    private static func read(_ database: Database, at clocks: Clocks) throws(LedgerError) -> [SlotMemory] {
        let rows = try database.prepare(
            """
            SELECT name, disabled, disabled_until, failures, not_before, last_request, last_error,
                requests, fills, impressions, actions, boot, saved_at, saved_wall
            FROM slots ORDER BY name LIMIT \(AdSlots.Limits.slotsMax)
            """)
        var memories: [SlotMemory] = []
        while try rows.step() {
            let saved = Clocks(
                boot: rows.text(11) ?? "", now: Instant(microseconds: rows.integer(12) ?? 0),
                wall: rows.integer(13) ?? 0)
            func moment(_ column: Int32) -> Instant? {
                rows.integer(column).map { clocks.moment(Instant(microseconds: $0), keptAt: saved) }
            }
            func count(_ column: Int32) -> Int { Int(max(0, rows.integer(column) ?? 0)) }
            let isDisabled = (rows.integer(1) ?? 0) != 0
            memories.append(
                SlotMemory(
                    name: rows.text(0) ?? "",
                    enablement: isDisabled ? .disabled(until: moment(2)) : .enabled,
                    failures: count(3), notBefore: moment(4), lastRequest: moment(5),
                    lastError: rows.text(6).flatMap { SourceError(rawValue: $0) }, requests: count(7),
                    fills: count(8), impressions: count(9), actions: count(10)))
        }
        return memories
    }
}
