import AdSlots
import Foundation
import Reachability
import Testing

@testable import Ledger

extension StateRig {
    /// The posted state of the network is marked.
    func network(_ path: String, _ isReachable: Bool = true, in ledger: Ledger) {
        ledger.keep(
            [ledger.mark(path: path, isReachable: isReachable, at: clocks)], else: { [] }, at: clocks)
    }

    func mark(_ kind: Mark.Kind, _ subject: String? = nil, _ state: String? = nil, in ledger: Ledger) {
        ledger.keep([.mark(Mark(kind, subject, state: state, at: clocks))], else: { [] }, at: clocks)
    }

    /// All of a timeline.
    func timeline(
        _ ledger: Ledger, _ span: WallSpan = WallSpan(), slots: [String] = []
    ) throws -> (draft: TimelineDraft, marks: [TimelineMark], slots: [SlotCount]) {
        let draft = try ledger.timeline(span, slots: slots, at: clocks)
        var (rest, marks, counts): (TimelineDraft, [TimelineMark], [SlotCount]) = (draft, [], [])
        while !rest.isAtEnd {
            let page = try ledger.read(&rest, at: clocks)
            #expect(page.marks.count <= 2 * Limits.timelineMarksMax)
            marks += page.marks
            counts += page.slots
        }
        return (draft, marks, counts)
    }

    /// Marks in a few words, with their seconds since a moment.
    func words(_ marks: [TimelineMark], since: Int64) -> [String] {
        marks.map { mark in
            let words = [mark.kind, mark.subject, mark.state].compactMap(\.self)
            return "\((mark.time - since) / 1_000_000) " + words.joined(separator: " ")
        }
    }
}

