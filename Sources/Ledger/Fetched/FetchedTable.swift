internal import Campaigns

/// The rows of fetched files, in an open file. They are seldom used, so nothing of them is kept prepared.
struct FetchedTable {
    /// A row.
    struct Row {
        var number: Int64
        var address: String
        var content: InspectedFile

        /// The name of the file in its directory.
        var fileName: String { "\(number).\(content.format.fileExtension)" }
    }

    let database: Database

    /// All files, the one that was used last at the end.
    func all() throws(LedgerError) -> [Row] {
        var rows: [Row] = []
        try database.prepare(
            "SELECT number, address, format, size_bytes, width, height FROM fetched ORDER BY use, number"
        ).rows { row in
            guard let number = row.integer(0), let address = row.text(1),
                let size = row.integer(3).flatMap({ Int(exactly: $0) }),
                let format = row.text(2).flatMap({ CreativeFormat(rawValue: $0) })
            else { return }
            let sides = (
                row.integer(4).flatMap { Int(exactly: $0) }, row.integer(5).flatMap { Int(exactly: $0) }
            )
            var pixels: CreativeSize?
            if case (let width?, let height?) = sides { pixels = CreativeSize(width: width, height: height) }
            rows.append(
                Row(
                    number: number, address: address,
                    content: InspectedFile(format: format, pixels: pixels, sizeBytes: size)))
        }
        return rows
    }

    /// The number that the next file gets, which no file had before.
    func nextNumber() throws(LedgerError) -> Int64 {
        try database.integer("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'fetched'")
    }

    func insert(_ row: Row) throws(LedgerError) {
        try database.prepare(
            """
            INSERT INTO fetched (number, address, format, size_bytes, width, height, use)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT coalesce(max(use), 0) + 1 FROM fetched))
            """
        ).run([
            .integer(row.number), .text(row.address), .text(row.content.format.rawValue),
            .integer(Int64(row.content.sizeBytes)),
            .integer(row.content.pixels.map { Int64($0.width) }),
            .integer(row.content.pixels.map { Int64($0.height) }),
        ])
    }

    func remove(_ address: String) throws(LedgerError) {
        try database.prepare("DELETE FROM fetched WHERE address = ?1").run([.text(address)])
    }

    /// A file has been used: it is the last of all.
    func use(_ address: String) throws(LedgerError) {
        try database.prepare(
            "UPDATE fetched SET use = (SELECT max(use) + 1 FROM fetched) WHERE address = ?1"
        ).run([.text(address)])
    }

    func meteredUse() throws(LedgerError) -> MeteredUse {
        var use = MeteredUse()
        try database.prepare("SELECT day, bytes FROM metered").rows { row in
            use = MeteredUse(day: row.integer(0), bytes: row.integer(1) ?? 0)
        }
        return use
    }

    func keep(_ use: MeteredUse) throws(LedgerError) {
        try database.prepare("UPDATE metered SET day = ?1, bytes = ?2").run([
            .integer(use.day), .integer(use.bytes),
        ])
    }
}
