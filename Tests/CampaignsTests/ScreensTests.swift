import Testing

@testable import Campaigns

@Suite("What others ask of the scheduler")
struct ScreensTests {
    @Test("Neighbours are what other slots show or are about to, and a competitor is found by its slot")
    func neighbours() throws {
        var rig = try Rig([.sample(1, domain: "a.example").with { $0.categories = ["IAB2-3"] }])
        #expect(rig.show("left") == 1)
        rig.scheduler.occupy("right", by: Separation(domains: ["B.example"], categories: ["IAB7"]))
        #expect(
            rig.scheduler.neighbours(of: "left") == Separation(domains: ["b.example"], categories: ["IAB7"]))
        #expect(rig.scheduler.neighbours(of: "top").domains == ["a.example", "b.example"])
        let own = Separation(domains: ["www.a.example"], categories: [])
        #expect(rig.scheduler.competitor(of: own, besides: "right") == "left")
        #expect(rig.scheduler.competitor(of: own, besides: "left") == nil)
        rig.scheduler.vacateAll()
        #expect(rig.scheduler.neighbours(of: "top") == .none)
        _ = try #require(rig.decide("left").placement)
        #expect(rig.scheduler.neighbours(of: "top").domains == ["a.example"])
        #expect(rig.scheduler.slots == ["left", "right"])
    }

    @Test("Of very many neighbours not all are told")
    func bound() throws {
        var rig = try Rig()
        for number in 0..<200 {
            let separation = Separation(domains: ["d\(number).example"], categories: ["c\(number)"])
            rig.scheduler.occupy("slot\(number)", by: separation)
        }
        let neighbours = rig.scheduler.neighbours(of: "banner")
        #expect(neighbours.domains.count == Limits.neighboursMax)
        #expect(neighbours.categories.count == Limits.neighboursMax)
    }

    @Test("A campaign's window is open from its flight's start to its end, in its hours")
    func window() throws {
        let start = WallTime.monday
        let plain = Campaign.sample(1)
        #expect(plain.window(at: start, in: .utc) == (true, nil))
        let flight = plain.with { $0.flight = Flight(start: start + 10, end: start + 86_400) }
        #expect(flight.window(at: start, in: .utc) == (false, start + 10))
        #expect(flight.window(at: start + 10, in: .utc) == (true, start + 86_400))
        #expect(flight.window(at: start + 86_400, in: .utc) == (false, nil))
        let daypart = try Daypart("mon 22:00-02:00")
        let night = flight.with { $0.dayparts = [daypart] }
        #expect(night.window(at: start + 11, in: .utc) == (false, start + 22 * 3_600))
        #expect(night.window(at: start + 23 * 3_600, in: .utc) == (true, start + 86_400))
        let always = plain.with { $0.dayparts = [daypart] }
        #expect(always.window(at: start + 23 * 3_600, in: .utc) == (true, start + 26 * 3_600))
    }

    @Test("What the clock holds back is counted, and the next change is known without a request")
    func heldBack() throws {
        let start = WallTime.monday
        let later = Campaign.sample(1).with { $0.flight = Flight(start: start + 600) }
        var rig = try Rig([later, .sample(2), later.with { ($0.id, $0.isEnabled) = (CampaignID(3), false) }])
        #expect(rig.scheduler.heldBack(at: rig.now) == 0)
        #expect(rig.scheduler.nextChange(at: rig.now) == start + 600)
        rig.trust = .untrusted(.notSynchronised)
        #expect(rig.scheduler.heldBack(at: rig.now) == 1)
        #expect(rig.scheduler.nextChange(at: rig.now) == nil)
    }

    @Test("An explanation names the eligible first, and counts the rest")
    func explanation() throws {
        let campaigns = (1...20).map { id in Campaign.sample(id).with { $0.isEnabled = id > 12 } }
        var rig = try Rig(campaigns)
        let all = rig.scheduler.explain(slot: "banner", size: .phone, at: rig.now)
        #expect(all.verdicts.count == 20 && all.others.isEmpty)
        let some = rig.scheduler.explain(slot: "banner", size: .phone, at: rig.now, max: 10)
        #expect(some.verdicts.map(\.campaign.value) == [1, 2] + Array(13...20))
        #expect(some.others.map(\.word) == ["disabled"] && some.others.map(\.count) == [10])
        let few = rig.scheduler.explain(slot: "banner", size: .phone, at: rig.now, max: 3)
        #expect(few.verdicts.map(\.campaign.value) == [13, 14, 15])
        #expect(few.others.map(\.word) == ["disabled", "eligible"] && few.others.map(\.count) == [12, 5])
    }
}
