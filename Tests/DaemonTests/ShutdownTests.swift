import Foundation
import Testing
import Varlink

@Suite("The daemon ends in order, and comes back after any end", .ownThread, .needsNamespaces)
struct ShutdownTests {
    @Test(
        "SIGTERM and SIGINT: hosts are told, work resumes, the socket is gone, exit code 0",
        arguments: [SIGTERM, SIGINT])
    func terminates(signal: CInt) throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let work = try Work(on: daemon)
        let click = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        try click.allowed()
        let events = try daemon.events()

        daemon.signal(signal)
        #expect(try daemon.child.waitForExit() == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        #expect(try work.expect("resume").reason == "shutdown")
        #expect(try host.end() == "org.adslotd.Slots.ShuttingDown")
        #expect(host.banner == nil)
        #expect(try events.next().object("data")["event"] == "stopping")
    }

    @Test("A daemon that was killed leaves a dead socket, which the next one takes over")
    func deadSocket() throws {
        let network = try Network()
        try network.wired()
        let directory = try ScratchDirectory()
        let killed = try DaemonProcess(in: network, BannerTests.eager, directory: directory)
        let host = try Host(on: killed)
        try host.waitUntilShown()
        try killed.killNow()
        #expect(FileManager.default.fileExists(atPath: killed.socket))

        let next = try DaemonProcess(in: network, BannerTests.eager, directory: directory)
        #expect(try next.watch().first.status == "ethernet")
        let again = try Host(on: next)
        try again.waitUntilShown()
        #expect(try next.terminate() == 0)
    }

    @Test("A live daemon's socket is refused with a clear message, and the live one is undisturbed")
    func liveSocket() throws {
        let network = try Network()
        let first = try DaemonProcess(in: network)
        let watcher = try first.watch()
        let second = try DaemonProcess.start(in: network, directory: first.directory)
        #expect(try second.child.waitForExit() == 1)
        try second.log.wait(for: "another process is already listening on \(first.socket)")
        #expect(try first.get().status == "none")
        try watcher.expectNothing(for: .milliseconds(100))
    }

    @Test("A file that is no socket is not taken over")
    func foreignFile() throws {
        let directory = try ScratchDirectory()
        try directory.write("precious", to: "s")
        let daemon = try DaemonProcess.start(in: Network(), directory: directory)
        #expect(try daemon.child.waitForExit() == 1)
        try daemon.log.wait(for: daemon.socket)
        #expect(try String(contentsOfFile: daemon.socket, encoding: .utf8) == "precious")
    }

    @Test("A directory that the daemon may not write to is named", arguments: ["socket", "state"])
    func noPermission(subject: String) throws {
        let directory = try ScratchDirectory()
        let locked = directory.file("locked")
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
        let network = try Network()
        // Without capabilities even root is bound by the bits.
        let plain = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", "--"]
        let (socket, state) = subject == "socket" ? (locked, directory.path) : (directory.path, locked)
        let child = try Child(
            network.inside(
                plain + [
                    Programs.daemon, "--config", try directory.write("", to: "c"), "--socket", "\(socket)/s",
                    "--state-directory", "\(state)/state",
                ]))
        #expect(try child.waitForExit() == 1)
        #expect(child.errors.text.contains(locked), "\(child.errors.text)")
        #expect(child.errors.text.contains("Permission denied"), "\(child.errors.text)")
    }

    @Test("A path that is too long for a socket is refused")
    func longPath() throws {
        let directory = try ScratchDirectory()
        let path = directory.file(String(repeating: "x", count: 120))
        let network = try Network()
        let child = try Child(
            network.inside([
                Programs.daemon, "--config", try directory.write("", to: "c"), "--socket", path,
                "--state-directory", directory.file("state"),
            ]))
        #expect(try child.waitForExit() == 1)
        #expect(child.errors.text.contains(path))
    }
}
