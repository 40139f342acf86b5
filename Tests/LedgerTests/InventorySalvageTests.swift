import Campaigns
import Foundation
import Simulation
import Testing

@testable import Ledger

@Suite("The inventory over damage of any page")
struct InventorySalvageTests {
    /// A state directory between two runs, and which of its pages matter.
    private struct Original {
        let rig: StateRig
        let bytes: Data
        let inventory: [Campaign]
        /// Pages of the schema, and the root of the campaigns: without one of them none can be found.
        private(set) var vital: Set<Int> = []
        /// Pages on which campaigns and creatives lie.
        private(set) var rows: Set<Int> = []
        var pages: Range<Int> { 0..<bytes.count / 4_096 }

        init(requests: Int = 40) throws {
            let rig = try StateRig()
            self.rig = rig
            do {
                let ledger = try rig.open()
                let id = try ledger.beginImport(at: rig.clocks)
                let campaigns = try (0..<12).map { index in
                    // A few to a page, so that the table has several.
                    var campaign = Campaign.full("campaign number \(index).")
                    let filling = String(repeating: "c", count: 50)
                    campaign.categories = (0..<16).map { "\(index)-\($0)-\(filling)" }
                    campaign.creatives = [.sized(8, 4)]
                    let held = try ledger.hold(Picture.gif(8, 4, mark: UInt8(index % 5)), at: rig.clocks)
                    return ImportedCampaign(campaign: campaign, contents: [.file(held)])
                }
                try ledger.add(campaigns, to: id, at: rig.clocks)
                _ = try ledger.finish(id, at: rig.clocks)
                var traffic = Traffic()
                for _ in 1...requests { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
                inventory = ledger.inventory(at: rig.clocks).map(\.campaign)
            }
            bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
            try findPages()
        }

        private mutating func findPages() throws {
            var (vital, rows): (Set<Int>, Set<Int>) = ([], [])
            try Database(rig.path, .immutable).prepare("SELECT name, pageno - 1, path FROM dbstat").rows {
                row in
                let (name, page) = (row.text(0) ?? "", Int(row.integer(1) ?? 0))
                if name == "sqlite_schema" || name == "campaigns" && row.text(2) == "/" { vital.insert(page) }
                if ["campaigns", "creatives"].contains(name) { rows.insert(page) }
            }
            (self.vital, self.rows) = (vital, rows)
        }

        func bytes(of page: Int) -> Range<Int> { page * 4_096..<(page + 1) * 4_096 }

        /// The campaigns that must be read where these pages are lost.
        func readable(without lost: [Int]) -> [Campaign] {
            guard vital.isDisjoint(with: lost) else { return [] }
            return inventory.filter { campaign in
                !lost.contains { bytes[bytes(of: $0)].range(of: Data(campaign.name.utf8)) != nil }
            }
        }

        /// A state directory with the file as it is then.
        func damaged(_ damage: (inout Data) -> Void) throws -> StateRig {
            let other = try StateRig()
            var damaged = bytes
            damage(&damaged)
            try damaged.write(to: URL(fileURLWithPath: other.path))
            try FileManager.default.copyItem(
                atPath: "\(rig.directory)/creatives", toPath: "\(other.directory)/creatives")
            return other
        }
    }

    /// What is read of the file itself.
    private func salvaged(_ rig: StateRig) -> Salvage {
        Salvage(from: rig.path, files: CreativeDirectory("\(rig.directory)/creatives"))
    }

    /// What a daemon has of it after a while.
    private func carriedOver(_ rig: StateRig) throws -> [StoredCampaign] {
        let ledger = try rig.open()
        // Damage shows when it is met; the next attempt to write begins anew.
        for _ in 1...4 {
            _ = ledger.inventory(at: rig.clocks)
            do { try rig.tend(ledger) } catch {}
            rig.pass(.seconds(2))
            ledger.keep([], else: { [] }, at: rig.clocks)
        }
        #expect(ledger.retryAt == nil, "\(rig.notices)")
        return ledger.inventory(at: rig.clocks)
    }

    private func names(_ campaigns: some Sequence<Campaign>) -> Set<String> { Set(campaigns.map(\.name)) }

