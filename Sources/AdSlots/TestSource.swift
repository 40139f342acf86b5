public import Reachability

/// How a source of kind `test` answers: a policy without state, so that the daemon and the simulator share
/// it.
public struct TestSource: Hashable, Sendable {
    /// What it answers.
    public enum Behaviour: String, CaseIterable, Sendable {
        /// A test advertisement.
        case ok
        /// It has nothing.
        case noFill
        /// It fails.
        case serverFailure
        /// It never answers.
        case timeout
    }

    /// An answer, and how long after the question it comes.
    public struct Answer: Hashable, Sendable {
        /// The time from the question to the answer.
        public var after: Duration
        /// The answer.
        public var result: Result<Creative, SourceError>

        /// Creates an answer.
        public init(after: Duration, result: Result<Creative, SourceError>) {
            self.after = after
            self.result = result
        }
    }

    /// The time from a question to its answer.
    public var delay: Duration = .milliseconds(50)
    /// What it answers.
    public var behaviour: Behaviour = .ok
    /// How long after its arrival an advertisement may be seen, `nil` for ever.
    public var expires: Duration?
    /// The size to answer with in place of the one that was asked for, to try what happens then.
    public var size: Size?

    /// Creates a source that fills.
    public init() {}

    /// Answers a question that was asked at `now`; `nil` when there will be no answer, so that the
    /// question's time runs out.
    public func answer(to request: SourceRequest, at now: Instant) -> Answer? {
        switch behaviour {
        case .ok: Answer(after: delay, result: .success(creative(for: request, at: now)))
        case .noFill: Answer(after: delay, result: .failure(.noFill))
        case .serverFailure: Answer(after: delay, result: .failure(.serverFailure))
        case .timeout: nil
        }
    }

    private func creative(for request: SourceRequest, at now: Instant) -> Creative {
        let size = size ?? request.size
        let id = "test-\(request.id.value)"
        return Creative(
            id: id, source: request.source.name, size: size,
            markup: TestAdvertisement(id: id, slot: request.slot, size: size).markup,
            advertiserDomains: ["example.com"], expires: expires.map { now + delay + $0 },
            isFromNetwork: request.source.isNetwork)
    }
}
