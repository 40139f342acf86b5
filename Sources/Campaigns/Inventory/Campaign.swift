/// When a campaign runs, from the first moment up to the second; a missing one is no bound.
public struct Flight: Hashable, Sendable {
    /// The first moment.
    public var start: WallTime?
    /// The moment at which it is over.
    public var end: WallTime?

    /// Creates a flight.
    public init(start: WallTime? = nil, end: WallTime? = nil) {
        self.start = start
        self.end = end
    }
}

/// What a campaign is to get of the impressions that its tier has.
public enum Delivery: Hashable, Sendable {
    /// A share of voice by this weight, of what guaranteed campaigns leave.
    case share(weight: Int)
    /// This many impressions, spread over its flight by the profile of past traffic.
    case guaranteed(impressions: Int)
}

/// What a frequency cap counts by.
public enum CapScope: String, CaseIterable, Sendable {
    /// The impressions in each slot for itself.
    case slot
    /// The impressions on this device.
    case device
}

/// At most so many impressions of a campaign in any window of a length.
public struct FrequencyCap: Hashable, Sendable {
    /// Impressions that are let through.
    public var count: Int
    /// The length of the window, in seconds.
    public var windowSeconds: Int64
    /// What is counted by.
    public var scope: CapScope

    /// Creates a cap.
    public init(count: Int, windowSeconds: Int64, scope: CapScope) {
        self.count = count
        self.windowSeconds = windowSeconds
        self.scope = scope
    }
}

/// A house campaign.
public struct Campaign: Hashable, Sendable {
    /// Which one.
    public var id: CampaignID
    /// Raised with every edit.
    public var revision: Int64 = 1
    /// What people call it.
    public var name: String
    /// Whose it is.
    public var advertiser: String
    /// The advertiser's domain, such as `example.com`. Campaigns of one domain never stand side by side; one
    /// without a domain competes with nobody by it.
    public var domain: String?
    /// Categories of the IAB, such as `IAB2-3`. Campaigns that share one never stand side by side.
    public var categories: [String] = []
    /// The price of a thousand impressions.
    public var price: Money
    /// When it runs.
    public var flight = Flight()
    /// The hours in which it runs; none for all of them.
    public var dayparts: [Daypart] = []
    /// Its priority tier; the lowest number is served first.
    public var tier = 8
    /// What it is to get.
    public var delivery: Delivery = .share(weight: 1)
    /// Its frequency caps; each holds.
    public var caps: [FrequencyCap] = []
    /// What it shows.
    public var creatives: [Creative]
    /// Whether it runs at all.
    public var isEnabled = true

    /// Creates a campaign that runs always, with weight 1; the rest is set afterwards.
    public init(id: CampaignID, name: String, advertiser: String, price: Money, creatives: [Creative]) {
        self.id = id
        self.name = name
        self.advertiser = advertiser
        self.price = price
        self.creatives = creatives
    }

    /// Whether the wall clock decides about it.
    public var isDated: Bool { flight != Flight() || !dayparts.isEmpty }

    /// The creatives that may be shown in a size, oldest first.
    func creatives(of size: CreativeSize) -> [Creative] {
        creatives.filter { $0.isEnabled && $0.size == size }.sorted { $0.id < $1.id }
    }

    /// The sizes in which something may be shown, in order.
    var sizes: [CreativeSize] {
        Set(creatives.lazy.filter(\.isEnabled).map(\.size)).sorted()
    }
}
