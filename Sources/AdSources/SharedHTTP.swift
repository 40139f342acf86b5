public import HTTPClient
public import LinuxSupport

/// The one HTTP client of all sources and notices, so that they share connections. It is made with the first
/// exchange: without one libcurl is never loaded.
public final class SharedHTTP {
    private let loop: EventLoop
    private let userAgent: String
    private var client: HTTPClient?

    /// Makes nothing yet.
    public init(loop: EventLoop, userAgent: String) {
        self.loop = loop
        self.userAgent = userAgent
    }

    /// Starts an exchange, see ``HTTPClient``.
    @discardableResult
    public func start(
        _ request: HTTPRequest, completion: @escaping (Result<HTTPResponse, HTTPFailure>) -> Void
    ) throws(HTTPFailure) -> HTTPExchange {
        if let client { return try client.start(request, completion: completion) }
        let made = try HTTPClient(loop: loop, userAgent: userAgent)
        client = made
        return try made.start(request, completion: completion)
    }
}
