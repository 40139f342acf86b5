/// The `Connectivity…=` keys: what is asked for to find out whether a captive portal stands in the way.
public struct ConnectivitySettings: Equatable, Sendable {
    /// `ConnectivityCheck=`: the URL that is asked for; nil turns the check off.
    public var url: String?
    /// `ConnectivityStatus=`: the status that the open internet answers with.
    public var status: Int
    /// `ConnectivityText=`: what the body begins with there; empty when it does not matter.
    public var text: String
    /// `ConnectivityInterval=`: how long an answer without a portal is good for.
    public var interval: Duration
    /// `ConnectivityTimeout=`: how long an answer may take.
    public var timeout: Duration

    /// Creates settings; what is not given has its documented default.
    public init(
        url: String? = nil, status: Int = 204, text: String = "", interval: Duration = .seconds(300),
        timeout: Duration = .seconds(5)
    ) {
        self.url = url
        self.status = status
        self.text = text
        self.interval = interval
        self.timeout = timeout
    }

    /// Whether an answer to the one is as good as one to the other.
    func asksTheSame(as other: ConnectivitySettings) -> Bool {
        url == other.url && status == other.status && text == other.text
    }

    /// What an answer means.
    ///
    /// Any other status is a portal's, a redirect above all; but not an error of the server itself: 5xx,
    /// except 511 (Network Authentication Required, RFC 6585), and 429. They say nothing.
    func finding(_ answer: ConnectivityAnswer) -> ConnectivityFinding {
        switch answer {
        case .failed: return .unknown
        case .response(status, let body): return body.starts(with: text.utf8) ? .open : .captive
        case .response(511, _): return .captive
        case .response(429, _), .response(500...599, _): return .unknown
        case .response: return .captive
        }
    }
}

/// What a check says about a path.
enum ConnectivityFinding: Equatable, Sendable {
    /// The internet itself answered.
    case open
    /// Something else answered in its place.
    case captive
    /// There was no answer to go by.
    case unknown
}

/// A question that the shell is to ask over the path as it is. An effect of the pure part.
public struct ConnectivityQuestion: Hashable, Sendable {
    /// Grows with every question; its answer names it, and one to an earlier question changes nothing.
    public var number: Int
    /// What is asked for, with GET and without following redirects.
    public var url: String
    /// How much of the body's beginning matters, in bytes.
    public var bodyBytes: Int
    /// When the answer is not waited for any more.
    public var deadline: Instant

    /// Creates a question.
    public init(number: Int, url: String, bodyBytes: Int, deadline: Instant) {
        self.number = number
        self.url = url
        self.bodyBytes = bodyBytes
        self.deadline = deadline
    }
}

/// What came of a question.
public enum ConnectivityAnswer: Equatable, Sendable {
    /// A whole HTTP response: its status, and its body up to ``ConnectivityQuestion/bodyBytes``.
    case response(status: Int, body: [UInt8])
    /// None: no address, refused, reset, too late, or TLS did not agree. A portal that breaks into TLS looks
    /// like this, and so does a server that is down.
    case failed
}
