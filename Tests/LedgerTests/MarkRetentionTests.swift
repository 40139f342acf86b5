import Foundation
import Reachability
import Testing

@testable import Ledger

@Suite("Old marks go")
struct MarkRetentionTests {
    private func sweepAll(_ ledger: Ledger, _ retention: Retention, _ rig: StateRig) -> Int {
        var steps = 0
        while ledger.sweep(retention, at: rig.clocks) { steps += 1 }
        return steps
    }

    private func count(_ ledger: Ledger, _ rig: StateRig) throws -> Int64 {
        try ledger.read(at: rig.clocks) { file throws(LedgerError) in
            try file.database.integer("SELECT count(*) FROM marks")
        }
    }

    /// Days of an alive mark and a few others an hour, with or without rows.
    private func days(_ days: Int, _ rig: StateRig, _ ledger: Ledger, rows: Bool) {
        var traffic = Traffic()
        for _ in 0..<days * 24 {
            var changes = ledger.aliveMarks(at: rig.clocks)
            changes += (0..<4).map { .mark(Mark(.slot, "a", state: "\($0)", at: rig.clocks)) }
            ledger.keep(changes, else: { [] }, at: rig.clocks)
            if rows { rig.keep([traffic.request()], in: ledger) }
            rig.pass(.seconds(3_600))
        }
    }

    @Test("By age, also where no rows come; what stays begins with how all was", arguments: [true, false])
    func age(rows: Bool) throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        rig.network("wifi", in: ledger)
        days(20, rig, ledger, rows: rows)
        let week = Retention(ageMax: .seconds(7 * 86_400), sizeMaxBytes: 1 << 40)
        #expect(sweepAll(ledger, week, rig) >= 2)
        let marks = try rig.timeline(ledger).marks
        #expect(marks.first?.kind == "alive")
        let oldest = rig.clocks.wall - 7 * 86_400 * 1_000_000
        #expect(try #require(marks.first).time >= oldest - 2 * 3_600_000_000)
        #expect(try #require(marks.first).time <= oldest)
        #expect(marks.count <= 7 * 24 * 5 + 10)
        rig.clocks.isTrusted = false
        rig.pass(.seconds(400 * 86_400))
        #expect(sweepAll(ledger, week, rig) == 0)
    }

    @Test("By their number, in small steps")
    func number() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        rig.network("wifi", in: ledger)
        let surplus = Int64(2_300)
        try ledger.read(at: rig.clocks) { file throws(LedgerError) in
            // One mark to begin at in a hundred.
            try file.database.execute(
                """
                WITH RECURSIVE many(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM many
                    WHERE n < \(Limits.marksMax + surplus))
                INSERT INTO marks (number, kind, wall, trusted, boot, at, after)
                    SELECT n, iif(n % 100 = 0, 'alive', 'flap'), 0, 0, 'one', n, 0 FROM many
                """)
        }
        let steps = sweepAll(ledger, Retention(sizeMaxBytes: 1 << 40), rig)
        #expect(steps == 4, "\(steps)")
        let rest = try count(ledger, rig)
        #expect(rest <= Limits.marksMax + 100 && rest >= Limits.marksMax)
    }

    @Test("By the size of the file, where no rows are left to go")
    func size() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        rig.network("wifi", in: ledger)
        days(40, rig, ledger, rows: false)
        let before = ledger.status(at: rig.clocks).sizeBytes
        rig.clocks.isTrusted = false
        #expect(sweepAll(ledger, Retention(sizeMaxBytes: before * 2 / 3), rig) >= 1)
        #expect(ledger.status(at: rig.clocks).sizeBytes <= before * 2 / 3)
        #expect(try rig.timeline(ledger).marks.first?.kind == "alive")
    }
}
