internal import Campaigns
internal import LinuxSupport

/// What can be read of the inventory in a file that is damaged, wherever the damage is.
struct Salvage {
    private(set) var campaigns: [CampaignRows] = []
    /// The last numbers that were given, by table.
    private var numbers: [String: Int64] = [:]
    /// Whether there was nothing that could not be read.
    private(set) var isWhole = false

    /// How many creatives there are.
    var creativeCount: Int { campaigns.reduce(0) { $0 + $1.creatives.count } }

    /// Reads each table past what is damaged of it.
    /// - Parameter directory: where the files are, should their rows not be there any more.
    init(from path: String, files directory: CreativeDirectory) {
        // This lets SQLite read a file that was cut, and a schema of which a part is lost.
        guard let database = try? Database(path, .immutable),
            (try? database.execute("PRAGMA writable_schema = ON")) != nil,
            let version = try? database.integer("PRAGMA user_version"),
            (1...Int64(Schema.migrations.count)).contains(version)
        else { return }
        isWhole = true
        // An older version that had none lost none.
        if version < Schema.firstWithInventory { return }
        readNumbers(database)
        let files = readFiles(database)
        let creatives = readCreatives(database, files, directory)
        let imports = readImports(database)
        readCampaigns(database, creatives, under: imports)
    }

    private mutating func read(
        _ database: Database, _ table: String, key: String, columns: String,
        _ take: (Int64, Statement) -> Bool
    ) {
        do throws(LedgerError) {
            let table = try DamagedTable(database, table, key: key, columns: columns)
            if !table.rows(take) { isWhole = false }
        } catch {
            isWhole = false
        }
    }

    private mutating func readNumbers(_ database: Database) {
        var numbers: [String: Int64] = [:]
        read(database, "sqlite_sequence", key: "rowid", columns: "name, seq") { _, row in
            guard let name = row.text(1), let last = row.integer(2),
                (0...Limits.salvagedNumberMax).contains(last)
            else { return false }
            numbers[name] = max(last, numbers[name] ?? 0)
            return true
        }
        self.numbers = numbers
    }

    private mutating func readFiles(_ database: Database) -> [Int64: FileRow] {
        var files: [Int64: FileRow] = [:]
        read(database, "files f", key: "f.number", columns: FileRow.ownColumns) { number, row in
            guard let file = FileRow(row), file.sizeBytes >= 0 else { return false }
            files[number] = file
            return true
        }
        return files
    }

    /// Reads the creatives, by campaign, of those whose file can be told.
    private mutating func readCreatives(
        _ database: Database, _ files: [Int64: FileRow], _ directory: CreativeDirectory
    ) -> [CampaignID: [CreativeRow]] {
        var creatives: [CreativeID: CreativeRow] = [:]
        var lost = false
        let columns = "\(CreativeRow.ownColumns), c.file"
        read(database, "creatives c", key: "c.id", columns: columns) { number, row in
            guard var creative = CreativeRow(row) else { return false }
            let id = creative.creative.id
            guard creatives[id] == nil else { return true }
            switch (row.integer(8), creative.address) {
            case (let file?, nil):
                creative.file =
                    files[file] ?? directory.unknownFile(file, of: creative.creative.kind)
                if creative.file == nil { lost = true } else { creatives[id] = creative }
            case (nil, _?): creatives[id] = creative
            default: return false
            }
            return true
        }
        if lost { isWhole = false }
        return Dictionary(grouping: creatives.values, by: \.campaign).mapValues { rows in
            rows.sorted { $0.creative.id < $1.creative.id }
        }
    }

    /// Reads which imports have not come to their end. Where that cannot be read, all are taken to have: a
    /// campaign too many can be removed.
    private mutating func readImports(_ database: Database) -> Set<Int64> {
        var imports: Set<Int64> = []
        read(database, "imports", key: "number", columns: "NULL") { number, _ in
            imports.insert(number)
            return true
        }
        return imports
    }

