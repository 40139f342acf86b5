public import Campaigns

/// What is asked of the inventory.
extension Ledger {
    /// The whole inventory, in the order of the campaigns' numbers. It can be read where the file cannot be
    /// written too; where it cannot be read, that has been said, and it is empty.
    public func inventory(at clocks: Clocks) -> [StoredCampaign] {
        let inventory = try? readStill(at: clocks) { database throws(LedgerError) in
            let table = InventoryTable(database: database)
            guard try table.exists() else { return [StoredCampaign]() }
            for file in try FileTable(database: database).page() {
                // The right length is no proof: what was found broken stays so until its content is checked.
                guard let fault = files.survey(file), files.note(file, isBroken: true) else { continue }
                onNotice(.fileBroken(path: files.path(of: file), reason: fault))
            }
            return try stored(table)
        }
        return inventory ?? []
    }

    private func stored(_ table: InventoryTable) throws(LedgerError) -> [StoredCampaign] {
        var inventory: [StoredCampaign] = []
        var after: Int64 = 0
        while true {
            let page = try table.page(after: after)
            inventory += page.campaigns.map { stored($0) }
            for id in page.unreadable { onNotice(.unreadable(CampaignID(id))) }
            guard let last = page.last else { return inventory }
            after = last
        }
    }

    /// What is told of a campaign's rows: a file that is not there as a whole is none.
    func stored(_ rows: CampaignRows) -> StoredCampaign {
        var stored = StoredCampaign(campaign: rows.campaign)
        for row in rows.creatives {
            if let address = row.address { stored.addresses[row.creative.id] = address }
            stored.files[row.creative.id] = file(of: row)
        }
        return stored
    }

    private func file(of row: CreativeRow) -> CreativeFile? {
        guard let file = row.file, !files.isBroken(file) else { return nil }
        return CreativeFile(
            path: files.path(of: file), mediaType: file.format.mediaType, sizeBytes: file.sizeBytes)
    }

    /// A page of campaigns in the order of their numbers, of those behind one of them.
    /// - Returns: the page, and behind which one the next begins; `nil` where there is no more.
    public func inventoryPage(
        after id: CampaignID?, at clocks: Clocks
    ) throws(InventoryError) -> (campaigns: [StoredCampaign], next: CampaignID?) {
        try orUnavailable { () throws(LedgerError) in
            try readStill(at: clocks) { database throws(LedgerError) in
                let table = InventoryTable(database: database)
                guard try table.exists() else { return ([], nil) }
                let page = try table.page(after: id?.value ?? 0)
                return (page.campaigns.map { stored($0) }, page.last.map { CampaignID($0) })
            }
        }
    }

    /// A page of creatives, of one campaign or of all, in the order of their numbers, of those behind one of
    /// them.
    public func creativesPage(
        of campaign: CampaignID?, after id: CreativeID?, at clocks: Clocks
    ) throws(InventoryError) -> [StoredCreative] {
        try orUnavailable { () throws(LedgerError) in
            try readStill(at: clocks) { database throws(LedgerError) in
                let table = InventoryTable(database: database)
                guard try table.exists() else { return [] }
                return try table.creatives(of: campaign, after: id?.value ?? 0).map { row in
                    StoredCreative(
                        creative: row.creative, campaign: row.campaign, file: file(of: row),
                        address: row.address)
                }
            }
        }
    }

    /// One campaign.
    public func campaign(_ id: CampaignID, at clocks: Clocks) throws(InventoryError) -> StoredCampaign {
        stored(try rows(of: id, at: clocks))
    }

    /// The campaign that a creative belongs to.
    public func campaign(of id: CreativeID, at clocks: Clocks) throws(InventoryError) -> StoredCampaign {
        stored(try rows(of: id, at: clocks))
    }

    func rows(of id: CampaignID, at clocks: Clocks) throws(InventoryError) -> CampaignRows {
        let rows = try orUnavailable { () throws(LedgerError) in
            try readStill(at: clocks) { database throws(LedgerError) -> CampaignRows? in
                let table = InventoryTable(database: database)
                return try table.exists() ? table.campaign(id) : nil
            }
        }
        guard let rows else { throw .noSuchCampaign(id) }
        return rows
    }

    func rows(of id: CreativeID, at clocks: Clocks) throws(InventoryError) -> CampaignRows {
        let campaign = try orUnavailable { () throws(LedgerError) in
            try readStill(at: clocks) { database throws(LedgerError) -> CampaignID? in
                let table = InventoryTable(database: database)
                return try table.exists() ? table.campaign(of: id) : nil
            }
        }
        guard let campaign else { throw .noSuchCreative(id) }
        do throws(InventoryError) {
            return try rows(of: campaign, at: clocks)
        } catch {
            // Of an import that is under way.
            guard case .noSuchCampaign = error else { throw error }
            throw .noSuchCreative(id)
        }
    }

    func orUnavailable<Value>(
        _ body: () throws(LedgerError) -> Value
    ) throws(InventoryError) -> Value {
        do throws(LedgerError) {
            return try body()
        } catch {
            throw .unavailable(error.description)
        }
    }
}
