/// A header field of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
    /// The name as it was sent; names that differ in case only are the same (RFC 9110, 5.1).
    public var name: String
    /// The value, without white space around it.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A question to an HTTP server, with all its bounds.
public struct HTTPRequest: Hashable, Sendable {
    /// What is asked for.
    public enum Method: Hashable, Sendable {
        /// GET.
        case get
        /// POST with a body.
        case post([UInt8])
    }

    /// What happens to a response whose body is longer than `bodyBytesMax`.
    public enum LongBody: Hashable, Sendable {
        /// The exchange fails with `tooLong`.
        case fails
        /// The response is what came up to the bound; nothing more is read.
        case isCut
    }

    /// An `http` or `https` URL. Certificates are always verified.
    public var url: String
    /// GET or POST.
    public var method: Method = .get
    /// Fields besides those that follow from the rest.
    public var headers: [HTTPHeader] = []
    /// The longest body that is kept, in bytes.
    public var bodyBytesMax = 1 << 20
    /// What happens to a longer one.
    public var longBody = LongBody.fails
    /// How many redirects are followed; a response past that is an error, with 0 it is the answer. A POST
    /// stays one, and none leads from `https` to `http`. The header fields go along, but for `Authorization`
    /// to another host.
    public var redirectsMax = 0
    /// The time for all of it, name resolution included.
    public var timeout = Duration.seconds(10)
    /// The time for resolving the name and making the connection.
    public var connectTimeout = Duration.seconds(5)
    /// The link that the traffic must leave by, nil where the routing table decides.
    public var interface: String?
    /// Whether the server may compress the body (gzip). The bound of the body counts what it unfolds to.
    public var acceptsCompression = false
    /// Neither a connection nor an address known from before is used, and none is kept for later.
    public var startsAfresh = false

    /// Creates a GET with the default bounds.
    public init(url: String) {
        self.url = url
    }
}

/// A server's answer, whatever its status.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The fields in the order in which they came.
    public var headers: [HTTPHeader]
    /// The body, or its beginning.
    public var body: [UInt8]
    /// Whether the body was longer than was allowed and is cut.
    public var isCut: Bool

    /// The value of the first field of a name.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why there is no answer.
public struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, stable for callers to decide by.
    public enum Code: String, Hashable, Sendable {
        /// There is no libcurl that can be used.
        case unavailable
        /// The request cannot be sent as it is: its URL, a header.
        case invalidRequest
        /// Too many exchanges are under way already.
        case busy
        /// The host's name has no address, or nobody could be asked.
        case resolution
        /// No connection could be made.
        case connection
        /// TLS could not be agreed on, or the certificate is not the host's.
        case security
        /// Time ran out.
        case timeout
        /// The connection broke before the answer was complete.
        case interrupted
        /// What came is no HTTP.
        case malformed
        /// The body or the headers are longer than was allowed.
        case tooLong
        /// More redirects than were allowed.
        case redirects
        /// Something else.
        case other
    }

    /// The kind.
    public let code: Code
    /// The cause, in the library's words.
    public let description: String

    /// Creates a failure.
    public init(code: Code, description: String) {
        self.code = code
        self.description = description
    }
}
