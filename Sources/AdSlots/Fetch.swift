import Reachability

/// One round of questions to a slot's sources, in order. It ends with the first fill, or fails with the last
/// source.
struct Attempt: Hashable, Sendable {
    /// The request that is under way.
    let request: RequestID
    /// The source that is asked.
    let source: SourceReference
    /// The sources to ask when this one gives nothing.
    var rest: [SourceReference]
    /// The size that is asked for.
    let size: Size
    /// When this source's time is over.
    let timeoutAt: Instant
    /// Network sources were left out of this round, because the network was lost.
    var isCurtailed: Bool
}

/// What a slot is asking for.
enum Fetch: Hashable, Sendable {
    /// Nothing. Moves to: asking.
    case idle
    /// A source has the question. Moves to: asking (the next source), idle (fill, failure, cancelled),
    /// arrived (a fill under an action).
    case asking(Attempt)
    /// A fill waits for the end of an action. Moves to: idle.
    case arrived(Ad)

    /// The request under way, where there is one.
    var request: RequestID? {
        switch self {
        case .idle, .arrived: nil
        case .asking(let attempt): attempt.request
        }
    }
}
