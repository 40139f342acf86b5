import Foundation
import Testing
import Varlink

@Suite("Reachability of a named host", .ownThread, .needsNamespaces)
struct TargetTests {
    private static let target = "[Reachability]\nTarget=host.test\n"
    private static let zone = "host.test addresses 60 192.0.2.1\n"

    /// Something that makes the name be asked for anew, and changes no path.
    private func stir(_ network: Network, _ number: Int) throws {
        try network.ip("address add 10.1.\(number).2/24 dev e0")
    }

    @Test("The path to the host's addresses counts, not the one to the internet")
    func path() throws {
        let network = try Network()
        try network.wired()
        try network.wifi()
        try network.ip("route add 192.0.2.0/24 dev wl0")
        let server = try NameServer(in: network, zone: Self.zone)
        let daemon = try DaemonProcess(in: network, Self.target)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "wifi")
        #expect(watcher.first.sequence == 1)
        try network.ip("route replace unreachable 192.0.2.0/24")
        try watcher.wait(for: "none") { $0.reason == "rejectRoute" }
        try network.ip("route del unreachable 192.0.2.0/24")
        try watcher.wait(for: "ethernet")
        withExtendedLifetime(server) {}
    }

    @Test("A name that is gone is a loss with the reason unresolved, and is found again")
    func lostAndFound() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(in: network, zone: Self.zone)
        let daemon = try DaemonProcess(in: network, Self.target)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "ethernet")
        try server.change(to: "")
        try stir(network, 1)
        try watcher.wait(for: "none") { $0.reason == "unresolved" }
        #expect(watcher.current.interface == nil)
        try server.change(to: Self.zone)
        try watcher.wait(for: "ethernet")
        #expect(watcher.statuses == ["none", "ethernet"])
    }

    @Test("A name that moves to other addresses is followed")
    func moves() throws {
        let network = try Network()
        try network.wired()
        try network.ip("route add unreachable 198.51.100.0/24")
        let server = try NameServer(in: network, zone: Self.zone)
        let daemon = try DaemonProcess(in: network, Self.target)
        let watcher = try daemon.watch()
        try server.change(to: "host.test addresses 60 198.51.100.1\n")
        try stir(network, 1)
        try watcher.wait(for: "none") { $0.reason == "rejectRoute" }
    }

    @Test("Servers that fail take no address away over a usable path")
    func serverFailure() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(in: network, zone: Self.zone)
        let daemon = try DaemonProcess(in: network, Self.target)
        let watcher = try daemon.watch()
        try server.change(to: "host.test refused\n")
        try stir(network, 1)
        try daemon.log.wait(for: "host.test: ")
        try watcher.expectNothing(for: .milliseconds(800))
        // A cable that is pulled and put back is a loss and a gain with what was known.
        try network.ip("link set p0 down")
        try watcher.wait(for: "none") { $0.reason == "noCarrier" }
        try network.ip("link set p0 up")
        try watcher.wait(for: "ethernet")
    }

    @Test("Without an answer the first state comes after two seconds; an answer is taken when it comes")
    func silence() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(in: network, zone: "host.test silent\n")
        let start = ContinuousClock.now
        let daemon = try DaemonProcess(in: network, Self.target)
        #expect((.seconds(2)...Deadline.patience).contains(ContinuousClock.now - start))
        let watcher = try daemon.watch()
        #expect(watcher.first.reason == "unresolved")
        try server.change(to: Self.zone)
        try stir(network, 1)
        try watcher.wait(for: "ethernet")
        #expect(watcher.statuses == ["ethernet"])
    }

    @Test("Without any link the first state is noLink, at once")
    func noLink() throws {
        let network = try Network()
        let server = try NameServer(in: network, zone: "")
        let daemon = try DaemonProcess(in: network, Self.target)
        #expect(try daemon.get().reason == "noLink")
        withExtendedLifetime(server) {}
    }

    @Test("A reload takes another target, by address, by name, or none")
    func reload() throws {
        let network = try Network()
        try network.wired()
        try network.ip("route add unreachable 198.51.100.0/24")
        let server = try NameServer(in: network, zone: "dead.test addresses 60 198.51.100.1\n" + Self.zone)
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "ethernet")
        for (target, status, reason) in [
            ("198.51.100.7", "none", "rejectRoute"), ("host.test", "ethernet", "usable"),
            ("dead.test", "none", "rejectRoute"), ("", "ethernet", "usable"),
            ("missing.test", "none", "unresolved"), ("192.0.2.9", "ethernet", "usable"),
        ] {
            try daemon.rewriteConfiguration(
                "[Reachability]\nLossHold=0\nGainHold=0\nDampMax=0\nTarget=\(target)\n")
            try daemon.call("org.adslotd.Manager.Reload")
            try watcher.wait(for: status) { $0.reason == reason }
        }
        withExtendedLifetime(server) {}
    }
}
