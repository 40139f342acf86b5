import Campaigns
import Foundation
import Testing

@testable import Ledger

@Suite("The files of creatives")
struct InventoryFileTests {
    private func refusal(_ body: () throws -> Void) -> InventoryError? {
        do { try body() } catch { return error as? InventoryError }
        return nil
    }

    private func path(_ rig: StateRig, _ name: String) -> String { "\(rig.directory)/creatives/\(name)" }

    @Test("Identical content is stored once, whoever brings it")
    func once() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
        for _ in 1...3 {
            let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
            _ = try ledger.add(.sized(8, 4), of: .file(held), to: id, at: rig.clocks)
            ledger.release(held)
        }
        // As long, and another content.
        let other = try ledger.hold(Picture.gif(8, 4, mark: 1), at: rig.clocks)
        _ = try ledger.add(.sized(8, 4), of: .file(other), to: id, at: rig.clocks)
        ledger.release(other)
        #expect(rig.creativeFiles() == ["1.gif", "2.gif"])
        try rig.tend(ledger)
        #expect(rig.creativeFiles() == ["1.gif", "2.gif"])
        // The file goes with the last creative that names it.
        for (creative, left) in [(1, ["1.gif", "2.gif"]), (4, ["1.gif"]), (2, ["1.gif"]), (3, [])] {
            _ = try ledger.remove(CreativeID(Int64(creative)), at: rig.clocks)
            try rig.tend(ledger)
            #expect(rig.creativeFiles() == left, "creative \(creative)")
        }
    }

    @Test("What no creative came to name goes when it is let go, and not before")
    func unused() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        let again = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        ledger.release(again)
        try rig.tend(ledger)
        #expect(rig.creativeFiles() == ["1.gif"])
        ledger.release(held)
        try rig.tend(ledger)
        #expect(rig.creativeFiles().isEmpty)
    }

    @Test("Another file in the place of the old one; the old one goes")
    func replaced() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
        let old = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        let creative = try ledger.add(.sized(8, 4), of: .file(old), to: id, at: rig.clocks).creative
        ledger.release(old)
        let page = try ledger.hold(Array("<p>x".utf8), at: rig.clocks)
        let stored = try ledger.edit(creative, revision: 2, of: .file(page), at: rig.clocks) { _ in }
        ledger.release(page)
        try rig.tend(ledger)
        #expect(stored.campaign.creatives.map(\.kind) == [.html])
        #expect(stored.files[creative]?.mediaType == "text/html")
        #expect(rig.creativeFiles() == ["2.html"])
        let addressed = try ledger.edit(
            creative, revision: 3, of: .address("http://a.example/b.png"), at: rig.clocks
        ) { $0.kind = .image }
        try rig.tend(ledger)
        #expect(addressed.files.isEmpty && addressed.addresses[creative] == "http://a.example/b.png")
        #expect(rig.creativeFiles().isEmpty)
    }

    @Test("Garbage is no creative, and nothing of it stays")
    func garbage() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        for bytes in [[], [1, 2, 3], Array(Picture.gif(8, 4).dropLast()), Picture.gif(0, 4)] {
            guard case .invalidFile? = refusal({ _ = try ledger.hold(bytes, at: rig.clocks) }) else {
                Issue.record("\(bytes) was taken")
                continue
            }
        }
        #expect(rig.creativeFiles().isEmpty)
    }

    @Test("What a crash left in the directory is swept at the next start, and nothing else")
    func leftovers() throws {
        let rig = try StateRig()
        do {
            let ledger = try rig.open()
            let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
            let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
            _ = try ledger.add(.sized(8, 4), of: .file(held), to: id, at: rig.clocks)
            // Held by a client when the daemon died.
            _ = try ledger.hold(Picture.gif(9, 4), at: rig.clocks)
        }
        for name in ["3.gif", "3.gif.Ab12cd", "17.jpg", "notes.txt", "4.gif.bak", "x.png", "5.exe"] {
            try Data([1]).write(to: URL(fileURLWithPath: path(rig, name)))
        }
        let ledger = try rig.open()
        try rig.tend(ledger)
        #expect(rig.creativeFiles() == ["1.gif", "4.gif.bak", "5.exe", "notes.txt", "x.png"])
        // A number whose file was left over is not in the way.
        let held = try ledger.hold(Picture.gif(7, 7), at: rig.clocks)
        #expect(rig.creativeFiles().contains("3.gif"))
        ledger.release(held)
    }

    @Test(
        "A file that is not what was written is out and said; added again, it is mended",
        arguments: ["missing", "cut", "changed"])
    func broken(how: String) throws {
        let rig = try StateRig()
        let content = Picture.gif(8, 4)
        do {
            let ledger = try rig.open()
            let id = try ledger.add(.plain(), at: rig.clocks).campaign.id
            let held = try ledger.hold(content, at: rig.clocks)
            _ = try ledger.add(.sized(8, 4), of: .file(held), to: id, at: rig.clocks)
        }
        let file = path(rig, "1.gif")
        switch how {
        case "missing": try FileManager.default.removeItem(atPath: file)
        case "cut": try Data(content.dropLast()).write(to: URL(fileURLWithPath: file))
        default: try Data(content.map { $0 == 0x44 ? 0x45 : $0 }).write(to: URL(fileURLWithPath: file))
        }
        let ledger = try rig.open()
        let atStart = ledger.inventory(at: rig.clocks)
        // A change that keeps the length shows when the content is checked.
        #expect(atStart.map(\.files.isEmpty) == [how != "changed"])
        try rig.tend(ledger)
        #expect(ledger.takeAltered(at: rig.clocks).map(\.files.isEmpty) == (how == "changed" ? [true] : []))
        #expect(ledger.inventory(at: rig.clocks).map(\.files.isEmpty) == [true])
        guard rig.notices.count == 1, case .fileBroken(let path, _)? = rig.notices.first else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(path == file)
        ledger.release(try ledger.hold(content, at: rig.clocks))
        let altered = ledger.takeAltered(at: rig.clocks)
        #expect(altered.map(\.files.count) == [1] && altered == ledger.inventory(at: rig.clocks))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: file))) == content)
        #expect(rig.creativeFiles() == ["1.gif"])
    }
}

