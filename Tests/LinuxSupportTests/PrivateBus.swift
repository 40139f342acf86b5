import Foundation
import LinuxSupport
import Testing

/// A message bus for one test, and a service on it that stands in for NetworkManager.
final class PrivateBus {
    static let isPossible = ["/usr/bin/dbus-daemon", "/bin/dbus-daemon"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let socket: String
    var address: String { "unix:path=\(socket)" }

    private let directory: TemporaryDirectory
    private var daemon: Process?
    private var service: Process?
    private var orders: FileHandle?
    private var replies: FileHandle?

    init() throws {
        directory = try TemporaryDirectory()
        socket = directory("bus")
        try directory.write(
            "bus.conf",
            Array(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <type>session</type>
                  <listen>unix:path=\(socket)</listen>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                  </policy>
                </busconfig>

                """.utf8))
    }

    deinit {
        stop()
    }

    /// Starts the bus, and waits until it listens.
    func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "dbus-daemon", "--config-file", directory("bus.conf"), "--nofork", "--nopidfile",
        ]
        try process.run()
        daemon = process
        let end = ContinuousClock.now + .seconds(10)
        while (try? UnixSocket.connect(path: socket)) == nil {
            try #require(ContinuousClock.now < end, "the bus did not come up")
            usleep(5_000)
        }
    }

    /// Ends the bus, its service first.
    func stop() {
        // SIGKILL, since the threads that tests run on block the others, and a child inherits that.
        for process in [service, daemon].compactMap({ $0 }) {
            _ = kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        service = nil
        daemon = nil
        _ = unsafe unlink(socket)
    }

    /// Starts the service, which has no name yet.
    func startService() throws {
        let process = Process()
        let programs =
            Bundle.allBundles.lazy.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
            .deletingLastPathComponent()
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = programs.appending(path: "network-manager-mock")
        process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": address]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        service = process
        orders = input.fileHandleForWriting
        replies = output.fileHandleForReading
    }

    /// Gives the service an order, and waits until it is carried out.
    func tell(_ order: String, at place: SourceLocation = #_sourceLocation) throws {
        try orders?.write(contentsOf: Data("\(order)\n".utf8))
        let reply = replies?.availableData ?? Data()
        try #require(String(decoding: reply, as: UTF8.self) == "ok\n", "\(order)", sourceLocation: place)
    }

    /// Ends the service without a word.
    func killService() {
        guard let service else { return }
        _ = kill(service.processIdentifier, SIGKILL)
        service.waitUntilExit()
        self.service = nil
    }
}
