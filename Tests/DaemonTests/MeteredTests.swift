import Foundation
import Testing

/// A message bus and a stand-in for NetworkManager, where a daemon in that network looks for them.
private final class NetworkManager {
    static let isPossible = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let network: Network
    private let directory: ScratchDirectory
    private var bus: Child?
    private var service: Child?

    /// Takes the system's bus out of the network's sight.
    init(in network: Network) throws {
        self.network = network
        directory = try ScratchDirectory()
        try network.shell("mount -t tmpfs tmpfs /run")
        try directory.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=/run/dbus/system_bus_socket</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>

            """, to: "bus.conf")
    }

    func startBus() throws {
        try network.shell("mkdir /run/dbus")
        bus = try Child(
            network.inside([
                "dbus-daemon", "--config-file", directory.file("bus.conf"), "--nofork", "--nopidfile",
                "--print-address",
            ]))
        _ = try bus?.output.takeLine()
        service = try Child(network.inside([Programs.networkManager]))
    }

    func tell(_ order: String) throws {
        try service?.write(order + "\n")
        try #require(try service?.output.takeLine() == "ok")
    }
}

@Suite(
    "Metered by NetworkManager's word", .ownThread, .needsNamespaces,
    .enabled(if: NetworkManager.isPossible, "there is no dbus-daemon here (package dbus-daemon)"))
struct MeteredTests {
    private static let follow = "[Reachability]\nNetworkManagerMetered=yes\n"

    @Test("Its word makes a wired path expensive as long as it stands, and its coming and going is no matter")
    func metered() throws {
        let network = try Network()
        try network.wired()
        let manager = try NetworkManager(in: network)
        let daemon = try DaemonProcess(in: network, Self.follow)
        let watcher = try daemon.watch()
        #expect(!watcher.first.expensive)
        try daemon.log.wait(for: "no message bus")
        try manager.startBus()
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
        let manager = try NetworkManager(in: network)
        try manager.startBus()
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
