extension Schema {
    /// The step that brings marks, and makes those of the network some of them.
    static let marks = """
        -- From when on what was in which state, of the network and of all else; in order.
        CREATE TABLE marks (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            wall INTEGER NOT NULL,
            trusted INTEGER NOT NULL,
            boot TEXT NOT NULL,
            at INTEGER NOT NULL,
            subject TEXT,
            -- Of the network its path.
            state TEXT,
            -- Of the network alone.
            reachable INTEGER,
            -- The last row before.
            after INTEGER NOT NULL
        ) STRICT;
        INSERT INTO marks (number, kind, wall, trusted, boot, at, state, reachable, after)
            SELECT number, kind, wall, 0, boot, at, path, reachable, after FROM network;
        DROP TABLE network;
        CREATE INDEX marks_of_network ON marks (number) WHERE reachable IS NOT NULL;
        -- Where reading may begin: all that is not at rest is marked again after these.
        CREATE INDEX marks_to_begin ON marks (number, trusted, wall) WHERE kind IN ('started', 'alive');
        """
}
