import Foundation
import Testing
import Varlink

/// The real daemon, in a network of its own. It ends with this object.
final class DaemonProcess {
    /// How long the daemon holds what it sees.
    enum Holds {
        /// As the contract says: 1.5 s for a loss, 250 ms for a gain, with damping.
        case standard
        /// Short, for tests of something else; damping is off.
        case short
        /// None, and no damping.
        case none

        var configuration: String {
            switch self {
            case .standard: ""
            case .short: "[Reachability]\nLossHold=300ms\nGainHold=100ms\nDampMax=0\n"
            case .none: "[Reachability]\nLossHold=0\nGainHold=0\nDampMax=0\n"
            }
        }
    }

    /// Where its files are.
    let directory: ScratchDirectory
    let child: Child
    private let network: Network
    private let contract: Contract?

    var socket: String { directory.file("s") }
    var configurationFile: String { directory.file("adslotd.conf") }
    /// What it has logged.
    var log: OutputLog { child.errors }

    /// Starts the daemon and waits until its socket answers.
    convenience init(
        in network: Network, _ configuration: String = "", holds: Holds = .short,
        directory: ScratchDirectory? = nil, environment: [String: String] = [:]
    ) throws {
        try self.init(
            starting: network, configuration, holds: holds, directory: directory, environment: environment,
            isAwaited: true)
    }

    /// Starts the daemon and does not wait.
    static func start(in network: Network, directory: ScratchDirectory? = nil) throws -> DaemonProcess {
        try DaemonProcess(
            starting: network, "", holds: .short, directory: directory, environment: [:], isAwaited: false)
    }

    private init(
        starting network: Network, _ configuration: String, holds: Holds, directory: ScratchDirectory?,
        environment: [String: String], isAwaited: Bool
    ) throws {
        let directory = try directory ?? ScratchDirectory()
        self.directory = directory
        self.network = network
        let file = try directory.write(holds.configuration + configuration, to: "adslotd.conf")
        child = try Child(
            network.inside([
                Programs.daemon, "--config", file, "--socket", directory.file("s"), "--state-directory",
                directory.file("state"), "--verbose",
            ]),
            // This machine's memory is no part of what is tested.
            environment: ["MEMORY_PRESSURE_WATCH": "/dev/null"].merging(environment) { _, new in new })
        contract = isAwaited ? try Self.firstAnswer(of: child, at: directory.file("s")) : nil
    }

    /// Waits for the first answer, which also says what else there is to ask.
    private static func firstAnswer(of child: Child, at socket: String) throws -> Contract {
        let deadline = Deadline()
        while child.exitCode == nil {
            do {
                return try Contract(VarlinkClient(connectingTo: socket))
            } catch VarlinkClientError.cannotConnect {
                guard deadline.pause() else { break }
            }
        }
        throw NotInTime(what: "the daemon's readiness", account: child.errors.text)
    }

    /// Changes the configuration file; the daemon has not read it yet.
    func rewriteConfiguration(_ text: String) throws {
        try directory.write(text, to: "adslotd.conf")
    }

    /// Opens a connection.
    func connect() throws -> Connection {
        Connection(try VarlinkClient(connectingTo: socket), try #require(contract))
    }

    /// Calls a method on a connection that is closed afterwards.
    @discardableResult
    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        try connect().call(method, parameters)
    }

    /// Calls a method on a connection of its own and waits for the error that must come.
    func refusal(
        of method: String, _ parameters: JSONObject = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Refusal {
        try connect().refusal(of: method, parameters, sourceLocation: sourceLocation)
    }

    /// Subscribes to Manager.Monitor; when this returns, the daemon has taken the subscription.
    func events() throws -> Replies {
        let replies = try connect().open("org.adslotd.Manager.Monitor")
        // The stream begins without a reply. Whatever is asked after it is answered after it, but for one call
        // that the same turn of the daemon's loop may find.
        let connection = try connect()
        for _ in 1...3 { try connection.call("org.varlink.service.GetInfo") }
        return replies
    }

    /// Subscribes to Reachability.Monitor.
    func watch() throws -> Watcher { try Watcher(self) }

    /// The state as Get tells it.
    func get() throws -> Report {
        try Report(try #require(call("org.adslotd.Reachability.Get")["reachability"]?.object))
    }

    /// The interfaces that it describes.
    var interfaces: Contract { get throws { try #require(contract) } }

    /// Sends a signal.
    func signal(_ number: CInt) { child.signal(number) }

    /// Ends the daemon in the orderly way.
    /// - Returns: the exit code.
    func terminate() throws -> Int32 {
        signal(SIGTERM)
        return try child.waitForExit()
    }

    /// Ends the daemon in the middle of whatever it does.
    func killNow() throws {
        signal(SIGKILL)
        try child.waitForExit()
    }
}

extension DaemonProcess {
    /// Waits until Get says so. For what the daemon does not announce.
    func waitUntil(_ what: String, _ isSo: (Report) -> Bool) throws {
        let deadline = Deadline()
        let connection = try connect()
        while true {
            let reply = try connection.call("org.adslotd.Reachability.Get")
            let report = try Report(try reply.object("reachability"))
            if isSo(report) { return }
            guard deadline.pause() else {
                throw NotInTime(what: what, account: "\(report)\n\(log.text)")
            }
        }
    }
}
