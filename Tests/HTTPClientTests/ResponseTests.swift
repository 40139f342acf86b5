import HTTPClient
import Testing

@Suite("Answers of a server")
struct ResponseTests {
    @Test("A response has its status, its headers and its body")
    func whole() throws {
        let bench = try Bench()
        bench.peer.answers["/a?b"] = .bytes(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Twice:  one \r\nX-Twice:two\r\n\r\nhello")
        let response = try bench.response("/a?b")
        #expect(response.status == 200)
        #expect(response.headers.map(\.name) == ["Content-Type", "X-Twice", "X-Twice"])
        #expect(response.header("content-type") == "text/plain")
        #expect(response.headers.dropFirst().map(\.value) == ["one", "two"])
        #expect(response.header("x-none") == nil)
        #expect(response.body == Array("hello".utf8))
        #expect(!response.isCut)
        let request = try #require(bench.peer.requests.first)
        #expect(request.hasPrefix("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:\(bench.peer.port)\r\n"))
        #expect(request.contains("User-Agent: adslotd/test\r\n"))
    }

    @Test("Any status is an answer", arguments: [204, 302, 404, 511, 500, 299])
    func status(_ status: Int) throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes(
            "HTTP/1.1 \(status) Some Reason\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n")
        let response = try bench.response("/")
        #expect(response.status == status)
        #expect(response.body.isEmpty)
        #expect(bench.peer.requests.count == 1, "no redirect is followed unasked")
    }

    @Test("A response of HTTP/1.0 without a length ends with its connection")
    func oldResponse() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes("HTTP/1.0 200 OK\r\n\r\nold")
        #expect(try bench.response("/").body == Array("old".utf8))
    }

    @Test("An interim response is passed over")
    func interim() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes(
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\nServer: y\r\n\r\n")
        let response = try bench.response("/")
        #expect(response.status == 204)
        #expect(response.headers == [HTTPHeader("Server", "y")])
    }

    @Test("A POST carries its headers and its body")
    func post() throws {
        let bench = try Bench()
        bench.peer.answers["/bid"] = .bytes("HTTP/1.1 204 No Content\r\n\r\n")
        let body = String(repeating: "é", count: 40_000)
        let response = try bench.response("/bid") { request in
            request.method = .post(Array(body.utf8))
            request.headers = [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Empty", ""),
                HTTPHeader("User-Agent", "other/1"),
            ]
        }
        #expect(response.status == 204)
        let request = try #require(bench.peer.requests.first)
        #expect(request.hasPrefix("POST /bid HTTP/1.1\r\n"))
        #expect(request.contains("\r\nContent-Type: application/json\r\n"))
        #expect(request.contains("\r\nX-Empty:\r\n"))
        #expect(request.contains("User-Agent: other/1\r\n") && !request.contains("adslotd/test"))
        #expect(request.hasSuffix("\r\n\r\n" + body))
    }

    @Test("Redirects are followed as many times as allowed")
    func redirects() throws {
        let bench = try Bench()
        bench.peer.answers["/1"] = .bytes("HTTP/1.1 302 Found\r\nLocation: /2\r\nA: b\r\n\r\n")
        bench.peer.answers["/2"] = .bytes("HTTP/1.1 302 Found\r\nLocation: /3\r\n\r\n")
        bench.peer.answers["/3"] = .bytes("HTTP/1.1 200 OK\r\n\r\nhere")
        let response = try bench.response("/1") {
            $0.redirectsMax = 2
            // Each hop closes its connection, and the next one's socket often has the same number.
            $0.timeout = .seconds(2)
        }
        #expect(response.status == 200)
        #expect(response.headers.isEmpty)
        #expect(try bench.failure("/1") { $0.redirectsMax = 1 } == .redirects)
        bench.peer.answers["/file"] = .bytes("HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\n\r\n")
        #expect(try bench.failure("/file") { $0.redirectsMax = 1 } == .malformed)
    }

    @Test("A connection is used again, unless an exchange is to start afresh")
    func reuse() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .kept("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        for _ in 0..<3 { _ = try bench.response("/") }
        #expect(bench.peer.connectionCount == 1)
        _ = try bench.response("/") { $0.startsAfresh = true }
        #expect(bench.peer.connectionCount == 2)
        try bench.turn(until: { bench.peer.openCount == 1 })
        _ = try bench.response("/")
        #expect(bench.peer.connectionCount == 2)
    }

    @Test("Many exchanges run at once, and one more than there may be is refused")
    func many() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .silence
        var ended = 0
        for _ in 0..<256 { try bench.client.start(bench.request("/")) { _ in ended += 1 } }
        #expect(throws: HTTPFailure(code: .busy, description: "256 exchanges are under way")) {
            try bench.client.start(bench.request("/")) { _ in }
        }
        #expect(ended == 0)
        #expect(bench.client.exchangeCount == 256)
    }
}
