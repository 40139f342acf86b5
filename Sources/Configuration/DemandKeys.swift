internal import AdSlots
internal import OpenRTB
internal import Reachability

/// A key of a source of kind `openrtb`: its name, and how its value is read.
struct DemandKey: Sendable {
    let name: String
    let set: @Sendable (inout DemandDraft, String) throws(ConfigurationFault) -> Void

    /// A key that fills one place. An empty value brings the default back.
    init<Value>(
        _ name: String, _ place: any WritableKeyPath<DemandDraft, Value> & Sendable,
        _ read: @escaping @Sendable (String) throws(ConfigurationFault) -> Value
    ) {
        self.name = name
        set = { (draft: inout DemandDraft, text: String) throws(ConfigurationFault) in
            draft[keyPath: place] =
                text.isEmpty ? DemandDraft()[keyPath: place] : try read(text)
        }
    }

    /// The key of a name.
    static func named(_ name: String) -> DemandKey? { all.first { $0.name == name } }

    /// Every key, in the order of the README.
    static let all: [DemandKey] = exchange + terms + places + device + privacy + blocks + rest

    private static let exchange: [DemandKey] = [
        DemandKey("Endpoint", \.settings.endpoint, ValueText.webAddress),
        DemandKey("Headers", \.settings.headers, ValueText.headers),
        DemandKey("Timeout", \.settings.timeout) { text throws(ConfigurationFault) in
            try ValueText.duration(text, in: AdSlots.Limits.requestTimeout)
        },
        DemandKey("Overhead", \.settings.overhead) { text throws(ConfigurationFault) in
            try ValueText.duration(text, in: .zero...Duration.seconds(10))
        },
    ]

    private static let terms: [DemandKey] = [
        DemandKey("BidFloor", \.settings.floor, ValueText.price),
        DemandKey("Currency", \.settings.currency) { text throws(ConfigurationFault) in
            try ValueText.code(text, letters: 3, of: "currency", such: "USD")
        },
        DemandKey("TagId", \.settings.tagID, ValueText.text),
        DemandKey("Position", \.settings.position) { text throws(ConfigurationFault) in
            try ValueText.number(text, in: 0...7)
        },
        DemandKey("TopFrame", \.settings.isInTopFrame, ValueText.yesOrNo),
        DemandKey("Secure", \.settings.isSecure, ValueText.yesOrNo),
        DemandKey("Test", \.settings.isTest, ValueText.yesOrNo),
    ]

    private static let places: [DemandKey] = [
        DemandKey("SiteId", \.site.id, ValueText.text),
        DemandKey("SiteName", \.site.name, ValueText.text),
        DemandKey("SiteDomain", \.site.domain, ValueText.domain),
        DemandKey("SitePage", \.site.page, ValueText.webAddress),
        DemandKey("AppId", \.app.id, ValueText.text),
        DemandKey("AppName", \.app.name, ValueText.text),
        DemandKey("AppDomain", \.app.domain, ValueText.domain),
        DemandKey("AppBundle", \.app.bundle, ValueText.text),
        DemandKey("AppStoreUrl", \.app.storeURL, ValueText.webAddress),
        DemandKey("DoohId", \.dooh.id, ValueText.text),
        DemandKey("DoohName", \.dooh.name, ValueText.text),
        DemandKey("DoohDomain", \.dooh.domain, ValueText.domain),
        DemandKey("DoohVenueTypes", \.dooh.venueTypes, ValueText.texts),
        DemandKey("PublisherId", \.settings.publisher.id, ValueText.text),
        DemandKey("PublisherName", \.settings.publisher.name, ValueText.text),
        DemandKey("PublisherDomain", \.settings.publisher.domain, ValueText.domain),
        DemandKey("QtyMultiplier", \.multiplier, ValueText.multiplier),
        DemandKey("QtySourceType", \.sourceType) { text throws(ConfigurationFault) in
            try ValueText.number(text, in: 0...3)
        },
        DemandKey("QtyVendor", \.vendor, ValueText.domain),
    ]

