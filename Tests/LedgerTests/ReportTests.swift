import AdSlots
import Foundation
import Reachability
import Testing

@testable import Ledger

@Suite("Reports")
struct ReportTests {
    /// Days of traffic of two slots, three sources and two currencies, with a little of everything.
    private func week(_ rig: StateRig, _ ledger: Ledger) {
        var generator = Xorshift(seed: 5)
        var traffic = Traffic()
        for step in 0..<2_000 {
            traffic.slot = ["lobby", "lift"][step % 2]
            traffic.source = ["house", "exchange", "test"][step % 3]
            traffic.campaign = step % 5 == 0 ? nil : "campaign \(step % 4)"
            let nanos = Int64.random(in: 0...9_999_999_999, using: &generator)
            traffic.price = step % 7 == 0 ? nil : CPM(nanos: nanos, currency: ["EUR", "USD"][step % 2])
            let path = ["wifi", "cellular", "ethernet"].randomElement(using: &generator) ?? ""
            let effects: [Effect]
            switch step % 4 {
            case 0: effects = [traffic.request(), traffic.failure]
            case 1: effects = [traffic.request(), .cancel(RequestID(traffic.requests))]
            case 2: effects = traffic.whole(at: rig.clocks.now)
            default: effects = Array(traffic.whole(at: rig.clocks.now).prefix(3))
            }
            rig.keep(effects, path: path, in: ledger)
            rig.pass(.seconds(Int64.random(in: 1...600, using: &generator)))
        }
    }

    private func key(_ row: LedgerRow, _ grouping: ReportGrouping) -> String {
        switch grouping {
        case .slot: row.slot ?? ""
        case .source: row.source ?? ""
        case .campaign: row.campaign ?? ""
        case .hour: String(row.wall / 3_600_000_000 * 3_600_000_000)
        case .path: row.path ?? ""
        }
    }

