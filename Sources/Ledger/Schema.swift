/// The tables, and how a file of an older version gets them. `user_version` of the file counts the
/// migrations that it has had.
enum Schema {
    /// In order; what has been released is never changed, only followed by another.
    static let migrations = [
        """
        CREATE TABLE slots (
            name TEXT PRIMARY KEY,
            -- The operator's switch, and the moment at which it goes back by itself.
            disabled INTEGER NOT NULL,
            disabled_until INTEGER,
            -- The back-off.
            failures INTEGER NOT NULL,
            not_before INTEGER,
            last_request INTEGER,
            last_error TEXT,
            -- Counters.
            requests INTEGER NOT NULL,
            fills INTEGER NOT NULL,
            impressions INTEGER NOT NULL,
            actions INTEGER NOT NULL,
            -- Moments count microseconds of the boot clock: of which boot, and what both clocks said then.
            boot TEXT NOT NULL,
            saved_at INTEGER NOT NULL,
            saved_wall INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    ]

    /// Brings a file up to date, all steps or none.
    /// - Throws: ``LedgerError/Kind/newer`` for a file of a newer version, which is left as it is.
    static func migrate(
        _ database: Database, _ migrations: [String] = migrations
    ) throws(LedgerError) {
        let version = try database.integer("PRAGMA user_version")
        guard version <= migrations.count else {
            throw LedgerError(
                .newer, operation: "read", path: database.path,
                message: "schema \(version) is a newer version's; this one knows \(migrations.count)")
        }
        guard version >= 0 else {
            throw LedgerError(
                .damaged, operation: "read", path: database.path, message: "schema \(version) does not exist")
        }
        guard version < migrations.count else { return }
        try database.transaction { () throws(LedgerError) in
            for migration in migrations[Int(version)...] { try database.execute(migration) }
            // A pragma takes no bound values; this one is our own number.
            try database.execute("PRAGMA user_version = \(migrations.count)")
        }
    }
}
