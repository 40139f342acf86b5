/// Why a bid lost, as `${AUCTION_LOSS}` says it (OpenRTB 3.0, List: Loss Reason Codes).
public enum LossReason: Int, CaseIterable, Sendable {
    /// The impression can no longer take place.
    case expired = 2
    /// The answer is not what the specification asks for.
    case invalidResponse = 3
    /// A deal that was never offered.
    case invalidDeal = 4
    /// Another auction's answer.
    case invalidAuction = 5
    /// A domain that is none, or none where one must be checked.
    case invalidAdvertiserDomain = 6
    /// Nothing to draw.
    case missingMarkup = 7
    /// No price.
    case missingPrice = 9
    /// Less than the floor.
    case belowFloor = 100
    /// Another bid was higher.
    case lostToHigherBid = 102
    /// The creative cannot be taken.
    case creativeFiltered = 200
    /// A size that was not asked for.
    case sizeNotAllowed = 203
    /// No banner.
    case wrongFormat = 204
    /// A blocked advertiser.
    case advertiserExcluded = 205
    /// A blocked app.
    case appExcluded = 206
    /// Markup that loads over connections that are not encrypted.
    case notSecure = 207
    /// A blocked category.
    case categoryExcluded = 209
    /// A blocked attribute.
    case attributeExcluded = 210
}
