import AdSlots
import Campaigns
import Reachability
import Testing

@testable import AdSources

@Suite("Competitors on several screens")
struct HouseSeparationTests {
    private func rig(_ slots: String...) throws -> HouseRig {
        let rig = try HouseRig(slots: slots.map { .house($0) })
        try rig.put(.sample(1) { $0.domain = "shoes.example" })
        try rig.put(.sample(2) { $0.domain = "www.Shoes.example" })
        return rig
    }

    @Test("One advertiser is never in two slots at once; a slot that waits for that asks as soon as it may")
    func sideBySide() throws {
        let rig = try rig("left", "right")
        let left = rig.attach("left")
        rig.attach("right")
        #expect(rig.campaign("left") == 1 && rig.campaign("right") == nil)
        #expect(rig.explanation("right").contains("a competitor is in slot left"))
        rig.run(for: .seconds(7))
        // Its host says not visible: the screen is free, and the other slot need not wait for its back-off.
        rig.see(left, false)
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign("right") != nil)
        // Now the hidden ad has a competitor, and does not come back beside it.
        rig.see(left, true)
        #expect(rig.campaign("left") == nil)
    }

    @Test("An exchange's ad keeps its competitors away, by domain and by category, and back")
    func exchange() throws {
        let rig = try HouseRig(slots: [
            .house("left"),
            .house("right") { $0.sources = [SourceReference(name: "exchange", isNetwork: true)] },
        ])
        try rig.put(.sample(1) { $0.categories = ["IAB2-3"] })
        rig.others["exchange"] = .success(.bid("b", domain: "other.example", categories: ["IAB2"]))
        let right = rig.attach("right")
        rig.attach("left")
        #expect(rig.campaign("left") == nil)
        #expect(rig.explanation("left").contains("a competitor is in slot right"))
        rig.perform(.detach(host: right))
        rig.run(for: .seconds(6))
        #expect(rig.campaign("left") == 1)
        let domains = Separation(domains: ["A1.example"], categories: [])
        #expect(rig.ads.competitor(of: domains, besides: "right") == "left")
        #expect(rig.ads.neighbours(of: "right").domains == ["a1.example"])
        #expect(rig.ads.neighbours(of: "right").categories == ["IAB2-3"])
        #expect(rig.ads.neighbours(of: "left").domains.isEmpty)
    }

    @Test("Test ads are nobody's")
    func testAds() throws {
        let rig = try HouseRig(slots: [
            .house("left"), .house("right") { $0.sources = [SourceReference(name: "test", isNetwork: true)] },
        ])
        try rig.put(.sample(1) { $0.domain = "example.com" })
        rig.others["test"] = .success(
            AdSlots.Creative(
                id: "t", source: "test", size: Size(width: 320, height: 50), markup: "<p>",
                advertiserDomains: ["example.com"], isFromNetwork: true))
        rig.attach("right")
        rig.attach("left")
        #expect(rig.campaign("left") == 1)
    }

    @Test("After a restart all screens are empty, and what a slot had last is known")
    func restart() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        try rig.put(.sample(2) { $0.domain = "a1.example" })
        try rig.put(.sample(3))
        rig.attach()
        let first = rig.campaign()
        rig.restart()
        rig.attach()
        rig.run(for: .seconds(6))
        // Neither 1 nor 2 after 1: both are of one advertiser.
        #expect(first == 1 && rig.shown == [1, 3], "\(rig.shown) \(rig.explanation())")
    }
}
