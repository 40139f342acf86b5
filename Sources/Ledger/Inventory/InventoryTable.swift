internal import Campaigns

/// A campaign with its creatives, as the rows have it.
struct CampaignRows {
    var campaign: Campaign
    var creatives: [CreativeRow]
}

/// The house inventory, in an open file. It is seldom used, so nothing of it is kept prepared.
struct InventoryTable {
    let database: Database

    /// Whether a campaign's row is part of the inventory, and not of an import that is under way.
    static let isVisible = "(batch IS NULL OR batch NOT IN (SELECT number FROM imports))"

    /// Whether the file has an inventory; one of an older version, which cannot be brought up to date on a
    /// disk that cannot be written, has none.
    func exists() throws(LedgerError) -> Bool {
        try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'campaigns'") > 0
    }

    /// A page of campaigns in the order of their numbers, and those among them that cannot be read.
    /// - Parameter batch: the import that they came with, where that matters.
    func page(
        after: Int64 = 0, through: Int64 = .max, limit: Int = Limits.inventoryPageRows,
        batch: Int64? = nil
    ) throws(LedgerError) -> (campaigns: [CampaignRows], unreadable: [Int64], last: Int64?) {
        var page: [CampaignRows] = []
        var unreadable: [Int64] = []
        var last: Int64?
        try database.prepare(
            """
            SELECT id, \(CampaignRow.columns) FROM campaigns
            WHERE id > ?1 AND id <= ?2 AND \(Self.isVisible) \(batch == nil ? "" : "AND batch = ?4")
            ORDER BY id LIMIT ?3
            """
        ).rows(
            [.integer(after), .integer(through), .integer(Int64(limit))]
                + (batch.map { [.integer($0)] } ?? [])
        ) { row in
            last = row.integer(0)
            if let campaign = CampaignRow.campaign(row) {
                page.append(CampaignRows(campaign: campaign, creatives: []))
            } else {
                unreadable.append(row.integer(0) ?? 0)
            }
        }
        guard let first = page.first?.campaign.id.value, let last else { return (page, unreadable, last) }
        var index = 0
        try database.prepare(
            """
            SELECT \(CreativeRow.columns) FROM \(CreativeRow.tables)
            WHERE c.campaign BETWEEN ?1 AND ?2 ORDER BY c.campaign, c.id
            """
        ).rows([.integer(first), .integer(last)]) { row in
            guard let creative = CreativeRow(row) else { return }
            while index < page.count, page[index].campaign.id < creative.campaign { index += 1 }
            guard index < page.count, page[index].campaign.id == creative.campaign else { return }
            page[index].campaign.creatives.append(creative.creative)
            page[index].creatives.append(creative)
        }
        return (page, unreadable, last)
    }

    /// One campaign, `nil` where there is none.
    func campaign(_ id: CampaignID) throws(LedgerError) -> CampaignRows? {
        guard id.value > 0 else { return nil }
        let page = try page(after: id.value - 1, through: id.value, limit: 1)
        guard page.unreadable.isEmpty else {
            throw LedgerError(
                .other, operation: "read", path: database.path,
                message: "campaign \(id.value) holds what no version of this program has written")
        }
        return page.campaigns.first
    }

    /// Creatives of one campaign or of all, in the order of their numbers, of those behind one of them.
    func creatives(
        of campaign: CampaignID?, after: Int64, limit: Int = Limits.inventoryPageRows
    ) throws(LedgerError) -> [CreativeRow] {
        var rows: [CreativeRow] = []
        let isVisible = "(SELECT \(Self.isVisible) FROM campaigns WHERE id = c.campaign)"
        try database.prepare(
            """
            SELECT \(CreativeRow.columns) FROM \(CreativeRow.tables)
            WHERE c.id > ?1 AND \(isVisible) \(campaign == nil ? "" : "AND c.campaign = ?3")
            ORDER BY c.id LIMIT ?2
            """
        ).rows(
            [.integer(after), .integer(Int64(limit))] + (campaign.map { [.integer($0.value)] } ?? [])
        ) { row in
            if let creative = CreativeRow(row) { rows.append(creative) }
        }
        return rows
    }

    /// Which campaign a creative belongs to, `nil` where there is no such creative.
    func campaign(of id: CreativeID) throws(LedgerError) -> CampaignID? {
        var campaign: CampaignID?
        try database.prepare("SELECT campaign FROM creatives WHERE id = ?1").rows([.integer(id.value)]) {
            campaign = $0.integer(0).map { CampaignID($0) }
        }
        return campaign
    }

    /// How many campaigns there are, those of imports that are under way included.
    func count() throws(LedgerError) -> Int64 {
        try database.integer("SELECT count(*) FROM campaigns")
    }
}
