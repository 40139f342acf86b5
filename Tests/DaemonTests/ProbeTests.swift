import Testing
import Varlink

@Suite("A host is probed by its name or address", .ownThread, .needsNamespaces)
struct ProbeTests {
    private static let method = "org.adslotd.Reachability.Probe"

    private func probe(_ daemon: DaemonProcess, _ host: String) throws -> (Report, [String]) {
        let reply = try daemon.call(Self.method, ["host": .string(host)])
        let addresses = try #require(reply["addresses"]?.array).compactMap(\.string)
        return (try Report(reply.object("reachability")), addresses)
    }

    @Test("An address is judged by the route to it, and nothing else changes")
    func addresses() throws {
        let network = try Network()
        try network.wired()
        try network.wifi()
        try network.ip("route add 198.51.100.0/24 dev wl0")
        try network.ip("route add unreachable 203.0.113.0/24")
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        for (host, status, reason) in [
            ("192.0.2.1", "ethernet", "usable"), ("198.51.100.1", "wifi", "usable"),
            ("203.0.113.1", "none", "rejectRoute"), ("2001:db8::1", "none", "noRoute"),
            ("127.0.0.1", "none", "rejectRoute"), ("10.0.0.2", "none", "rejectRoute"),
        ] {
            let (report, addresses) = try probe(daemon, host)
            #expect(report.status == status, "\(host)")
            #expect(report.reason == reason, "\(host)")
            #expect(addresses == [host])
            #expect(report.sequence == watcher.first.sequence)
            #expect(report.since == watcher.first.since)
        }
        try watcher.expectNothing(for: .milliseconds(200))
    }

    @Test("A probe says how things are, not how they are held")
    func unheld() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Reachability]\nLossHold=1min\n")
        try network.ip("link set p0 down")
        try daemon.waitUntil("a loss is held") { $0.held }
        #expect(try daemon.get().reachable)
        let (report, _) = try probe(daemon, "192.0.2.1")
        #expect(report.reason == "noCarrier")
        #expect(!report.held)
    }

    @Test("A name is resolved, and the best of the paths to its addresses counts")
    func names() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(
            in: network,
            zone: """
                both.test addresses 60 192.0.2.1 2001:db8::1
                six.test addresses 60 2001:db8::1
                """)
        let daemon = try DaemonProcess(in: network)
        let (both, addresses) = try probe(daemon, "Both.Test")
        #expect(both.status == "ethernet")
        #expect(both.ipv4 && !both.ipv6)
        #expect(addresses == ["192.0.2.1", "2001:db8::1"])
        let (six, _) = try probe(daemon, "six.test")
        #expect(six.reason == "noRoute")
        #expect(server.questions == 4)
    }

    @Test("What is no host, or has no address, is an error that says why")
    func errors() throws {
        let network = try Network()
        let server = try NameServer(in: network, zone: "empty.test addresses 60\nrefused.test refused\n")
        let daemon = try DaemonProcess(in: network)
        for (host, word) in [
            ("", "empty"), ("a..b", "1 to 63"), ("b\u{FC}cher.test", "xn--"), ("a\0b", "letters"),
            ("192.0.2.300", "address"), ("example.test:80", "address"),
        ] {
            let refusal = try daemon.refusal(of: Self.method, ["host": .string(host)])
            #expect(refusal.name == "org.adslotd.Reachability.InvalidHost")
            #expect(refusal.parameters["host"] == .string(host))
            #expect(try refusal.parameters.text("message").contains(word), "\(refusal)")
        }
        #expect(server.questions == 0)
        for (host, word) in [
            ("missing.test", "no such name"), ("empty.test", "no address"), ("refused.test", "name server"),
        ] {
            let refusal = try daemon.refusal(of: Self.method, ["host": .string(host)])
            #expect(refusal.name == "org.adslotd.Reachability.ResolutionFailed")
            #expect(refusal.parameters["host"] == .string(host))
            #expect(try refusal.parameters.text("message").contains(word), "\(refusal)")
        }
        let long = try daemon.refusal(
            of: Self.method, ["host": .string(String(repeating: "a", count: 500_000))])
        #expect(try long.parameters.text("host").count == 256)
        let missing = try daemon.refusal(of: Self.method)
        #expect(missing.name == "org.varlink.service.InvalidParameter")
    }

    @Test(
        "Probes wait for each other no longer than their bound says, and a caller that goes frees its place")
    func several() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(
            in: network, zone: "silent.test silent\nquick.test addresses 60 192.0.2.1\n")
        let daemon = try DaemonProcess(in: network)
        var waiting: [Replies] = []
        for _ in 1...16 { waiting.append(try daemon.connect().open(Self.method, ["host": "silent.test"])) }
        let deadline = Deadline()
        while server.questions < 32, deadline.pause() {}
        let refusal = try daemon.refusal(of: Self.method, ["host": "quick.test"])
        #expect(refusal.name == "org.adslotd.Reachability.ResolutionFailed")
        #expect(try refusal.parameters.text("message").contains("too many"))
        // What needs no server needs no place.
        #expect(try probe(daemon, "192.0.2.1").0.status == "ethernet")
        for replies in waiting { replies.close() }
        var answer: Report?
        while answer == nil, deadline.pause() { answer = try? probe(daemon, "quick.test").0 }
        #expect(answer?.status == "ethernet")
    }

    @Test("adslotctl probe prints the paths and the addresses, or says why not")
    func control() throws {
        let network = try Network()
        try network.wired()
        let server = try NameServer(in: network, zone: "both.test addresses 60 192.0.2.1 2001:db8::1\n")
        let daemon = try DaemonProcess(in: network)
        func run(_ host: String) throws -> Finished {
            try Finished.run([Programs.control, "--socket", daemon.socket, "probe", host])
        }
        let found = try run("both.test")
        #expect(found.code == 0, "\(found)")
        #expect(found.output.contains("reachable over ethernet, link e0, IPv4 (usable)"), "\(found)")
        #expect(found.output.contains("Addresses   192.0.2.1 2001:db8::1"), "\(found)")
        let missing = try run("missing.test")
        #expect(missing.code == 1)
        #expect(missing.errors == "adslotctl: missing.test: no such name", "\(missing)")
        let invalid = try run("a..b")
        #expect(invalid.code == 1)
        #expect(invalid.errors.hasPrefix("adslotctl: 'a..b' is no host: "), "\(invalid)")
        withExtendedLifetime(server) {}
    }
}
