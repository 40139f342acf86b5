import Testing

@testable import Campaigns

@Suite("Competitive separation")
struct SeparationTests {
    @Test(
        "Who competes with whom by category",
        arguments: [
            ("IAB2", "IAB2", true), ("IAB2", "IAB2-3", true), ("IAB2-3", "IAB2-3", true),
            ("IAB2-3", "IAB2-4", false),
            ("iab2-3", "IAB2", true), ("IAB2", "IAB20", false), ("IAB2-3", "IAB20-3", false),
            ("483", "483", true),
            ("483", "48", false),
        ])
    func categories(one: String, other: String, competes: Bool) {
        let pair = [one, other].map { Separation(domains: [], categories: [$0]) }
        for (own, foreign) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            var screens = Screens()
            screens.show(own, in: "left")
            #expect(screens.competitor(of: foreign, besides: "right") == (competes ? "left" : nil))
            #expect(screens.competitor(of: foreign, besides: "left") == nil)
            #expect(foreign.nearness(to: own) == (competes ? .sameCategory : .apart))
        }
    }

    @Test(
        "A domain competes with what is below it, and not with its neighbours",
        arguments: [
            ("a.example", "shop.a.example", true), ("a.example", "x.y.a.example", true),
            ("shop.a.example", "blog.a.example", false), ("a.example", "ba.example", false),
            ("a.co.uk", "b.co.uk", false), ("a.example", "b.example", false),
            ("a.example.", "A.example", true), ("https://a.example/x", "a.example", true),
            ("www.a.example.", "https://shop.a.example:8080", true),
        ])
    func related(one: String, other: String, competes: Bool) {
        let pair = [one, other].map { Separation(domains: [$0], categories: []) }
        for (own, foreign) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            var screens = Screens()
            screens.show(own, in: "left")
            #expect(screens.competitor(of: foreign, besides: "right") == (competes ? "left" : nil))
            #expect(foreign.nearness(to: own) == (competes ? .sameAdvertiser : .apart))
            screens.vacate("left")
            #expect(screens.competitor(of: foreign, besides: "right") == nil)
        }
    }

    @Test("Domains are compared without case and www")
    func domains() {
        let one = Separation(domains: ["www.Example.com"], categories: [])
        #expect(Separation(domains: ["example.COM"], categories: []).nearness(to: one) == .sameAdvertiser)
        #expect(Separation(domains: ["example.org"], categories: []).nearness(to: one) == .apart)
        #expect(Separation.none.nearness(to: .none) == .apart)
    }

    @Test("An advertiser is never in two slots at once, from the decision on")
    func sideBySide() throws {
        var rig = try Rig([.sample(1, domain: "a.example"), .sample(2, domain: "www.A.example")])
        let first = try #require(rig.decide("left").placement)
        // Not shown yet, but about to be.
        #expect(rig.decide("right").placement == nil)
        #expect(rig.reason(1, slot: "right") == .separated(from: "left"))
        #expect(rig.scheduler.confirm(first.decision, at: rig.now) == .done)
        #expect(rig.show("right") == nil)
        rig.scheduler.vacate("left")
        #expect(rig.show("right") != nil)
        #expect(rig.show("left") == nil)
    }

    @Test("A decision that is withdrawn does not keep competitors away")
    func withdrawn() throws {
        var rig = try Rig([.sample(1, domain: "a.example")])
        let first = try #require(rig.decide("left").placement)
        #expect(rig.scheduler.withdraw(first.decision, at: rig.now) == .done)
        #expect(rig.show("right") == 1)
    }

    @Test("What another source shows keeps its competitors away, in its slot and beside it")
    func otherSources() throws {
        var rig = try Rig([.sample(1, domain: "a.example"), .sample(2)])
        rig.scheduler.occupy("left", by: Separation(domains: ["a.example"], categories: []))
        #expect(rig.show("right") == 2)
        rig.scheduler.vacate("right")
        // In its own slot it would come twice in a row.
        #expect(rig.show("left") == 2)
    }

    @Test("Twice in a row comes only what is alone, another advertiser of the category before the same one")
    func inARow() throws {
        var rig = try Rig([
            .sample(1, weight: 100, domain: "a.example").with { $0.categories = ["IAB1"] },
            .sample(2, domain: "b.example").with { $0.categories = ["IAB1-2"] },
        ])
        #expect(rig.shows(4) == [1, 2, 1, 2])
        try rig.scheduler.upsert(.sample(3, domain: "c.example"))
        let shown = rig.shows(40)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { ($0 == 3) != ($1 == 3) }, "\(shown)")
        rig.scheduler.remove(CampaignID(2))
        rig.scheduler.remove(CampaignID(3))
        #expect(rig.shows(3) == [1, 1, 1])
        let placement = try #require(rig.decide().placement)
        #expect(placement.isRepeat)
    }

    @Test("A lower tier comes between rather than the same advertiser again")
    func tiers() throws {
        var rig = try Rig([.sample(1).with { $0.tier = 1 }, .sample(2).with { $0.tier = 9 }])
        #expect(rig.shows(4) == [1, 2, 1, 2])
    }

    @Test("Where it may never repeat, the slot stays without")
    func never() throws {
        var rig = try Rig([.sample(1)], settings: SchedulerSettings(repeats: .never))
        #expect(rig.shows(2) == [1, nil])
        #expect(rig.reason(1) == .sameAdvertiserAgain)
        try rig.scheduler.upsert(.sample(2))
        #expect(rig.shows(3) == [2, 1, 2])
    }

    @Test("Without a domain and categories nobody competes")
    func ownPromotions() throws {
        let own = (1...3).map { Campaign.sample($0).with { $0.domain = nil } }
        var rig = try Rig(own)
        #expect(["left", "middle", "right"].map { rig.show($0) } == [1, 2, 3])
        #expect(["left", "middle", "right"].map { rig.show($0) } == [1, 2, 3])
    }
}
