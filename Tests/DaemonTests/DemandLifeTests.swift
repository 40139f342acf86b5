import Foundation
import Testing
import Varlink

@Suite("Demand over flaps and deaths", .ownThread, .needsNamespaces)
struct DemandLifeTests {
    private static let rounds = 24

    /// What the ledger holds of the exchange's ads, and what waits to be sent.
    private struct Account {
        var fills = 0
        var impressions = 0
        var unsent: Int64 = 0

        init(_ daemon: DaemonProcess) throws {
            let export = try Finished.run([Programs.control, "--socket", daemon.socket, "ledger", "export"])
            for line in export.output.split(separator: "\n") {
                let entry = try JSONObject.reading(String(line))
                guard entry["source"] == "ex" else { continue }
                if try entry.text("kind") == "fill" { fills += 1 }
                if try entry.text("kind") == "impression" { impressions += 1 }
            }
            unsent = try daemon.call("org.adslotd.Ledger.GetStatus").object("status").number("unsentNotices")
        }
    }

    @Test(
        "From bid to burl: every fill's win and every impression's bill comes, once by its id, whatever dies")
    func life() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let exchange = try Exchange(in: network)
        let configuration = Exchange.configuration(slot: "MinimumView=20ms")
        var generator = SystemRandomNumberGenerator()
        var deaths = 0
        var daemon = try DaemonProcess(in: network, configuration, holds: .none, directory: directory)
        for round in 0..<Self.rounds {
            // A server that fails now and then: what it refused must come again.
            if round % 5 == 2 { try exchange.tell("notices 503 503") }
            let host = try Host(on: daemon)
            try host.waitUntilShown()
            usleep(UInt32.random(in: 0...60_000, using: &generator))
            switch round % 3 {
            case 0:
                try daemon.killNow()
                deaths += 1
                daemon = try DaemonProcess(in: network, configuration, holds: .none, directory: directory)
            case 1:
                try network.ip("link set e0 down")
                usleep(UInt32.random(in: 0...40_000, using: &generator))
                try network.ip("link set e0 up")
                try network.defaultRoute(0)
                usleep(UInt32.random(in: 0...40_000, using: &generator))
            default: break
            }
            host.die()
            try daemon.waitUntilDetached()
        }
        try exchange.tell("notices")
        let deadline = Deadline(after: .seconds(60))
        while try Account(daemon).unsent > 0 { try #require(deadline.pause(), "\(daemon.log.text)") }

        let (account, report) = (try Account(daemon), try exchange.report())
        let (wins, bills) = (try Self.counts(report, "win"), try Self.counts(report, "billing"))
        #expect(account.fills >= Self.rounds / 2 && account.impressions >= Self.rounds / 3, "\(account)")
        #expect(wins.count == account.fills && bills.count == account.impressions, "\(account)")
        #expect(Set(bills.keys).isSubset(of: wins.keys))
        // A daemon that dies between the answer and its note of it says the same once more.
        let repeated = (Array(wins.values) + bills.values).reduce(0) { $0 + $1 - 1 }
        #expect(repeated <= deaths, "\(wins) \(bills)")
        #expect((Array(wins.values) + bills.values).allSatisfy { $0 <= 2 })
    }

    /// How often a notice of each request was taken.
    private static func counts(_ report: ExchangeReport, _ kind: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for path in try report.notices(kind) {
            let query = try #require(path.split(separator: "?").last).split(separator: "&")
            let id = try #require(query.first { $0.hasPrefix("id=") })
            counts[String(id), default: 0] += 1
        }
        return counts
    }
}
