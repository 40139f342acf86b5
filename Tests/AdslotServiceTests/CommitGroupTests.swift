import Configuration
import Ledger
import LinuxSupport
import Testing

@testable import AdslotService

@Suite("What one turn of the loop brings is kept at once, and then performed")
final class CommitGroupTests {
    private let files: TemporaryFiles
    private let loop: EventLoop
    private let service: LedgerService
    /// What happened, in order; each `kept` with the rows that were on disk then.
    private var log: [String] = []

    init() throws {
        files = try TemporaryFiles()
        loop = try EventLoop()
        service = try LedgerService(in: files.path, settings: LedgerSettings(), log: Log(verbose: false))
        try service.run(on: loop)
        service.onOpened = { [unowned self] in log.append("opened") }
        service.onKept = { [unowned self] in log.append("kept \(rows)") }
    }

    /// How many rows are on disk.
    private var rows: Int64 { service.ledger.status(at: service.clocks()).last }

    /// Something that brings one row.
    private func happen() {
        let notice = OutboundNotice(
            id: "n", kind: "burl", url: "http://example.org/", wall: 0, isTrusted: true)
        service.keep(service.ledger.changes(givingUp: notice, reason: "test", at: service.clocks()))
    }

    private func turn() throws {
        while try loop.runOnce(timeout: 0) {}
    }

    @Test("Nothing is on disk before the end of the turn, and all of it then")
    func together() throws {
        for _ in 1...3 { happen() }
        #expect(log == ["opened"] && rows == 0)
        try turn()
        #expect(log == ["opened", "kept 3"])
        happen()
        try turn()
        #expect(log == ["opened", "kept 3", "opened", "kept 4"])
    }

    @Test("What performing brings up is on disk before it is performed in its turn")
    func followUp() throws {
        service.onKept = { [unowned self] in
            log.append("kept \(rows)")
            if rows < 3 { happen() }
        }
        happen()
        try turn()
        #expect(log == ["opened", "kept 1", "kept 2", "kept 3"])
    }

    @Test("Whoever asks how things stand has it all kept and performed first, once")
    func settled() throws {
        happen()
        service.settle()
        #expect(log == ["opened", "kept 1"])
        service.settle()
        try turn()
        #expect(log == ["opened", "kept 1"])
        happen()
        try turn()
        #expect(log == ["opened", "kept 1", "opened", "kept 2"])
    }

    @Test("A group that is full waits for nothing")
    func full() throws {
        for _ in 0..<AdslotService.Limits.groupEventsMax { happen() }
        #expect(log == ["opened", "kept \(AdslotService.Limits.groupEventsMax)"])
        try turn()
        #expect(log.count == 2)
    }
}
