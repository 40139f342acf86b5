public import Campaigns

/// An import that is under way.
public struct ImportID: Hashable, Sendable {
    /// The number behind the identifier; never used twice.
    public let value: Int64

    /// Wraps a number.
    public init(_ value: Int64) {
        self.value = value
    }
}

/// A campaign that comes with its creatives, all of which get numbers of their own.
public struct ImportedCampaign: Hashable, Sendable {
    /// The campaign.
    public var campaign: Campaign
    /// What its creatives are made of, in their order.
    public var contents: [CreativeContent]

    /// Puts the parts together.
    public init(campaign: Campaign, contents: [CreativeContent]) {
        precondition(campaign.creatives.count == contents.count, "each creative is made of something")
        self.campaign = campaign
        self.contents = contents
    }
}

/// How many campaigns come as one: they lie in the tables, and are no part of the inventory until the last
/// of them is there. So an import of any length takes no memory, and one that breaks off leaves nothing.
extension Ledger {
    /// Begins an import.
    public func beginImport(at clocks: Clocks) throws(InventoryError) -> ImportID {
        let id = try write(at: clocks, isLast: false) { database throws(LedgerError) in
            try database.execute("INSERT INTO imports DEFAULT VALUES")
            return ImportID(database.insertedID)
        }
        activeImports[id] = 0
        return id
    }

    /// Takes some more campaigns of an import, all or none of them. Faults name the campaign by its place
    /// among these, as in `campaigns[2].tier`.
    /// - Returns: how many have come so far.
    @discardableResult
    public func add(
        _ campaigns: [ImportedCampaign], to id: ImportID, at clocks: Clocks
    ) throws(InventoryError) -> Int {
        guard let count = activeImports[id] else { throw .noSuchImport }
        var rows: [CampaignRows] = []
        for (index, imported) in campaigns.enumerated() {
            rows.append(try self.rows(of: imported, place: "campaigns[\(index)]"))
        }
        try checkRoom(for: Int64(campaigns.count), at: clocks)
        try write(at: clocks, isLast: false) { database throws(LedgerError) in
            let writer = try InventoryWriter(database)
            for row in rows {
                let campaign = try writer.insert(row.campaign, batch: id.value)
                for creative in row.creatives { _ = try writer.insert(creative, of: campaign) }
            }
        }
        activeImports[id] = count + campaigns.count
        return count + campaigns.count
    }

    /// Ends an import: from now on all its campaigns are part of the inventory.
    /// - Returns: how many they are.
    public func finish(_ id: ImportID, at clocks: Clocks) throws(InventoryError) -> Int {
        guard let count = activeImports[id] else { throw .noSuchImport }
        try write(at: clocks) { database throws(LedgerError) in
            try database.prepare("DELETE FROM imports WHERE number = ?1").run([.integer(id.value)])
        }
        activeImports[id] = nil
        return count
    }

    /// Gives an import up; what has come of it is cleared away.
    public func cancel(_ id: ImportID) {
        guard activeImports.removeValue(forKey: id) != nil else { return }
        tending.lookForImports()
    }

    /// The campaigns of an import that has ended, a page of them in the order of their numbers.
    public func imported(
        by id: ImportID, after: CampaignID?, at clocks: Clocks
    ) throws(InventoryError) -> [StoredCampaign] {
        try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                let table = InventoryTable(database: file.database)
                return try table.page(after: after?.value ?? 0, batch: id.value).campaigns.map { stored($0) }
            }
        }
    }

    private func rows(
        of imported: ImportedCampaign, place: String
    ) throws(InventoryError) -> CampaignRows {
        var campaign = imported.campaign
        campaign.revision = 1
        // Their own numbers do not count, and may be all the same.
        for index in campaign.creatives.indices { campaign.creatives[index].id = CreativeID(Int64(index)) }
        do throws(InvalidCampaign) {
            try campaign.check()
        } catch {
            throw .invalid(
                InvalidCampaign(
                    faults: error.faults.map {
                        CampaignFault(field: "\(place).\($0.field)", message: $0.message)
                    }))
        }
        var rows = CampaignRows(campaign: campaign, creatives: [])
        for (index, creative) in campaign.creatives.enumerated() {
            let field = "\(place).creatives[\(index)]"
            do throws(InventoryError) {
                let row = try row(of: creative, imported.contents[index], campaign: campaign.id)
                try row.checkFits()
                rows.creatives.append(row)
            } catch {
                switch error {
                case .invalidFile(let fault): throw .fault("\(field).size", "cannot be: \(fault)")
                case .invalid: throw .fault("\(field).address", "is no http or https URL")
                default: throw error
                }
            }
        }
        return rows
    }
}
