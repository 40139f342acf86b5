/// What has come of a request: an ad, or the reason for none, and what losers are told.
public struct AuctionResult: Equatable, Sendable {
    /// The outcome.
    public enum Outcome: Equatable, Sendable {
        /// An ad.
        case won(Win)
        /// The exchange has nothing, and perhaps says why.
        case noFill(reason: String)
        /// What came cannot be taken.
        case refused(BidFlaw)
    }

    /// The outcome.
    public let outcome: Outcome
    /// Loss notices, in the order of the bids.
    public let losses: [Notice]
}

/// A URL to be called once, to tell the bidder something.
public struct Notice: Hashable, Sendable {
    /// What the bidder is told.
    public enum Kind: String, CaseIterable, Sendable {
        /// Its bid won (`nurl`).
        case win
        /// Its ad was seen (`burl`).
        case billing
        /// Its bid lost (`lurl`).
        case loss
    }

    /// What the bidder is told.
    public let kind: Kind
    /// Where, every macro replaced.
    public let url: String
    /// The same for no other notice: the auction, the bid's number in it, the kind.
    public let id: String

    /// Creates a notice.
    public init(kind: Kind, url: String, id: String) {
        self.kind = kind
        self.url = url
        self.id = id
    }
}

/// An ad that won its auction.
public struct Win: Equatable, Sendable {
    /// The creative's identifier: `crid`, or else `adid`, or else the bid's own.
    public let creativeID: String
    /// The campaign's, where the bid says it.
    public let campaignID: String?
    /// The buyer's seat, where the answer says it.
    public let seat: String?
    /// What the impression costs, per thousand.
    public let price: Price
    /// The currency of the price.
    public let currency: String
    /// The HTML to draw, every macro replaced. Not to be trusted.
    public let markup: String
    /// Where the ad's first link leads, where it leads to the web.
    public let clickURL: String?
    /// The advertiser's domains.
    public let domains: [String]
    /// The creative's categories.
    public let categories: [String]
    /// How many seconds after the answer's arrival the ad may be shown, `nil` for as long as one likes.
    public let expirySeconds: Int64?
    /// To be sent when the ad is taken.
    public let winNotice: Notice?
    /// To be sent once the ad was seen.
    public let billing: BillingNotice?

    init(_ bid: Bid, markup: Markup, text: String, macros: Macros, expirySeconds: Int64?) {
        creativeID = [bid.creativeID, bid.adID].compactMap(\.self).first { !$0.isEmpty } ?? bid.id
        campaignID = bid.campaignID
        seat = bid.seat
        price = bid.price
        currency = macros.currency
        self.markup = text
        clickURL = markup.clickURL
        domains = bid.domains
        categories = bid.categories
        self.expirySeconds = expirySeconds
        winNotice = Notice(.win, bid.winURL, macros, bid: bid.ordinal)
        billing = bid.billingURL.map { BillingNotice(url: $0, macros: macros, ordinal: bid.ordinal) }
    }
}

/// A billing notice that still lacks the time of the impression.
public struct BillingNotice: Hashable, Sendable {
    let url: String
    let macros: Macros
    let ordinal: Int

    /// The notice, to be sent once.
    /// - Parameter time: when the impression took place, in milliseconds since the Unix epoch.
    public func notice(at time: Int64) -> Notice? {
        var macros = macros
        macros.impressionTime = String(time)
        return Notice(.billing, url, macros, bid: ordinal)
    }
}

extension Notice {
    /// A notice about a bid; `nil` without a URL, or where the values make it one that may not be called.
    init?(_ kind: Kind, _ url: String?, _ macros: Macros, bid ordinal: Int) {
        guard let url else { return nil }
        let whole = macros.substituted(in: url, of: .url)
        guard WebAddress.isAcceptable(whole) else { return nil }
        self.init(kind: kind, url: whole, id: "\(macros.auctionID)/\(ordinal)/\(kind.rawValue)")
    }
}
