internal import Campaigns

/// Writes campaigns and creatives, within the caller's transaction.
struct InventoryWriter {
    private let database: Database
    private let insertCampaign, insertCreative: Statement

    init(_ database: Database) throws(LedgerError) {
        self.database = database
        insertCampaign = try database.prepare(
            """
            INSERT INTO campaigns (\(CampaignRow.columns), batch, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """)
        insertCreative = try database.prepare(
            """
            INSERT INTO creatives (campaign, width, height, kind, click_url, enabled, file, address, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
    }

    /// Adds a campaign without its creatives; its own number does not count.
    /// - Parameters:
    ///   - batch: the import that it comes with.
    ///   - id: the number that it gets, `nil` for a new one.
    @discardableResult
    func insert(
        _ campaign: Campaign, batch: Int64? = nil, as id: CampaignID? = nil
    ) throws(LedgerError) -> CampaignID {
        try insertCampaign.run(
            CampaignRow.values(of: campaign) + [.integer(batch), .integer(id?.value)])
        return CampaignID(database.insertedID)
    }

    /// Writes the edited form of a campaign, without its creatives.
    func update(_ campaign: Campaign) throws(LedgerError) {
        try database.prepare(
            """
            UPDATE campaigns SET (\(CampaignRow.columns)) =
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) WHERE id = ?16
            """
        ).run(CampaignRow.values(of: campaign) + [.integer(campaign.id.value)])
    }

    /// Takes a campaign out, with its creatives.
    func remove(_ id: CampaignID) throws(LedgerError) {
        try database.prepare("DELETE FROM creatives WHERE campaign = ?1").run([.integer(id.value)])
        try database.prepare("DELETE FROM campaigns WHERE id = ?1").run([.integer(id.value)])
    }

    /// Adds a creative to a campaign; its own number does not count.
    /// - Parameter number: the number that it gets, `nil` for a new one.
    @discardableResult
    func insert(
        _ row: CreativeRow, of id: CampaignID, as number: CreativeID? = nil
    ) throws(LedgerError) -> CreativeID {
        try insertCreative.run([.integer(id.value)] + row.values + [.integer(number?.value)])
        return CreativeID(database.insertedID)
    }

    /// Writes the edited form of a creative.
    func update(_ row: CreativeRow) throws(LedgerError) {
        try database.prepare(
            """
            UPDATE creatives SET (width, height, kind, click_url, enabled, file, address) =
                (?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE id = ?1
            """
        ).run([.integer(row.creative.id.value)] + row.values)
    }

    /// Takes a creative out.
    func remove(_ id: CreativeID) throws(LedgerError) {
        try database.prepare("DELETE FROM creatives WHERE id = ?1").run([.integer(id.value)])
    }
}

extension CreativeRow {
    /// What is written of it, but for its number and its campaign.
    fileprivate var values: [Statement.Value] {
        [
            .integer(Int64(creative.size.width)), .integer(Int64(creative.size.height)),
            .text(creative.kind.rawValue), .text(creative.clickURL),
            .integer(creative.isEnabled ? 1 : 0), .integer(file?.number), .text(address),
        ]
    }
}