@Suite("Imports are all or nothing")
struct ImportTests {
    private func campaign(_ name: String, _ contents: [CreativeContent] = []) -> ImportedCampaign {
        var campaign = Campaign.plain(name)
        campaign.creatives = contents.map { _ in .sized(8, 4) }
        return ImportedCampaign(campaign: campaign, contents: contents)
    }

    @Test("Nothing is seen of an import before its end; then all of it is")
    func whole() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        _ = try ledger.add(.plain("before"), at: rig.clocks)
        let id = try ledger.beginImport(at: rig.clocks)
        let held = try ledger.hold(Picture.gif(8, 4), at: rig.clocks)
        try ledger.add([campaign("one", [.file(held)]), campaign("two")], to: id, at: rig.clocks)
        ledger.release(held)
        try rig.tend(ledger)
        #expect(try ledger.add([campaign("three", [.file(held)])], to: id, at: rig.clocks) == 3)
        #expect(ledger.inventory(at: rig.clocks).map(\.campaign.name) == ["before"])
        #expect(try ledger.inventoryPage(after: nil, at: rig.clocks).campaigns.count == 1)
        #expect(try ledger.creativesPage(of: nil, after: nil, at: rig.clocks).isEmpty)
        #expect(throws: InventoryError.noSuchCampaign(CampaignID(2))) {
            try ledger.campaign(CampaignID(2), at: rig.clocks)
        }
        #expect(throws: InventoryError.noSuchCreative(CreativeID(1))) {
            try ledger.campaign(of: CreativeID(1), at: rig.clocks)
        }
        #expect(try ledger.finish(id, at: rig.clocks) == 3)
        let names = ["before", "one", "two", "three"]
        #expect(ledger.inventory(at: rig.clocks).map(\.campaign.name) == names)
        #expect(
            try ledger.imported(by: id, after: nil, at: rig.clocks).map(\.campaign.name) == Array(names[1...])
        )
        #expect(rig.creativeFiles() == ["1.gif"])
        #expect(throws: InventoryError.noSuchImport) {
            try ledger.add([campaign("late")], to: id, at: rig.clocks)
        }
    }

    @Test("An import that is given up, or cut off by a crash, leaves nothing", arguments: [true, false])
    func broken(byCrash: Bool) throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        let id = try ledger!.beginImport(at: rig.clocks)
        let held = try ledger!.hold(Picture.gif(8, 4), at: rig.clocks)
        // More than one step of clearing away.
        let many = (0..<700).map { campaign("campaign \($0)", [.file(held)]) }
        try ledger!.add(many, to: id, at: rig.clocks)
        if byCrash {
            ledger = nil
            ledger = try rig.open()
        } else {
            ledger!.release(held)
            ledger!.cancel(id)
        }
        #expect(ledger!.inventory(at: rig.clocks).isEmpty)
        try rig.tend(try #require(ledger))
        #expect(rig.creativeFiles().isEmpty)
        ledger = nil
        let database = try Database(rig.path, .readWrite)
        for table in ["campaigns", "creatives", "files", "imports"] {
            #expect(try database.integer("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
    }

    @Test("What is wrong is named by its place, and of that page nothing is taken")
    func faults() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let id = try ledger.beginImport(at: rig.clocks)
        func field(_ campaigns: [ImportedCampaign]) -> String? {
            do {
                try ledger.add(campaigns, to: id, at: rig.clocks)
                return nil
            } catch {
                guard case .invalid(let invalid) = error else { return "\(error)" }
                return invalid.faults.first?.field
            }
        }
        var wrong = campaign("wrong")
        wrong.campaign.tier = 0
        #expect(field([campaign("right"), wrong]) == "campaigns[1].tier")
        #expect(field([campaign("a", [.address("x:y")])]) == "campaigns[0].creatives[0].address")
        let held = try ledger.hold(Picture.gif(9, 9), at: rig.clocks)
        #expect(field([campaign("b", [.file(held)])]) == "campaigns[0].creatives[0].size")
        #expect(try ledger.finish(id, at: rig.clocks) == 0)
        #expect(ledger.inventory(at: rig.clocks).isEmpty)
    }
}
