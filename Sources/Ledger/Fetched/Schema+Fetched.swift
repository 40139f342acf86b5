extension Schema {
    /// What is kept of fetching.
    static let fetched = """
        -- Files that were fetched from the addresses that creatives name, each named after its number.
        CREATE TABLE fetched (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            address TEXT NOT NULL UNIQUE,
            format TEXT NOT NULL,
            size_bytes INTEGER NOT NULL,
            -- Of a picture, in its own pixels.
            width INTEGER,
            height INTEGER,
            -- The order of their use.
            use INTEGER NOT NULL
        ) STRICT;

        -- What was fetched over paths that cost money: the day, since the Unix epoch, and bytes. One row.
        CREATE TABLE metered (day INTEGER, bytes INTEGER NOT NULL) STRICT;
        INSERT INTO metered VALUES (NULL, 0);
        """
}
