import Foundation
import Testing
import Varlink

@Suite("Captive portals", .ownThread, .needsNamespaces)
struct PortalTests {
    private static let check = "[Reachability]\nConnectivityCheck=\(Portal.check)\n"

    @Test("A portal is a loss of its own reason, and a gain when it opens: two notifications")
    func opensLater() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        // The loss must be posted after the first state, so it takes its time.
        let daemon = try DaemonProcess(in: network, Self.check + "LossHold=1s\n")
        let watcher = try daemon.watch()
        #expect(watcher.first.reachable)
        let loss = try watcher.wait(for: "ethernet") { !$0.reachable }
        #expect(loss.reason == "captivePortal")
        #expect(loss.captivePortal == true && !loss.connectionRequired && loss.ipv4)
        #expect(loss.interface == "e0")
        let status = try Finished.run([Programs.control, "--socket", daemon.socket, "status"])
        #expect(status.output.contains("captivePortal"), "\(status)")
        try portal.tell("open")
        let gain = try watcher.wait(for: "ethernet") { $0.reachable }
        #expect(gain.reason == "usable" && gain.captivePortal == false)
        try watcher.settle()
        #expect(watcher.posted.count == 2, "\(watcher.account)")
    }

    @Test("Each gain is checked, and one that a portal answers within its hold is never posted as one")
    func gain() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        try portal.tell("open")
        let daemon = try DaemonProcess(in: network, Self.check + "GainHold=3s\n")
        let watcher = try daemon.watch()
        try daemon.waitUntil("the path is known to be open") { $0.captivePortal == false }
        try watcher.expectNothing(for: .milliseconds(50))
        try portal.tell("portal")
        try portal.tell("link p0 down")
        #expect(try watcher.wait(for: "none").captivePortal == nil)
        try portal.tell("link p0 up")
        let portalled = try watcher.wait(for: "ethernet")
        #expect(!portalled.reachable && portalled.reason == "captivePortal", "\(watcher.account)")
        try watcher.settle()
        #expect(watcher.posted.count == 2, "\(watcher.account)")
    }

    @Test("A text is compared, and only its beginning is read")
    func text() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        try portal.tell("text")
        let configuration = Self.check + "ConnectivityStatus=200\nConnectivityText=online\n"
        let daemon = try DaemonProcess(in: network, configuration)
        try daemon.waitUntil("the path is known to be open") { $0.captivePortal == false }
        try portal.tell("login")
        try daemon.rewriteConfiguration(
            DaemonProcess.Holds.short.configuration
                + configuration
                .replacing("generate_204", with: "again"))
        try daemon.call("org.adslotd.Manager.Reload")
        try daemon.waitUntil("the portal is known") { $0.reason == "captivePortal" }
    }

    @Test("Without an answer the kernel's word stands", arguments: ["silent", "failing"])
    func noAnswer(mode: String) throws {
        let network = try Network()
        let portal = try Portal(in: network)
        try portal.tell(mode)
        let daemon = try DaemonProcess(in: network, Self.check + "ConnectivityTimeout=500ms\n")
        let watcher = try daemon.watch()
        try portal.waitUntilAsked()
        try watcher.expectNothing(for: .seconds(1.5))
        #expect(watcher.first.reachable)
        #expect(try daemon.get().captivePortal == nil)
    }

    @Test("A loss is posted while a check hangs")
    func lossMeanwhile() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        try portal.tell("silent")
        let daemon = try DaemonProcess(in: network, Self.check + "ConnectivityTimeout=60s\n")
        let watcher = try daemon.watch()
        try portal.waitUntilAsked()
        let begun = ContinuousClock.now
        try portal.tell("link p0 down")
        try watcher.wait(for: "none")
        #expect(ContinuousClock.now - begun < .seconds(5))
    }

    @Test("A name server that says nothing does not hold the daemon up")
    func silentNameServer() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        try portal.tell("open")
        let scratch = try ScratchDirectory()
        let file = try scratch.write("nameserver 10.0.0.9\n", to: "resolv.conf")
        try network.shell("mount --bind \(file) /etc/resolv.conf")
        try network.ip("neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev e0")
        let daemon = try DaemonProcess(
            in: network,
            "[Reachability]\nConnectivityCheck=http://check.example/\nConnectivityTimeout=500ms\n")
        let connection = try daemon.connect()
        var longest = Duration.zero
        let deadline = Deadline(after: .seconds(3))
        while deadline.pause() {
            let begun = ContinuousClock.now
            try connection.call("org.adslotd.Reachability.Get")
            longest = max(longest, ContinuousClock.now - begun)
        }
        #expect(longest < .milliseconds(1_500), "\(longest)")
        try daemon.log.wait(for: "given up without an answer")
        #expect(try daemon.get().reachable)
        #expect(try daemon.terminate() == 0)
    }

    @Test("libcurl is loaded with the first check, and never without one")
    func loadedLate() throws {
        let network = try Network()
        let portal = try Portal(in: network)
        let daemon = try DaemonProcess(in: network)
        func isLoaded() throws -> Bool {
            let maps = try Finished.run(["cat", "/proc/\(daemon.child.pid)/maps"]).output
            #expect(maps.contains("libsystemd"))
            return maps.contains("libcurl")
        }
        #expect(try daemon.get().captivePortal == nil)
        #expect(try !isLoaded())
        try daemon.rewriteConfiguration(DaemonProcess.Holds.short.configuration + Self.check)
        try daemon.call("org.adslotd.Manager.Reload")
        try portal.waitUntilAsked()
        #expect(try isLoaded())
        try daemon.waitUntil("the portal is known") { $0.reason == "captivePortal" }
        // Turned off again, nobody knows of a portal.
        try daemon.rewriteConfiguration(DaemonProcess.Holds.short.configuration)
        try daemon.call("org.adslotd.Manager.Reload")
        try daemon.waitUntil("the kernel's word stands") { $0.reachable && $0.captivePortal == nil }
    }
}
