import AdSlots
import Campaigns
import Foundation
import Ledger
import Reachability
import Testing

@testable import AdSources

@Suite("House ads")
struct HouseAdsTests {
    @Test("An image comes by its path, with its campaign, its price and where it leads")
    func image() throws {
        let rig = try HouseRig()
        try rig.put(.sample(3) { $0.categories = ["IAB18"] })
        rig.attach()
        let creative = try #require(rig.coordinator.slot(named: "banner")?.creative)
        #expect(creative.id == "300" && creative.source == "house" && creative.campaign == "3 Campaign 3")
        #expect(creative.path == rig.path(of: 300) && creative.markup == nil)
        #expect(creative.mediaType == "image/png" && creative.clickURL == "https://a3.example/")
        #expect(creative.advertiserDomains == ["a3.example"] && creative.categories == ["IAB18"])
        // 2.50 EUR for a thousand, in billionths.
        #expect(creative.price == CPM(nanos: 2_500_000_000, currency: "EUR"))
        #expect(creative.expires == nil && !creative.isFromNetwork)
    }

    @Test("HTML comes as markup")
    func markup() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1) { $0.creatives[0].kind = .html })
        rig.attach()
        let creative = try #require(rig.coordinator.slot(named: "banner")?.creative)
        #expect(creative.markup == "<p>100</p>" && creative.path == nil && creative.mediaType == "text/html")
    }

    @Test("HTML that is too long for a message comes by its path")
    func longMarkup() throws {
        let rig = try HouseRig()
        let path = rig.path(of: 100)
        let bytes = Int(Limits.houseMarkupBytesMax) + 1
        try String(repeating: "x", count: bytes).write(toFile: path, atomically: false, encoding: .utf8)
        let file = CreativeFile(path: path, mediaType: "text/html", sizeBytes: Int64(bytes))
        try rig.put(
            StoredCampaign(
                campaign: .sample(1) { $0.creatives[0].kind = .html }, files: [CreativeID(100): file]))
        rig.attach()
        let creative = try #require(rig.coordinator.slot(named: "banner")?.creative)
        #expect(creative.markup == nil && creative.path == path && creative.mediaType == "text/html")
    }

    @Test("Shares go by weight, and what is shown is counted once")
    func shares() throws {
        let rig = try HouseRig()
        // Without a domain nobody's turn is passed over for the sake of variety.
        try rig.put(
            .sample(1) {
                $0.delivery = .share(weight: 3)
                $0.domain = nil
            })
        try rig.put(.sample(2) { $0.domain = nil })
        rig.attach()
        rig.run(for: .seconds(30 * 39 + 1))
        #expect(rig.shown.count == 40)
        #expect(rig.delivered(1) == 30 && rig.delivered(2) == 10, "\(rig.shown)")
    }

    @Test("A cap of 20 lets 20 through, over three kills and a reboot (brave#4207)", arguments: [1, 2])
    func cap(hosts: Int) throws {
        let slots = (0..<hosts).map { SlotSettings.house("slot\($0)") }
        let rig = try HouseRig(slots: slots)
        // Without a domain it may be in two slots at once.
        try rig.put(
            .sample(1) {
                $0.domain = nil
                $0.caps = [FrequencyCap(count: 20, windowSeconds: 86_400, scope: .device)]
            })
        for life in 0..<4 {
            for slot in slots { rig.attach(slot.name) }
            rig.run(for: .seconds(300))
            if life < 3 { rig.restart(boot: life == 2 ? "another" : "boot") }
        }
        #expect(rig.shown.count == 20 && rig.delivered(1) == 20, "\(rig.shown.count)")
        #expect(rig.explanation("slot0").contains("noFill (capped on this device until 2027-01-05T"))
    }

    @Test("A kill between the decision and the screen gives the decision back")
    func killedBetween() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1) { $0.caps = [FrequencyCap(count: 2, windowSeconds: 86_400, scope: .device)] })
        let host = rig.attach()
        // Under an action the next ad has come, is counted, and waits.
        rig.perform(
            .beginAction(
                begin: BeginID(1), host: host, banner: BannerID(1), leavesApplication: false,
                pathUsable: true))
        #expect(rig.delivered(1) == 1)
        rig.run(for: .seconds(60))
        #expect(rig.shown == [1])
        rig.restart()
        rig.attach()
        #expect(rig.shown == [1, 1] && rig.delivered(1) == 2, "\(rig.shown) \(rig.explanation())")
    }

    @Test("Whoever no longer waits has nothing counted")
    func unwanted() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        let host = HostID(50)
        rig.perform(
            .attach(
                slot: "banner", host: host, name: nil, viewport: Size(width: 400, height: 800),
                visible: true))
        // The answer is decided; then the host goes before it arrives.
        let answer = try #require(rig.loseAnswer())
        #expect(rig.delivered(1) == 1)
        rig.perform(.detach(host: host))
        rig.perform(.sourceAnswered(request: RequestID(1), answer.result))
        #expect(rig.delivered(1) == 0 && rig.shown.isEmpty)
        #expect(rig.ads.advertisements.isEmpty)
    }

    @Test("An ad that waits under an action and is dropped unseen is given back")
    func droppedUnseen() throws {
        var slot = SlotSettings.house("banner")
        slot.requestTimeout = .seconds(3_600)
        let rig = try HouseRig(slots: [slot])
        try rig.put(.sample(1))
        try rig.put(.sample(2))
        let host = rig.attach()
        rig.run(for: .seconds(29))
        // The refresh is asked, then a person touches, then the answer comes.
        rig.clocks.reading.boottime += 1_000_000
        rig.perform(.timer)
        rig.perform(
            .beginAction(
                begin: BeginID(1), host: host, banner: BannerID(1), leavesApplication: false,
                pathUsable: true))
        rig.answer()
        #expect(rig.delivered(1) == 1 && rig.delivered(2) == 1 && rig.shown == [1])
        rig.perform(.detach(host: host))
        #expect(rig.delivered(1) == 1 && rig.delivered(2) == 0)
        #expect(rig.kept.decisions.allSatisfy { $0.state != .pending })
    }

    @Test("Reloads and disabled slots leave nothing pending")
    func reload() throws {
        let rig = try HouseRig(slots: [.house("a"), .house("b")])
        for id in 1...4 as ClosedRange<Int64> { try rig.put(.sample(id)) }
        rig.attach("a")
        rig.attach("b")
        rig.perform(.setEnablement(slot: "a", .disabled(until: nil)))
        rig.reconfigure([.house("b")])
        rig.run(for: .seconds(100))
        #expect(rig.ads.scheduler.slots == ["b"])
        #expect(rig.kept.decisions.allSatisfy { $0.state == .confirmed })
        #expect((1...4).map { rig.delivered($0) }.reduce(0, +) == rig.shown.count)
    }
}

