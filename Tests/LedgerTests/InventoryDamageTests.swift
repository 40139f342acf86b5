import Campaigns
import Foundation
import Testing

@testable import Ledger

@Suite("The inventory over damage and old files")
struct InventoryDamageTests {
    /// A state directory with campaigns that have a picture each, every second one another.
    private func filled(_ count: Int) throws -> (StateRig, [StoredCampaign]) {
        let rig = try StateRig()
        let ledger = try rig.open()
        let id = try ledger.beginImport(at: rig.clocks)
        let files = try (0...1).map { try ledger.hold(Picture.gif(8, 4, mark: UInt8($0)), at: rig.clocks) }
        let campaigns = (0..<count).map { index in
            var campaign = Campaign.full("campaign number \(index)")
            campaign.creatives = [.sized(8, 4)]
            return ImportedCampaign(campaign: campaign, contents: [.file(files[index % 2])])
        }
        try ledger.add(campaigns, to: id, at: rig.clocks)
        _ = try ledger.finish(id, at: rig.clocks)
        // The last one goes: its number must not come back.
        try ledger.remove(CampaignID(Int64(count)), at: rig.clocks)
        return (rig, ledger.inventory(at: rig.clocks))
    }

    /// Spoils the page on which a row lies, and a table that must be whole at the start.
    private func spoil(_ rig: StateRig, pageOf text: String?) throws {
        let url = URL(fileURLWithPath: rig.path)
        try Database(rig.path, .readWrite).execute("PRAGMA user_version = -1")
        var bytes = try Data(contentsOf: url)
        if let text {
            let place = try #require(bytes.range(of: Data(text.utf8))).lowerBound / 4_096 * 4_096
            bytes.replaceSubrange(place..<place + 4_096, with: Data(repeating: 0x5A, count: 4_096))
        }
        try bytes.write(to: url)
        // Where the damage is is not what is tested: the version makes the file be taken for damaged.
        try Database(rig.path, .readWrite).execute("PRAGMA user_version = \(Schema.migrations.count)")
        try Database(rig.path, .readWrite).execute("DROP TABLE slots")
    }

    @Test("Of a damaged file all campaigns are carried over, with their numbers and files")
    func carriedOver() throws {
        let (rig, before) = try filled(9)
        #expect(before.count == 8)
        try spoil(rig, pageOf: nil)
        let ledger = try rig.open()
        #expect(ledger.inventory(at: rig.clocks) == before)
        guard rig.notices.count == 2, case .setAside = rig.notices[0],
            rig.notices[1] == .carriedOver(campaigns: 8, creatives: 8, leftoversIn: nil)
        else {
            Issue.record("\(rig.notices)")
            return
        }
        try rig.tend(ledger)
        #expect(rig.creativeFiles() == ["1.gif", "2.gif"])
        #expect(try ledger.add(.plain(), at: rig.clocks).campaign.id == CampaignID(10))
        // Once more from the new file, which is whole.
        #expect(ledger.inventory(at: rig.clocks).count == 9)
    }

    @Test("Of a page that cannot be read the campaigns are lost, and that is said; the files stay to be had")
    func partly() throws {
        let (rig, before) = try filled(401)
        try spoil(rig, pageOf: "campaign number 300")
        let ledger = try rig.open()
        let after = ledger.inventory(at: rig.clocks)
        // Those of one page, of which there are more than twenty, and no other.
        #expect(after.count > 370 && after.count < 400)
        #expect(after == before.filter(after.contains))
        #expect(!after.contains { $0.campaign.name == "campaign number 300" })
        #expect(after.last == before.last)
        guard rig.notices.count == 2, case .carriedOver(after.count, after.count, let path?) = rig.notices[1]
        else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(path == "\(rig.directory)/creatives.damaged")
        #expect(FileManager.default.fileExists(atPath: path))
        try rig.tend(ledger)
        #expect(rig.creativeFiles() == ["1.gif", "2.gif"])
        #expect(rig.notices.count == 2)
    }

