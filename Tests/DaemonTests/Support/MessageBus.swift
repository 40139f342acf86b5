import Foundation
import Testing

/// A message bus and a stand-in for a service on it, where a daemon in that network looks for them.
final class MessageBus {
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

    /// Starts the bus and the stand-in.
    func start(_ program: String) throws {
        try network.shell("mkdir /run/dbus")
        bus = try Child(
            network.inside([
                "dbus-daemon", "--config-file", directory.file("bus.conf"), "--nofork", "--nopidfile",
                "--print-address",
            ]))
        _ = try bus?.output.takeLine()
        service = try Child(network.inside([program]))
    }

    /// Gives the stand-in an order and waits until it is carried out.
    func tell(_ order: String) throws { try #require(try ask(order) == "ok") }

    /// Asks the stand-in something.
    func ask(_ order: String) throws -> String? {
        try service?.write(order + "\n")
        return try line()
    }

    /// The next line that the stand-in writes.
    func line() throws -> String? { try service?.output.takeLine() }
}
