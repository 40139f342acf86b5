/// A bid that has passed the checks (OpenRTB 2.6, 4.2.3).
struct Bid {
    /// Its place among all bids of the answer.
    let ordinal: Int
    /// Where it is in the answer.
    let place: String
    let id: String
    let seat: String?
    let price: Price
    let markup: String
    let adID: String?
    let creativeID: String?
    let campaignID: String?
    let domains: [String]
    let categories: [String]
    let winURL: String?
    let billingURL: String?
    let lossURL: String?
    let expirySeconds: Int64?
}

/// A bid as it came, with as much of it as a loss notice needs.
struct BidCandidate {
    let ordinal: Int
    let place: String
    let seat: String?
    let fields: Fields

    var adID: String? { try? fields.identifier("adid") }

    var lossURL: String? {
        guard let url = try? fields.text("lurl"), WebAddress.isAcceptable(url.withoutMacros) else {
            return nil
        }
        return url
    }
}
