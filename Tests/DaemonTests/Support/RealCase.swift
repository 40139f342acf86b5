import Foundation
import Testing
import Varlink

/// A case of the real kernel, written as its steps, one a line:
///
///     P [N]                   the veth pair eN/pN, both up
///     A [N] [LINK]            the address 10.0.N.2/24 on eN, or on LINK
///     D [N]                   the default route via 10.0.N.1
///     BASE [N]                P, A and D
///     TAP LINK | MODEM LINK   a tap, or a tun of a modem's type, up and with carrier
///     ip … | carrier … | …    what the lab does, see network-lab
///     daemon STATUS           start the daemon, whose first state must be this
///     stop | continue         SIGSTOP and SIGCONT for the daemon
///     pause MILLISECONDS      the sequence itself takes this long
///     await STATUS            the next notification must be this
///     settle STATUS [REASON]  wait until nothing changes for longer than the holds; then it must be so
///     listed LINK             ListLinks has it
///     get FIELD VALUE         what Get says in one field
///     resynchronised          the lists were read anew after an overrun at least once
///
/// Steps before `daemon` make the network that it finds.
struct RealCase: Sendable, CustomTestStringConvertible {
    /// The rule that the case shows.
    let rule: String
    /// Where somebody got it wrong.
    let seen: String
    let needs: [NetworkPart]
    let steps: [String]
    /// The notifications after the first state, all of them.
    let posted: [String]

    init(_ rule: String, seen: String, needs: NetworkPart..., steps: String, posted: [String]) {
        self.rule = rule
        self.seen = seen
        self.needs = needs
        self.steps = steps.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        self.posted = posted
    }

    var testDescription: String { "\(rule) (\(seen))" }

    /// Plays the case; where this machine lacks a device for it, the case is skipped.
    func play() throws {
        if let obstacle = needs.lazy.compactMap(\.obstacle).first {
            // The runner says nothing of a single case that is cancelled.
            print("skipped: \(testDescription): \(obstacle)")
            try Test.cancel("\(rule): \(obstacle)")
        }
        let player = try Player()
        for (index, step) in steps.enumerated() {
            do {
                try player.play(step.split(separator: " ").map(String.init))
            } catch {
                throw StepFailed(step: "step \(index + 1), \(step)", cause: error)
            }
        }
        let watcher = try #require(player.watcher)
        #expect(watcher.statuses == posted, "\(watcher.account)")
    }
}

/// Which step failed, and why.
private struct StepFailed: Error, CustomStringConvertible {
    let step: String
    let cause: any Error

    var description: String { "\(step): \(cause)" }
}

/// A case under way.
private final class Player {
    let network: Network
    private var daemon: DaemonProcess?
    private(set) var watcher: Watcher?

    init() throws {
        network = try Network()
    }

    func play(_ words: [String]) throws {
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        switch words[0] {
        case "P": try network.veth(number)
        case "A": try network.address(number, on: words.count > 2 ? words[2] : "e\(number)")
        case "D": try network.defaultRoute(number)
        case "BASE": try network.wired(number)
        case "TAP": try network.tap(words[1])
        case "MODEM": try network.modem(words[1])
        case "daemon":
            let daemon = try DaemonProcess(in: network, holds: .standard)
            self.daemon = daemon
            watcher = try daemon.watch()
            try expect("the first status", watcher?.first.status, words[1])
        case "stop": try running().signal(SIGSTOP)
        case "continue": try running().signal(SIGCONT)
        case "pause": usleep(useconds_t(number) * 1_000)
        case "await":
            let report = try #require(try watcher?.next(within: Deadline.patience))
            try expect("status", report.status, words[1])
        case "settle":
            try watcher?.settle()
            try expect("status", watcher?.current.status, words[1])
            let now = try running().get()
            try expect("held", "\(now.held)", "false")
            if words.count > 2 { try expect("reason", now.reason, words[2]) }
        case "listed":
            let links = try running().call("org.adslotd.Reachability.ListLinks").objects("links")
            let names = try links.map { try $0.text("name") }
            #expect(names.contains(words[1]), "\(names)")
        case "get":
            let state = try running().call("org.adslotd.Reachability.Get").object("reachability")
            try expect(words[1], state[words[1]].map { $0.string ?? "\($0)" }, words[2])
        case "resynchronised":
            let status = try running().call("org.adslotd.Manager.GetStatus")
            #expect(try status.number("resyncs") > 0)
        default: try network.run(words.joined(separator: " "), within: .seconds(60))
        }
    }

    private func running() throws -> DaemonProcess {
        try #require(daemon, "the daemon has not been started yet")
    }

    private func expect(_ what: String, _ found: String?, _ wanted: String) throws {
        guard found != wanted else { return }
        throw NotAsItShould(
            what: what, found: found ?? "nothing", wanted: wanted, account: watcher?.account ?? "")
    }
}

private struct NotAsItShould: Error, CustomStringConvertible {
    let what: String
    let found: String
    let wanted: String
    let account: String

    var description: String { "\(what) is \(found), should be \(wanted)\n\(account)" }
}
