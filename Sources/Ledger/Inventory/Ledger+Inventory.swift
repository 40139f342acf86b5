internal import Campaigns

/// What is asked of the inventory.
extension Ledger {
    /// The whole inventory, in the order of the campaigns' numbers. It can be read where the file cannot be
    /// written too; where it cannot be read, that has been said, and it is empty.
    public func inventory(at clocks: Clocks) -> [StoredCampaign] {
        let inventory = try? readStill(at: clocks) { database throws(LedgerError) in
            let table = InventoryTable(database: database)
            guard try table.exists() else { return [StoredCampaign]() }
            for file in try table.files() {
                let fault = files.survey(file)
                guard files.note(file, isBroken: fault != nil), let fault else { continue }
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
            guard let file = row.file, !files.isBroken(file) else { continue }
            stored.files[row.creative.id] = CreativeFile(
                path: files.path(of: file), mediaType: file.format.mediaType, sizeBytes: file.sizeBytes)
        }
        return stored
    }
}
