public import Campaigns

/// What a creative is made of.
public enum CreativeContent: Hashable, Sendable {
    /// A file in the directory of creatives.
    case file(HeldFile)
    /// Where the file is to be fetched from.
    case address(String)
}

/// How the inventory is changed. Each change is on the disk, and survives a loss of power, before the call
/// returns; where it cannot be written it throws, and all is as it was.
extension Ledger {
    /// Adds a campaign. The number and revision that it has do not count, nor do its creatives.
    public func add(_ campaign: Campaign, at clocks: Clocks) throws(InventoryError) -> StoredCampaign {
        var campaign = campaign
        campaign.revision = 1
        campaign.creatives = []
        try check(campaign)
        try checkRoom(for: 1, at: clocks)
        campaign.id = try write(at: clocks) { database throws(LedgerError) in
            try InventoryWriter(database).insert(campaign)
        }
        return StoredCampaign(campaign: campaign)
    }

    /// Edits a campaign: what `change` does to its number, its revision and its creatives does not count.
    /// - Parameter revision: what the edit started from.
    public func edit(
        _ id: CampaignID, revision: Int64, at clocks: Clocks, _ change: (inout Campaign) -> Void
    ) throws(InventoryError) -> StoredCampaign {
        var rows = try rows(of: id, at: clocks)
        let before = rows.campaign
        try check(revision, against: before)
        change(&rows.campaign)
        (rows.campaign.id, rows.campaign.creatives) = (id, before.creatives)
        rows.campaign.revision = before.revision + 1
        try check(rows.campaign)
        try write(at: clocks) { database throws(LedgerError) in
            try InventoryWriter(database).update(rows.campaign)
        }
        return stored(rows)
    }

    /// Takes a campaign out, with its creatives.
    /// - Parameter revision: what it must be at, where that matters.
    public func remove(
        _ id: CampaignID, revision: Int64? = nil, at clocks: Clocks
    ) throws(InventoryError) {
        let rows = try rows(of: id, at: clocks)
        try check(revision, against: rows.campaign)
        try write(at: clocks) { database throws(LedgerError) in try InventoryWriter(database).remove(id) }
        tending.lookForOrphans()
    }

    /// Adds a creative to a campaign, whose revision that raises. The number that it has does not count, and
    /// of a file neither does its kind.
    /// - Parameter revision: what the campaign must be at, where that matters.
    public func add(
        _ creative: Creative, of content: CreativeContent, to id: CampaignID, revision: Int64? = nil,
        at clocks: Clocks
    ) throws(InventoryError) -> (creative: CreativeID, campaign: StoredCampaign) {
        var rows = try rows(of: id, at: clocks)
        try check(revision, against: rows.campaign)
        var row = try row(of: creative, content, campaign: id)
        // It stands for one that is not there yet.
        row.creative.id = CreativeID(0)
        rows.creatives.append(row)
        try check(&rows, editing: rows.creatives.count - 1)
        let new = try write(at: clocks) { database throws(LedgerError) in
            let writer = try InventoryWriter(database)
            try writer.update(rows.campaign)
            return try writer.insert(row, of: id)
        }
        rows.creatives[rows.creatives.count - 1].creative.id = new
        rows.campaign.creatives[rows.creatives.count - 1].id = new
        return (new, stored(rows))
    }

    /// Edits a creative, which raises the revision of its campaign.
    /// - Parameters:
    ///   - revision: the revision of the campaign that the edit started from.
    ///   - content: what it is made of from now on, `nil` for what it was.
    ///   - change: what it does to the creative's number does not count.
    public func edit(
        _ id: CreativeID, revision: Int64, of content: CreativeContent? = nil, at clocks: Clocks,
        _ change: (inout Creative) -> Void
    ) throws(InventoryError) -> StoredCampaign {
        var rows = try rows(of: id, at: clocks)
        try check(revision, against: rows.campaign)
        guard let index = rows.creatives.firstIndex(where: { $0.creative.id == id }) else {
            throw .noSuchCreative(id)
        }
        var creative = rows.creatives[index].creative
        change(&creative)
        creative.id = id
        if let content {
            rows.creatives[index] = try row(of: creative, content, campaign: rows.campaign.id)
        } else {
            if let file = rows.creatives[index].file { creative.kind = file.format.kind }
            rows.creatives[index].creative = creative
        }
        try check(&rows, editing: index)
        try write(at: clocks) { database throws(LedgerError) in
            let writer = try InventoryWriter(database)
            try writer.update(rows.campaign)
            try writer.update(rows.creatives[index])
        }
        if content != nil { tending.lookForOrphans() }
        return stored(rows)
    }

