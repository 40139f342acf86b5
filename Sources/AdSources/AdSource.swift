public import AdSlots

/// A source of ads, of whatever kind.
public protocol AdSource: AnyObject {
    /// Asks. The answer comes once, never within this call, and not at all after ``cancel(_:)``.
    func ask(_ request: SourceRequest, answer: @escaping (SourceAnswer) -> Void)
    /// Nobody waits for this answer any more.
    func cancel(_ request: RequestID)
    /// The network is back.
    func networkGained()
}

/// What a source answers.
public struct SourceAnswer: Sendable {
    /// An ad, or why there is none.
    public let result: Result<Creative, SourceError>
    /// What a failure comes from, in a person's words.
    public let detail: String?

    /// Creates an answer.
    public init(_ result: Result<Creative, SourceError>, detail: String? = nil) {
        self.result = result
        self.detail = detail
    }

    /// Creates a failure.
    static func failed(_ error: SourceError, _ detail: String) -> SourceAnswer {
        SourceAnswer(.failure(error), detail: detail)
    }
}
