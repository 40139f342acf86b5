internal import Campaigns
internal import LinuxSupport

/// What can be read of the inventory in a file that is damaged.
struct Salvage {
    private(set) var campaigns: [CampaignRows] = []
    private var files: [FileRow] = []
    private var known: Set<Int64> = []
    /// The last numbers that were given, by table.
    private var numbers: [(table: String, last: Int64)] = []
    /// Whether there was nothing that could not be read.
    private(set) var isWhole = false

    /// Reads each table from its front up to where it is damaged.
    init(from path: String) {
        guard let database = try? Database(path, .immutable),
            let version = try? database.integer("PRAGMA user_version"),
            (1...Int64(Schema.migrations.count)).contains(version)
        else { return }
        let table = InventoryTable(database: database)
        do throws(LedgerError) {
            // An older version that had none lost none.
            isWhole = true
            guard try table.exists() else { return }
            try readFiles(database)
            try database.prepare("SELECT name, seq FROM sqlite_sequence").rows { row in
                if let name = row.text(0), let last = row.integer(1) { numbers.append((name, last)) }
            }
        } catch {
            isWhole = false
        }
        readCampaigns(table)
    }

    private mutating func readFiles(_ database: Database) throws(LedgerError) {
        let table = FileTable(database: database)
        while true {
            let page = try table.page(after: files.last?.number ?? 0, limit: Limits.inventoryPageRows)
            guard !page.isEmpty else { return }
            files += page
            known.formUnion(page.map(\.number))
        }
    }

    private mutating func readCampaigns(_ table: InventoryTable) {
        var after: Int64 = 0
        var limit = Limits.inventoryPageRows
        while true {
            guard let page = try? table.page(after: after, limit: limit) else {
                isWhole = false
                // As near to the damage as possible.
                guard limit > 1 else { return }
                limit = 1
                continue
            }
            for rows in page.campaigns { add(rows) }
            if !page.unreadable.isEmpty { isWhole = false }
            guard let last = page.last else { return }
            after = last
        }
    }

    private mutating func add(_ rows: CampaignRows) {
        var rows = rows
        let creatives = rows.creatives.filter { row in
            row.address != nil || row.file.map { known.contains($0.number) } == true
        }
        if creatives.count < rows.creatives.count { isWhole = false }
        rows.creatives = creatives
        rows.campaign.creatives = creatives.map(\.creative)
        if (try? rows.campaign.check()) == nil {
            isWhole = false
        } else {
            campaigns.append(rows)
        }
    }

    /// Writes it into a new file, all with the numbers that they had.
    func write(to database: Database) throws(LedgerError) {
        try database.execute("PRAGMA synchronous = FULL")
        try database.transaction { () throws(LedgerError) in
            let table = FileTable(database: database)
            for file in files { try table.insert(file) }
            let writer = try InventoryWriter(database)
            for rows in campaigns {
                try writer.insert(rows.campaign, as: rows.campaign.id)
                for row in rows.creatives {
                    try writer.insert(row, of: rows.campaign.id, as: row.creative.id)
                }
            }
            let update = try database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")
            let insert = try database.prepare(
                """
                INSERT INTO sqlite_sequence (name, seq)
                SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                """)
            for (name, last) in numbers {
                try update.run([.text(name), .integer(last)])
                try insert.run([.text(name), .integer(last)])
            }
        }
    }
}

extension CreativeDirectory {
    /// Puts the directory aside, for what may be mended by hand, and takes out of it what is still known.
    /// - Returns: where the rest is.
    func setAside(keeping salvage: Salvage) -> String? {
        let other = "\(path).damaged"
        for name in (try? Directory.names(in: other)) ?? [] {
            try? Directory.remove(file: "\(other)/\(name)")
        }
        do throws(SystemError) {
            try Directory.rename(path, to: other)
            try Directory.make(path, mode: 0o750)
        } catch {
            // There was none.
            return nil
        }
        for case let file? in salvage.campaigns.flatMap({ $0.creatives.map(\.file) }) {
            // One that two creatives name is there after the first; one that is missing is found so.
            try? Directory.rename("\(other)/\(file.name)", to: self.path(of: file))
        }
        return other
    }
}