    /// Takes a creative out, which raises the revision of its campaign.
    /// - Parameter revision: what the campaign must be at, where that matters.
    public func remove(
        _ id: CreativeID, revision: Int64? = nil, at clocks: Clocks
    ) throws(InventoryError) -> StoredCampaign {
        var rows = try rows(of: id, at: clocks)
        try check(revision, against: rows.campaign)
        rows.creatives.removeAll { $0.creative.id == id }
        rows.campaign.creatives.removeAll { $0.id == id }
        rows.campaign.revision += 1
        try write(at: clocks) { database throws(LedgerError) in
            let writer = try InventoryWriter(database)
            try writer.update(rows.campaign)
            try writer.remove(id)
        }
        tending.lookForOrphans()
        return stored(rows)
    }

    /// Changes the file as a whole or not at all.
    /// - Parameter isLast: false for what matters only once something else has been written.
    func write<Value>(
        at clocks: Clocks, isLast: Bool = true, _ body: (Database) throws(LedgerError) -> Value
    ) throws(InventoryError) -> Value {
        try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                try file.database.execute("PRAGMA synchronous = \(isLast ? "FULL" : "NORMAL")")
                let value = try file.database.transaction { () throws(LedgerError) in
                    try body(file.database)
                }
                // A disk that can no longer be written, or a file that is damaged, then still shows it. What
                // cannot be carried over now is carried over later.
                if isLast { try? file.database.execute("PRAGMA wal_checkpoint(PASSIVE)") }
                return value
            }
        }
    }

    func checkRoom(for count: Int64, at clocks: Clocks) throws(InventoryError) {
        let present = try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                try InventoryTable(database: file.database).count()
            }
        }
        guard present + count <= Campaigns.Limits.campaignsMax else {
            throw .full("there can be no more than \(Campaigns.Limits.campaignsMax) campaigns")
        }
    }

    func check(_ campaign: Campaign) throws(InventoryError) {
        do throws(InvalidCampaign) {
            try campaign.check()
        } catch {
            throw .invalid(error)
        }
    }

    private func check(_ revision: Int64?, against campaign: Campaign) throws(InventoryError) {
        guard let revision, revision != campaign.revision else { return }
        throw .conflict(revision: campaign.revision)
    }

    /// Checks a campaign after one of its creatives was edited, and raises its revision. Faults name the
    /// creative's fields as whoever edits it knows them.
    private func check(_ rows: inout CampaignRows, editing index: Int) throws(InventoryError) {
        rows.campaign.creatives = rows.creatives.map(\.creative)
        rows.campaign.revision += 1
        do throws(InvalidCampaign) {
            try rows.campaign.check()
        } catch {
            let prefix = "creatives[\(index)]."
            throw .invalid(
                InvalidCampaign(
                    faults: error.faults.map { fault in
                        let field = fault.field
                        let isOwn = field.hasPrefix(prefix)
                        return CampaignFault(
                            field: isOwn ? String(field.dropFirst(prefix.count)) : field,
                            message: fault.message)
                    }))
        }
        try rows.creatives[index].checkFits()
    }
}

extension Ledger {
    /// A creative that is not written yet.
    func row(
        of creative: Creative, _ content: CreativeContent, campaign: CampaignID
    ) throws(InventoryError) -> CreativeRow {
        var row = CreativeRow(creative, campaign: campaign)
        switch content {
        case .file(let held):
            guard files.isGood(held) else {
                throw .unavailable("the file went with the ledger that it was written to; send it again")
            }
            row.file = held.row
            row.creative.kind = held.format.kind
        case .address(let text):
            guard Creative.isWebAddress(text) else { throw .fault("address", "is no http or https URL") }
            row.address = text
        }
        return row
    }
}

extension CreativeRow {
    /// Whether the picture can be shown in the creative's size.
    func checkFits() throws(InventoryError) {
        do throws(FileFault) {
            try InspectedFile.check(file?.pixels, fit: creative.size)
        } catch {
            throw .invalidFile(error)
        }
    }
}