@Suite("Timelines")
struct TimelineTests {
    @Test("Marks come in their order, from one to begin with on; nothing of what was before")
    func begin() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        let start = rig.clocks.wall
        rig.network("wifi", in: ledger)
        for hour in 0..<10 {
            rig.mark(.slot, "a", "shown \(hour)", in: ledger)
            rig.pass(.seconds(3_600))
            ledger.keep(ledger.aliveMarks(at: rig.clocks), else: { [] }, at: rig.clocks)
        }
        rig.mark(.flap, in: ledger)
        let hour: Int64 = 3_600_000_000
        let (draft, marks, _) = try rig.timeline(
            ledger, WallSpan(since: start + 5 * hour + 60_000_000, until: start + 7 * hour + 60_000_000))
        #expect(draft.now == rig.clocks.wall && draft.since == start + 5 * hour + 60_000_000)
        #expect(
            rig.words(marks, since: start) == [
                "18000 alive wifi", "18000 slot a shown 5", "21600 alive wifi", "21600 slot a shown 6",
                "25200 alive wifi", "25200 slot a shown 7", "28800 alive wifi",
            ])
        let whole = try rig.timeline(ledger)
        #expect(whole.draft.since == start && whole.draft.until == rig.clocks.wall)
        #expect(whole.marks.count == 22 && whole.marks.first?.kind == "started")
        #expect(try rig.timeline(ledger, WallSpan(since: start - hour)).marks.count == 22)
        let empty = try StateRig()
        #expect(try empty.timeline(empty.open()).marks.isEmpty)
    }

    @Test("Steps of the wall clock move nothing: time is that of a clock that does not step")
    func steps() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        // Before it was set the clock was years behind, then for a while a day ahead.
        rig.clocks.wall -= 900 * 86_400 * 1_000_000
        rig.network("wifi", in: ledger)
        rig.pass(.seconds(100))
        rig.mark(.slot, "a", "shown", in: ledger)
        rig.clocks.wall += 901 * 86_400 * 1_000_000
        rig.mark(.clock, nil, "set", in: ledger)
        rig.pass(.seconds(50))
        rig.mark(.slot, "a", "hidden", in: ledger)
        rig.clocks.wall -= 86_400 * 1_000_000
        rig.pass(.seconds(10))
        let start = rig.clocks.wall - 160_000_000
        let (draft, marks, _) = try rig.timeline(ledger, WallSpan(since: start - 1))
        #expect(
            rig.words(marks, since: start) == [
                "0 started wifi", "100 slot a shown", "100 clock set", "150 slot a hidden",
            ])
        #expect(draft.now == start + 160_000_000)
    }

    @Test("A daemon that was killed is known up to its last mark, or a later row")
    func killed() throws {
        let rig = try StateRig()
        let start = rig.clocks.wall
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            rig.network("wifi", in: ledger)
            rig.pass(.seconds(50))
            rig.mark(.slot, "a", "shown", in: ledger)
        }
        rig.pass(.seconds(100))
        do {
            let ledger = try rig.open()
            rig.network("none", false, in: ledger)
            rig.pass(.seconds(10))
            rig.keep([traffic.request()], in: ledger)
        }
        // Another boot, whose clock is behind the last one's at first.
        rig.clocks = Clocks(boot: "two", now: .zero + .seconds(3), wall: start + 130_000_000)
        let ledger = try rig.open()
        rig.network("ethernet", in: ledger)
        rig.pass(.seconds(40))
        ledger.keep(ledger.stopMark(at: rig.clocks), else: { [] }, at: rig.clocks)
        let (_, marks, _) = try rig.timeline(ledger)
        let times = marks.map(\.time)
        #expect(times == times.sorted())
        #expect(
            marks.map(\.kind) == ["started", "slot", "killed", "started", "killed", "started", "stopped"])
        // The boot before ended when this one began, and what it lasted stays as it was.
        #expect(times[1] - times[0] == 50_000_000 && times[2] == times[1])
        #expect(times[3] - times[2] == 100_000_000)
        #expect(times[4] <= times[5] && times[5] == start + 130_000_000)
        #expect(times[6] - times[5] == 40_000_000)
    }

    @Test("A row after the last mark says that the daemon still lived")
    func laterRow() throws {
        let rig = try StateRig()
        let start = rig.clocks.wall
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            rig.network("wifi", in: ledger)
            rig.pass(.seconds(50))
            rig.keep([traffic.request()], in: ledger)
        }
        rig.pass(.seconds(100))
        let ledger = try rig.open()
        rig.network("wifi", in: ledger)
        #expect(
            try rig.words(rig.timeline(ledger).marks, since: start) == [
                "0 started wifi", "50 killed", "150 started wifi",
            ])
    }

    @Test("Many marks come in pages, and those that come meanwhile are no part of it")
    func pages() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        rig.network("wifi", in: ledger)
        let states = (0..<1_000).map { Change.mark(Mark(.slot, "a", state: "\($0)", at: rig.clocks)) }
        ledger.keep(states, else: { [] }, at: rig.clocks)
        var draft = try ledger.timeline(WallSpan(), slots: [], at: rig.clocks)
        var marks = try ledger.read(&draft, at: rig.clocks).marks
        #expect(marks.count == Limits.timelineMarksMax)
        rig.mark(.slot, "a", "late", in: ledger)
        while !draft.isAtEnd { marks += try ledger.read(&draft, at: rig.clocks).marks }
        #expect(marks.dropFirst().map(\.state) == (0..<1_000).map { "\($0)" })
    }

    @Test(
        "What slots delivered is counted to the microsecond, whatever the hours",
        arguments: 1...8 as ClosedRange<UInt64>)
    func counts(seed: UInt64) throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        var generator = Xorshift(seed: seed)
        var traffic = Traffic()
        let start = rig.clocks.wall
        for _ in 0..<400 {
            traffic.slot = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            let effects = traffic.whole(at: rig.clocks.now)
            rig.keep(Bool.random(using: &generator) ? effects : Array(effects.prefix(4)), in: ledger)
            rig.pass(.microseconds(Int64.random(in: 1...60_000_000, using: &generator)))
        }
        let rows = try rig.rows(ledger)
        for _ in 0..<12 {
            let since = start + Int64.random(in: 0...10_000_000_000, using: &generator)
            let until = since + Int64.random(in: 0...12_000_000_000, using: &generator)
            let counts = try rig.timeline(ledger, WallSpan(since: since, until: until), slots: ["z", "b"])
                .slots
            #expect(counts.prefix(2).map(\.slot) == ["z", "b"])
            for slot in ["a", "b", "c", "z"] {
                let meant = rows.filter { $0.slot == slot && $0.wall >= since && $0.wall < until }
                let count = counts.first { $0.slot == slot } ?? SlotCount(slot: slot)
                #expect(count.impressions == Int64(meant.count { $0.kind == "impression" }))
                #expect(count.actions == Int64(meant.count { $0.kind == "action" }))
            }
        }
    }

    @Test("What could not be kept is made good: all is marked again when the disk is back")
    func lost() throws {
        let rig = try StateRig()
        let place = "\(rig.directory)/later"
        let ledger = try rig.open(in: place)
        rig.network("wifi", in: ledger)
        let changes = ledger.marks(
            for: [.slotChanged("a")], slotState: { _ in .shown }, workSnapshot: { _ in nil }, at: rig.clocks)
        for _ in 0..<Limits.waitingChangesMax { rig.mark(.flap, in: ledger) }
        ledger.keep(changes, else: { [] }, at: rig.clocks)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        rig.pass(.seconds(2))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(rig.notices.last == .working(lost: 2))
        let marks = try rig.timeline(ledger).marks
        #expect(marks.suffix(2).map(\.kind) == ["alive", "slot"] && marks.last?.state == "shown")
    }

    @Test("A file of the version before keeps what it knew of the network")
    func older() throws {
        let rig = try StateRig()
        do {
            let database = try Database(rig.path, .readWrite)
            try Schema.migrate(database, Array(Schema.migrations.prefix(2)))
            try database.execute(
                """
                INSERT INTO network (kind, wall, boot, at, path, reachable, after) VALUES
                    ('started', 1799999900000000, 'one', 900000000, 'wifi', 1, 0),
                    ('changed', 1799999990000000, 'one', 990000000, 'none', 0, 0)
                """)
        }
        let ledger = try rig.open()
        #expect(
            try rig.words(rig.timeline(ledger).marks, since: rig.clocks.wall) == [
                "-100 started wifi", "-10 changed none",
            ])
        let total = try rig.report(ledger).total
        #expect(total.watched == 100_000_000 && total.unreachable == 10_000_000)
    }
}
