import Campaigns
import Foundation
import Testing

@testable import Ledger

@Suite("House campaigns are kept in tables")
struct InventoryTests {
    private func refusal(_ body: () throws -> Void) -> InventoryError? {
        do { try body() } catch { return error as? InventoryError }
        return nil
    }

    @Test("Every field of campaigns and creatives comes back, after a restart too")
    func roundTrip() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        let added = try [Campaign.full(), .plain()].map { try ledger!.add($0, at: rig.clocks) }
        #expect(added.map(\.campaign.id) == [CampaignID(1), CampaignID(2)])
        let held = try ledger!.hold(Picture.gif(640, 100), at: rig.clocks)
        let page = try ledger!.hold(Array("<p>Schöne Schuhe</p>".utf8), at: rig.clocks)
        var creative = Creative.sized(320, 50, clickURL: "https://shoes.example/?a=1")
        creative.isEnabled = false
        let contents: [(Creative, CreativeContent)] = [
            (creative, .file(held)), (.sized(728, 90), .file(page)),
            (.sized(300, 250), .address("https://cdn.example/a.png")),
        ]
        var stored = added[0]
        for (creative, content) in contents {
            stored = try ledger!.add(creative, of: content, to: CampaignID(1), at: rig.clocks).campaign
        }
        let wanted = Campaign.full().with { campaign in
            campaign.id = CampaignID(1)
            campaign.revision = 4
            campaign.creatives = [
                Creative(
                    id: CreativeID(1), size: CreativeSize(width: 320, height: 50), kind: .image,
                    clickURL: "https://shoes.example/?a=1", isEnabled: false),
                Creative(id: CreativeID(2), size: CreativeSize(width: 728, height: 90), kind: .html),
                Creative(id: CreativeID(3), size: CreativeSize(width: 300, height: 250)),
            ]
        }
        #expect(stored.campaign == wanted)
        #expect(stored.addresses == [CreativeID(3): "https://cdn.example/a.png"])
        #expect(
            stored.files.mapValues(\.mediaType) == [CreativeID(1): "image/gif", CreativeID(2): "text/html"])
        let file = try #require(stored.files[CreativeID(1)])
        #expect(file.path == "\(rig.directory)/creatives/1.gif")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: file.path))) == Picture.gif(640, 100))
        #expect(file.sizeBytes == Int64(Picture.gif(640, 100).count))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        for again in [ledger!.inventory(at: rig.clocks), try restarted(&ledger, rig)] {
            #expect(again.map(\.campaign.id) == [CampaignID(1), CampaignID(2)])
            #expect(again.first == stored)
        }
        #expect(rig.notices.isEmpty)
    }

    private func restarted(_ ledger: inout Ledger?, _ rig: StateRig) throws -> [StoredCampaign] {
        ledger = nil
        ledger = try rig.open()
        return try #require(ledger).inventory(at: rig.clocks)
    }

    @Test("Texts are values, never statements")
    func injection() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let name = "x'); DROP TABLE campaigns; --"
        let id = try ledger.add(.plain(name), at: rig.clocks).campaign.id
        #expect(try ledger.campaign(id, at: rig.clocks).campaign.name == name)
    }

    @Test("An edit names the revision that it started from; a stale one is refused and changes nothing")
    func conflict() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
        let edited = try ledger.edit(id, revision: 1, at: rig.clocks) { campaign in
            campaign.tier = 3
            // Not for whoever edits to say.
            campaign.revision = 77
            campaign.id = CampaignID(9)
        }
        #expect(edited.campaign.tier == 3 && edited.campaign.revision == 2 && edited.campaign.id == id)
        for change in [{ (campaign: inout Campaign) in campaign.tier = 4 }] {
            #expect(
                refusal { _ = try ledger.edit(id, revision: 1, at: rig.clocks, change) }
                    == .conflict(revision: 2))
        }
        let address = CreativeContent.address("http://a.example/b")
        let creative = try ledger.add(.sized(1, 1), of: address, to: id, revision: 2, at: rig.clocks)
        #expect(creative.campaign.campaign.revision == 3)
        for stale in [
            { _ = try ledger.add(.sized(1, 1), of: address, to: id, revision: 2, at: rig.clocks) },
            { _ = try ledger.edit(creative.creative, revision: 2, at: rig.clocks) { $0.isEnabled = false } },
            { _ = try ledger.remove(creative.creative, revision: 2, at: rig.clocks) },
            { try ledger.remove(id, revision: 2, at: rig.clocks) },
        ] {
            #expect(refusal(stale) == .conflict(revision: 3))
        }
        #expect(try ledger.campaign(id, at: rig.clocks) == creative.campaign)
        let last = try ledger.edit(creative.creative, revision: 3, at: rig.clocks) { $0.isEnabled = false }
        #expect(last.campaign.revision == 4 && last.campaign.creatives.map(\.isEnabled) == [false])
        #expect(try ledger.remove(creative.creative, revision: 4, at: rig.clocks).campaign.creatives.isEmpty)
        try ledger.remove(id, revision: 5, at: rig.clocks)
        #expect(ledger.inventory(at: rig.clocks).isEmpty)
        #expect(refusal { try ledger.remove(id, at: rig.clocks) } == .noSuchCampaign(id))
        #expect(
            refusal { _ = try ledger.remove(creative.creative, at: rig.clocks) }
                == .noSuchCreative(creative.creative))
    }

    @Test("A number is never used twice")
    func numbers() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        for round in 1...3 {
            let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
            let held = try ledger.hold(Picture.gif(1, 1), at: rig.clocks)
            let creative = try ledger.add(.sized(1, 1), of: .file(held), to: id, at: rig.clocks)
            ledger.release(held)
            #expect(id.value == Int64(round) && creative.creative.value == Int64(round))
            #expect(rig.creativeFiles() == ["\(round).gif"])
            try ledger.remove(id, at: rig.clocks)
            try rig.tend(ledger)
            #expect(rig.creativeFiles().isEmpty)
        }
    }

    @Test("What is wrong is refused by its field, and nothing is written")
    func faults() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        func fields(_ error: InventoryError?) -> [String] {
            guard case .invalid(let campaign)? = error else { return ["\(String(describing: error))"] }
            return campaign.faults.map(\.field)
        }
        let wrong = Campaign.full().with { campaign in
            campaign.name = " "
            campaign.tier = 99
            campaign.caps[1].count = 0
        }
        #expect(
            fields(refusal { _ = try ledger.add(wrong, at: rig.clocks) }) == [
                "name", "tier", "caps[1].count",
            ])
        let id = try ledger.add(.full(), at: rig.clocks).campaign.id
        #expect(
            fields(
                refusal {
                    _ = try ledger.edit(id, revision: 1, at: rig.clocks) { $0.flight.end = nil }
                }) == ["flight.end"])
        let address = CreativeContent.address("https://a.example/")
        #expect(
            fields(
                refusal {
                    _ = try ledger.add(
                        .sized(0, 5, clickURL: "javascript:x"), of: address, to: id, at: rig.clocks)
                }) == ["size.width", "clickURL"])
        #expect(
            fields(
                refusal {
                    _ = try ledger.add(.sized(1, 5), of: .address("file:///etc"), to: id, at: rig.clocks)
                }) == ["address"])
        let held = try ledger.hold(Picture.gif(640, 100), at: rig.clocks)
        let wrongSize = FileFault.wrongSize(
            CreativeSize(width: 640, height: 100), shownAs: CreativeSize(width: 728, height: 90))
        #expect(
            refusal { _ = try ledger.add(.sized(728, 90), of: .file(held), to: id, at: rig.clocks) }
                == .invalidFile(wrongSize))
        #expect(try ledger.campaign(id, at: rig.clocks).campaign.revision == 1)
        let creative = try ledger.add(.sized(320, 50), of: .file(held), to: id, at: rig.clocks).creative
        #expect(
            refusal {
                _ = try ledger.edit(creative, revision: 2, at: rig.clocks) {
                    $0.size = CreativeSize(width: 728, height: 90)
                }
            } == .invalidFile(wrongSize))
    }

    @Test("Pages follow each other, each campaign once")
    func pages() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let number = try ledger.beginImport(at: rig.clocks)
        let many = (0..<450).map { count in
            var campaign = Campaign.plain("campaign \(count)")
            campaign.creatives = [.sized(count + 1, 1), .sized(count + 1, 2)]
            return ImportedCampaign(
                campaign: campaign, contents: (0..<2).map { .address("http://a.example/\(count)/\($0)") })
        }
        try ledger.add(many, to: number, at: rig.clocks)
        #expect(try ledger.finish(number, at: rig.clocks) == 450)
        var found: [StoredCampaign] = []
        var after: CampaignID?
        repeat {
            let page = try ledger.inventoryPage(after: after, at: rig.clocks)
            found += page.campaigns
            after = page.next
        } while after != nil
        #expect(found.map(\.campaign.name) == many.map(\.campaign.name))
        #expect(found.allSatisfy { $0.addresses.count == 2 && $0.campaign.creatives.count == 2 })
        #expect(found == ledger.inventory(at: rig.clocks))
    }

    @Test("A row that no version has written is left out and said, and the others stay")
    func unreadable() throws {
        let rig = try StateRig()
        do {
            let ledger = try rig.open()
            for _ in 1...3 { _ = try ledger.add(.plain(), at: rig.clocks) }
        }
        try Database(rig.path, .readWrite).execute("UPDATE campaigns SET dayparts = 'never' WHERE id = 2")
        let ledger = try rig.open()
        #expect(ledger.inventory(at: rig.clocks).map(\.campaign.id.value) == [1, 3])
        #expect(rig.notices == [.unreadable(CampaignID(2))])
        guard case .unavailable? = refusal({ _ = try ledger.campaign(CampaignID(2), at: rig.clocks) }) else {
            Issue.record("it was read")
            return
        }
    }
}

extension Campaign {
    func with(_ change: (inout Campaign) -> Void) -> Campaign {
        var campaign = self
        change(&campaign)
        return campaign
    }
}
