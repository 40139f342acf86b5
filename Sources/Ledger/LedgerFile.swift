internal import AdSlots

/// The file, open and up to date, with all its tables.
struct LedgerFile {
    let database: Database
    let slots: SlotTable
    let entries: EntryTable
    let marks: MarkTable
    let outbox: OutboxTable
    let scheduler: SchedulerTable

    /// Opens the file, makes or mends its tables, and takes it for this process alone.
    init(_ path: String) throws(LedgerError) {
        let database = try Database(path, .readWrite)
        try database.execute("PRAGMA busy_timeout = \(Limits.otherProcessMilliseconds)")
        // Alone, so that two daemons never keep two truths in one file; it needs no shared memory then.
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        let isNew = try database.integer("PRAGMA page_count") == 0
        // The oldest rows go, and the file gets smaller again.
        if isNew { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try database.execute("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA cache_size = -\(Limits.cacheKibibytes)")
        try database.execute("PRAGMA wal_autocheckpoint = \(Limits.journalPages)")
        try Self.check(database)
        try Schema.migrate(database)
        if try database.integer("PRAGMA auto_vacuum") != Self.incremental {
            // Of the first version, which was small; it must be written anew for that.
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute("VACUUM")
        }
        do throws(LedgerError) {
            try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } catch {
            // On a full disk the log stays as it is, and can be read; whoever writes next finds out.
            if error.kind == .damaged { throw error }
        }
        try self.init(upToDate: database)
    }

    /// Opens a file that cannot be written, only to be read.
    init(still path: String) throws(LedgerError) {
        let database = try Database(path, .still)
        let version = try database.integer("PRAGMA user_version")
        guard version == Schema.migrations.count else {
            throw LedgerError(
                .readOnly, operation: "read", path: path,
                message: "schema \(version) cannot be brought up to date")
        }
        try self.init(upToDate: database)
    }

    private init(upToDate database: Database) throws(LedgerError) {
        self.database = database
        slots = try SlotTable(database)
        marks = try MarkTable(database)
        entries = try EntryTable(database, marks: marks)
        outbox = try OutboxTable(database)
        scheduler = SchedulerTable(database)
    }

    /// What `PRAGMA auto_vacuum` answers for INCREMENTAL.
    private static let incremental = 2

    /// Looks for damage where it would do harm at once: a look at all rows of many years would take longer
    /// than a start may. Damage elsewhere shows when it is met.
    private static func check(_ database: Database) throws(LedgerError) {
        let version = try database.integer("PRAGMA user_version")
        let tables = version == 0 ? [] : version == 1 ? ["slots"] : ["slots", "outbox"]
        for table in tables {
            let verdict = try database.text("PRAGMA quick_check(\(table))")
            guard verdict == "ok" else {
                throw LedgerError(.damaged, operation: "check", path: database.path, message: verdict)
            }
        }
    }

    /// Writes a turn as a whole or not at all. It survives the end of the process at once. Where money is
    /// concerned it survives a loss of power too, and with it all that came before; else soon after.
    func write(
        _ changes: [Change], _ memories: [SlotMemory], _ scheduler: SchedulerChanges?, base: Int64,
        at clocks: Clocks
    ) throws(LedgerError) {
        let isMoney = changes.contains(where: \.isMoney) || scheduler?.isMoney ?? false
        // It cannot be changed within a transaction.
        try database.execute("PRAGMA synchronous = \(isMoney ? "FULL" : "NORMAL")")
        try database.transaction { () throws(LedgerError) in
            try slots.write(memories, at: clocks)
            try entries.write(changes, base: base)
            try outbox.write(changes)
            if let scheduler { try self.scheduler.write(scheduler) }
        }
    }

    /// Bytes of the file that are in use.
    func sizeBytes() throws(LedgerError) -> Int64 {
        let pages = try database.integer("PRAGMA page_count") - database.integer("PRAGMA freelist_count")
        return try pages * database.integer("PRAGMA page_size")
    }
}
