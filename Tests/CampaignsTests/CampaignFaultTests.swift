import Testing

@testable import Campaigns

@Suite("Faults of campaigns")
struct CampaignFaultTests {
    /// What is done to a sound campaign, and all that is found.
    struct Spoilt: Sendable, CustomTestStringConvertible {
        let faults: [String]
        let spoil: @Sendable (inout Campaign) -> Void
        var testDescription: String { faults.joined(separator: ", ") }

        init(_ faults: String..., spoil: @escaping @Sendable (inout Campaign) -> Void) {
            self.faults = faults
            self.spoil = spoil
        }
    }

    static let spoilt = [
        Spoilt("revision must be 1 or more") { $0.revision = 0 },
        Spoilt("name is missing") { $0.name = " " },
        Spoilt("advertiser is longer than 255 bytes") { $0.advertiser = String(repeating: "ä", count: 128) },
        Spoilt("name has a control character") { $0.name = "a\u{0}" },
        Spoilt("domain is no domain name such as example.com") { $0.domain = "example" },
        Spoilt("domain is no domain name such as example.com") { $0.domain = "https://example.com" },
        Spoilt("domain is no domain name such as example.com") { $0.domain = "-a.example" },
        Spoilt("domain is no domain name such as example.com") { $0.domain = "" },
        Spoilt("categories[1] is no category such as IAB2-3") { $0.categories = ["IAB1", ""] },
        Spoilt("categories name one twice") { $0.categories = ["IAB1", "IAB1"] },
        Spoilt("price must be 0 to 10000000000000") { $0.price.micros = -1 },
        Spoilt("flight.end must be after the start") {
            $0.flight = Flight(start: .monday, end: .monday)
        },
        Spoilt("tier must be 1 to 16", "delivery.weight must be 1 to 10000") {
            $0.tier = 0
            $0.delivery = .share(weight: 10_001)
        },
        Spoilt(
            "flight.start is missing: impressions are guaranteed",
            "flight.end is missing: impressions are guaranteed"
        ) { $0.delivery = .guaranteed(impressions: 1) },
        Spoilt("delivery.impressions must be 1 to 1000000000") {
            $0.delivery = .guaranteed(impressions: 0)
            $0.flight = Flight(start: .monday, end: .monday + 1)
        },
        Spoilt("caps[1].count must be 1 to 10000", "caps[1].windowSeconds must be 1 to 31622400") {
            $0.caps = [
                FrequencyCap(count: 1, windowSeconds: 1, scope: .slot),
                FrequencyCap(count: 0, windowSeconds: 0, scope: .slot),
            ]
        },
        Spoilt("creatives[1].id is there twice", "creatives[1].size.height must be 1 to 32768") {
            $0.creatives.append(Creative(id: $0.creatives[0].id, size: CreativeSize(width: 1, height: 0)))
        },
        Spoilt("creatives[0].clickURL is no http or https URL") {
            $0.creatives[0].clickURL = "javascript:alert(1)"
        },
        Spoilt("creatives[0].clickURL is no http or https URL") { $0.creatives[0].clickURL = "https://" },
        Spoilt("creatives[0].clickURL is no http or https URL") { $0.creatives[0].clickURL = "http://a b" },
    ]

    @Test("Each names its field, and all are named at once", arguments: spoilt)
    func fields(spoilt: Spoilt) {
        let campaign = Campaign.sample(1).with(spoilt.spoil)
        let error = #expect(throws: InvalidCampaign.self) { try campaign.check() }
        #expect(error?.faults.map(\.description) == spoilt.faults)
    }

    @Test("A list that is too long is refused")
    func bounds() {
        let campaign = Campaign.sample(1).with { campaign in
            campaign.caps = Array(
                repeating: FrequencyCap(count: 1, windowSeconds: 1, scope: .slot), count: Limits.capsMax + 1)
            campaign.categories = (0...Limits.categoriesMax).map { "IAB\($0)" }
            campaign.creatives = (0...Limits.creativesMax).map {
                Creative(id: CreativeID(Int64($0)), size: .phone)
            }
        }
        let error = #expect(throws: InvalidCampaign.self) { try campaign.check() }
        #expect(error?.faults.map(\.field) == ["categories", "caps", "creatives"])
    }

    @Test("A campaign with all that there is has none")
    func sound() throws {
        let campaign = Campaign.sample(1).with { campaign in
            campaign.domain = "xn--bcher-kva.Example"
            campaign.categories = ["IAB2-3", "483"]
            campaign.creatives[0].clickURL = "HTTPS://example.com/?a=b"
            campaign.flight = Flight(start: .monday, end: .monday + 1)
            campaign.delivery = .guaranteed(impressions: 5)
            campaign.caps = [FrequencyCap(count: 10_000, windowSeconds: 31_622_400, scope: .device)]
        }
        try campaign.check()
    }

    @Test("The scheduler takes none that has a fault, and goes on with what it has")
    func refused() throws {
        var rig = try Rig([.sample(1)])
        #expect(throws: InvalidCampaign.self) {
            try rig.scheduler.upsert(Campaign.sample(1).with { $0.tier = 99 })
        }
        #expect(rig.scheduler[CampaignID(1)]?.tier == 8)
        #expect(rig.show() == 1)
    }
}