    @Test("A page of nonsense takes with it the campaigns that lie on it, and of other tables none")
    func anyPage() throws {
        let original = try Original()
        #expect(original.inventory.count == 12 && original.rows.count > 4 && original.pages.count > 40)
        var random = SeededGenerator(seed: 7)
        for page in original.pages {
            let nonsense = Data((0..<4_096).map { _ in UInt8.random(in: 0...255, using: &random) })
            let rig = try original.damaged { $0.replaceSubrange(original.bytes(of: page), with: nonsense) }
            let salvage = salvaged(rig)
            let expected = original.readable(without: [page])
            #expect(names(expected).isSubset(of: names(salvage.campaigns.map(\.campaign))), "page \(page)")
            let carried = try carriedOver(rig)
            #expect(names(expected).isSubset(of: names(carried.map(\.campaign))), "page \(page)")
            if expected.count < 12 { continue }
            // Without its row a file is known by its content.
            let isCreatives = original.rows.contains(page)
            #expect(carried.allSatisfy { $0.files.count == (isCreatives ? 0 : 1) }, "page \(page)")
            #expect(isCreatives || carried.map(\.campaign) == original.inventory, "page \(page)")
            let leftovers = "\(rig.directory)/creatives.damaged"
            let notice = Ledger.Notice.carriedOver(campaigns: 12, creatives: 0, leftoversIn: leftovers)
            #expect(rig.notices.contains(notice) == isCreatives, "page \(page): \(rig.notices)")
        }
    }

    @Test("A few bytes of nonsense, wherever they are, neither stop the daemon nor take campaigns elsewhere")
    func anyBytes() throws {
        let original = try Original()
        var random = SeededGenerator(seed: 8)
        for page in original.pages {
            let rig = try original.damaged { data in
                for _ in 1...40 {
                    // Most of them where the page says what is on it.
                    let end = Bool.random(using: &random) ? 64 : 4_096
                    let place = page * 4_096 + Int.random(in: 0..<end, using: &random)
                    data[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let expected = names(original.readable(without: [page]))
            #expect(expected.isSubset(of: names(salvaged(rig).campaigns.map(\.campaign))), "page \(page)")
            #expect(try expected.isSubset(of: names(carriedOver(rig).map(\.campaign))), "page \(page)")
        }
    }

    @Test("Of a file with eight pages of nonsense, and of half a file, all is taken that can be read")
    func many() throws {
        let original = try Original()
        var random = SeededGenerator(seed: 9)
        for round in 1...20 {
            let lost = Array(original.pages.shuffled(using: &random).prefix(8))
            let rig = try original.damaged { data in
                for page in lost {
                    for place in original.bytes(of: page) {
                        data[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            let expected = names(original.readable(without: lost))
            #expect(try expected.isSubset(of: names(carriedOver(rig).map(\.campaign))), "round \(round)")
        }
    }

    @Test("Of a file that was cut all is taken that lies before the end")
    func cut() throws {
        let original = try Original(requests: 400)
        let half = original.bytes.count / 2
        let secondHalf = Array(half / 4_096..<original.pages.upperBound)
        #expect(original.readable(without: secondHalf).count == 12)
        let amid = try #require(original.rows.max()) * 4_096 + 1
        for length in [original.bytes.count - 4_096, half, amid, half / 2, 4_096, 100] {
            let rig = try original.damaged { $0 = $0.prefix(length) }
            let lost = Array(length / 4_096..<original.pages.upperBound)
            let expected = names(original.readable(without: lost))
            #expect(try expected.isSubset(of: names(carriedOver(rig).map(\.campaign))), "\(length) bytes")
        }
    }

    @Test("Rows are read behind a gap of any length, and a table without its root ends")
    func gaps() throws {
        let rig = try StateRig()
        let ids: [Int64] = Array(1...400) + [5_000_000, 5_000_001, 1 << 40]
        do {
            let database = try Database(rig.path, .readWrite)
            try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
            let insert = try database.prepare("INSERT INTO t VALUES (?1, ?2)")
            for id in ids { try insert.run([.integer(id), .text(String(repeating: "x", count: 100))]) }
        }
        func read(without bad: ClosedRange<Int64>) throws -> ([Int64], Bool) {
            var seen: Set<Int64> = []
            let table = try DamagedTable(try Database(rig.path, .immutable), "t", key: "id", columns: "x")
            let isWhole = table.rows { number, _ in
                guard !bad.contains(number) else { return false }
                seen.insert(number)
                return true
            }
            return (seen.sorted(), isWhole)
        }
        #expect(try read(without: -1...0) == (ids, true))
        #expect(try read(without: 7...5_000_000) == (Array(1...6) + [5_000_001, 1 << 40], false))
        #expect(try read(without: 300...(1 << 40)) == (Array(1...299), false))
        #expect(try read(without: 0...Int64.max) == ([], false))
    }
}
