import Testing

@Suite(
    "Metered by NetworkManager's word", .ownThread, .needsNamespaces,
    .enabled(if: MessageBus.isPossible, "there is no dbus-daemon here (package dbus-daemon)"))
struct MeteredTests {
    private static let follow = "[Reachability]\nNetworkManagerMetered=yes\n"

    @Test("Its word makes a wired path expensive as long as it stands, and its coming and going is no matter")
    func metered() throws {
        let network = try Network()
        try network.wired()
        let manager = try MessageBus(in: network)
        let daemon = try DaemonProcess(in: network, Self.follow)
        let watcher = try daemon.watch()
        #expect(!watcher.first.expensive)
        try daemon.log.wait(for: "no message bus")
        try manager.start(Programs.networkManager)
        try manager.tell("quiet 1")
        try manager.tell("own")
        try watcher.wait(for: "ethernet") { $0.expensive && $0.reachable }
        try manager.tell("metered 4")
        try watcher.wait(for: "ethernet") { !$0.expensive }
        try manager.tell("metered 3")
        try watcher.wait(for: "ethernet") { $0.expensive }
        try manager.tell("drop")
        try watcher.wait(for: "ethernet") { !$0.expensive }
        try watcher.settle()
        #expect(watcher.posted.count == 4, "\(watcher.account)")
    }

    @Test("It is only asked where the configuration says so, and not after a reload that says otherwise")
    func configured() throws {
        let network = try Network()
        try network.wired()
        let manager = try MessageBus(in: network)
        try manager.start(Programs.networkManager)
        try manager.tell("quiet 1")
        try manager.tell("own")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        try watcher.expectNothing(for: .milliseconds(200))
        #expect(!watcher.first.expensive)
        try daemon.rewriteConfiguration(Self.follow)
        try daemon.call("org.adslotd.Manager.Reload")
        try watcher.wait(for: "ethernet") { $0.expensive }
        try daemon.rewriteConfiguration("")
        try daemon.call("org.adslotd.Manager.Reload")
        try watcher.wait(for: "ethernet") { !$0.expensive }
        try watcher.settle()
        #expect(watcher.posted.count == 2)
    }
}
