import AdSlots
import Campaigns
import Foundation
import Reachability
import Testing

@testable import AdSources

@Suite("House ads and the clocks")
struct HouseClockTests {
    private static func hours(_ text: String) throws -> Campaign {
        let daypart = try Daypart(text)
        return .sample(1) { $0.dayparts = [daypart] }
    }

    @Test("A slot is not blank until its retry when hours open, and is blank when they close")
    func daypart() throws {
        let rig = try HouseRig()
        try rig.put(try Self.hours("mon 12:01-12:02"))
        rig.attach()
        #expect(rig.campaign() == nil)
        #expect(rig.explanation().contains("noFill (outside its hours until 2027-01-04T12:01:00)"))
        rig.run(for: .seconds(59))
        #expect(rig.campaign() == nil)
        rig.run(for: .seconds(2))
        #expect(rig.campaign() == 1)
        rig.run(for: .milliseconds(58_999))
        #expect(rig.campaign() == 1, "\(rig.explanation())")
        rig.run(for: .milliseconds(2))
        #expect(rig.campaign() == nil)
    }

    @Test("Hours of a zone go by its clock, and over the change to summer time")
    func zone() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        let zone = try TimeZoneRules(tzif: bytes)
        let rig = try HouseRig(
            slots: [.house("banner")], HouseAds.Settings(scheduler: SchedulerSettings(zone: zone)))
        // 13:00 in Berlin, and noon is past.
        try rig.put(try Self.hours("12:30-13:30"))
        rig.attach()
        #expect(rig.campaign() == 1)
        let creative = rig.coordinator.slot(named: "banner")?.creative
        #expect(creative?.expires == rig.now + .seconds(1_800))
    }

    @Test("The end of a flight takes the ad from the screen")
    func flight() throws {
        let rig = try HouseRig(slots: [.house("banner") { $0.refreshInterval = .seconds(180) }])
        try rig.put(.sample(1) { $0.flight = Flight(end: .noon + 100) })
        try rig.put(.sample(2) { $0.tier = 16 })
        rig.attach()
        rig.run(for: .milliseconds(99_999))
        #expect(rig.campaign() == 1)
        rig.run(for: .milliseconds(2))
        #expect(rig.campaign() == 2)
        #expect(rig.explanation().contains("was hidden (expired)"))
    }

    @Test("A clock that is not synchronised holds back what has dates, says so, and is looked at again")
    func untrusted() throws {
        let rig = try HouseRig(synchronised: false)
        try rig.put(.sample(1) { $0.flight = Flight(end: .noon + 1_000_000) })
        rig.attach()
        #expect(rig.campaign() == nil)
        #expect(rig.explanation().contains("noFill (held back: the clock is not synchronised)"))
        #expect(rig.ads.clockStatus == (.untrusted(.notSynchronised), 1, 1))
        rig.run(for: .seconds(20))
        rig.clocks.reading.isSynchronised = true
        rig.run(for: .seconds(11))
        #expect(rig.campaign() == 1)
        #expect(rig.ads.clockStatus == (.trusted, 1, 0))
    }

    @Test("Campaigns without dates go on under any clock")
    func undated() throws {
        let rig = try HouseRig(synchronised: false)
        try rig.put(.sample(1))
        rig.attach()
        #expect(rig.campaign() == 1)
        rig.run(for: .milliseconds(1))
        #expect(rig.ads.deadline == nil, "nobody waits for the clock")
    }

    @Test("An operator can vouch for the clock, but not for one from before this version was made")
    func vouched() throws {
        let rig = try HouseRig(
            slots: [.house("banner")], synchronised: false, HouseAds.Settings(trustsClockAlways: true))
        try rig.put(.sample(1) { $0.flight = Flight(start: WallTime(seconds: 1)) })
        rig.attach()
        #expect(rig.campaign() == 1)
        rig.clocks.reading.realtime = 1_000_000_000
        #expect(rig.ads.clockStatus == (.untrusted(.beforeBuild), 1, 1))
    }

    @Test("A step of the clock takes effect at once, forward and back")
    func steps() throws {
        let rig = try HouseRig()
        try rig.put(try Self.hours("mon 18:00-19:00"))
        rig.attach()
        #expect(rig.campaign() == nil)
        rig.run(for: .seconds(6))
        rig.stepClock(by: 6 * 3_600)
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign() == 1)
        rig.run(for: .seconds(60))
        rig.stepClock(by: 3_600)
        #expect(rig.campaign() == nil)
        rig.run(for: .seconds(12))
        rig.stepClock(by: -1_800)
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign() == 1, "\(rig.explanation())")
        let expires = try #require(rig.coordinator.slot(named: "banner")?.creative?.expires)
        #expect(expires - rig.now < .seconds(1_800) && expires - rig.now > .seconds(1_700))
    }

    @Test(
        "What was begun by a clock that could be believed ends when it was said, whatever it says later"
    )
    func trustLost() throws {
        let rig = try HouseRig(slots: [.house("banner") { $0.refreshInterval = .seconds(3_600) }])
        try rig.put(.sample(1) { $0.flight = Flight(end: .noon + 600) })
        rig.attach()
        let expires = rig.coordinator.slot(named: "banner")?.creative?.expires
        rig.clocks.reading.isSynchronised = false
        rig.stepClock(by: -500_000)
        try rig.put(.sample(2))
        #expect(rig.coordinator.slot(named: "banner")?.creative?.expires == expires)
        rig.run(for: .milliseconds(599_999))
        #expect(rig.campaign() == 1)
        rig.run(for: .milliseconds(2))
        #expect(rig.campaign() == 2)
    }

    @Test("A cap goes by the steady clock: no step opens or prolongs it", arguments: [-86_400, 86_400])
    func capOverStep(seconds: Int64) throws {
        let rig = try HouseRig()
        try rig.put(.sample(1) { $0.caps = [FrequencyCap(count: 1, windowSeconds: 600, scope: .slot)] })
        let host = rig.attach()
        rig.perform(.detach(host: host))
        rig.stepClock(by: seconds)
        rig.attach()
        rig.run(for: .seconds(598))
        #expect(rig.shown == [1])
        rig.run(for: .seconds(3))
        #expect(rig.shown == [1, 1])
    }

    @Test("A guaranteed campaign comes before shares when it is due, and is paced")
    func guaranteed() throws {
        let rig = try HouseRig()
        try rig.put(
            .sample(1) {
                $0.delivery = .guaranteed(impressions: 10)
                $0.flight = Flight(start: .noon, end: .noon + 1_200)
            })
        try rig.put(.sample(2))
        try rig.put(.sample(3))
        rig.attach()
        rig.run(for: .seconds(600))
        #expect((4...6).contains(rig.delivered(1)), "\(rig.delivered(1))")
        rig.run(for: .seconds(700))
        #expect(rig.delivered(1) == 10)
    }
}
