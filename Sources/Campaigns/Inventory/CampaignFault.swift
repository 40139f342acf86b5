/// A field of a campaign that holds what it cannot hold.
public struct CampaignFault: Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `caps[1].windowSeconds`; places are counted from 0.
    public let field: String
    /// What is wrong with it, as the rest of a sentence.
    public let message: String

    /// Names a field and what is wrong with it.
    public init(field: String, message: String) {
        self.field = field
        self.message = message
    }

    /// `tier must be 1 to 16`.
    public var description: String { "\(field) \(message)" }
}

/// A campaign that was refused; it has at least one fault.
public struct InvalidCampaign: Error, Hashable, Sendable, CustomStringConvertible {
    /// All that is wrong, in the order of the fields.
    public let faults: [CampaignFault]

    /// Puts together what is wrong; that must be something.
    public init(faults: [CampaignFault]) {
        self.faults = faults
    }

    /// One fault after the other.
    public var description: String { faults.map(\.description).joined(separator: "; ") }
}

extension Campaign {
    /// Throws all that is wrong with this campaign.
    public func check() throws(InvalidCampaign) {
        var checker = CampaignChecker()
        checker.check(self)
        guard checker.faults.isEmpty else { throw InvalidCampaign(faults: checker.faults) }
    }
}

/// Collects what is wrong with a campaign.
private struct CampaignChecker {
    var faults: [CampaignFault] = []

    private mutating func expect(_ isRight: Bool, _ field: String, _ message: @autoclosure () -> String) {
        if !isRight { faults.append(CampaignFault(field: field, message: message())) }
    }

    private mutating func expect<Value: Comparable>(
        _ value: Value, in range: ClosedRange<Value>, _ field: String
    ) {
        expect(range.contains(value), field, "must be \(range.lowerBound) to \(range.upperBound)")
    }

    mutating func check(_ campaign: Campaign) {
        expect(campaign.revision >= 1, "revision", "must be 1 or more")
        checkName(campaign.name, "name")
        checkName(campaign.advertiser, "advertiser")
        if let domain = campaign.domain {
            expect(isDomain(domain), "domain", "is no domain name such as example.com")
        }
        checkCategories(campaign.categories)
        expect(campaign.price.micros, in: Limits.priceMicros, "price")
        if let start = campaign.flight.start, let end = campaign.flight.end {
            expect(start < end, "flight.end", "must be after the start")
        }
        expect(
            campaign.dayparts.count <= Limits.daypartsMax, "dayparts", "are more than \(Limits.daypartsMax)")
        expect(campaign.tier, in: Limits.tiers, "tier")
        checkDelivery(campaign)
        checkCaps(campaign.caps)
        checkCreatives(campaign.creatives)
    }

    private mutating func checkName(_ name: String, _ field: String) {
        expect(name.contains { !$0.isWhitespace }, field, "is missing")
        expect(name.utf8.count <= Limits.nameBytesMax, field, "is longer than \(Limits.nameBytesMax) bytes")
        let isPrintable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        expect(isPrintable, field, "has a control character")
    }

    /// Letters, digits and hyphens in labels of up to 63 (RFC 1123), at least two of them.
    private func isDomain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                    && label.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || byte == 0x2D || (0x61...0x7A).contains(byte | 0x20)
                    }
            }
    }

    private mutating func checkCategories(_ categories: [String]) {
        expect(
            categories.count <= Limits.categoriesMax, "categories", "are more than \(Limits.categoriesMax)")
        for (index, category) in categories.enumerated() {
            let isRight =
                (1...Limits.categoryBytesMax).contains(category.utf8.count)
                && category.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            expect(isRight, "categories[\(index)]", "is no category such as IAB2-3")
        }
        expect(Set(categories).count == categories.count, "categories", "name one twice")
    }

    private mutating func checkDelivery(_ campaign: Campaign) {
        switch campaign.delivery {
        case .share(let weight):
            expect(weight, in: Limits.weights, "delivery.weight")
        case .guaranteed(let impressions):
            expect(impressions, in: Limits.guaranteed, "delivery.impressions")
            expect(campaign.flight.start != nil, "flight.start", "is missing: impressions are guaranteed")
            expect(campaign.flight.end != nil, "flight.end", "is missing: impressions are guaranteed")
        }
    }

    private mutating func checkCaps(_ caps: [FrequencyCap]) {
        expect(caps.count <= Limits.capsMax, "caps", "are more than \(Limits.capsMax)")
        for (index, cap) in caps.enumerated() {
            expect(cap.count, in: Limits.capCounts, "caps[\(index)].count")
            expect(cap.windowSeconds, in: Limits.capWindowSeconds, "caps[\(index)].windowSeconds")
        }
    }

    private mutating func checkCreatives(_ creatives: [Creative]) {
        expect(creatives.count <= Limits.creativesMax, "creatives", "are more than \(Limits.creativesMax)")
        var ids: Set<CreativeID> = []
        for (index, creative) in creatives.enumerated() {
            let field = "creatives[\(index)]"
            expect(ids.insert(creative.id).inserted, "\(field).id", "is there twice")
            expect(creative.size.width, in: Limits.sidePixels, "\(field).size.width")
            expect(creative.size.height, in: Limits.sidePixels, "\(field).size.height")
            if let url = creative.clickURL {
                expect(Creative.isWebAddress(url), "\(field).clickURL", "is no http or https URL")
            }
        }
    }
}
