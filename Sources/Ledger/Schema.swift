internal import LinuxSupport

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
        """,
        """
        -- What happened, in order. Never changed but for the two ends, and for the oldest that go.
        CREATE TABLE entries (
            sequence INTEGER PRIMARY KEY,
            -- A UUID of version 7.
            id BLOB NOT NULL,
            kind TEXT NOT NULL,
            -- Microseconds since the Unix epoch; whether the clock could be believed; the boot clock.
            wall INTEGER NOT NULL,
            trusted INTEGER NOT NULL,
            at INTEGER NOT NULL,
            slot TEXT,
            host TEXT,
            source TEXT,
            creative TEXT,
            campaign TEXT,
            path TEXT,
            reason TEXT,
            -- The sequence of the request that it comes from.
            request INTEGER,
            -- Billionths of the currency's unit for a thousand impressions.
            cpm_nanos INTEGER,
            currency TEXT,
            -- When the view began that counts, when the ad left the screen or the action ended, and how long
            -- the ad was in view.
            started INTEGER,
            ended INTEGER,
            visible INTEGER
        ) STRICT;

        -- Sums of the rows by the hour (UTC, hours since the Unix epoch), for reports.
        CREATE TABLE sums (
            hour INTEGER NOT NULL,
            slot TEXT NOT NULL,
            source TEXT NOT NULL,
            campaign TEXT NOT NULL,
            path TEXT NOT NULL,
            currency TEXT NOT NULL,
            requests INTEGER NOT NULL,
            fills INTEGER NOT NULL,
            no_fills INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            shown INTEGER NOT NULL,
            impressions INTEGER NOT NULL,
            actions INTEGER NOT NULL,
            -- Of the impressions; in whole units, and in billionths of one, so that no sum is too great.
            cpm_units INTEGER NOT NULL,
            cpm_nanos INTEGER NOT NULL,
            PRIMARY KEY (hour, slot, source, campaign, path, currency)
        ) STRICT, WITHOUT ROWID;

        -- Which rows are of which hour.
        CREATE TABLE hours (
            hour INTEGER PRIMARY KEY,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL
        ) STRICT;

        -- From when on the network was as it is.
        CREATE TABLE network (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            wall INTEGER NOT NULL,
            boot TEXT NOT NULL,
            at INTEGER NOT NULL,
            path TEXT NOT NULL,
            reachable INTEGER NOT NULL,
            -- The last row before.
            after INTEGER NOT NULL
        ) STRICT;

        -- Notices that wait to be sent.
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            url TEXT NOT NULL,
            -- Scheme, host and port of the URL: what is reachable or not as one.
            origin TEXT NOT NULL,
            wall INTEGER NOT NULL,
            trusted INTEGER NOT NULL,
            attempts INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_by_origin ON outbox (origin, number);
        """,
        """
        -- The house inventory. Numbers are never used twice: rows of the ledger name them for years.
        CREATE TABLE campaigns (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Raised with every edit of the campaign or of one of its creatives.
            revision INTEGER NOT NULL,
            name TEXT NOT NULL,
            advertiser TEXT NOT NULL,
            domain TEXT,
            -- Lists are read and written as a whole, an element a line.
            categories TEXT NOT NULL,
            -- Millionths of the currency's unit for a thousand impressions.
            cpm_micros INTEGER NOT NULL,
            currency TEXT NOT NULL,
            -- Milliseconds since the Unix epoch.
            starts INTEGER,
            ends INTEGER,
            dayparts TEXT NOT NULL,
            tier INTEGER NOT NULL,
            -- One of the two: a share of voice, or guaranteed impressions.
            weight INTEGER,
            impressions INTEGER,
            -- Count, window in seconds and scope.
            caps TEXT NOT NULL,
            enabled INTEGER NOT NULL,
            -- The import that it came with; it is no part of the inventory while that one is under way.
            batch INTEGER,
            CHECK ((weight IS NULL) <> (impressions IS NULL))
        ) STRICT;
        CREATE INDEX campaigns_by_batch ON campaigns (batch) WHERE batch IS NOT NULL;

        CREATE TABLE creatives (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            campaign INTEGER NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            kind TEXT NOT NULL,
            click_url TEXT,
            enabled INTEGER NOT NULL,
            -- One of the two: a file in the directory of creatives, or where to fetch one from.
            file INTEGER,
            address TEXT,
            CHECK ((file IS NULL) <> (address IS NULL))
        ) STRICT;
        CREATE INDEX creatives_by_campaign ON creatives (campaign, id);
        CREATE INDEX creatives_by_file ON creatives (file) WHERE file IS NOT NULL;

        -- The files, named after their numbers. Checksum (CRC-32) and length find identical ones, and damage.
        CREATE TABLE files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            format TEXT NOT NULL,
            size_bytes INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            -- Of a picture, in its own pixels.
            width INTEGER,
            height INTEGER
        ) STRICT;
        CREATE INDEX files_by_content ON files (size_bytes, checksum);

        -- The imports that are under way.
        CREATE TABLE imports (number INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
        """,
        """
        -- What the scheduler of house campaigns remembers. Its own clock counts milliseconds.
        CREATE TABLE scheduler_clock (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            boot TEXT NOT NULL,
            steady INTEGER NOT NULL,
            own INTEGER NOT NULL,
            wall INTEGER,
            behind INTEGER NOT NULL,
            -- The first local hour of which the profile knows nothing.
            traffic_since INTEGER
        ) STRICT;

        -- What each campaign has had.
        CREATE TABLE scheduler_campaigns (
            campaign INTEGER PRIMARY KEY,
            delivered INTEGER NOT NULL,
            last_served INTEGER,
            competing INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE scheduler_turns (
            campaign INTEGER NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            start INTEGER NOT NULL,
            served INTEGER NOT NULL,
            PRIMARY KEY (campaign, width, height)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE scheduler_creatives (
            campaign INTEGER NOT NULL,
            creative INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (campaign, creative)
        ) STRICT, WITHOUT ROWID;

        -- How far the share of voice has gone.
        CREATE TABLE scheduler_lanes (
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            tier INTEGER NOT NULL,
            level INTEGER NOT NULL,
            PRIMARY KEY (width, height, tier)
        ) STRICT, WITHOUT ROWID;

        -- Whose ad each slot shows, and showed last: domains and categories, one a line.
        CREATE TABLE scheduler_slots (
            slot TEXT PRIMARY KEY,
            current TEXT,
            last TEXT
        ) STRICT, WITHOUT ROWID;

        -- What was decided and has neither come on screen nor been given back.
        CREATE TABLE scheduler_decisions (
            decision TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            slot TEXT NOT NULL,
            campaign INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            creative INTEGER NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            cost_nanos INTEGER NOT NULL,
            currency TEXT NOT NULL,
            -- One of the two: when a guaranteed impression was due, or the weight of a share.
            due INTEGER,
            weight INTEGER,
            repeats INTEGER NOT NULL,
            separation TEXT NOT NULL,
            own INTEGER NOT NULL,
            previously_served INTEGER,
            served INTEGER
        ) STRICT, WITHOUT ROWID;

        -- What frequency caps count, until no cap does any more.
        CREATE TABLE scheduler_impressions (
            decision TEXT PRIMARY KEY,
            campaign INTEGER NOT NULL,
            slot TEXT NOT NULL,
            own INTEGER NOT NULL,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX scheduler_impressions_by_campaign ON scheduler_impressions (campaign, own);
        CREATE INDEX scheduler_impressions_by_end ON scheduler_impressions (until);

        -- The traffic of each hour of the week, smoothed, and of the hours that are not in it yet.
        CREATE TABLE scheduler_profile (
            hour INTEGER PRIMARY KEY,
            -- The bits of a floating-point number.
            estimate INTEGER NOT NULL,
            observations INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE scheduler_traffic (
            hour INTEGER PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT;
        """,
        fetched,
        marks,
    ]

    /// The first version with a house inventory.
    static let firstWithInventory: Int64 = 3

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
        if version > 0 { try keepCopy(of: database, version: version) }
        try database.transaction { () throws(LedgerError) in
            for migration in migrations[Int(version)...] { try database.execute(migration) }
            // A pragma takes no bound values; this one is our own number.
            try database.execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    /// Keeps the file as it was, for whoever wants to go back to the older version.
    private static func keepCopy(of database: Database, version: Int64) throws(LedgerError) {
        let copy = "\(database.path).schema\(version)"
        do throws(SystemError) {
            // Of an earlier attempt that did not come through.
            try Directory.remove(file: copy)
        } catch {
            throw LedgerError(.readOnly, operation: "remove", path: copy, message: error.description)
        }
        // It may be there if it is empty.
        try? FileMode.make(copy)
        try database.prepare("VACUUM INTO ?1").run([.text(copy)])
    }
}
