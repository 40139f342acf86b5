import AdSlots
import OpenRTB
import Testing

@testable import Configuration

/// A key of an exchange: values with what they make of the settings, and values with what is said of them.
private struct DemandCase: Sendable, CustomTestStringConvertible {
    let key: String
    let accepted: [String: String]
    let refused: [String: String]
    let read: @Sendable (SourceSettings) -> String

    var testDescription: String { key }

    init(
        _ key: String, accepted: [String: String], refused: [String: String] = [:],
        _ read: @escaping @Sendable (SourceSettings) -> String
    ) {
        (self.key, self.accepted, self.refused, self.read) = (key, accepted, refused, read)
    }

    /// A text that is taken as it is.
    static func text(_ key: String, _ read: @escaping @Sendable (SourceSettings) -> String?) -> DemandCase {
        DemandCase(
            key, accepted: ["a b/1": "a b/1", "é": "é"],
            refused: [
                "a\u{7}": "without control characters", String(repeating: "x", count: 2_049): "at most 2048",
            ]
        ) { read($0) ?? "nil" }
    }

    static func domain(_ key: String, _ read: @escaping @Sendable (SourceSettings) -> String?) -> DemandCase {
        DemandCase(
            key, accepted: ["Ads.Example.com": "ads.example.com"],
            refused: ["a b": "", "10.1.2.3": "expected a domain", "https://a.example": ""]
        ) { read($0) ?? "nil" }
    }

    static func url(_ key: String, _ read: @escaping @Sendable (SourceSettings) -> String?) -> DemandCase {
        DemandCase(
            key, accepted: ["https://a.example/b?c": "https://a.example/b?c"],
            refused: ["ftp://a.example/": "http or https", "https://u:p@a.example/": "credentials"]
        ) { read($0) ?? "nil" }
    }

    static func flag(_ key: String, _ read: @escaping @Sendable (SourceSettings) -> Bool?) -> DemandCase {
        DemandCase(key, accepted: ["yes": "true", "no": "false"], refused: ["maybe": "expected yes or no"]) {
            read($0).map { "\($0)" } ?? "nil"
        }
    }

    static func number(
        _ key: String, _ low: Int, _ high: Int, _ read: @escaping @Sendable (SourceSettings) -> Int?
    ) -> DemandCase {
        DemandCase(
            key, accepted: ["\(low)": "\(low)", "\(high)": "\(high)"],
            refused: ["\(high + 1)": "from \(low) to \(high)", "x": "expected a number"]
        ) { read($0).map { "\($0)" } ?? "nil" }
    }

    static func span(
        _ key: String, _ low: String, _ high: String, above: String,
        _ read: @escaping @Sendable (SourceSettings) -> Duration?
    ) -> DemandCase {
        DemandCase(
            key, accepted: [low: low, high: high],
            refused: [above: "out of range", "soon": "expected a time"]
        ) { read($0).map { DurationText.format($0) } ?? "nil" }
    }
}

