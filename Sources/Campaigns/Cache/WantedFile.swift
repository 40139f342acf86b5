/// A file that creatives name by its address, and what it is wanted for.
public struct WantedFile: Hashable, Sendable {
    /// Where it is fetched from.
    public var address: String
    /// When it is wanted.
    public var need: Need

    /// Creates one.
    public init(address: String, need: Need) {
        self.address = address
        self.need = need
    }

    /// When a file is wanted; what is needed sooner comes first.
    public enum Need: Hashable, Comparable, Sendable {
        /// By a campaign that runs; the hours of the day do not count.
        case now
        /// By a campaign that begins at a moment to come.
        case ahead(WallTime)
    }
}

/// A creative and the address that its file comes from.
public struct AddressedCreative: Hashable, Sendable {
    /// The campaign.
    public var campaign: Campaign
    /// The creative, one of the campaign's.
    public var creative: CreativeID
    /// Where its file is fetched from.
    public var address: String

    /// Puts the parts together.
    public init(campaign: Campaign, creative: CreativeID, address: String) {
        self.campaign = campaign
        self.creative = creative
        self.address = address
    }
}

extension WantedFile {
    private struct Urgency: Comparable {
        let need: Need
        let tier: Int
        let campaign: CampaignID

        static func < (left: Urgency, right: Urgency) -> Bool {
            (left.need, left.tier, left.campaign) < (right.need, right.tier, right.campaign)
        }
    }

    /// What is wanted by creatives, each file once, the most urgent first; of equals that of the lower tier,
    /// then of the older campaign. A clock that is not trusted makes campaigns with dates wait ahead.
    ///
    /// - Returns: the files, and the moment at which that changes by itself.
    public static func all(
        of creatives: [AddressedCreative], at moment: Moment
    ) -> (files: [WantedFile], nextChange: WallTime?) {
        var needs: [String: Urgency] = [:]
        var nextChange: WallTime?
        for creative in creatives {
            let campaign = creative.campaign
            let isShown = campaign.creatives.contains { $0.id == creative.creative && $0.isEnabled }
            guard campaign.isEnabled, isShown else { continue }
            let (need, change) = campaign.flight.need(at: moment)
            nextChange = [nextChange, change].compactMap { $0 }.min()
            guard let need else { continue }
            let urgency = Urgency(need: need, tier: campaign.tier, campaign: campaign.id)
            needs[creative.address] = min(needs[creative.address] ?? urgency, urgency)
        }
        let files = needs.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { WantedFile(address: $0.key, need: $0.value.need) }
        return (files, nextChange)
    }
}

extension Flight {
    /// When a file of it is wanted, nil when never again, and when that changes.
    fileprivate func need(at moment: Moment) -> (need: WantedFile.Need?, change: WallTime?) {
        guard start != nil || end != nil else { return (.now, nil) }
        guard moment.trust == .trusted else { return (.ahead(start ?? moment.wall), nil) }
        if let end, end <= moment.wall { return (nil, nil) }
        if let start, start > moment.wall { return (.ahead(start), start) }
        return (.now, end)
    }
}
