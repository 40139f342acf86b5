import Foundation
import Testing

@Suite("The daemon runs as a service", .ownThread)
struct UnitFileTests {
    @Test("The units pass systemd's own check without a word")
    func unitsVerify() throws {
        let scratch = try ScratchDirectory()
        let paths = try ["adslotd.service", "adslotd.socket"].map { name in
            // The check wants the program to be there, so it is pointed at the one just built.
            let text = try Repository.text("systemd/\(name)").replacing(
                "/usr/bin/", with: "\(Programs.directory)/")
            return try scratch.write(text, to: name)
        }
        let outcome = try Finished.run(["systemd-analyze", "verify"] + paths)
        #expect(outcome.errors == "")
        #expect(outcome.code == 0)
    }

    @Test(
        "The service is ready by notification, watched, restarted, and leaves the socket's directory alone",
        arguments: [
            "Type=notify", "WatchdogSec=30", "Restart=always", "RuntimeDirectory=adslotd",
            "RuntimeDirectoryPreserve=yes", "StateDirectory=adslotd", "AmbientCapabilities=CAP_KILL",
            "ExecStopPost=/usr/bin/adslotd --resume-paused",
        ])
    func serviceSays(_ line: String) throws {
        #expect(
            try Repository.text("systemd/adslotd.service").split(separator: "\n").contains(Substring(line)))
    }

    @Test("Sockets of the service manager, which come blocking, are served like our own")
    func socketActivation() throws {
        let scratch = try ScratchDirectory()
        let socket = scratch.file("socket")
        let activator = try Child([
            "systemd-socket-activate", "--listen=\(socket)", Programs.daemon, "--state-directory",
            scratch.file("state"),
        ])
        let deadline = Deadline()
        while !FileManager.default.fileExists(atPath: socket) {
            guard deadline.pause() else {
                throw NotInTime(what: "the activation's socket", account: activator.errors.text)
            }
        }
        // Twice: a daemon that waits in accept(2) for the next client never answers this one.
        for _ in 1...2 {
            let outcome = try Finished.run([Programs.control, "--socket", socket, "slots"])
            #expect(outcome.code == 0, "\(outcome)")
        }
        activator.signal(SIGTERM)
        #expect(try activator.waitForExit() == 0)
    }
}
