import Glibc
import HTTPClient
import LinuxSupport
import Testing

@Suite("Exchanges that fail")
struct FailureTests {
    @Test("A server that says nothing runs into the time-out, and the loop does not spin meanwhile")
    func silence() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .silence
        let begun = bench.loop.now
        #expect(try bench.failure("/") { $0.timeout = .milliseconds(600) } == .timeout)
        let taken = bench.loop.now - begun
        #expect(taken >= 590_000 && taken < 5_000_000)
        #expect(bench.turns < 40, "\(bench.turns) turns")
        try bench.turn(until: { bench.peer.openCount == 0 })
    }

    @Test(
        "A body that never ends is cut or refused at its bound, and in time where there is none to speak of")
    func endless() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .endless("HTTP/1.1 200 OK\r\n\r\n", piece: "0123456789")
        #expect(try bench.failure("/") { $0.bodyBytesMax = 4_096 } == .tooLong)
        let response = try bench.response("/") {
            $0.bodyBytesMax = 15
            $0.longBody = .isCut
        }
        #expect(response.status == 200)
        #expect(response.body == Array("012345678901234".utf8))
        #expect(response.isCut)
        try bench.turn(until: { bench.peer.openCount == 0 })
    }

    @Test("A body of just the bound is whole")
    func exactBody() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345")
        #expect(try bench.response("/") { $0.bodyBytesMax = 5 }.isCut == false)
        #expect(try bench.failure("/") { $0.bodyBytesMax = 4 } == .tooLong)
        bench.peer.answers["/"] = .bytes("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try bench.response("/") { $0.bodyBytesMax = 0 }.status == 204)
    }

    @Test("Headers that never end are refused")
    func endlessHeaders() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .endless("HTTP/1.1 200 OK\r\n", piece: "X-Header: value\r\n")
        #expect(try bench.failure("/") == .tooLong)
        bench.peer.answers["/interim"] = .endless("", piece: "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(try bench.failure("/interim") == .tooLong)
    }

    @Test("A connection that breaks is told apart from one that cannot be made")
    func broken() throws {
        let bench = try Bench()
        bench.peer.answers["/reset"] = .reset("")
        #expect(try bench.failure("/reset") == .interrupted)
        bench.peer.answers["/early"] = .reset("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123")
        #expect(try bench.failure("/early") == .interrupted)
        bench.peer.answers["/short"] = .bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123")
        #expect(try bench.failure("/short") == .interrupted)
        bench.peer.answers["/empty"] = .bytes("")
        #expect(try bench.failure("/empty") == .interrupted)
        var request = HTTPRequest(url: "http://127.0.0.1:1/")
        #expect(try code(of: bench.result(of: request)) == .connection)
        request = bench.request("/") { $0.interface = "nosuchlink" }
        #expect(try code(of: bench.result(of: request)) == .connection)
    }

    @Test(
        "What is no HTTP is refused",
        arguments: [
            "garbage\r\n\r\n", "\u{0}\u{1}\u{2}", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        ])
    func garbage(_ text: String) throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes(text)
        let code = try bench.failure("/")
        #expect(code == .malformed || code == .interrupted, "\(String(describing: code))")
    }

    @Test(
        "A URL that is none, or of another scheme, never leaves the house",
        arguments: ["", "http://", "file:///etc/hostname", "ftp://127.0.0.1/", "http://[::1/", "no url"])
    func badURL(_ url: String) throws {
        let bench = try Bench()
        let code = try code(of: bench.result(of: HTTPRequest(url: url)))
        #expect([.invalidRequest, .malformed, .resolution].contains(code), "\(url): \(code)")
    }

    @Test("Text that would end a line early is refused at once")
    func injection() throws {
        let bench = try Bench()
        for header in [
            HTTPHeader("X", "a\r\nHost: evil"), HTTPHeader("X\r\nY", "a"), HTTPHeader("", "a"),
            HTTPHeader("X Y", "a"), HTTPHeader("X:", "a"), HTTPHeader("X", "a\u{0}"),
        ] {
            #expect(throws: HTTPFailure.self) {
                try bench.client.start(bench.request("/") { $0.headers = [header] }) { _ in }
            }
        }
        #expect(throws: HTTPFailure.self) { try bench.client.start(bench.request("/\r\n")) { _ in } }
        #expect(throws: HTTPFailure.self) { try bench.client.start(bench.request("/\u{0}")) { _ in } }
        #expect(bench.client.exchangeCount == 0)
    }

    @Test("A name without an address fails, and the loop turns while it is being resolved")
    func resolution() throws {
        let bench = try Bench()
        // RFC 6761: names under .invalid never resolve. With no server to ask, the time may run out first.
        var request = HTTPRequest(url: "http://name.invalid/")
        request.timeout = .seconds(3)
        let code = try code(of: bench.result(of: request))
        #expect(code == .resolution || code == .timeout, "\(code)")
        #expect(bench.turns < 100, "\(bench.turns) turns")
        #expect(bench.longestTurn < 1_500_000, "the loop stood still for \(bench.longestTurn) µs")
    }

    @Test("A name that is still being resolved is given up at once")
    func resolutionCancelled() throws {
        let bench = try Bench()
        let exchange = try bench.client.start(HTTPRequest(url: "http://name.invalid/")) { _ in }
        try bench.turn(milliseconds: 50)
        let begun = bench.loop.now
        exchange.cancel()
        #expect(bench.loop.now - begun < 1_500_000)
    }

    private func code(of result: Result<HTTPResponse, HTTPFailure>) -> HTTPFailure.Code {
        switch result {
        case .success: .other
        case .failure(let failure): failure.code
        }
    }
}
