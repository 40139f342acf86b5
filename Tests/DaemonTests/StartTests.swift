import Testing

@Suite("The first state is known when the daemon is ready", .ownThread, .needsNamespaces)
struct StartTests {
    @Test("Without any link the first state is none, and nothing is posted after it")
    func startsOffline() throws {
        let daemon = try DaemonProcess(in: Network(), holds: .standard)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "none")
        #expect(watcher.first.reason == "noLink")
        #expect(!watcher.first.held)
        try watcher.expectNothing(for: .milliseconds(500))
    }

    @Test("With a wired network the first state is ethernet, without a hold")
    func startsOnline() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "", holds: .standard)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "ethernet")
        #expect(watcher.first.reachable && watcher.first.ipv4 && !watcher.first.ipv6)
        #expect(watcher.first.interface == "e0")
        try watcher.expectNothing(for: .milliseconds(500))
    }
}
