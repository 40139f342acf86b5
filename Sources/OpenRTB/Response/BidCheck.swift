/// The checks of one bid against what was asked for and agreed.
struct BidCheck {
    let request: BidRequest

    private var blocks: DemandSettings.Blocks { request.settings.blocks }

    /// Checks a bid: what makes it an answer first, then its price, then its creative.
    func check(_ candidate: BidCandidate) throws(BidFlaw) -> Bid {
        let fields = candidate.fields
        guard let id = try fields.identifier("id"), !id.isEmpty else {
            throw BidFlaw(.wrongAnswer, fields.place("id"), "missing")
        }
        try checkImpression(fields)
        let price = try checkedPrice(fields)
        try checkFormat(fields)
        let domains = try checkedDomains(fields)
        let categories = try checkedCategories(fields)
        try checkExclusions(fields)
        let winURL = try noticeURL("nurl", fields)
        let markup = try checkedMarkup(fields, hasWinURL: winURL != nil)
        return Bid(
            ordinal: candidate.ordinal, place: candidate.place, id: id, seat: candidate.seat, price: price,
            markup: markup, adID: try fields.identifier("adid"), creativeID: try fields.identifier("crid"),
            campaignID: try fields.identifier("cid"), domains: domains, categories: categories,
            winURL: winURL, billingURL: try noticeURL("burl", fields), lossURL: try noticeURL("lurl", fields),
            expirySeconds: try checkedExpiry(fields))
    }

    private func checkImpression(_ fields: Fields) throws(BidFlaw) {
        guard let impression = try fields.text("impid") else {
            throw BidFlaw(.wrongAnswer, fields.place("impid"), "missing")
        }
        guard impression == BidRequest.impressionID else {
            throw BidFlaw(
                .wrongAnswer, fields.place("impid"), "\(impression.shown) is no impression of the request")
        }
        if let deal = try fields.text("dealid"), !deal.isEmpty {
            throw BidFlaw(
                .wrongAnswer, fields.place("dealid"), "\(deal.shown) was never offered", loss: .invalidDeal)
        }
    }

    private func checkedPrice(_ fields: Fields) throws(BidFlaw) -> Price {
        guard let price = try fields.price("price") else {
            throw BidFlaw(.wrongAnswer, fields.place("price"), "missing", loss: .missingPrice)
        }
        guard price >= request.settings.floor else {
            throw BidFlaw(
                .noFill, fields.place("price"), "\(price) is below the floor of \(request.settings.floor)",
                loss: .belowFloor)
        }
        return price
    }

    private func checkFormat(_ fields: Fields) throws(BidFlaw) {
        if let type = try fields.integer("mtype"), type != 1 {
            throw BidFlaw(
                .wrongCreative, fields.place("mtype"), "\(type) is no banner", loss: .wrongFormat)
        }
        // One size was offered, so a bid that names none means that one.
        for (key, wanted) in [("w", request.format.width), ("h", request.format.height)] {
            guard fields.has("w") || fields.has("h") else { return }
            let side = try fields.integer(key)
            guard side == Int64(wanted) else {
                throw BidFlaw(
                    .wrongCreative, fields.place(key),
                    "\(side.map { "\($0)" } ?? "nothing") where \(request.format) was asked for",
                    loss: .sizeNotAllowed)
            }
        }
    }

    private func checkedDomains(_ fields: Fields) throws(BidFlaw) -> [String] {
        let domains = try fields.texts("adomain")
        for (index, domain) in domains.enumerated() {
            if let blocked = blocks.domains.first(where: { domain.isDomain(within: $0) }) {
                throw BidFlaw(
                    .wrongCreative, fields.place("adomain[\(index)]"),
                    "\(domain.shown) is blocked by \(blocked)", loss: .advertiserExcluded)
            }
        }
        guard !domains.isEmpty || blocks.domains.isEmpty else {
            throw BidFlaw(
                .wrongCreative, fields.place("adomain"),
                "missing, so that nobody knows whether it is blocked",
                loss: .invalidAdvertiserDomain)
        }
        return domains
    }

    private func checkedCategories(_ fields: Fields) throws(BidFlaw) -> [String] {
        let categories = try fields.texts("cat")
        guard !categories.isEmpty, !blocks.categories.isEmpty else { return categories }
        let taxonomy = try fields.integer("cattax") ?? 1
        guard taxonomy == Int64(blocks.taxonomy) else {
            throw BidFlaw(
                .wrongCreative, fields.place("cattax"),
                "\(taxonomy), so that its categories cannot be held against those of \(blocks.taxonomy)",
                loss: .categoryExcluded)
        }
        for (index, category) in categories.enumerated() {
            if let blocked = blocks.categories.first(where: { category.isCategory(within: $0) }) {
                throw BidFlaw(
                    .wrongCreative, fields.place("cat[\(index)]"),
                    "\(category.shown) is blocked by \(blocked)",
                    loss: .categoryExcluded)
            }
        }
        return categories
    }

    private func checkExclusions(_ fields: Fields) throws(BidFlaw) {
        for (index, attribute) in try fields.integers("attr").enumerated() {
            guard blocks.attributes.contains(where: { Int64($0) == attribute }) else { continue }
            throw BidFlaw(
                .wrongCreative, fields.place("attr[\(index)]"), "\(attribute) is blocked",
                loss: .attributeExcluded)
        }
        if let app = try fields.text("bundle"), blocks.apps.contains(app) {
            throw BidFlaw(
                .wrongCreative, fields.place("bundle"), "\(app.shown) is blocked", loss: .appExcluded)
        }
    }

    private func checkedMarkup(_ fields: Fields, hasWinURL: Bool) throws(BidFlaw) -> String {
        let markup = try fields.text("adm") ?? ""
        guard markup.contains(where: { !$0.isWhitespace }) else {
            // The win notice is sent once the ad has been taken, from a queue that may wait for the network:
            // too late, and too seldom, to bring the ad.
            let message = hasWinURL ? "missing; markup by the win notice is not taken" : "missing"
            throw BidFlaw(.wrongCreative, fields.place("adm"), message, loss: .missingMarkup)
        }
        return markup
    }

    private func checkedExpiry(_ fields: Fields) throws(BidFlaw) -> Int64? {
        guard let seconds = try fields.integer("exp") else { return nil }
        guard seconds > 0 else {
            throw BidFlaw(.expired, fields.place("exp"), "\(seconds) seconds leave no time", loss: .expired)
        }
        return min(seconds, Limits.expirySecondsMax)
    }

    private func noticeURL(_ key: String, _ fields: Fields) throws(BidFlaw) -> String? {
        guard let url = try fields.text(key), !url.isEmpty else { return nil }
        guard WebAddress.isAcceptable(url.withoutMacros) else {
            throw BidFlaw(.wrongAnswer, fields.place(key), "\(url.shown) is no URL that may be called")
        }
        return url
    }
}

extension String {
    /// Whether this is the other domain or one below it.
    func isDomain(within other: String) -> Bool {
        let (name, other) = (domainName, other.domainName)
        return name == other || name.hasSuffix("." + other)
    }

    /// A domain in small letters, without the dot at its end; of what is written as an address, the host's.
    private var domainName: String {
        var name = lowercased()[...]
        if let scheme = name.firstRange(of: "://") {
            name = name[scheme.upperBound...].prefix { !"/?#:".contains($0) }
        }
        while name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }

    /// Whether this is the other category or one below it.
    func isCategory(within other: String) -> Bool {
        let (name, other) = (uppercased(), other.uppercased())
        return name == other || name.hasPrefix(other + "-")
    }
}