    @Test("Damage that is met later takes uploads and imports with it, and no campaign")
    func later() throws {
        let rig = try StateRig()
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            _ = try ledger.add(.full(), at: rig.clocks)
            for _ in 1...400 { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
        }
        // Where the next row goes.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
        let place = try #require(bytes.range(of: Data("ad-400".utf8), options: .backwards))
        let page = place.lowerBound / 4_096 * 4_096
        bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0x5A, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: rig.path))
        let ledger = try rig.open()
        let before = ledger.inventory(at: rig.clocks)
        let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        let number = try ledger.beginImport(at: rig.clocks)
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        #expect(rig.notices.last == .working(lost: 0))
        #expect(
            rig.notices.contains(.carriedOver(campaigns: 1, creatives: 0, leftoversIn: nil)), "\(rig.notices)"
        )
        #expect(before.count == 1 && ledger.inventory(at: rig.clocks) == before)
        #expect(throws: InventoryError.noSuchImport) { try ledger.add([], to: number, at: rig.clocks) }
        let id = try #require(before.first).campaign.id
        let error = #expect(throws: InventoryError.self) {
            try ledger.add(.sized(8, 4), of: .file(held), to: id, at: rig.clocks)
        }
        guard case .unavailable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        ledger.release(held)
        try rig.tend(ledger)
        #expect(rig.creativeFiles().isEmpty)
        let again = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        _ = try ledger.add(.sized(8, 4), of: .file(again), to: id, at: rig.clocks)
    }

    @Test(
        "Where the ledger is gone or empty the files are set aside, and that is said",
        arguments: [true, false])
    func missing(isEmpty: Bool) throws {
        let (rig, _) = try filled(3)
        let fetched = "\(rig.directory)/fetched"
        try FileManager.default.createDirectory(atPath: fetched, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(fileURLWithPath: "\(fetched)/1.png"))
        try FileManager.default.removeItem(atPath: rig.path)
        if isEmpty { try Data().write(to: URL(fileURLWithPath: rig.path)) }
        let other = "\(rig.directory)/creatives.damaged"
        do {
            let ledger = try rig.open()
            #expect(rig.notices == [.missing(path: rig.path, leftoversIn: other)])
            #expect(rig.notices.first?.description.contains(other) == true)
            #expect(ledger.inventory(at: rig.clocks).isEmpty)
            #expect(try ledger.fetched(at: rig.clocks).files.isEmpty)
            try rig.tend(ledger)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fetched).isEmpty)
            #expect(rig.creativeFiles().isEmpty)
            // It takes files again, and under numbers of its own.
            let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
            let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
            _ = try ledger.add(.sized(8, 4), of: .file(held), to: id, at: rig.clocks)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).sorted() == ["1.gif", "2.gif"])
        let again = try rig.open()
        try rig.tend(again)
        #expect(rig.creativeFiles() == ["1.gif"] && rig.notices.count == 1)
    }

    @Test("Of fetched files alone, without a ledger, it is said that they are fetched again")
    func missingBesideFetched() throws {
        let rig = try StateRig()
        let fetched = "\(rig.directory)/fetched"
        try FileManager.default.createDirectory(atPath: fetched, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(fileURLWithPath: "\(fetched)/1.png"))
        // While none can be made it is not said again and again.
        let log = "\(rig.path)-wal"
        try FileManager.default.createSymbolicLink(
            atPath: log, withDestinationPath: "\(rig.directory)/nowhere/log")
        let ledger = try rig.open()
        for _ in 1...3 {
            rig.pass(.seconds(2))
            ledger.keep([], else: { [] }, at: rig.clocks)
        }
        #expect(ledger.retryAt != nil && rig.notices.count == 2, "\(rig.notices)")
        #expect(rig.notices.first == .missing(path: rig.path, leftoversIn: nil))
        try FileManager.default.removeItem(atPath: log)
        rig.pass(.seconds(2))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(rig.notices.dropFirst(2) == [.working(lost: 0)])
    }

    @Test("Files that cannot be set aside are not cleared away: nothing is kept, and that is said")
    func missingAndStuck() throws {
        let (rig, _) = try filled(3)
        try FileManager.default.removeItem(atPath: rig.path)
        let inTheWay = "\(rig.directory)/creatives.damaged/own"
        try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: true)
        let ledger = try rig.open()
        #expect(ledger.retryAt != nil)
        guard case .failing(let error)? = rig.notices.first, rig.notices.count == 1 else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(error.description.contains("\(rig.directory)/creatives"))
        #expect(rig.creativeFiles() == ["1.gif", "2.gif"])
        try FileManager.default.removeItem(atPath: inTheWay)
        rig.pass(.seconds(2))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(ledger.retryAt == nil && rig.notices.last == .working(lost: 0))
        #expect(rig.creativeFiles().isEmpty)
    }

    @Test("A first start is quiet, over an empty directory of creatives too")
    func first() throws {
        let rig = try StateRig()
        try FileManager.default.createDirectory(
            atPath: "\(rig.directory)/creatives", withIntermediateDirectories: false)
        let ledger = try rig.open()
        try rig.tend(ledger)
        #expect(try ledger.fetched(at: rig.clocks).files.isEmpty)
        #expect(rig.notices.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "\(rig.directory)/creatives.damaged"))
    }

    @Test("A file of the schema before gets the tables, and keeps its rows")
    func older() throws {
        let rig = try StateRig()
        let before = try #require(Schema.migrations.firstIndex { $0.contains("CREATE TABLE campaigns") })
        do {
            let database = try Database(rig.path, .readWrite)
            try Schema.migrate(database, Array(Schema.migrations.prefix(before)))
            try database.execute(
                """
                INSERT INTO entries (sequence, id, kind, wall, trusted, at) VALUES (7, x'00', 'request', 1, 1, 1)
                """)
        }
        do {
            let ledger = try rig.open()
            #expect(ledger.inventory(at: rig.clocks).isEmpty)
            #expect(try ledger.add(.plain(), at: rig.clocks).campaign.id == CampaignID(1))
        }
        let database = try Database(rig.path, .readWrite)
        #expect(try database.integer("SELECT sequence FROM entries") == 7)
        #expect(try database.integer("PRAGMA user_version") == Int64(Schema.migrations.count))
        #expect(FileManager.default.fileExists(atPath: "\(rig.path).schema\(before)"))
    }

    @Test("Where the file cannot be written campaigns are read from it, and none is changed")
    func readOnly() throws {
        let (rig, before) = try filled(5)
        let other = try StateRig()
        try FileManager.default.copyItem(atPath: rig.path, toPath: other.path)
        try FileManager.default.copyItem(
            atPath: "\(rig.directory)/creatives", toPath: "\(other.directory)/creatives")
        // A log that cannot be made: its name leads nowhere.
        try FileManager.default.createSymbolicLink(
            atPath: "\(other.path)-wal", withDestinationPath: "\(other.directory)/nowhere/log")
        let ledger = try other.open()
        #expect(ledger.retryAt != nil)
        #expect(ledger.inventory(at: other.clocks).map(\.campaign) == before.map(\.campaign))
        #expect(ledger.inventory(at: other.clocks).allSatisfy { $0.files.count == 1 })
        for refused in [
            { _ = try ledger.add(.plain(), at: other.clocks) },
            { try ledger.remove(CampaignID(1), at: other.clocks) },
            { _ = try ledger.hold(Picture.gif(1, 1), at: other.clocks) },
            { _ = try ledger.beginImport(at: other.clocks) },
        ] {
            do {
                try refused()
                Issue.record("it was done")
            } catch {
                guard case .unavailable? = error as? InventoryError else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
        #expect(ledger.inventory(at: other.clocks).count == 4)
    }
}
