@testable import Campaigns

extension CreativeSize {
    static let phone = CreativeSize(width: 320, height: 50)
    static let leaderboard = CreativeSize(width: 728, height: 90)
}

extension Campaign {
    /// A campaign with one phone creative and a domain of its own.
    static func sample(_ id: Int64, weight: Int = 1, domain: String? = nil) -> Campaign {
        var campaign = Campaign(
            id: CampaignID(id), name: "Campaign \(id)", advertiser: "Advertiser \(id)",
            price: Money(micros: 2_500_000, currency: .euro),
            creatives: [Creative(id: CreativeID(id * 100), size: .phone)])
        campaign.delivery = .share(weight: weight)
        campaign.domain = domain ?? "advertiser\(id).example"
        return campaign
    }

    /// The same, changed.
    func with(_ change: (inout Campaign) -> Void) -> Campaign {
        var campaign = self
        change(&campaign)
        return campaign
    }
}