    private static let device: [DemandKey] = [
        DemandKey("DeviceType", \.settings.device.type) { text throws(ConfigurationFault) in
            try ValueText.number(text, in: 1...8)
        },
        DemandKey("UserAgent", \.settings.device.userAgent, ValueText.text),
        DemandKey("Language", \.settings.device.language) { text throws(ConfigurationFault) in
            try ValueText.code(text, letters: 2, of: "language", such: "de")
        },
        DemandKey("ScreenSize", \.settings.device.screen) { text throws(ConfigurationFault) in
            let size = try ValueText.size(text)
            return Format(width: size.width, height: size.height)
        },
        DemandKey("Location", \.settings.device.location, ValueText.location),
        DemandKey("Country", \.settings.device.country) { text throws(ConfigurationFault) in
            try ValueText.code(text, letters: 3, of: "country", such: "DEU")
        },
        DemandKey("DeviceId", \.settings.device.identifier, ValueText.text),
    ]

    private static let privacy: [DemandKey] = [
        DemandKey("Gdpr", \.settings.privacy.gdpr, ValueText.yesOrNo),
        DemandKey("Consent", \.settings.privacy.consent, ValueText.text),
        DemandKey("Coppa", \.settings.privacy.coppa, ValueText.yesOrNo),
        DemandKey("UsPrivacy", \.settings.privacy.usPrivacy, ValueText.usPrivacy),
        DemandKey("Gpp", \.settings.privacy.gpp, ValueText.text),
        DemandKey("GppSid", \.settings.privacy.gppSections) { text throws(ConfigurationFault) in
            try ValueText.numbers(text, in: 1...999)
        },
        DemandKey("Lmt", \.settings.privacy.limitsTracking, ValueText.yesOrNo),
        DemandKey("Dnt", \.settings.privacy.doesNotTrack, ValueText.yesOrNo),
    ]

    private static let blocks: [DemandKey] = [
        DemandKey("BlockedCategories", \.settings.blocks.categories, ValueText.texts),
        DemandKey("CategoryTaxonomy", \.settings.blocks.taxonomy) { text throws(ConfigurationFault) in
            try ValueText.number(text, in: 1...9_999)
        },
        DemandKey("BlockedDomains", \.settings.blocks.domains) { text throws(ConfigurationFault) in
            var domains: [String] = []
            for word in try ValueText.words(text) { domains.append(try ValueText.domain(word)) }
            return domains
        },
        DemandKey("BlockedApps", \.settings.blocks.apps, ValueText.texts),
        DemandKey("BlockedAttributes", \.settings.blocks.attributes) { text throws(ConfigurationFault) in
            try ValueText.numbers(text, in: 1...999)
        },
        DemandKey("BlockedTypes", \.settings.blocks.types) { text throws(ConfigurationFault) in
            try ValueText.numbers(text, in: 1...4)
        },
    ]

    private static let rest: [DemandKey] = [
        DemandKey("BreakerFailures", \.breaker.failures) { text throws(ConfigurationFault) in
            try ValueText.number(text, in: 1...100)
        },
        DemandKey("BreakerRest", \.breaker.rest) { text throws(ConfigurationFault) in
            try ValueText.duration(text, in: .seconds(1)...Duration.seconds(86_400))
        },
        DemandKey("BreakerMax", \.breaker.restMax) { text throws(ConfigurationFault) in
            try ValueText.duration(text, in: .seconds(1)...Duration.seconds(86_400))
        },
    ]
}

