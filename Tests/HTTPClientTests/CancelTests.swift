import HTTPClient
import Testing

@Suite("Exchanges that are given up")
struct CancelTests {
    @Test("A cancelled exchange closes its connection and never completes")
    func cancelled() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .silence
        let exchange = try bench.client.start(bench.request("/")) { _ in Issue.record("completed") }
        try bench.turn(until: { bench.peer.requests.count == 1 })
        exchange.cancel()
        #expect(bench.client.exchangeCount == 0)
        exchange.cancel()
        try bench.turn(until: { bench.peer.openCount == 0 })
    }

    @Test("An exchange may be cancelled before it has begun")
    func cancelledAtOnce() throws {
        let bench = try Bench()
        try bench.client.start(bench.request("/")) { _ in Issue.record("completed") }.cancel()
        try bench.turn(milliseconds: 30)
        #expect(bench.peer.connectionCount == 0)
    }

    @Test("A completion may cancel another exchange, start one, and be the last to know the client")
    func inCompletion() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .bytes("HTTP/1.1 204 No Content\r\n\r\n")
        var client: HTTPClient? = try HTTPClient(loop: bench.loop, userAgent: "second")
        var exchanges: [HTTPExchange] = []
        var ended = 0
        let request = bench.request("/")
        for _ in 0..<2 {
            let exchange = try client?.start(request) { _ in
                ended += 1
                for exchange in exchanges { exchange.cancel() }
                _ = try? client?.start(request) { _ in
                    ended += 1
                    client = nil
                }
            }
            exchanges.append(try #require(exchange))
        }
        try bench.turn(until: { client == nil })
        #expect(ended == 2)
        #expect(bench.peer.requests.count >= 2)
    }

    @Test("With the client go its exchanges, without a word")
    func clientGone() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .silence
        var client: HTTPClient? = try HTTPClient(loop: bench.loop, userAgent: "second")
        let exchange = try client?.start(bench.request("/")) { _ in Issue.record("completed") }
        try client?.start(HTTPRequest(url: "http://name.invalid/")) { _ in Issue.record("completed") }
        try bench.turn(until: { bench.peer.requests.count == 1 })
        client = nil
        try bench.turn(until: { bench.peer.openCount == 0 })
        exchange?.cancel()
    }

    @Test("An idle client does not wake the loop")
    func idle() throws {
        let bench = try Bench()
        bench.peer.answers["/"] = .kept("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        _ = try bench.response("/")
        try bench.turn(milliseconds: 20)
        let before = bench.turns
        try bench.turn(milliseconds: 300)
        #expect(bench.turns == before)
    }
}
