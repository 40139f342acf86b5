public import Reachability

/// An advertisement: what to draw. Exactly one of `markup` and `path` is set.
public struct Creative: Hashable, Sendable {
    /// The advertisement's identifier, as its source gives it.
    public var id: String
    /// The name of the source that it came from.
    public var source: String
    /// The media type of what is drawn, for example `text/html`.
    public var mediaType: String
    /// Its size, in density-independent pixels.
    public var size: Size
    /// HTML to draw.
    public var markup: String?
    /// A file in the daemon's cache to draw.
    public var path: String?
    /// Where a click leads.
    public var clickURL: String?
    /// The advertiser's domains.
    public var advertiserDomains: [String]
    /// Its categories, as its source gives them; those of the IAB where it does not say otherwise.
    public var categories: [String]
    /// The moment from which it must not be seen, `nil` when it never expires.
    public var expires: Instant?
    /// Whether it came over the network; such an ad leaves the screen when the network is lost.
    public var isFromNetwork: Bool
    /// The request that it answers, once the coordinator has taken it: the same for no other advertisement.
    public var request: RequestID?
    /// The campaign that it belongs to, where its source says one.
    public var campaign: String?
    /// What a thousand impressions of it cost, where its source says that.
    public var price: CPM?

    /// Creates an advertisement.
    public init(
        id: String, source: String, mediaType: String = "text/html", size: Size, markup: String? = nil,
        path: String? = nil, clickURL: String? = nil, advertiserDomains: [String] = [],
        categories: [String] = [], expires: Instant? = nil, isFromNetwork: Bool, campaign: String? = nil,
        price: CPM? = nil
    ) {
        self.id = id
        self.source = source
        self.mediaType = mediaType
        self.size = size
        self.markup = markup
        self.path = path
        self.clickURL = clickURL
        self.advertiserDomains = advertiserDomains
        self.categories = categories
        self.expires = expires
        self.isFromNetwork = isFromNetwork
        self.campaign = campaign
        self.price = price
    }

    /// Whether it may no longer be seen at `now`.
    public func isExpired(at now: Instant) -> Bool {
        guard let expires else { return false }
        return expires <= now
    }

    /// What makes this creative unfit as the answer to a question for `asked`, `nil` when it is fit.
    func flaw(asked: Size, at now: Instant) -> SourceError? {
        // A size that nobody asked for would be replaced as soon as it was shown.
        guard size == asked, (markup == nil) != (path == nil) else { return .invalidCreative }
        return isExpired(at: now) ? .expired : nil
    }
}

/// What a thousand impressions cost, exactly.
public struct CPM: Hashable, Sendable {
    /// Billionths of the currency's unit for a thousand impressions; never negative.
    public var nanos: Int64
    /// The currency by its ISO 4217 code.
    public var currency: String

    /// Creates a price.
    public init(nanos: Int64, currency: String) {
        precondition(nanos >= 0, "a price is never negative")
        (self.nanos, self.currency) = (nanos, currency)
    }
}

/// Why a source gave no advertisement.
public enum SourceError: String, Error, CaseIterable, Sendable {
    /// The source has nothing for this slot now.
    case noFill
    /// The source answered with an error, or with something that is no answer.
    case serverFailure
    /// The source did not answer in time.
    case timeout
    /// The source asks to be left alone for a while.
    case throttled
    /// The source is not set up rightly.
    case configuration
    /// The advertisement cannot be shown: the wrong size, or nothing to draw.
    case invalidCreative
    /// The source could not be reached.
    case unreachable
    /// The advertisement had expired when it arrived, or when it was to be shown.
    case expired
}
