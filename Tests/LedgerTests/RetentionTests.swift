import AdSlots
import Foundation
import Reachability
import Testing

@testable import Ledger

@Suite("The oldest rows go, by age and by size")
struct RetentionTests {
    private let week = Retention(ageMax: .seconds(7 * 86_400), sizeMaxBytes: 1 << 40)

    private func sweepAll(_ ledger: Ledger, _ retention: Retention, _ rig: StateRig) -> Int {
        var steps = 0
        while ledger.sweep(retention, at: rig.clocks) { steps += 1 }
        return steps
    }

    @Test("Rows that are too old go in small steps, younger ones stay, and numbers are never used again")
    func age() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        for _ in 1...300 { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
        rig.pass(.seconds(8 * 86_400))
        for _ in 1...2 { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
        #expect(sweepAll(ledger, week, rig) == 3)
        let rows = try rig.rows(ledger)
        #expect(rows.count == 10 && rows.first?.sequence == 1_501)
        rig.pass(.seconds(8 * 86_400))
        _ = sweepAll(ledger, week, rig)
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        #expect(try rig.rows(ledger).map(\.sequence) == Array(1_510...1_515))
    }

    @Test("A clock that cannot be believed takes nothing away, and rows of its time go with later ones")
    func untrusted() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        rig.clocks.isTrusted = false
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        rig.clocks.wall += 4_000 * 86_400 * 1_000_000
        #expect(!ledger.sweep(week, at: rig.clocks))
        rig.clocks.wall = 1_900_000_000_000_000
        rig.clocks.isTrusted = true
        #expect(!ledger.sweep(week, at: rig.clocks))
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        rig.pass(.seconds(8 * 86_400))
        rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
        _ = sweepAll(ledger, week, rig)
        #expect(try rig.rows(ledger).map(\.sequence) == Array(11...15))
    }

    @Test("Above the size the oldest go, whatever their age, and the file gets smaller")
    func size() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        for _ in 1...20 {
            rig.keep((1...200).flatMap { _ in traffic.whole(at: rig.clocks.now) }, in: ledger)
        }
        let before = ledger.status(at: rig.clocks)
        let bound = Retention(sizeMaxBytes: before.sizeBytes / 2)
        rig.clocks.isTrusted = false
        #expect(sweepAll(ledger, bound, rig) > 1)
        let after = ledger.status(at: rig.clocks)
        #expect(after.sizeBytes <= before.sizeBytes / 2 && after.first > 5_000)
        #expect(after.last == before.last)
        let pages = try ledger.read(at: rig.clocks) { file throws(LedgerError) in
            try file.database.integer("PRAGMA page_count")
        }
        #expect(pages * 4_096 < before.sizeBytes * 3 / 4)
        // What was delivered stays summed up.
        #expect(try rig.report(ledger).total.impressions == 4_000)
    }
}

@Suite("Exports")
struct ExportTests {
    @Test("A span is what lies in it, however the clock stepped meanwhile")
    func steps() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let start = rig.clocks.wall
        let hour: Int64 = 3_600_000_000
        var expected: [Int64] = []
        var traffic = Traffic()
        let walls = [0, 1, 5, -20, 2, 3, 100, 4].map { start + $0 * hour } + [Int64(-5)]
        for wall in walls {
            rig.clocks.wall = wall
            rig.keep([traffic.request()], in: ledger)
            if wall >= start + hour, wall < start + 4 * hour { expected.append(wall) }
        }
        let span = WallSpan(since: start + hour, until: start + 4 * hour)
        #expect(try rig.rows(ledger, span).map(\.wall) == expected)
        #expect(try rig.rows(ledger).map(\.wall) == walls)
        #expect(try rig.rows(ledger, WallSpan(until: 0)).map(\.wall) == [-5])
        #expect(try rig.rows(ledger, WallSpan(since: .max / 4)).isEmpty)
    }

    @Test("Rows that come while it goes on are no part of it; those that go meanwhile are left out")
    func meanwhile() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        for _ in 0..<1_000 { rig.keep([traffic.request()], in: ledger) }
        var cursor = try ledger.export(WallSpan(), at: rig.clocks)
        var rows = try ledger.read(&cursor, at: rig.clocks)
        #expect(rows.count == Limits.exportRowsMax)
        for _ in 0..<300 { rig.keep([traffic.request()], in: ledger) }
        rig.pass(.seconds(100))
        #expect(ledger.sweep(Retention(ageMax: .seconds(50)), at: rig.clocks))
        while !cursor.isAtEnd { rows += try ledger.read(&cursor, at: rig.clocks) }
        #expect(rows.map(\.sequence) == Array(1...200) + Array(501...1_000))
    }
}
