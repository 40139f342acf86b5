import Foundation
import Testing

@Suite("Nobody stops the daemon by what it writes to", .ownThread, .needsNamespaces)
struct UnreadLogTests {
    /// Connects so many times with something that is no call; each costs the log a line.
    private static let noise = """
        import socket, sys
        for _ in range(1500):
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(sys.argv[1])
                s.sendall(b"bad\\0")
                s.recv(1)
        """

    /// A daemon started by a line of sh that says what becomes of its log; ends with the object.
    private func start(_ line: String, _ scratch: ScratchDirectory) throws -> (shell: Child, socket: String) {
        let socket = scratch.file("socket")
        let command = "\(Programs.daemon) --socket \(socket) --state-directory \(scratch.file("state"))"
        let shell = try Child(["sh", "-c", line.replacing("DAEMON", with: command)])
        let deadline = Deadline()
        while try Finished.run([Programs.control, "--socket", socket, "slots"]).code != 0 {
            guard deadline.pause() else { throw NotInTime(what: "the daemon", account: shell.errors.text) }
        }
        return (shell, socket)
    }

    @Test("A log that nobody reads is left out, and the daemon goes on and ends when told")
    func unread() throws {
        let scratch = try ScratchDirectory()
        let pid = scratch.file("pid")
        let line = "{ DAEMON 2>&1 & echo $! >\(pid); wait; } | sleep 300"
        let (shell, socket) = try start(line, scratch)
        #expect(try Finished.run(["python3", "-c", Self.noise, socket]).code == 0)
        #expect(try Finished.run([Programs.control, "--socket", socket, "status"]).code == 0)
        let daemon = try #require(
            pid_t(
                try String(contentsOfFile: pid, encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)))
        _ = kill(daemon, SIGTERM)
        let deadline = Deadline()
        while kill(daemon, 0) == 0 {
            guard deadline.pause() else { throw NotInTime(what: "the end of the daemon", account: "") }
        }
        _ = shell
    }

    @Test("With its standard streams closed the daemon tells its clients what is theirs, and no log")
    func closed() throws {
        let scratch = try ScratchDirectory()
        let (shell, socket) = try start("exec DAEMON <&- >&- 2>&-", scratch)
        #expect(try Finished.run(["python3", "-c", Self.noise, socket]).code == 0)
        let status = try Finished.run([Programs.control, "--socket", socket, "--json=short", "status"])
        #expect(status.code == 0 && status.output.hasPrefix("{\"version\""))
        shell.signal(SIGTERM)
        #expect(try shell.waitForExit() == 0)
    }
}
