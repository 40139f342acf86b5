import Foundation
import Reachability
import Testing

@testable import Ledger

@Suite("Notices to bidders")
struct OutboxTests {
    private var generator = Xorshift(seed: 3)
    private var clocks = Clocks(boot: "one", now: .zero, wall: 1_800_000_000_000_000)

    private func notice(_ number: Int, _ host: String = "a.example") -> OutboundNotice {
        OutboundNotice(
            id: "n\(number)", kind: "billing", url: "https://\(host)/burl?n=\(number)",
            wall: 1_800_000_000_000_000 + Int64(number), isTrusted: true)
    }

    private mutating func pass(_ duration: Duration) {
        clocks.now = clocks.now + duration
        clocks.wall += duration.microseconds
    }

    private mutating func gain(_ outbox: inout Outbox) {
        outbox.setReachable(true, at: clocks.now, using: &generator)
        pass(.seconds(2))
    }

    @Test("To one server they go one after the other, the oldest first, and each goes on its answer")
    mutating func order() {
        var outbox = Outbox((1...3).map { notice($0) })
        #expect(outbox.due(at: clocks.now).isEmpty && outbox.deadline == nil)
        gain(&outbox)
        for number in 1...3 {
            let due = outbox.due(at: clocks.now)
            #expect(due.map(\.id) == ["n\(number)"])
            #expect(outbox.due(at: clocks.now).isEmpty)
            #expect(outbox.count == 4 - number)
            #expect(outbox.answered(due[0], .status(204), at: clocks, using: &generator) == .delivered)
        }
        #expect(outbox.count == 0 && outbox.deadline == nil)
    }

    @Test(
        "What an answer means",
        arguments: [
            (200, "delivered"), (204, "delivered"), (409, "delivered"), (404, "givenUp"), (410, "givenUp"),
            (400, "givenUp"), (301, "givenUp"), (500, "waits"), (503, "waits"), (429, "waits"),
            (408, "waits"), (425, "waits"),
        ])
    mutating func answers(status: Int, expected: String) {
        var outbox = Outbox([notice(1)])
        gain(&outbox)
        let due = outbox.due(at: clocks.now)
        switch outbox.answered(due[0], .status(status), at: clocks, using: &generator) {
        case .delivered: #expect(expected == "delivered")
        case .givenUp(_, let reason):
            #expect(expected == "givenUp" && reason.contains("\(status)"))
        case .waits(let attempts): #expect(expected == "waits" && attempts == 1)
        }
        #expect(outbox.count == (expected == "waits" ? 1 : 0))
    }

    @Test("A server that fails is left alone for a time that doubles; the others go on")
    mutating func backOff() {
        var outbox = Outbox([notice(1, "dead.example"), notice(2, "dead.example"), notice(3)])
        gain(&outbox)
        var last = clocks.now
        var gaps: [Int64] = []
        for round in 0..<14 {
            let due = outbox.due(at: clocks.now)
            #expect(due.map(\.id) == (round == 0 ? ["n1", "n3"] : ["n1"]))
            for notice in due {
                let answer: NoticeAnswer = notice.id == "n3" ? .status(200) : .failed("refused")
                _ = outbox.answered(notice, answer, at: clocks, using: &generator)
            }
            guard let next = outbox.deadline else { return _ = Issue.record("nothing is due") }
            gaps.append((next - last).microseconds)
            pass(next - clocks.now)
            last = clocks.now
        }
        for (index, gap) in gaps.enumerated() {
            let wanted = min(5_000_000 << Int64(index), 3_600_000_000)
            #expect(gap >= wanted * 8 / 10 && gap <= wanted * 12 / 10, "\(index): \(gap)")
        }
    }

    @Test(
        "A server that says for how long it wants to be left alone is, within bounds, and over a new network",
        arguments: [
            (Duration.seconds(90), Duration.seconds(90)), (.zero, .seconds(1)),
            (.seconds(86_400), .seconds(3_600)),
        ])
    mutating func retryAfter(asked: Duration, kept: Duration) throws {
        var outbox = Outbox([notice(1)])
        gain(&outbox)
        let due = outbox.due(at: clocks.now)
        let answer = NoticeAnswer.status(503, retryAfter: asked)
        #expect(outbox.answered(due[0], answer, at: clocks, using: &generator) == .waits(attempts: 1))
        let next = try #require(outbox.deadline)
        #expect((kept...kept * 12 / 10).contains(next - clocks.now))
        outbox.setReachable(false, at: clocks.now, using: &generator)
        outbox.setReachable(true, at: clocks.now, using: &generator)
        #expect(try #require(outbox.deadline) >= next)
        pass(next - clocks.now + .seconds(1))
        #expect(outbox.due(at: clocks.now).map(\.id) == ["n1"])
        // What it asked for is over with its next answer: now its own back-off counts.
        _ = outbox.answered(due[0], .status(503), at: clocks, using: &generator)
        #expect(try #require(outbox.deadline) - clocks.now >= .seconds(8))
    }

