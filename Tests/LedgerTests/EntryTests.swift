import AdSlots
import Foundation
import Reachability
import Testing

@testable import Ledger

@Suite("What happened is kept, in order")
struct EntryTests {
    @Test(
        "From the question to the end each row names the request, the path that the ad came over, the price")
    func life() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        traffic.campaign = "autumn"
        traffic.price = CPM(nanos: 1_500_000_000, currency: "EUR")
        rig.keep([traffic.request()], in: ledger)
        rig.pass(.milliseconds(80))
        rig.keep([traffic.fill, traffic.show()], in: ledger)
        rig.pass(.seconds(1))
        rig.keep([traffic.impression(at: rig.clocks.now)], path: "none", in: ledger)
        rig.keep([traffic.leave(after: .seconds(4))], in: ledger)
        rig.pass(.seconds(8))
        rig.keep([traffic.show(.visible), traffic.leave(after: .seconds(9))], in: ledger)
        let rows = try rig.rows(ledger)
        #expect(rows.map(\.kind) == ["request", "fill", "shown", "impression"])
        #expect(rows.map(\.sequence) == [1, 2, 3, 4])
        #expect(rows.dropFirst().allSatisfy { $0.request == 1 && $0.path == "wifi" && $0.cpm == "1.50" })
        #expect(rows.dropFirst().allSatisfy { $0.creative == "ad-1" && $0.campaign == "autumn" })
        #expect(rows.allSatisfy { $0.slot == "banner" && $0.source == "test" && $0.host == "clock" })
        #expect(Set(rows.map(\.id)).count == 4)
        #expect(rows[3].visible == 9_000_000 && rows[3].ended == rig.clocks.wall)
        #expect(rows[3].started == rows[3].wall - 1_000_000)
    }

    @Test("What came of a request: a failure, a timeout once, a cancellation")
    func outcomes() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        rig.keep([traffic.request()], in: ledger)
        rig.keep([traffic.failure, traffic.request()], in: ledger)
        let late = Effect.sourceFailed(slot: "banner", source: "test", .timeout)
        rig.keep([.cancel(RequestID(2)), late, traffic.request()], in: ledger)
        rig.keep([.cancel(RequestID(3)), .cancel(RequestID(77))], in: ledger)
        let rows = try rig.rows(ledger)
        #expect(
            rows.map(\.kind) == ["request", "noFill", "request", "noFill", "request", "cancelled"])
        #expect(rows.map(\.reason) == [nil, "noFill", nil, "timeout", nil, nil])
        #expect(rows.map(\.request) == [nil, 1, nil, 3, nil, 5])
    }

    @Test("The numbers go on over restarts, and rows are there that a killed daemon had kept")
    func restart() throws {
        let (rig, after) = (try StateRig(), try StateRig())
        var traffic = Traffic()
        for _ in 1...3 {
            let ledger = try rig.open()
            rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        }
        let ledger = try rig.open()
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: rig.path + suffix, toPath: after.path + suffix)
        }
        let rows = try after.rows(after.open())
        #expect(rows.map(\.sequence) == Array(1...20))
        #expect(rows.last?.kind == "action" && rows.last?.reason == "finished" && rows.last?.ended != nil)
    }

    @Test("Identifiers are UUIDs of version 7 with the moment in them")
    func identifiers() throws {
        var generator = SystemRandomNumberGenerator()
        let id = EntryID(at: 1_800_000_000_123_456, using: &generator)
        let text = id.description
        #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
        #expect(text.hasPrefix("01a3185c-507b-7"), "\(text)")
        #expect("89ab".contains(try #require(text.split(separator: "-")[3].first)))
        #expect(EntryID(bytes: id.bytes) == id && EntryID(bytes: [1]) == nil)
        let negative = EntryID(at: .min, using: &generator).description
        #expect(negative.hasPrefix("00000000-0000-7"))
    }
}