    private mutating func readCampaigns(
        _ database: Database, _ creatives: [CampaignID: [CreativeRow]], under imports: Set<Int64>
    ) {
        var campaigns: [CampaignID: CampaignRows] = [:]
        var lost = false
        read(database, "campaigns", key: "id", columns: "\(CampaignRow.columns), batch") { number, row in
            guard let campaign = CampaignRow.campaign(row), (try? campaign.check()) != nil
            else { return false }
            if let batch = row.integer(16), imports.contains(batch) { return true }
            guard campaigns[campaign.id] == nil else { return true }
            let all = creatives[campaign.id] ?? []
            let rows = CampaignRows(campaign, addingWhatFits: all)
            if rows.creatives.count < all.count { lost = true }
            campaigns[campaign.id] = rows
            return true
        }
        if lost { isWhole = false }
        self.campaigns = campaigns.values.sorted { $0.campaign.id < $1.campaign.id }
    }

    /// Writes it into a new file, all with the numbers that they had.
    func write(to database: Database) throws(LedgerError) {
        try database.execute("PRAGMA synchronous = FULL")
        try database.transaction { () throws(LedgerError) in
            let table = FileTable(database: database)
            // Those that nobody names would be cleared away.
            let files = Set(campaigns.flatMap { $0.creatives.compactMap(\.file) })
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

extension CampaignRows {
    /// A campaign that is right in itself, with those of the creatives that are right too.
    fileprivate init(_ campaign: Campaign, addingWhatFits rows: [CreativeRow]) {
        self.init(campaign: campaign, creatives: [])
        for row in rows {
            var next = self.campaign
            next.creatives.append(row.creative)
            guard (try? next.check()) != nil, (try? row.checkFits()) != nil else { continue }
            self.campaign = next
            creatives.append(row)
        }
    }
}

extension CreativeDirectory {
    /// The row that a file must have had, by its content: `nil` where no file has the number, or more than
    /// one, or something else than was taken in.
    fileprivate func unknownFile(_ number: Int64, of kind: CreativeKind) -> FileRow? {
        var found: [FileRow] = []
        for format in CreativeFormat.allCases where format.kind == kind {
            let name = FileRow(number: number, format: format, sizeBytes: 0, checksum: 0, pixels: nil).name
            guard
                let bytes = try? TextFile.read(
                    "\(path)/\(name)", maximum: Int(Campaigns.Limits.creativeBytesMax)),
                let content = try? InspectedFile(bytes), content.format == format
            else { continue }
            found.append(
                FileRow(
                    number: number, format: format, sizeBytes: Int64(bytes.count),
                    checksum: CRC32.checksum(of: bytes), pixels: content.pixels))
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether there are files in it that were taken in for creatives.
    var hasFiles: Bool { ((try? Directory.names(in: path)) ?? []).contains(where: Self.isOurs) }

    /// Puts the directory aside, in the place of one that was earlier, for what may be mended by hand.
    /// - Returns: where it is now.
    func setAside() throws(SystemError) -> String {
        let other = "\(path).damaged"
        for name in (try? Directory.names(in: other)) ?? [] {
            try? Directory.remove(file: "\(other)/\(name)")
        }
        try Directory.rename(path, to: other)
        return other
    }

    /// Puts the directory aside, and takes out of it what is still known.
    /// - Returns: where the rest is.
    func setAside(keeping salvage: Salvage) -> String? {
        // It may be that there was none.
        guard let other = try? setAside(), (try? Directory.make(path, mode: 0o750)) != nil else { return nil }
        for case let file? in salvage.campaigns.flatMap({ $0.creatives.map(\.file) }) {
            // One that two creatives name is there after the first; one that is missing is found so.
            try? Directory.rename("\(other)/\(file.name)", to: self.path(of: file))
        }
        return other
    }
}

extension Ledger {
    /// Where there is no ledger, or one of no bytes, and yet there are files that one knew, it was lost: they
    /// are nobody's, and would be cleared away. The fetched ones can be fetched again, the others are put
    /// aside.
    func setAsideUnknownFiles() throws(LedgerError) {
        if let stamp = FileStamp(path: path), stamp.sizeBytes > 0 || !stamp.isRegular { return }
        guard files.hasFiles else {
            let fetched = (try? Directory.names(in: fetchedDirectory)) ?? []
            // They stay there until a ledger can be made.
            guard !fetched.isEmpty, !hasMissedFetched else { return }
            hasMissedFetched = true
            return onNotice(.missing(path: path, leftoversIn: nil))
        }
        do throws(SystemError) {
            onNotice(.missing(path: path, leftoversIn: try files.setAside()))
        } catch {
            throw LedgerError(
                .readOnly, operation: "set aside", path: files.path, message: error.description)
        }
    }
}
