import Glibc
import Testing

@testable import LinuxSupport

@Suite("Processes")
struct ProcessTests {
    @Test("A status is read whatever the program's name holds")
    func parsing() throws {
        let rest =
            " T 1 77 77 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 200 18446744073709551615"
        for name in ["sleep", "a) R (b", "))", "x y\nz", ""] {
            let status = try #require(ProcessStatus(parsing: Array("77 (\(name))\(rest)".utf8), pid: 77))
            #expect(status.identity == ProcessIdentity(pid: 77, startTicks: 987_654))
            #expect(status.state == .stopped)
            #expect(status.group == 77)
            #expect(!status.isKernelThread)
        }
        let kernel = "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 11 0 0"
        #expect(ProcessStatus(parsing: Array(kernel.utf8), pid: 2)?.isKernelThread == true)
        for broken in ["", "77", "77 (x", "77 (x) ", "77 (x) R 1 2", "77 (x) R a b c d e f"] {
            #expect(ProcessStatus(parsing: Array(broken.utf8), pid: 77) == nil, "\(broken)")
        }
    }

    @Test("This process is held, is its user's own, runs, and has not ended")
    func own() throws {
        let handle = try ProcessHandle(pid: getpid())
        #expect(try handle.status()?.identity == handle.identity)
        #expect(!handle.hasEnded)
        #expect(try !handle.isStill(afterStop: false))
        #expect(try ProcessOwner(pid: getpid()).isOnly(getuid()))
        #expect(try !ProcessOwner(pid: getpid()).isOnly(getuid() + 1))
        try handle.checkPermission()
        #expect(try ProcessStatus.members(of: getpgrp()).contains { $0.identity == handle.identity })
    }

    @Test("A process that is not there is told from one that is")
    func missing() throws {
        let error = systemError { () throws(SystemError) in _ = try ProcessHandle(pid: 4_194_304) }
        #expect(error?.isGone == true)
    }

    @Test(
        "The path of a unit is systemd's",
        arguments: [
            ("game.service", "game_2eservice"), ("1a-b@c.scope", "_31a_2db_40c_2escope"), ("ä", "_c3_a4"),
        ])
    func unitPath(name: String, path: String) {
        #expect(SystemdUnits.escaped(name) == path)
    }

    @Test("A program that is held runs when it is let go, and not when it is not")
    func held() throws {
        let directory = try TemporaryDirectory()
        let abandoned = try HeldProgram(["touch", directory("no")], hasTerminal: false)
        #expect(getpgid(abandoned.pid) == abandoned.pid)
        abandoned.abandon()
        #expect(abandoned.changes().isEmpty)
        let run = try HeldProgram(
            ["sh", "-c", "touch \(directory("yes")); kill -KILL $$"], hasTerminal: false)
        try run.go()
        #expect(try run.takeStartFailure() == nil)
        var changes: [HeldProgram.Change] = []
        while changes.isEmpty { changes = run.changes() }
        #expect(changes == [.killed(SIGKILL)])
        #expect(try Directory.names(in: directory.path) == ["yes"])
        let missing = try HeldProgram(["no-such-program-here"], hasTerminal: true)
        try missing.go()
        #expect(try missing.takeStartFailure()?.isMissing == true)
        #expect(try missing.takeStartFailure() == nil)
        missing.abandon()
    }
}
