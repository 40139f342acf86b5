import Testing
import Varlink

/// Something that an exchange does wrong, and what is said about it.
private struct Fault: Sendable {
    let line: String
    let error: String
    let words: String

    init(_ line: String, _ error: String, _ words: String) {
        (self.line, self.error, self.words) = (line, error, words)
    }
}

@Suite("Exchanges that do wrong", .ownThread, .needsNamespaces)
struct DemandFaultTests {
    private static let lies = [
        Fault("status 204", "noFill", "status 204"), Fault("body {}", "noFill", "no bid"),
        Fault("body", "noFill", "an empty answer"), Fault(#"answer {"seatbid":[]}"#, "noFill", "no bid"),
        Fault(#"answer {"seatbid":[],"nbr":8}"#, "noFill", "nbr 8: unmatched user"),
        Fault(#"bid {"price":0.34}"#, "noFill", "price: 0.34 is below the floor of 0.35"),
        Fault(#"answer {"id":"other"}"#, "serverFailure", "id: 'other' is another request"),
        Fault(#"answer {"id":null}"#, "serverFailure", "id: missing"),
        Fault(#"answer {"cur":"JPY"}"#, "serverFailure", "cur: 'JPY' where USD was asked for"),
        Fault(#"answer {"seatbid":"x"}"#, "serverFailure", "seatbid: no array"),
        Fault(#"bid {"impid":"7"}"#, "serverFailure", "impid: '7' is no impression of the request"),
        Fault(#"bid {"price":"1"}"#, "serverFailure", "price: no number"),
        Fault(#"bid {"price":null}"#, "serverFailure", "price: missing"),
        Fault(
            #"bid {"burl":"javascript:alert(1)"}"#, "serverFailure", "burl: 'javascript:alert(1)' is no URL"),
        Fault(#"bid {"w":300}"#, "invalidCreative", "w: 300 where 320x50 was asked for"),
        Fault(#"bid {"mtype":2}"#, "invalidCreative", "mtype: 2 is no banner"),
        Fault(#"bid {"adm":null}"#, "invalidCreative", "adm: missing"),
        Fault(#"bid {"adm":"<img src=http://a/>"}"#, "invalidCreative", "adm: loads over http"),
        Fault(#"bid {"adomain":["www.rival.example"]}"#, "invalidCreative", "is blocked by rival.example"),
        Fault(#"bid {"cat":["IAB25-1"]}"#, "invalidCreative", "'IAB25-1' is blocked by IAB25"),
        Fault(#"bid {"attr":[6]}"#, "invalidCreative", "attr[0]: 6 is blocked"),
        Fault(#"bid {"exp":0}"#, "expired", "exp: 0 seconds leave no time"),
        Fault("body <html>Please log in", "serverFailure", "no JSON: unexpected byte at byte 0"),
        Fault("status 500", "serverFailure", "status 500"),
        Fault("status 302", "serverFailure", "status 302"),
        Fault("status 400", "configuration", "status 400"),
        Fault("status 401", "configuration", "status 401"),
        Fault("status 503", "serverFailure", "status 503"),
        Fault("break", "serverFailure", ""), Fault("cut", "serverFailure", ""),
        Fault("bomb", "serverFailure", "longer than 524288 bytes"),
        Fault("huge", "serverFailure", "longer than 524288 bytes"),
        Fault("loop", "serverFailure", "redirects"),
    ]

    @Test("Each is the right error, with its reason in Explain; afterwards a bid is shown as ever")
    func lies() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("status 204")
        let daemon = try DaemonProcess(
            in: network,
            Exchange.configuration(
                source: "BidFloor=0.35\nBlockedDomains=rival.example\nBlockedCategories=IAB25\n"
                    + "BlockedAttributes=6"))
        let host = try Host(on: daemon)
        for fault in Self.lies {
            try exchange.tell(fault.line)
            // Whatever was asked before has been answered by then, as only one question is under way.
            let count = try exchange.report().requests
            try exchange.wait(for: "two more requests") { try $0.requests >= count + 2 }
            let deadline = Deadline()
            var last: String
            repeat {
                last = try #require(try daemon.explanation().last { $0.contains("Source ex failed") })
            } while !(last.contains(": \(fault.error) (") && last.contains(fault.words)) && deadline.pause()
            #expect(!deadline.isOver, "\(fault.line): \(last)")
            #expect(try daemon.slot().text("lastError") == fault.error, "\(fault.line)")
        }
        #expect(!host.isShowing)
        try exchange.tell("bid")
        try host.waitUntilShown()
    }

    @Test("A compressed answer and one behind a redirect are answers", arguments: ["gzip", "redirect"])
    func otherWays(line: String) throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell(line)
        let daemon = try DaemonProcess(in: network, Exchange.configuration())
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        #expect(try exchange.report().requests == (line == "redirect" ? 2 : 1))
    }

    @Test("Header fields of one's own are sent, and to nobody but the endpoint")
    func headers() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("redirect")
        let daemon = try DaemonProcess(in: network, Exchange.configuration(source: "Headers=X-Key:secret"))
        let host = try Host(on: daemon)
        try daemon.waitForStep("Source ex failed: serverFailure (status 307)")
        #expect(!host.isShowing)
    }

    @Test(
        "An answer that comes too late is a time-out, and changes nothing",
        arguments: ["lag 0.7", "silent", "drip"])
    func late(line: String) throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell(line)
        let daemon = try DaemonProcess(
            in: network,
            Exchange.configuration(source: "Timeout=300ms", slot: "RetryInterval=5s\nRetryMax=5s"))
        let host = try Host(on: daemon)
        try daemon.waitForStep("Source ex failed: timeout (")
        #expect(try daemon.slot().text("lastError") == "timeout")
        #expect(try host.expect("create").kind == "create")
        #expect(try host.expect("hide").kind == "hide")
        try host.expectNothing(for: .milliseconds(800))
        #expect(try exchange.report().notices("win").isEmpty)
    }

    @Test("An exchange that nobody can vouch for, and one that is not there, are not reached")
    func unreachable() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let server = try Child(
            network.inside(["python3", "-u", Repository.path("Tests/HTTPClientTests/tls-peer.py")]))
        let port = try #require(try server.output.takeLine(), "\(server.errors.text)")
        for endpoint in ["https://127.0.0.1:\(port)/", "http://10.0.0.1:9/", "http://name.invalid/"] {
            let daemon = try DaemonProcess(
                in: network, Exchange.configuration(source: "Endpoint=\(endpoint)\nTimeout=5s"))
            let host = try Host(on: daemon)
            let step = try daemon.waitForStep("Source ex failed: ")
            let isNoServer = endpoint.contains("invalid") && step.contains("timeout")
            #expect(step.contains(": unreachable (") || isNoServer, "\(endpoint): \(step)")
            host.die()
        }
        #expect(try exchange.report().requests == 0)
    }

    @Test(
        "An exchange that asks for a pause gets it",
        arguments: ["status 429 Retry-After:2", "status 503 Retry-After:2"])
    func throttled(line: String) throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell(line)
        let daemon = try DaemonProcess(in: network, Exchange.configuration())
        let host = try Host(on: daemon)
        try daemon.waitForStep(
            "Source ex failed: throttled (status \(line.split(separator: " ")[1]), left alone for 2 s")
        let begun = ContinuousClock.now
        try exchange.tell("bid")
        // The slot goes on trying, and the exchange hears nothing of it.
        try daemon.waitForStep("throttled (left alone for")
        #expect(try daemon.slot().text("lastError") == "throttled")
        #expect(try exchange.report().requests == 1)
        try host.waitUntilShown()
        #expect(ContinuousClock.now - begun > .seconds(1.5))
        #expect(try exchange.report().requests == 2)
    }

    @Test("A broken exchange is left alone, tried once after the rest, and asked again when it works")
    func breaker() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("status 500")
        let daemon = try DaemonProcess(
            in: network, Exchange.configuration(source: "BreakerFailures=3\nBreakerRest=2s\nBreakerMax=3s"))
        let host = try Host(on: daemon)
        try daemon.waitForStep("serverFailure (left alone for")
        #expect(try exchange.report().requests == 3)
        // The first trial fails, the second finds it mended.
        try exchange.wait(for: "a trial") { try $0.requests == 4 }
        try exchange.tell("bid")
        try daemon.waitForStep("serverFailure (left alone for")
        try host.waitUntilShown()
        #expect(try exchange.report().requests == 5)
        #expect(try daemon.slot().number("requests") > 5)
    }

    @Test("An exchange that says nothing within the slot's own time is a broken one too")
    func silentBreaker() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("silent")
        let daemon = try DaemonProcess(
            in: network,
            Exchange.configuration(
                source: "BreakerFailures=2\nBreakerRest=1h\nBreakerMax=1h",
                slot: "RequestTimeout=500ms"))
        let host = try Host(on: daemon)
        try daemon.waitForStep("timeout (left alone for")
        #expect(try exchange.report().requests == 2)
        #expect(!host.isShowing)
    }

    @Test("An exchange that could not be reached is tried as soon as the network is back")
    func networkBack() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(
            in: network,
            Exchange.configuration(
                source: "Endpoint=http://10.0.0.1:81/\nBreakerFailures=1\nBreakerRest=1h\nBreakerMax=1h"))
        let host = try Host(on: daemon)
        try daemon.waitForStep("unreachable (left alone for")
        try exchange.tell("link p0 down")
        try daemon.waitForStep("The network is lost")
        try exchange.tell("link p0 up")
        // Asked again, and refused again: the refusal is the kernel's and not the breaker's.
        let deadline = Deadline()
        while true {
            let steps = try daemon.explanation()
            let gain = steps.lastIndex { $0.contains("The network is reachable") } ?? steps.endIndex
            if steps[gain...].contains(where: { $0.contains("unreachable (") && !$0.contains("left alone") })
            {
                break
            }
            try #require(deadline.pause(), "\(steps)")
        }
        host.die()
    }
}
