import Foundation
import Testing

/// A private network: a namespace of its own whose links come and go as the test says. It goes away with this
/// object, and everything in it.
final class Network {
    private let lab: Child

    /// Makes an empty network: only lo, which is up.
    convenience init() throws {
        try self.init(Namespaces.manner ?? .userNamespace)
    }

    init(_ manner: Namespaces.Manner) throws {
        lab = try Child(manner.makeCommand + ["--mount", "--kill-child", Programs.networkLab])
        _ = try answer(to: "the start")
    }

    deinit {
        // The lab ends when nobody speaks to it any more; the kernel then takes its links away.
        lab.closeInput()
        if (try? lab.waitForExit(within: .seconds(5))) == nil { lab.signal(SIGKILL) }
    }

    /// The command line that runs a program inside. The process keeps its id over all of these, and ends when
    /// the tests end, however they do.
    func inside(_ command: [String]) -> [String] {
        Namespaces.enterCommand(pid: lab.pid) + ["--", "setpriv", "--pdeathsig", "KILL", "--"] + command
    }

    /// Has the lab do something, see network-lab.
    /// - Returns: the lines that it wrote.
    @discardableResult
    func run(_ command: String, within duration: Duration = Deadline.patience) throws -> [String] {
        try lab.write(command + "\n")
        return try answer(to: command, within: duration)
    }

    /// Runs ip(8).
    @discardableResult
    func ip(_ arguments: String) throws -> [String] { try run("ip \(arguments)") }

    /// Runs a line of sh(1).
    @discardableResult
    func shell(_ line: String, within duration: Duration = Deadline.patience) throws -> [String] {
        try run("shell \(line)", within: duration)
    }

    private func answer(to command: String, within duration: Duration = Deadline.patience) throws -> [String]
    {
        var lines: [String] = []
        while let line = try lab.output.takeLine(within: duration) {
            if line == "ok" { return lines }
            if line.hasPrefix("error ") {
                throw LabError(command: command, message: "\(line)\n\(lab.errors.text)")
            }
            lines.append(line)
        }
        throw LabError(command: command, message: "the lab has ended\n\(lab.errors.text)")
    }
}

/// The lab could not do what it was asked.
struct LabError: Error, CustomStringConvertible {
    let command: String
    let message: String

    var description: String { "\(command): \(message)" }
}

// What most networks are made of. Number n has the addresses 10.0.n.0/24, its router at 10.0.n.1.
extension Network {
    /// A pair of veths, both up: the near end `e0`, the far end `p0`.
    func veth(_ number: Int = 0) throws {
        try ip("link add e\(number) type veth peer name p\(number)")
        try ip("link set e\(number) up")
        try ip("link set p\(number) up")
    }

    /// A tap device, up and with carrier, held open. Its kind follows from its name or configuration.
    func tap(_ name: String) throws {
        try run("tap \(name)")
        try ip("link set \(name) up")
    }

    /// A device without a link-layer header, up and with carrier, held open, of a modem's hardware type.
    func modem(_ name: String = "ww0") throws {
        try run("tun \(name) \(Self.rawIP)")
        try ip("link set \(name) up")
    }

    /// Switches the carrier of a tap or a modem.
    func carrier(_ name: String, _ isOn: Bool) throws {
        try run("carrier \(name) \(isOn ? "on" : "off")")
    }

    /// Gives a link the address of network `number`.
    func address(_ number: Int, on link: String) throws {
        try ip("address add 10.0.\(number).2/24 dev \(link)")
    }

    /// A default route over the router of network `number`; over a link without link-layer addresses by
    /// `device`.
    func defaultRoute(_ number: Int, metric: Int? = nil, device: String? = nil) throws {
        let hop = device.map { "dev \($0)" } ?? "via 10.0.\(number).1"
        try ip("route add default \(hop)" + (metric.map { " metric \($0)" } ?? ""))
    }

    /// Everything that makes a wired network usable.
    func wired(_ number: Int = 0) throws {
        try veth(number)
        try address(number, on: "e\(number)")
        try defaultRoute(number)
    }

    /// A usable Wi-Fi network on a tap.
    func wifi(_ name: String = "wl0", _ number: Int = 2, metric: Int? = 600) throws {
        try tap(name)
        try address(number, on: name)
        try defaultRoute(number, metric: metric)
    }

    /// A usable cellular network on a tun.
    func cellular(_ name: String = "ww0", _ number: Int = 3, metric: Int? = 700) throws {
        try modem(name)
        try address(number, on: name)
        try defaultRoute(number, metric: metric, device: name)
    }

    /// ARPHRD_RAWIP of linux/if_arp.h.
    private static let rawIP = 519
}