@Suite("Trouble with the disk loses nothing that there is room for")
struct EntryTroubleTests {
    /// A directory that is not there yet.
    private func missing(_ rig: StateRig) -> String { "\(rig.directory)/later" }

    @Test("Rows wait in memory, and are written in order as soon as that is possible, with their end")
    func waits() throws {
        let rig = try StateRig()
        let ledger = try rig.open(in: missing(rig))
        var traffic = Traffic()
        for _ in 1...4 {
            rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
            rig.pass(.milliseconds(700))
        }
        #expect(ledger.status(at: rig.clocks).waiting == 28)
        #expect(throws: LedgerError.self) { try ledger.export(WallSpan(), at: rig.clocks) }
        try FileManager.default.createDirectory(atPath: missing(rig), withIntermediateDirectories: false)
        let retryAt = try #require(ledger.retryAt)
        rig.pass(retryAt - rig.clocks.now)
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(ledger.retryAt == nil)
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        let rows = try rig.rows(ledger)
        #expect(rows.map(\.sequence) == Array(1...25))
        #expect(rows.filter { $0.kind == "impression" }.allSatisfy { $0.visible == 9_000_000 })
        #expect(rig.notices.last == .working(lost: 0) && rig.notices.count == 2)
    }

    @Test("What there is no room for is counted, said, and is a row of its own")
    func bound() throws {
        let rig = try StateRig()
        let ledger = try rig.open(in: missing(rig))
        var traffic = Traffic()
        for _ in 0..<Limits.waitingChangesMax + 5 { rig.keep([traffic.request()], in: ledger) }
        try FileManager.default.createDirectory(atPath: missing(rig), withIntermediateDirectories: false)
        rig.pass(.seconds(1))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(rig.notices.map(\.self).contains(.losing))
        #expect(rig.notices.last == .working(lost: 5))
        let rows = try rig.rows(ledger)
        #expect(rows.count == Limits.waitingChangesMax + 1)
        #expect(rows.last?.kind == "lost" && rows.last?.reason == "5 changes")
        #expect(rows.last?.sequence == Int64(Limits.waitingChangesMax + 6))
        #expect(ledger.status(at: rig.clocks).lost == 5)
    }

    @Test("Damage among the rows that shows when they are written is set aside at once, and nothing is lost")
    func damagedRows() throws {
        let rig = try StateRig()
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            for _ in 1...400 { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
        }
        // The right edge of the tree of rows, found by its content: where the next row goes.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
        let place = try #require(bytes.range(of: Data("ad-400".utf8), options: .backwards))
        let page = place.lowerBound / 4_096 * 4_096
        bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0x5A, count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: rig.path))
        let before = Date()
        let ledger = try rig.open()
        #expect(Date().timeIntervalSince(before) < 1)
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        guard rig.notices.contains(where: { if case .setAside = $0 { true } else { false } }) else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(rig.notices.last == .working(lost: 0))
        #expect(try rig.rows(ledger).count == 5)
        #expect(FileManager.default.fileExists(atPath: rig.path + ".damaged"))
    }

    @Test("A file of the first version gets the new tables, keeps what it held, and a copy of it stays")
    func older() throws {
        let rig = try StateRig()
        do {
            let database = try Database(rig.path, .readWrite)
            try Schema.migrate(database, [Schema.migrations[0]])
            let table = try SlotTable(database)
            try table.write([SlotMemory(name: "a", fills: 4)], at: rig.clocks)
        }
        let ledger = try rig.open()
        #expect(ledger.remembered == [SlotMemory(name: "a", fills: 4)])
        var traffic = Traffic()
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        #expect(try rig.rows(ledger).count == 5)
        let state = try ledger.read(at: rig.clocks) { file throws(LedgerError) in
            try file.database.integer("PRAGMA auto_vacuum")
        }
        #expect(state == 2)
        let copy = try Database(rig.path + ".schema1", .readWrite)
        #expect(try copy.integer("PRAGMA user_version") == 1)
        #expect(try copy.integer("SELECT fills FROM slots") == 4)
    }
}
