internal import Campaigns

/// The rows of creatives' files, in an open file.
struct FileTable {
    let database: Database

    /// Files by number, behind one of them.
    func page(after: Int64 = 0, limit: Int = .max) throws(LedgerError) -> [FileRow] {
        try read("WHERE f.number > ?1 ORDER BY f.number LIMIT ?2", [.integer(after), .integer(Int64(limit))])
    }

    /// Files that may have the same content.
    func candidates(sizeBytes: Int, checksum: UInt32) throws(LedgerError) -> [FileRow] {
        try read(
            "WHERE f.size_bytes = ?1 AND f.checksum = ?2",
            [.integer(Int64(sizeBytes)), .integer(Int64(checksum))])
    }

    /// Of the files behind one of them, at most so many, those that no creative names, and the last of all.
    func orphans(after: Int64, limit: Int) throws(LedgerError) -> (orphans: [FileRow], last: Int64?) {
        let page = try page(after: after, limit: limit)
        let naming = try database.prepare("SELECT 1 FROM creatives WHERE file = ?1 LIMIT 1")
        var orphans: [FileRow] = []
        for file in page {
            var isNamed = false
            try naming.rows([.integer(file.number)]) { _ in isNamed = true }
            if !isNamed { orphans.append(file) }
        }
        return (orphans, page.last?.number)
    }

    /// The campaigns that show a file.
    func campaigns(showing file: FileRow) throws(LedgerError) -> [CampaignID] {
        var campaigns: [CampaignID] = []
        try database.prepare("SELECT DISTINCT campaign FROM creatives WHERE file = ?1 ORDER BY campaign")
            .rows([.integer(file.number)]) { campaigns.append(CampaignID($0.integer(0) ?? 0)) }
        return campaigns
    }

    /// Bytes of all files together.
    func sizeBytes() throws(LedgerError) -> Int64 {
        try database.integer("SELECT coalesce(sum(size_bytes), 0) FROM files")
    }

    /// Adds a file, within the caller's transaction.
    func insert(_ file: InspectedFile, checksum: UInt32) throws(LedgerError) -> FileRow {
        let row = FileRow(
            number: 0, format: file.format, sizeBytes: Int64(file.sizeBytes), checksum: checksum,
            pixels: file.pixels)
        try insert(row, number: nil)
        return row.numbered(database.insertedID)
    }

    /// Adds a file with the number that it has, within the caller's transaction.
    func insert(_ file: FileRow) throws(LedgerError) {
        try insert(file, number: file.number)
    }

    private func insert(_ file: FileRow, number: Int64?) throws(LedgerError) {
        try database.prepare(
            """
            INSERT INTO files (number, format, size_bytes, checksum, width, height)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        ).run([
            .integer(number), .text(file.format.rawValue), .integer(file.sizeBytes),
            .integer(Int64(file.checksum)), .integer(file.pixels.map { Int64($0.width) }),
            .integer(file.pixels.map { Int64($0.height) }),
        ])
    }

    /// Takes files out, within the caller's transaction.
    func remove(_ files: [FileRow]) throws(LedgerError) {
        let delete = try database.prepare("DELETE FROM files WHERE number = ?1")
        for file in files { try delete.run([.integer(file.number)]) }
    }

    private func read(
        _ condition: String, _ values: [Statement.Value] = []
    ) throws(LedgerError) -> [FileRow] {
        var files: [FileRow] = []
        try database.prepare("SELECT \(FileRow.columns) FROM files f \(condition)").rows(values) {
            if let file = FileRow($0) { files.append(file) }
        }
        return files
    }
}
