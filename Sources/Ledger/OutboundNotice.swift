/// A URL that a bidder wants called once, and that waits for that.
public struct OutboundNotice: Hashable, Sendable {
    /// The same for no other notice.
    public let id: String
    /// What the bidder is told: `win`, `billing`, `loss`.
    public let kind: String
    /// What is called.
    public let url: String
    /// When it was to be sent, in microseconds since the Unix epoch.
    public let wall: Int64
    /// Whether that clock could be believed.
    public let isTrusted: Bool
    /// How often it has been tried in vain.
    public internal(set) var attempts: Int

    /// Creates a notice.
    public init(id: String, kind: String, url: String, wall: Int64, isTrusted: Bool, attempts: Int = 0) {
        (self.id, self.kind, self.url) = (id, kind, url)
        (self.wall, self.isTrusted, self.attempts) = (wall, isTrusted, attempts)
    }

    /// Scheme, host and port: what answers or does not as one.
    var origin: String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").lowercased()
    }
}

/// What came of sending a notice.
public enum NoticeAnswer: Hashable, Sendable, CustomStringConvertible {
    /// A status of HTTP, and after what time the server wants to be asked again, where it says so.
    case status(Int, retryAfter: Duration? = nil)
    /// No answer.
    case failed(String)
    /// It cannot be sent as it is.
    case unsendable(String)

    /// The answer in words.
    public var description: String {
        switch self {
        case .status(let status, nil): "status \(status)"
        case .status(let status, let wait?): "status \(status), to be asked again after \(wait)"
        case .failed(let reason), .unsendable(let reason): reason
        }
    }
}