private let cases: [DemandCase] = [
    .url("Endpoint") { $0.demand.endpoint },
    DemandCase(
        "Headers", accepted: ["X-Key:a:b X-B:c": "X-Key=a:b X-B=c"],
        refused: [
            "X-Key": "NAME:VALUE", "X-Key:": "NAME:VALUE", ":x": "NAME:VALUE", "X Key:x": "NAME:VALUE",
            "Content-Type:x": "set by the request itself", "x-openrtb-version:3": "set by the request itself",
            "X\u{E9}:x": "NAME:VALUE",
        ]
    ) { $0.demand.headers.map { "\($0.name)=\($0.value)" }.joined(separator: " ") },
    .span("Timeout", "1ms", "1h", above: "2h") { $0.demand.timeout },
    .span("Overhead", "0", "10s", above: "11s") { $0.demand.overhead },
    DemandCase(
        "BidFloor", accepted: ["0.35": "0.35", "2": "2", "0.000000001": "0.000000001"],
        refused: ["-1": "expected a price", "1,5": "expected a price", "free": "expected a price"]
    ) { $0.demand.floor.description },
    DemandCase(
        "Currency", accepted: ["EUR": "EUR"],
        refused: ["eur": "code of a currency such as USD", "EURO": "code", "€": "code"]
    ) { $0.demand.currency },
    .text("TagId") { $0.demand.tagID },
    .number("Position", 0, 7) { $0.demand.position },
    .flag("TopFrame") { $0.demand.isInTopFrame },
    .flag("Secure") { $0.demand.isSecure },
    .flag("Test") { $0.demand.isTest },
    .text("SiteId") { $0.demand.inventory?.id },
    .text("SiteName") { $0.demand.inventory?.name },
    .domain("SiteDomain") { $0.demand.inventory?.domain },
    .url("SitePage") { $0.demand.inventory?.page },
    .text("AppId") { $0.demand.inventory?.id },
    .text("AppName") { $0.demand.inventory?.name },
    .domain("AppDomain") { $0.demand.inventory?.domain },
    .text("AppBundle") { $0.demand.inventory?.bundle },
    .url("AppStoreUrl") { $0.demand.inventory?.storeURL },
    .text("DoohId") { $0.demand.inventory?.id },
    .text("DoohName") { $0.demand.inventory?.name },
    .domain("DoohDomain") { $0.demand.inventory?.domain },
    DemandCase("DoohVenueTypes", accepted: ["a.b  c": "a.b c"]) {
        $0.demand.inventory?.venueTypes.joined(separator: " ") ?? "nil"
    },
    .text("PublisherId") { $0.demand.publisher.id },
    .text("PublisherName") { $0.demand.publisher.name },
    .domain("PublisherDomain") { $0.demand.publisher.domain },
    DemandCase(
        "QtyMultiplier", accepted: ["14.2": "14.2", "0.5": "0.5"],
        refused: ["0": "above 0", "-1": "above 0", "many": "above 0"]
    ) { $0.demand.quantity?.multiplier.description ?? "nil" },
    .number("DeviceType", 1, 8) { $0.demand.device.type },
    .text("UserAgent") { $0.demand.device.userAgent },
    DemandCase("Language", accepted: ["de": "de"], refused: ["DE": "such as de", "deu": "language"]) {
        $0.demand.device.language ?? "nil"
    },
    DemandCase("ScreenSize", accepted: ["1920x1080": "1920x1080"], refused: ["1920": "expected a size"]) {
        $0.demand.device.screen?.description ?? "nil"
    },
    DemandCase(
        "Location", accepted: ["52.52,-13.4": "52.52 -13.4", "-90,180": "-90 180", "0,007.50": "0 7.5"],
        refused: [
            "91,0": "latitude and longitude", "0,-180.1": "latitude", "1": "latitude", "1,2,3": "latitude",
            "1e1,0": "latitude", "a,b": "latitude", "--1,0": "latitude", ",": "latitude",
        ]
    ) { $0.demand.device.location.map { "\($0.latitude) \($0.longitude)" } ?? "nil" },
    DemandCase("Country", accepted: ["DEU": "DEU"], refused: ["DE": "such as DEU", "deu": "country"]) {
        $0.demand.device.country ?? "nil"
    },
    .text("DeviceId") { $0.demand.device.identifier },
    .flag("Gdpr") { $0.demand.privacy.gdpr },
    .text("Consent") { $0.demand.privacy.consent },
    .flag("Coppa") { $0.demand.privacy.coppa },
    DemandCase(
        "UsPrivacy", accepted: ["1YNN": "1YNN", "1---": "1---"],
        refused: ["2YNN": "such as 1YNN", "1YN": "US Privacy", "1ynn": "US Privacy"]
    ) { $0.demand.privacy.usPrivacy ?? "nil" },
    .text("Gpp") { $0.demand.privacy.gpp },
    DemandCase("GppSid", accepted: ["2 6": "[2, 6]"], refused: ["0": "from 1 to 999", "a": "a number"]) {
        "\($0.demand.privacy.gppSections)"
    },
    .flag("Lmt") { $0.demand.privacy.limitsTracking },
    .flag("Dnt") { $0.demand.privacy.doesNotTrack },
    DemandCase("BlockedCategories", accepted: ["IAB25  IAB7-39": "IAB25 IAB7-39"]) {
        $0.demand.blocks.categories.joined(separator: " ")
    },
    .number("CategoryTaxonomy", 1, 9_999) { $0.demand.blocks.taxonomy },
    DemandCase(
        "BlockedDomains", accepted: ["A.example b.example": "a.example b.example"],
        refused: ["1.2.3.4": "expected a domain", "a.example ..": ""]
    ) { $0.demand.blocks.domains.joined(separator: " ") },
    DemandCase("BlockedApps", accepted: ["com.a 1234": "com.a 1234"]) {
        $0.demand.blocks.apps.joined(separator: " ")
    },
    DemandCase("BlockedAttributes", accepted: ["1 6": "[1, 6]"], refused: ["0": "from 1 to 999"]) {
        "\($0.demand.blocks.attributes)"
    },
    DemandCase("BlockedTypes", accepted: ["1 4": "[1, 4]"], refused: ["5": "from 1 to 4"]) {
        "\($0.demand.blocks.types)"
    },
    .number("BreakerFailures", 1, 100) { $0.breaker.failures },
    .span("BreakerRest", "1s", "10min", above: "25h") { $0.breaker.rest },
    .span("BreakerMax", "30s", "1d", above: "25h") { $0.breaker.restMax },
]

