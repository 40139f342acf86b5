import Foundation
import Testing
import Varlink

@Suite("One transaction a turn of the loop", .ownThread, .needsNamespaces)
struct GroupCommitTests {
    private static let settings = "MinimumView=0\nMinimumInterval=0\n"

    private func log(of daemon: DaemonProcess) throws -> WriteAheadLog {
        try WriteAheadLog(beside: daemon.directory.file("state/ledger.sqlite"))
    }

    private func message(_ method: String, _ parameters: JSONObject, more: Bool = false) -> String {
        var call: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if more { call["more"] = true }
        return "\(JSONValue.object(call))\0"
    }

    private func update(_ host: Host, visible: Bool) -> String {
        message("org.adslotd.Slots.Update", ["lease": .string(host.lease), "visible": .bool(visible)])
    }

    private func row(_ kind: String, in daemon: DaemonProcess) throws -> [JSONObject] {
        let export = try daemon.connect().open("org.adslotd.Ledger.Export")
        return try export.next().objects("entries").filter { try $0.text("kind") == kind }
    }

    @Test("Calls that stand behind one another are answered in order, by one transaction")
    func pipelined() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Slot banner]\n" + Self.settings)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let client = try RawClient(daemon.socket)
        let before = try log(of: daemon)
        let wrong = message(
            "org.adslotd.Slots.Update",
            ["lease": .string(host.lease), "viewport": ["width": 0, "height": 5]])
        // Each time that it is hidden completes the row of the impression.
        let calls = (0..<7).map { update(host, visible: $0 % 2 == 1) }
        try client.send(calls[..<4].joined() + wrong + calls[4...].joined())
        for number in 0..<8 {
            let reply = try client.next()
            #expect(reply["error"]?.string == (number == 4 ? "org.adslotd.Slots.InvalidViewport" : nil))
        }
        #expect(try log(of: daemon).commits(since: before) == 1)
        #expect(try row("impression", in: daemon).allSatisfy { $0["ended"]?.integer != nil })
        for kind in ["hide", "show", "hide", "show", "hide", "show", "hide"] { try host.expect(kind) }
    }

    @Test("Hosts that are hidden together are hidden by one transaction")
    func burst() throws {
        let network = try Network()
        try network.wired()
        let names = (1...32).map { "s\($0)" }
        let daemon = try DaemonProcess(
            in: network, names.map { "[Slot \($0)]\n" + Self.settings }.joined())
        let hosts = try names.map { try Host(on: daemon, slot: $0) }
        for host in hosts { try host.waitUntilShown() }
        let clients = try hosts.map { host in
            let client = try RawClient(daemon.socket)
            // From here on it is no news that it is there.
            try client.send(message("org.varlink.service.GetInfo", [:]))
            _ = try client.next()
            return (host, client)
        }
        let before = try log(of: daemon)
        // All of them are there when the daemon looks.
        daemon.signal(SIGSTOP)
        for (host, client) in clients { try client.send(update(host, visible: false)) }
        daemon.signal(SIGCONT)
        for (_, client) in clients { #expect(try client.next()["error"] == nil) }
        #expect(try log(of: daemon).commits(since: before) == 1)
        for host in hosts { try host.expect("hide") }
        let seen = try row("impression", in: daemon)
        #expect(seen.count == 32 && seen.allSatisfy { $0["ended"]?.integer != nil })
    }

    @Test("What is answered is on disk, and what follows from it has been told")
    func answered() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Slot banner]\n" + Self.settings)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        for _ in 1...20 {
            var before = try log(of: daemon)
            let action = try host.click()
            #expect(try log(of: daemon).commits(since: before) == 1)
            before = try log(of: daemon)
            try host.finish(action)
            #expect(try log(of: daemon).commits(since: before) == 1)
        }
        for visible in [false, true, false] {
            try host.update(visible: visible)
            #expect(try host.next(within: .zero)?.kind == (visible ? "show" : "hide"))
        }
    }

    @Test("Who asks in the same turn is told what is on disk, all of it")
    func questions() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Slot banner]\n" + Self.settings)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let client = try RawClient(daemon.socket)
        try client.send(
            update(host, visible: false) + message("org.adslotd.Ledger.GetStatus", [:])
                + message("org.adslotd.Ledger.Export", [:], more: true))
        _ = try client.next()
        let status = try client.next().object("parameters").object("status")
        let rows = try client.next().object("parameters").objects("entries")
        #expect(try Int64(rows.count) == status.number("last"))
        let impression = try #require(rows.first { $0["kind"]?.string == "impression" })
        #expect(impression["ended"]?.integer != nil)
    }
}