    @Test("Every group is the sum of its rows, to the last digit", arguments: ReportGrouping.allCases)
    func sums(grouping: ReportGrouping) throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        week(rig, ledger)
        let start: Int64 = 1_800_000_000_000_000 / 3_600_000_000 * 3_600_000_000
        let span = WallSpan(since: start + 10 * 3_600_000_000, until: start + 90 * 3_600_000_000)
        let report = try rig.report(ledger, span, by: grouping)
        #expect(report.span == span)
        let rows = try rig.rows(ledger, span)
        let byKey = Dictionary(grouping: rows) { key($0, grouping) }
        #expect(report.groups.map(\.key) == byKey.keys.sorted())
        for group in report.groups {
            let rows = byKey[group.key] ?? []
            func count(_ kind: String) -> Int64 { Int64(rows.count { $0.kind == kind }) }
            #expect(group.requests == count("request") && group.fills == count("fill"))
            #expect(group.noFills == count("noFill") && group.cancelled == count("cancelled"))
            #expect(group.shown == count("shown") && group.impressions == count("impression"))
            #expect(group.actions == count("action"))
            for currency in ["EUR", "USD"] {
                let prices = rows.filter { $0.kind == "impression" && $0.price?.currency == currency }
                let sum = prices.reduce(Int128(0)) { $0 + Int128($1.price?.nanos ?? 0) }
                #expect(group.revenue.first { $0.currency == currency }?.cpmNanos ?? 0 == sum)
            }
        }
        #expect(report.total.requests == report.groups.reduce(0) { $0 + $1.requests })
        #expect(report.total.fillRate.map { $0 > 0.5 && $0 < 0.8 } == true)
    }

    @Test("Money is exact, and rates are rounded once")
    func money() {
        let revenue = Report.Revenue(currency: "EUR", cpmNanos: 3_333_333_333)
        #expect(revenue.amount == "0.003333333333")
        #expect(revenue.perThousand(of: 3) == "1.111111")
        #expect(revenue.perThousand(of: 2) == "1.666667")
        #expect(revenue.perThousand(of: 0) == nil)
        #expect(Report.Revenue(currency: "EUR", cpmNanos: 2_500_000_000_000).amount == "2.50")
        #expect(Report.Revenue(currency: "EUR", cpmNanos: 0).amount == "0.00")
    }

    @Test("Sums of very high prices do not overflow")
    func high() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        traffic.price = CPM(nanos: .max, currency: "EUR")
        for _ in 1...5 { rig.keep(traffic.whole(at: rig.clocks.now), in: ledger) }
        let total = try rig.report(ledger).total
        #expect(total.revenue.map(\.cpmNanos) == [5 * Int128(Int64.max)])
    }

    @Test("Without anything there is nothing to divide by")
    func nothing() throws {
        let rig = try StateRig()
        let report = try rig.report(rig.open(), by: .slot)
        #expect(
            report.groups.isEmpty && !report.isCut
                && report.total
                    == {
                        var group = Report.Group(key: "")
                        (group.watched, group.unreachable) = (0, 0)
                        return group
                    }()
        )
        #expect(report.total.fillRate == nil && report.total.viewableShare == nil)
    }

    @Test("There is a bound to the groups, and it is said")
    func bound() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        for step in 0...Limits.reportGroupsMax {
            traffic.slot = "slot \(step)"
            rig.keep([traffic.request()], in: ledger)
        }
        let report = try rig.report(ledger, by: .slot)
        #expect(report.isCut && report.groups.count == Limits.reportGroupsMax)
        #expect(report.total.requests == Int64(Limits.reportGroupsMax) + 1)
    }

    @Test("Years are summed up in small steps, and come out whole")
    func steps() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        for hour in 0..<500 {
            let effects = (0..<10).map { step in
                traffic.slot = "slot \(step)"
                return traffic.request()
            }
            rig.keep(effects, in: ledger)
            rig.clocks.wall += 3_600_000_000
            guard hour == 250 else { continue }
            // One hour that is more than a step takes in.
            for step in 0..<Limits.reportSumsMax + 100 {
                traffic.slot = "other \(step)"
                rig.keep([traffic.request()], in: ledger)
            }
        }
        var draft = ledger.report(WallSpan(), by: .hour)
        var steps = 0
        while !draft.isComplete {
            try ledger.add(to: &draft, at: rig.clocks)
            steps += 1
        }
        #expect(steps >= 4 && steps < 10, "\(steps)")
        let report = try ledger.finish(draft, at: rig.clocks)
        #expect(report.total.requests == 5_000 + Int64(Limits.reportSumsMax) + 100)
        #expect(report.groups.count == 500 && report.groups.map(\.key) == report.groups.map(\.key).sorted())
        #expect(report.groups.filter { $0.requests == 10 }.count == 499)
    }

    /// Notes how the network is.
    private func mark(
        _ kind: Mark.Kind, _ isReachable: Bool, _ rig: StateRig, _ ledger: Ledger
    ) {
        let mark = Mark(
            kind, path: isReachable ? "wifi" : "none", isReachable: isReachable, at: rig.clocks)
        ledger.keep([.mark(mark)], else: { [] }, at: rig.clocks)
    }

    @Test("Time not reachable is measured by the clock that does not step, up to now")
    func unreachable() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        mark(.started, true, rig, ledger)
        rig.pass(.seconds(100))
        mark(.changed, false, rig, ledger)
        rig.pass(.seconds(30))
        rig.clocks.wall += 7_000_000_000
        mark(.changed, true, rig, ledger)
        rig.pass(.seconds(10))
        mark(.stopped, true, rig, ledger)
        rig.pass(.seconds(1_000))
        mark(.started, false, rig, ledger)
        rig.pass(.seconds(5))
        let total = try rig.report(ledger).total
        #expect(total.watched == 145_000_000 && total.unreachable == 35_000_000)
    }

    @Test("A daemon that was killed watched up to its last row; a reboot in between changes nothing")
    func killed() throws {
        let rig = try StateRig()
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            mark(.started, false, rig, ledger)
            rig.pass(.seconds(50))
            rig.keep([traffic.request()], in: ledger)
        }
        rig.clocks = Clocks(boot: "two", now: .zero + .seconds(3), wall: rig.clocks.wall + 900_000_000)
        let ledger = try rig.open()
        mark(.started, true, rig, ledger)
        rig.pass(.seconds(20))
        let total = try rig.report(ledger).total
        #expect(total.watched == 70_000_000 && total.unreachable == 50_000_000)
    }

    @Test("A row of an earlier boot is no sign of life of a later one")
    func earlierRow() throws {
        let rig = try StateRig()
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            mark(.started, true, rig, ledger)
            rig.pass(.seconds(50))
            rig.keep([traffic.request()], in: ledger)
        }
        rig.clocks = Clocks(boot: "two", now: .zero + .seconds(3), wall: rig.clocks.wall + 9_000_000)
        mark(.started, false, rig, try rig.open())
        rig.pass(.seconds(100))
        let ledger = try rig.open()
        mark(.started, true, rig, ledger)
        let total = try rig.report(ledger).total
        #expect(total.watched == 50_000_000 && total.unreachable == 0)
    }

    @Test("That all is marked again now and then changes no sum, but is a sign of life")
    func alive() throws {
        let rig = try StateRig()
        do {
            let ledger = try rig.open()
            mark(.started, false, rig, ledger)
            rig.pass(.seconds(3_600))
            mark(.alive, false, rig, ledger)
            rig.pass(.seconds(600))
        }
        let ledger = try rig.open()
        mark(.started, true, rig, ledger)
        rig.pass(.seconds(20))
        let total = try rig.report(ledger).total
        #expect(total.watched == 3_620_000_000 && total.unreachable == 3_600_000_000)
    }

    @Test("An hour has its own part of the time not reachable")
    func hours() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var traffic = Traffic()
        rig.clocks.wall = 1_800_000_000_000_000 / 3_600_000_000 * 3_600_000_000
        mark(.started, false, rig, ledger)
        rig.keep([traffic.request()], in: ledger)
        rig.pass(.seconds(5_400))
        mark(.changed, true, rig, ledger)
        rig.keep([traffic.request()], in: ledger)
        rig.pass(.seconds(600))
        let groups = try rig.report(ledger, by: .hour).groups
        #expect(groups.map(\.unreachable) == [3_600_000_000, 1_800_000_000])
        #expect(groups.map(\.watched) == [3_600_000_000, 2_400_000_000])
    }
}

/// A small generator with a seed (xorshift64*).
struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
