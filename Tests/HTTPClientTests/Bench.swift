import Glibc
import HTTPClient
import LinuxSupport
import Testing

/// A client and a peer on one loop.
final class Bench {
    let loop: EventLoop
    let client: HTTPClient
    let peer: HTTPPeer
    /// Turns of the loop in which something happened.
    private(set) var turns = 0
    /// The longest time that a turn took which waits for at most 10 ms, in microseconds.
    private(set) var longestTurn: Int64 = 0

    init() throws {
        // As the daemon does; the client relies on it.
        _ = signal(SIGPIPE, SIG_IGN)
        loop = try EventLoop()
        client = try HTTPClient(loop: loop, userAgent: "adslotd/test")
        peer = try HTTPPeer(loop: loop)
    }

    /// Sends a request and turns the loop until its result is there.
    func result(
        of request: HTTPRequest, at place: SourceLocation = #_sourceLocation
    ) throws -> Result<HTTPResponse, HTTPFailure> {
        var result: Result<HTTPResponse, HTTPFailure>?
        try client.start(request) { result = $0 }
        try turn(until: { result != nil }, at: place)
        return try #require(result)
    }

    /// The response to a GET of a path of the peer.
    func response(_ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPResponse {
        try result(of: request(path, change)).get()
    }

    /// The failure of a GET of a path of the peer, nil when there is a response.
    func failure(
        _ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPFailure.Code? {
        switch try result(of: request(path, change)) {
        case .success: nil
        case .failure(let failure): failure.code
        }
    }

    func request(_ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
        var request = HTTPRequest(url: peer.url(path))
        change(&request)
        return request
    }

    func turn(
        until condition: () -> Bool, seconds: Int64 = 10, at place: SourceLocation = #_sourceLocation
    ) throws {
        let end = loop.now + seconds * 1_000_000
        while !condition() {
            try #require(loop.now < end, "not in time", sourceLocation: place)
            let begun = loop.now
            if try loop.runOnce(timeout: 10_000) { turns += 1 }
            longestTurn = max(longestTurn, loop.now - begun)
        }
    }

    /// Turns the loop for a time, whatever happens.
    func turn(milliseconds: Int64) throws {
        let end = loop.now + milliseconds * 1_000
        while loop.now < end {
            if try loop.runOnce(timeout: UInt64(max(1, end - loop.now))) { turns += 1 }
        }
    }
}