    @Test("Without the network nothing is tried, and a failure by its loss counts for nothing")
    mutating func offline() {
        var outbox = Outbox([notice(1)])
        gain(&outbox)
        let due = outbox.due(at: clocks.now)
        outbox.setReachable(false, at: clocks.now, using: &generator)
        #expect(
            outbox.answered(due[0], .failed("no route"), at: clocks, using: &generator)
                == .waits(attempts: 0))
        #expect(outbox.deadline == nil)
        pass(.seconds(6 * 3_600))
        #expect(outbox.due(at: clocks.now).isEmpty)
        gain(&outbox)
        #expect(outbox.due(at: clocks.now).map(\.id) == ["n1"])
    }

    @Test("Six hours offline lose nothing (screentinker#299): a thousand are sent then, once each, in order")
    mutating func backlog() {
        var outbox = Outbox()
        for number in 1...1_000 {
            #expect(outbox.add(notice(number)) == nil)
            // What is there already is not taken twice.
            #expect(outbox.add(notice(number)) == nil)
            pass(.seconds(21))
        }
        gain(&outbox)
        var sent: [String] = []
        while let next = outbox.due(at: clocks.now).first {
            sent.append(next.id)
            _ = outbox.answered(next, .status(200), at: clocks, using: &generator)
        }
        #expect(sent == (1...1_000).map { "n\($0)" })
    }

    @Test("It is given up after a bound of attempts, or of age where that is known")
    mutating func bounds() {
        for isOld in [false, true] {
            clocks.isTrusted = isOld
            var outbox = Outbox([notice(1)])
            gain(&outbox)
            if isOld { pass(.seconds(8 * 86_400)) }
            var attempts = 0
            while let next = outbox.due(at: clocks.now).first {
                attempts += 1
                let verdict = outbox.answered(next, .status(500), at: clocks, using: &generator)
                if case .givenUp(let notice, let reason) = verdict {
                    #expect(notice.attempts == attempts)
                    #expect(reason.contains(isOld ? "too old" : "tried 50 times"))
                }
                if let deadline = outbox.deadline { pass(deadline - clocks.now) }
            }
            #expect(attempts == (isOld ? 1 : Limits.noticeAttemptsMax))
            #expect(outbox.count == 0)
        }
    }

    @Test("There is a bound to how many wait: the oldest makes room, and is named")
    mutating func room() {
        var outbox = Outbox()
        for number in 0..<Limits.noticesMax { _ = outbox.add(notice(number)) }
        #expect(outbox.add(notice(99_999))?.id == "n0")
        #expect(outbox.count == Limits.noticesMax)
        let long = OutboundNotice(
            id: "long", kind: "win", url: "https://a.example/" + String(repeating: "x", count: 5_000),
            wall: 0,
            isTrusted: true)
        #expect(outbox.add(long)?.id == "long")
    }

    @Test("No more than so many are under way, to different servers")
    mutating func underWay() {
        var outbox = Outbox((0..<20).map { notice($0, "s\($0).example") })
        gain(&outbox)
        let due = outbox.due(at: clocks.now)
        #expect(due.map(\.id) == (0..<Limits.noticesUnderWayMax).map { "n\($0)" })
        #expect(outbox.due(at: clocks.now).isEmpty && outbox.deadline == nil)
        _ = outbox.answered(due[3], .status(200), at: clocks, using: &generator)
        #expect(outbox.due(at: clocks.now).map(\.id) == ["n8"])
    }

    @Test("On disk before anything is sent, they go only with the answer (xibo-dotnetclient)")
    func durable() throws {
        let rig = try StateRig()
        do {
            let ledger = try rig.open()
            ledger.keep((1...5).map { .notice(notice($0)) }, else: { [] }, at: rig.clocks)
            ledger.keep(
                [.noticeDone(id: "n2"), .noticeTried(id: "n3", attempts: 7)], else: { [] }, at: rig.clocks)
            let given = ledger.changes(givingUp: notice(4), reason: "the server answered 404", at: rig.clocks)
            ledger.keep(given, else: { [] }, at: rig.clocks)
            // The same once more is the same.
            ledger.keep([.notice(notice(1))], else: { [] }, at: rig.clocks)
        }
        let ledger = try rig.open()
        let unsent = ledger.takeUnsentNotices()
        #expect(unsent.map(\.id) == ["n1", "n3", "n5"] && unsent.map(\.attempts) == [0, 7, 0])
        #expect(ledger.takeUnsentNotices().isEmpty)
        let row = try #require(try rig.rows(ledger).last)
        #expect(row.kind == "noticeGivenUp" && row.reason == "billing n4: the server answered 404")
    }

    @Test("A notice that is sent while nothing can be written does not wait once more after that")
    func sentMeanwhile() throws {
        let rig = try StateRig()
        try rig.open().keep([.notice(notice(1))], else: { [] }, at: rig.clocks)
        let fault = "CREATE TRIGGER fault BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'no room'); END"
        try Database(rig.path, .readWrite).execute(fault)
        let ledger = try rig.open()
        #expect(ledger.takeUnsentNotices().map(\.id) == ["n1"])
        ledger.keep([.noticeDone(id: "n1")], else: { [] }, at: rig.clocks)
        #expect(ledger.retryAt != nil)
        try Database(rig.path, .readWrite).execute("DROP TRIGGER fault")
        rig.pass(.seconds(2))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(ledger.retryAt == nil && ledger.takeUnsentNotices().isEmpty)
    }

    @Test("A file that can be read only later gives its notices then, and its numbers go on")
    func later() throws {
        let rig = try StateRig()
        var traffic = Traffic()
        do {
            let ledger = try rig.open()
            rig.keep(traffic.whole(at: rig.clocks.now), in: ledger)
            ledger.keep([.notice(notice(1))], else: { [] }, at: rig.clocks)
        }
        let other = "\(rig.directory)/later"
        let ledger = try rig.open(in: other)
        rig.keep([traffic.request()], in: ledger)
        #expect(ledger.takeUnsentNotices().isEmpty)
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: rig.path, toPath: "\(other)/\(Ledger.fileName)")
        rig.pass(.seconds(1))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(ledger.takeUnsentNotices().map(\.id) == ["n1"])
        #expect(try rig.rows(ledger).map(\.sequence) == Array(1...6))
    }
}