/// Values of these keys.
extension ValueText {
    /// A text of visible characters and spaces.
    static func text(_ text: String) throws(ConfigurationFault) -> String {
        guard text.utf8.count <= Limits.demandTextBytesMax, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw ConfigurationFault(
                "expected at most \(Limits.demandTextBytesMax) bytes without control characters")
        }
        return text
    }

    /// Texts between spaces.
    static func texts(_ text: String) throws(ConfigurationFault) -> [String] {
        try words(try self.text(text))
    }

    /// Numbers between spaces.
    static func numbers(_ text: String, in range: ClosedRange<Int>) throws(ConfigurationFault) -> [Int] {
        var numbers: [Int] = []
        for word in try words(text) { numbers.append(try number(word, in: range)) }
        return numbers
    }

    /// A domain by its name.
    static func domain(_ text: String) throws(ConfigurationFault) -> String {
        guard case .name = try host(text) else {
            throw ConfigurationFault("expected a domain such as example.com, found '\(text)'")
        }
        return text.lowercased()
    }

    static func price(_ text: String) throws(ConfigurationFault) -> Price {
        guard let price = Price(text) else {
            throw ConfigurationFault(
                "expected a price for a thousand impressions such as 0.35, found '\(text)'")
        }
        return price
    }

    static func multiplier(_ text: String) throws(ConfigurationFault) -> Price? {
        guard let multiplier = Price(text), multiplier > .zero else {
            throw ConfigurationFault("expected a number above 0 such as 14.2, found '\(text)'")
        }
        return multiplier
    }

    /// A code of letters: a currency, a language, a country.
    static func code(
        _ text: String, letters: Int, of what: String, such example: String
    ) throws(ConfigurationFault) -> String {
        let isLower = example.first?.isLowercase ?? false
        let allowed = isLower ? UInt8(ascii: "a")...UInt8(ascii: "z") : UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard text.utf8.count == letters, text.utf8.allSatisfy({ allowed.contains($0) }) else {
            throw ConfigurationFault("expected the code of a \(what) such as \(example), found '\(text)'")
        }
        return text
    }

    /// The four characters of the US Privacy string.
    static func usPrivacy(_ text: String) throws(ConfigurationFault) -> String? {
        guard text.count == 4, text.first == "1", text.dropFirst().allSatisfy({ "YN-".contains($0) }) else {
            throw ConfigurationFault("expected a US Privacy string such as 1YNN, found '\(text)'")
        }
        return text
    }

    /// `LATITUDE,LONGITUDE` in degrees.
    static func location(_ text: String) throws(ConfigurationFault) -> DemandSettings.Location? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let latitude = degrees(parts[0], max: "90"),
            let longitude = degrees(parts[1], max: "180")
        else {
            throw ConfigurationFault("expected latitude and longitude such as 52.52,-13.4, found '\(text)'")
        }
        return DemandSettings.Location(latitude: latitude, longitude: longitude)
    }

    /// A number of JSON between -max and max; `nil` where the text is none.
    private static func degrees(_ text: String, max: String) -> String? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? String(text.dropFirst()) : text
        guard !digits.contains(where: { $0 == "e" || $0 == "E" }), let value = Price(digits),
            let most = Price(max), value <= most
        else { return nil }
        return isNegative ? "-\(value)" : "\(value)"
    }

    /// `NAME:VALUE` between spaces.
    static func headers(_ text: String) throws(ConfigurationFault) -> [DemandSettings.Header] {
        var headers: [DemandSettings.Header] = []
        for word in try texts(text) {
            let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, try isHeaderName(parts[0]) else {
                throw ConfigurationFault("expected NAME:VALUE, with spaces between several, found '\(word)'")
            }
            headers.append(DemandSettings.Header(name: parts[0], value: parts[1]))
        }
        return headers
    }

    /// A name of letters, digits and dashes that is not one of those that follow from the request.
    private static func isHeaderName(_ name: String) throws(ConfigurationFault) -> Bool {
        let reserved = [
            "content-type", "content-length", "content-encoding", "transfer-encoding", "accept-encoding",
            "host",
            "x-openrtb-version", "connection", "expect",
        ]
        guard !reserved.contains(name.lowercased()) else {
            throw ConfigurationFault("'\(name)' is set by the request itself")
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