@Suite("Keys of exchanges")
struct DemandKeyTests {
    private func source(_ settings: [(String, String)]) throws -> SourceSettings {
        var builder = ConfigurationBuilder()
        let all = [("Kind", "openrtb"), ("Endpoint", "https://x.example/")] + settings
        try builder.set("Sources", to: "ex", in: "Slot banner")
        for (key, value) in all { try builder.set(key, to: value, in: "Source ex") }
        return try #require(try builder.finish().sources.first)
    }

    @Test("A good value is taken, and an empty one brings the default back", arguments: cases)
    fileprivate func accepted(key: DemandCase) throws {
        let bare = try source([])
        for (value, expected) in key.accepted {
            let made = try source([(key.key, value)])
            #expect(key.read(made) == expected, "\(key.key)=\(value)")
            if key.key != "Endpoint" {
                let again = try source([(key.key, value), (key.key, "")])
                #expect(again == bare, "\(key.key)=\(value)")
            }
        }
    }

    @Test("A bad value is refused in a sentence that names the key", arguments: cases)
    fileprivate func refused(key: DemandCase) throws {
        for (value, words) in key.refused {
            let sentence = try #require(refusal("Source ex", key.key, value), "\(key.key)=\(value) was taken")
            #expect(sentence.hasPrefix("\(key.key)=: ") && sentence.contains(words), "\(sentence)")
        }
    }

    @Test("Every key has its cases, and an unknown one is refused with the names of all")
    func complete() throws {
        let pairs = ["QtySourceType", "QtyVendor"]
        #expect(Set(cases.map(\.key) + pairs) == Set(DemandKey.all.map(\.name)))
        #expect(DemandKey.all.count == cases.count + pairs.count)
        var builder = ConfigurationBuilder()
        try builder.set("Kind", to: "openrtb", in: "Source ex")
        #expect {
            try builder.set("Colour", to: "red", in: "Source ex")
        } throws: { error in
            "\(error)".contains("known here are Kind, Expires, Endpoint, Headers")
        }
    }

    @Test("How long an ad may be shown is in whole seconds, one at least")
    func expires() throws {
        #expect(try source([]).demand.expirySeconds == nil)
        #expect(try source([("Expires", "10min")]).demand.expirySeconds == 600)
        #expect(try source([("Expires", "1.9s")]).demand.expirySeconds == 1)
        #expect(try source([("Expires", "100ms")]).demand.expirySeconds == 1)
    }

    @Test("A quantity has all its parts")
    func quantity() throws {
        let made = try source([
            ("QtyMultiplier", "14.2"), ("QtySourceType", "1"), ("QtyVendor", "count.example"),
        ])
        #expect(made.demand.quantity?.sourceType == 1)
        #expect(made.demand.quantity?.vendor == "count.example")
    }

    @Test(
        "What does not go together is refused with the key that is to blame",
        arguments: [
            ([("Kind", "openrtb")], "Kind", "needs Endpoint="),
            ([("Endpoint", "https://x.example/")], "Endpoint", "for sources of kind openrtb"),
            ([("BidFloor", "1")], "BidFloor", "for sources of kind openrtb"),
            (
                [("Kind", "openrtb"), ("Endpoint", "https://x.example/"), ("SiteId", "1"), ("DoohId", "2")],
                "DoohId", "not site and dooh"
            ),
            (
                [("Kind", "openrtb"), ("Endpoint", "https://x.example/"), ("QtyVendor", "a.example")],
                "QtyVendor", "QtyMultiplier="
            ),
            (
                [
                    ("Kind", "openrtb"), ("Endpoint", "https://x.example/"), ("QtyMultiplier", "2"),
                    ("QtySourceType", "1"),
                ], "QtySourceType", "needs QtyVendor="
            ),
            (
                [("Kind", "openrtb"), ("Endpoint", "https://x.example/"), ("BreakerRest", "11min")],
                "BreakerRest", "longer than BreakerMax="
            ),
        ] as [([(String, String)], String, String)])
    func together(settings: [(String, String)], key: String, words: String) throws {
        var builder = ConfigurationBuilder()
        try builder.set("Sources", to: "ex", in: "Slot banner")
        for (key, value) in settings { try builder.set(key, to: value, in: "Source ex") }
        do throws(ConfigurationBuilder.CrossFault) {
            _ = try builder.finish()
            Issue.record("taken")
        } catch {
            #expect(error.section == "Source ex" && error.key == key)
            #expect(error.fault.description.contains(words), "\(error.fault)")
        }
    }

    @Test("A value that is taken back no longer counts")
    func takenBack() throws {
        var builder = ConfigurationBuilder()
        try builder.set("Sources", to: "ex", in: "Slot banner")
        try builder.set("BidFloor", to: "1", in: "Source ex")
        try builder.set("BidFloor", to: "", in: "Source ex")
        #expect(try builder.finish().sources.first?.kind == .test)
    }
}
