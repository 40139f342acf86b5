import Testing

@Suite("A path that must first be brought up requires a connection", .ownThread, .needsNamespaces)
struct ConnectionRequiredTests {
    @Test("A dormant modem requires a connection and is not reachable until it is connected", .needs(.tun))
    func dormantModem() throws {
        let network = try Network()
        try network.cellular()
        try network.ip("link set ww0 mode dormant")
        try network.ip("link set ww0 state dormant")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "cellular")
        #expect(watcher.first.connectionRequired && !watcher.first.reachable && watcher.first.expensive)
        #expect(watcher.first.reason == "dormant")
        try network.ip("link set ww0 state up")
        try watcher.wait(for: "cellular") { $0.reachable && !$0.connectionRequired }
        try network.ip("link set ww0 state dormant")
        try watcher.wait(for: "cellular") { $0.connectionRequired }
        try watcher.settle()
        #expect(watcher.posted.count == 2)
    }

    @Test("Without its route a dormant modem is nothing", .needs(.tun))
    func dormantToNone() throws {
        let network = try Network()
        try network.cellular()
        try network.ip("link set ww0 mode dormant")
        try network.ip("link set ww0 state dormant")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.connectionRequired)
        try network.ip("route delete default dev ww0")
        try watcher.wait(for: "none") { !$0.connectionRequired && $0.reason == "noRoute" }
    }

    @Test("Dormant Wi-Fi is none, with a connection required", .needs(.tap))
    func dormantWiFi() throws {
        let network = try Network()
        try network.wifi()
        try network.ip("link set wl0 mode dormant")
        try network.ip("link set wl0 state dormant")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "none" && watcher.first.connectionRequired)
        #expect(watcher.first.reason == "dormant")
        try network.ip("link set wl0 state up")
        try watcher.wait(for: "wifi") { $0.reachable }
    }

    @Test(
        "A modem that is configured as on-demand requires a connection while it has no carrier", .needs(.tun))
    func onDemand() throws {
        let network = try Network()
        try network.cellular()
        try network.carrier("ww0", false)
        let daemon = try DaemonProcess(in: network, "[Link ww*]\nOnDemand=yes\n")
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "cellular" && watcher.first.connectionRequired)
        #expect(watcher.first.reason == "onDemand")
        try network.carrier("ww0", true)
        try watcher.wait(for: "cellular") { $0.reachable }
    }
}
