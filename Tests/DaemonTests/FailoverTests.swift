import Testing
import Varlink

@Suite("From Wi-Fi to cellular to nothing", .ownThread, .needsNamespaces, .needs(.tap), .needs(.tun))
struct FailoverTests {
    private func makeNetwork() throws -> Network {
        let network = try Network()
        try network.wifi()
        try network.cellular()
        return network
    }

    @Test("As a network manager does it: cellular at once, without a loss between, then none after the hold")
    func managed() throws {
        let network = try makeNetwork()
        let daemon = try DaemonProcess(in: network, holds: .standard)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "wifi" && !watcher.first.expensive)
        try network.carrier("wl0", false)
        try network.ip("route delete default via 10.0.2.1")
        let cellular = try watcher.wait(for: "cellular")
        #expect(cellular.expensive && cellular.reachable && cellular.interface == "ww0")

        try network.carrier("ww0", false)
        try network.ip("route delete default dev ww0")
        let lost = ContinuousClock.now
        try watcher.wait(for: "none")
        // The kernel may have told a little before the command was done.
        #expect(ContinuousClock.now - lost > .milliseconds(1_300))
        try watcher.settle()
        #expect(watcher.statuses == ["cellular", "none"])
    }

    @Test("Without the withdrawal the kernel still prefers the dead route: a loss")
    func withoutWithdrawal() throws {
        let network = try makeNetwork()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        try network.carrier("wl0", false)
        try watcher.wait(for: "none") { $0.reason == "noCarrier" }
        try watcher.settle()
        #expect(watcher.statuses == ["none"])
        // The withdrawal that comes late leaves cellular.
        try network.ip("route delete default via 10.0.2.1")
        try watcher.wait(for: "cellular")
    }

    @Test("A better link that comes back takes over at once")
    func backAgain() throws {
        let network = try Network()
        try network.cellular()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "cellular")
        try network.wifi()
        try watcher.wait(for: "wifi")
        try watcher.settle()
        #expect(watcher.statuses == ["wifi"])
    }

    @Test("Another link of the same transport is no notification, only a detail")
    func sameTransport() throws {
        let network = try makeNetwork()
        try network.cellular("ww1", 4, metric: 800)
        try network.ip("link set wl0 down")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.interface == "ww0")
        let events = try daemon.events()
        try network.ip("route delete default dev ww0")
        var event: JSONObject
        repeat { event = try events.next() } while try event.text("kind") != "link"
        #expect(try event.object("data").text("interface") == "ww1")
        #expect(try daemon.get().interface == "ww1")
        try watcher.settle()
        #expect(watcher.posted.isEmpty)
    }
}
