import AdSlots
import Campaigns
import Foundation
import Ledger
import Reachability
import Testing

@testable import AdSources

@Suite("House ads and changes of the inventory")
struct HouseInventoryTests {
    @Test("A campaign that is added is shown at once where a slot waits")
    func added() throws {
        let rig = try HouseRig()
        rig.attach()
        #expect(rig.explanation().contains("noFill (there are no house campaigns)"))
        rig.run(for: .seconds(6))
        try rig.put(.sample(1))
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign() == 1)
    }

    @Test(
        "A campaign that is removed, disabled or over leaves the screen at once",
        arguments: ["removed", "disabled", "creative", "over", "all"])
    func gone(how: String) throws {
        let rig = try HouseRig()
        try rig.put(.sample(1) { $0.tier = 1 })
        try rig.put(.sample(2))
        rig.attach()
        rig.run(for: .seconds(6))
        #expect(rig.campaign() == 1)
        switch how {
        case "removed": rig.remove(1)
        case "disabled":
            try rig.put(
                .sample(1) {
                    $0.isEnabled = false
                    $0.revision = 2
                })
        case "creative":
            try rig.put(
                .sample(1) {
                    $0.creatives[0].isEnabled = false
                    $0.revision = 2
                })
        case "over":
            try rig.put(
                .sample(1) {
                    $0.flight = Flight(end: .noon)
                    $0.revision = 2
                })
        default:
            let (refused, events) = rig.ads.replaceAll([try #require(rig.inventory[CampaignID(2)])])
            #expect(refused.isEmpty)
            rig.tell(events)
        }
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign() == 2)
    }

    @Test("An edit that leaves the ad as it is leaves the screen as it is; another end is another end")
    func edited() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        rig.attach()
        try rig.put(
            .sample(1) {
                $0.delivery = .share(weight: 9)
                $0.flight = Flight(end: .noon + 20)
                $0.revision = 2
            })
        #expect(rig.shown == [1] && rig.campaign() == 1)
        let expires = rig.coordinator.slot(named: "banner")?.creative?.expires
        #expect(expires == rig.now + .seconds(20))
        rig.run(for: .seconds(21))
        #expect(rig.campaign() == nil)
    }

    @Test("Another file in the place of the one on screen is shown at once")
    func otherFile() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        rig.attach()
        rig.run(for: .seconds(6))
        var stored = try #require(rig.inventory[CampaignID(1)])
        let path = rig.path(of: 101)
        try "other".write(toFile: path, atomically: false, encoding: .utf8)
        stored.campaign.revision = 2
        stored.files[CreativeID(100)] = CreativeFile(path: path, mediaType: "image/gif", sizeBytes: 5)
        try rig.put(stored)
        rig.answer()
        #expect(rig.coordinator.slot(named: "banner")?.creative?.path == path)
    }

    @Test("Under an action the screen stands still; the ad goes when the action ends")
    func action() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        let host = rig.attach()
        rig.perform(
            .beginAction(
                begin: BeginID(1), host: host, banner: BannerID(1), leavesApplication: false,
                pathUsable: true))
        rig.remove(1)
        #expect(rig.coordinator.slot(named: "banner")?.state == .acting)
        rig.perform(.finishAction(host: host, action: ActionID(1)))
        #expect(rig.campaign() == nil)
    }

    @Test("A campaign that gets a cap has what it showed before counted")
    func newCap() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        rig.attach()
        rig.run(for: .seconds(95))
        #expect(rig.delivered(1) == 4)
        rig.ads.recall = { [unowned rig] id in rig.kept.impressions.filter { $0.campaign == id } }
        try rig.put(
            .sample(1) {
                $0.caps = [FrequencyCap(count: 4, windowSeconds: 3_600, scope: .device)]
                $0.revision = 2
            })
        rig.run(for: .seconds(1_000))
        #expect(rig.delivered(1) == 4)
    }

    @Test("What a removed campaign has had is forgotten, and nothing is kept of it")
    func forgotten() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        rig.attach()
        rig.remove(1)
        #expect(rig.kept.campaigns.isEmpty)
    }

    @Test("Without a house source nothing is kept, and with the first one everything is")
    func unused() throws {
        let exchange = SlotSettings.house("banner") {
            $0.sources = [SourceReference(name: "exchange", isNetwork: true)]
        }
        let rig = try HouseRig(slots: [exchange])
        rig.others["exchange"] = .success(.bid("b", domain: "shoes.example"))
        rig.attach()
        #expect(rig.kept == SchedulerMemory() && rig.ads.whole() == nil)
        rig.reconfigure([exchange, .house("other")])
        rig.perform(.timer)
        #expect(rig.kept.slots.contains { $0.slot == "banner" && $0.current != nil })
    }

    @Test("The exchange comes first and the house steps in, and the slot that waits hears of the campaign")
    func afterExchange() throws {
        let both = SlotSettings.house("banner") {
            $0.sources = [
                SourceReference(name: "house", isNetwork: false),
                SourceReference(name: "exchange", isNetwork: true),
            ]
        }
        let rig = try HouseRig(slots: [both])
        rig.others["exchange"] = .failure(.timeout)
        rig.attach()
        #expect(rig.coordinator.slot(named: "banner")?.lastError == .timeout)
        rig.run(for: .seconds(6))
        try rig.put(.sample(1))
        rig.run(for: .milliseconds(1))
        #expect(rig.campaign() == 1)
    }

    @Test("After a large import it is kept in steps where campaigns stand, and at once what was decided on")
    func steps() throws {
        let rig = try HouseRig()
        for id in 1...600 as ClosedRange<Int64> { try rig.put(.sample(id)) }
        rig.attach()
        let first = try #require(rig.campaign())
        #expect(rig.kept.campaigns.count <= 2 * Limits.idleCampaignsKeptMax)
        #expect(rig.kept.campaigns.contains { $0.campaign.value == first && $0.delivered == 1 })
        rig.run(for: .seconds(200))
        #expect(rig.kept.campaigns.count == 600)
        let memory = rig.ads.scheduler.memory
        #expect(rig.kept.campaigns.sorted { $0.campaign < $1.campaign } == memory.campaigns)
        // A start writes nothing of what is kept already.
        rig.restart()
        #expect(rig.ads.takeChanges()?.memory.campaigns.isEmpty ?? true)
    }

    @Test("Explain is bounded, and counts the rest")
    func explanation() throws {
        let rig = try HouseRig()
        for id in 1...40 as ClosedRange<Int64> {
            try rig.put(.sample(id) { $0.isEnabled = id > 3 })
        }
        let lines = rig.ads.explanation(slot: "banner", size: Size(width: 320, height: 50))
        #expect(lines.count == 33)
        #expect(lines[0] == "Campaign 4 (Campaign 4): eligible.")
        #expect(lines[32] == "8 more campaigns: 5 eligible, 3 disabled.")
        let other = rig.ads.explanation(slot: "banner", size: Size(width: 728, height: 90))
        #expect(other[0] == "Campaign 1 (Campaign 1): disabled.")
        #expect(other[4] == "Campaign 5 (Campaign 5): no creative of 728x90.")
    }
}
