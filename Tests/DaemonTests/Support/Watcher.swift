import Testing
import Varlink

/// What the daemon says of reachability.
struct Report: Equatable, CustomStringConvertible {
    let status: String
    let reachable: Bool
    let connectionRequired: Bool
    let expensive: Bool
    let ipv4: Bool
    let ipv6: Bool
    let interface: String?
    let tunnel: String?
    let captivePortal: Bool?
    let reason: String
    let held: Bool
    let sequence: Int64
    let since: Int64

    init(_ object: JSONObject) throws {
        status = try object.text("status")
        reachable = try object.flag("reachable")
        connectionRequired = try object.flag("connectionRequired")
        expensive = try object.flag("expensive")
        ipv4 = try object.flag("ipv4")
        ipv6 = try object.flag("ipv6")
        interface = object["interface"]?.string
        tunnel = object["tunnel"]?.string
        captivePortal = object["captivePortal"]?.bool
        reason = try object.text("reason")
        held = try object.flag("held")
        sequence = try object.number("sequence")
        since = try object.number("since")
    }

    var description: String {
        let path = [interface, tunnel.map { "under \($0)" }].compactMap { $0 }.joined(separator: " ")
        let flags = [
            connectionRequired ? "connection required" : nil, expensive ? "expensive" : nil,
            ipv4 ? "IPv4" : nil, ipv6 ? "IPv6" : nil, held ? "held" : nil,
            captivePortal.map { $0 ? "portal" : "no portal" },
        ]
        return "\(status) (\(reason)) \(path) [\(flags.compactMap { $0 }.joined(separator: ", "))]"
    }
}

/// A subscriber of Reachability.Monitor that keeps all it was told.
final class Watcher {
    /// The state when it subscribed.
    let first: Report
    /// The notifications since, in order. Their number is N of the cases.
    private(set) var posted: [Report] = []

    private let daemon: DaemonProcess
    private let replies: Replies

    init(_ daemon: DaemonProcess) throws {
        self.daemon = daemon
        replies = try daemon.connect().open("org.adslotd.Reachability.Monitor")
        first = try Self.report(replies.next())
        Self.check(first)
    }

    /// What was told last.
    var current: Report { posted.last ?? first }

    /// The statuses of the notifications, one word each.
    var statuses: [String] { posted.map(\.status) }

    /// Waits for a notification that says so; what was told before is not looked at again.
    @discardableResult
    func wait(
        for status: String, within duration: Duration = Deadline.patience,
        where isWanted: (Report) -> Bool = { _ in true }
    ) throws -> Report {
        let deadline = Deadline(after: duration)
        while let report = try next(within: deadline.left) {
            if report.status == status, isWanted(report) { return report }
        }
        throw NotInTime(what: "status \(status)", account: account)
    }

    /// The next notification, `nil` when none came in time.
    func next(within duration: Duration) throws -> Report? {
        guard let reply = try replies.next(within: duration) else { return nil }
        let report = try Self.report(reply)
        Self.check(report)
        if report.sequence != current.sequence + 1 {
            Issue.record("sequence \(report.sequence) follows \(current.sequence)")
        }
        if report.since < current.since { Issue.record("a state began before the one before it: \(account)") }
        posted.append(report)
        return report
    }

    /// Waits until nothing is held and nothing is on its way any more.
    func settle() throws {
        var now: Report
        repeat {
            while try next(within: Self.kernelDelay) != nil {}
            now = try daemon.get()
        } while now.held || now.sequence != current.sequence
    }

    /// The kernel paces what it tells of a carrier: a change that follows another may take a second.
    private static let kernelDelay = Duration.milliseconds(1_200)

    /// Nothing may be posted for so long.
    func expectNothing(for duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if let report = try next(within: duration) {
            Issue.record("posted: \(report)\n\(account)", sourceLocation: sourceLocation)
        }
    }

    /// What was told so far, and the daemon's log, for a failing test.
    var account: String {
        "first \(first)\n" + posted.map { "then  \($0)\n" }.joined()
            + ((try? daemon.get()).map { "now   \($0)\n" } ?? "") + daemon.log.text
    }

    private static func report(_ reply: JSONObject) throws -> Report {
        try Report(try #require(reply["reachability"]?.object))
    }

    /// What holds for every report, whatever the network.
    private static func check(_ report: Report) {
        let isUsable = report.status != "none" && !report.connectionRequired
        if report.reachable != (isUsable && report.captivePortal != true) {
            Issue.record("reachable follows not from the rest: \(report)")
        }
        if report.reachable != (report.reason == "usable") { Issue.record("the reason differs: \(report)") }
        if isUsable != (report.ipv4 || report.ipv6) { Issue.record("the families differ: \(report)") }
    }
}