@Suite("Files of house ads")
struct HouseFileTests {
    @Test(
        "A creative whose file is gone or cut is never shown; another one is, and it comes back when mended")
    func missing() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1) { $0.tier = 1 })
        try rig.put(.sample(2) { $0.tier = 2 })
        try FileManager.default.removeItem(atPath: rig.path(of: 100))
        rig.attach()
        #expect(rig.campaign() == 2 && rig.delivered(1) == 0)
        try "cut".write(toFile: rig.path(of: 100), atomically: false, encoding: .utf8)
        rig.run(for: .seconds(61))
        #expect(rig.shown == [2, 2, 2])
        try "picture 100".write(toFile: rig.path(of: 100), atomically: false, encoding: .utf8)
        rig.run(for: .seconds(60))
        #expect(rig.shown == [2, 2, 2, 1, 2])
    }

    @Test("A directory that takes the file's place is no file")
    func directory() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        try FileManager.default.removeItem(atPath: rig.path(of: 100))
        try FileManager.default.createDirectory(
            atPath: rig.path(of: 100), withIntermediateDirectories: false)
        rig.attach()
        #expect(rig.campaign() == nil)
        #expect(
            rig.explanation().contains("the files of 1 creatives")
                || rig.explanation().contains("no creative of"))
    }

    @Test("A file that goes while its ad is covered, or waits under an action, is not shown")
    func beforeShowing() throws {
        let rig = try HouseRig()
        try rig.put(.sample(1))
        let host = rig.attach()
        rig.see(host, false)
        try FileManager.default.removeItem(atPath: rig.path(of: 100))
        rig.see(host, true)
        #expect(rig.campaign() == nil && rig.shown == [1])
        #expect(rig.explanation().contains("The ad expired while it was hidden."))
    }

    @Test("A creative without a file, or with text that is no UTF-8, is no choice")
    func unfit() throws {
        let rig = try HouseRig()
        try rig.put(StoredCampaign(campaign: .sample(1)))
        rig.attach()
        #expect(rig.campaign() == nil && rig.explanation().contains("no creative of 320x50"))
        let html = Campaign.sample(2) { $0.creatives[0].kind = .html }
        let path = rig.path(of: 200)
        try Data([0x3C, 0xFF, 0x3E]).write(to: URL(fileURLWithPath: path))
        try rig.put(
            StoredCampaign(
                campaign: html,
                files: [CreativeID(200): CreativeFile(path: path, mediaType: "text/html", sizeBytes: 3)]))
        rig.run(for: .seconds(10))
        #expect(rig.campaign() == nil && rig.delivered(2) == 0)
    }
}
