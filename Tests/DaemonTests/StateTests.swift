import Foundation
import Testing
import Varlink

@Suite("What outlives the daemon", .ownThread, .needsNamespaces)
struct StateTests {
    private static let failing =
        "[Slot banner]\nMinimumInterval=0\n[Source test]\nAnswer=noFill\nDelay=10ms\n"

    /// A daemon in `directory` whose slot has failed, and that slot.
    private func failed(_ network: Network, _ directory: ScratchDirectory) throws -> (
        DaemonProcess, JSONObject
    ) {
        let daemon = try DaemonProcess(in: network, Self.failing, directory: directory)
        let host = try Host(on: daemon)
        try host.expect("create")
        try host.expect("hide")
        let slot = try daemon.slot()
        #expect(try slot.number("requests") == 1)
        return (daemon, slot)
    }

    @Test("Counters and back-off survive SIGKILL; hosts and banners do not")
    func killed() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let (first, before) = try failed(network, directory)
        try first.killNow()
        let daemon = try DaemonProcess(in: network, Self.failing, directory: directory)
        let slot = try daemon.slot()
        #expect(try slot.text("state") == "detached" && slot["banner"]?.integer == nil)
        #expect(try slot.number("requests") == 1)
        #expect(try slot.text("lastError") == "noFill")
        let host = try Host(on: daemon)
        try host.expectNothing(for: .milliseconds(300))
        let due = try daemon.slot().number("nextAttempt")
        #expect(abs(due - (try before.number("nextAttempt"))) < 100_000)
        let steps = try daemon.call("org.adslotd.Slots.Explain", ["slot": "banner"])["steps"]?.array ?? []
        #expect(steps.first?.string?.contains("1 failure in a row goes on") == true, "\(steps)")
        host.die()
    }

    @Test("An impression and a click that were counted stay counted")
    func counters() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        var daemon = try DaemonProcess(in: network, "[Slot banner]\nMinimumView=0\n", directory: directory)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        _ = try host.click()
        let before = try daemon.slot()
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, directory: directory)
        let after = try daemon.slot()
        for counter in ["requests", "fills", "impressions", "actions"] {
            #expect(try after.number(counter) == 1, "\(counter)")
            #expect(try before.number(counter) == 1, "\(counter)")
        }
    }

    @Test("A damaged file is set aside, said in the log, and the slots go on")
    func damaged() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        try failed(network, directory).0.killNow()
        let file = "\(directory.file("state"))/ledger.sqlite"
        try Data("no database at all".utf8).write(to: URL(fileURLWithPath: file))
        let daemon = try DaemonProcess(in: network, directory: directory)
        try daemon.log.wait(for: "set aside as \(file).damaged")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        host.die()
    }

    @Test("A file of a newer version keeps the daemon from starting, with a reason")
    func newer() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try DaemonProcess(in: network, directory: directory).killNow()
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as file: file.execute("PRAGMA user_version = 99")
            """
        let file = "\(directory.file("state"))/ledger.sqlite"
        #expect(try Finished.run(["python3", "-c", script, file]).code == 0)
        let daemon = try DaemonProcess.start(in: network, directory: directory)
        #expect(try daemon.child.waitForExit() == 1)
        try daemon.log.wait(for: "schema 99")
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        try daemon.log.wait(for: file)
    }

    @Test(
        "What is no regular file in the ledger's place keeps the daemon from starting, with its name",
        arguments: ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-journal"],
        [
            "mkfifo", "mkdir",
            "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])'",
        ]
    )
    func notRegular(name: String, make: String) throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = directory.file("state")
        try network.shell("mkdir \(state) && \(make) \(state)/\(name)")
        let daemon = try DaemonProcess.start(in: network, directory: directory)
        #expect(try daemon.child.waitForExit() == 1)
        try daemon.log.wait(for: "\(state)/\(name): it is no regular file")
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    @Test("Pipes in the place of what else is kept there hold up nobody")
    func pipes() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = directory.file("state")
        try network.shell("mkdir \(state) && mkfifo \(state)/paused \(state)/creatives")
        let daemon = try DaemonProcess(in: network, directory: directory)
        try daemon.log.wait(for: "\(state)/paused")
        #expect(try daemon.terminate() == 0)
        let configuration = directory.file("pipe.conf")
        try network.shell("mkfifo \(configuration)")
        let refused = try Finished.run(
            network.inside([Programs.daemon, "--config", configuration, "--socket", directory.file("x")]))
        #expect(refused.code == 1 && refused.errors.contains("\(configuration): "), "\(refused)")
    }

    @Test("Two daemons do not share a state directory")
    func shared() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let daemon = try DaemonProcess(in: network, directory: directory)
        let other = try Finished.run(
            network.inside([
                Programs.daemon, "--config", daemon.configurationFile, "--socket", directory.file("other"),
                "--state-directory", directory.file("state"),
            ]))
        #expect(other.code == 1, "\(other)")
        #expect(other.errors.contains("another daemon keeps its state there"), "\(other)")
        let resumption = try Finished.run(
            network.inside([
                Programs.daemon, "--resume-paused", "--state-directory", directory.file("state"),
            ]))
        #expect(resumption.code == 1, "\(resumption)")
        #expect(resumption.errors.contains("another daemon keeps its state there"), "\(resumption)")
    }

    /// A daemon whose state lies on a small file system of its own, and what is there before it starts.
    private func mounted(
        _ network: Network, _ directory: ScratchDirectory, _ options: String, then lines: [String] = []
    ) throws {
        let state = directory.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try network.shell("mount -t tmpfs -o \(options) tmpfs \(state)")
        for line in lines { try network.shell(line.replacing("STATE", with: state)) }
    }

    @Test("On a disk that is full the slots go on, and that is said once", arguments: [true, false])
    func full(fromTheStart: Bool) throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let ballast = "\(directory.file("state"))/ballast"
        let fill = "dd if=/dev/zero of=\(ballast) bs=4k count=400 2>/dev/null || true"
        try mounted(network, directory, "size=1m")
        if fromTheStart { try network.shell(fill) }
        let (daemon, _) = try failed(network, directory)
        if !fromTheStart { try network.shell(fill) }
        // Many, since a log that has been written before has some room.
        let patience = Deadline()
        repeat {
            for word in ["Enable", "Disable"] {
                try daemon.call("org.adslotd.Slots.\(word)", ["slot": "banner"])
            }
            try #require(patience.pause(), "\(daemon.log.text)")
        } while !daemon.log.text.contains("nothing is kept")
        #expect(try daemon.slot().flag("disabled"))
        let said = daemon.log.text.split(separator: "\n").filter { $0.contains("nothing is kept") }
        #expect(said.count == 1, "\(daemon.log.text)")
        // As soon as there is room, everything is written.
        try network.shell("rm \(ballast)")
        let deadline = Deadline()
        while !daemon.log.text.contains("state is kept again"), deadline.pause() {
            for word in ["Enable", "Disable"] {
                try daemon.call("org.adslotd.Slots.\(word)", ["slot": "banner"])
            }
        }
        try daemon.killNow()
        let again = try DaemonProcess(in: network, Self.failing, directory: directory)
        #expect(try again.slot().number("requests") >= 1 && again.slot().flag("disabled"))
    }

    @Test("On a disk that became read-only the operator's switch and the counters are still known")
    func readOnly() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        try mounted(network, directory, "size=1m")
        var (daemon, _) = try failed(network, directory)
        try daemon.call("org.adslotd.Slots.Disable", ["slot": "banner"])
        #expect(try daemon.terminate() == 0)
        try network.shell("mount -o remount,ro \(directory.file("state"))")
        daemon = try DaemonProcess(in: network, Self.failing, directory: directory)
        #expect(try daemon.slot().flag("disabled") && daemon.slot().number("requests") == 1)
        try daemon.log.wait(for: "nothing is kept")
        try daemon.call("org.adslotd.Slots.Enable", ["slot": "banner"])
        let host = try Host(on: daemon)
        #expect(try daemon.slot().text("state") == "hidden")
        host.die()
    }
}
