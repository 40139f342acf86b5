public import Campaigns

extension Ledger {
    /// What is known of the past of a house campaign, should it have got frequency caps.
    public func cappedImpressions(
        of campaign: CampaignID, at clocks: Clocks
    ) throws(LedgerError) -> [CappedImpression] {
        try readStillFile(at: clocks) { file throws(LedgerError) in
            try file.scheduler.impressions(of: campaign)
        }
    }
}
