public import AdSlots
public import LinuxSupport
internal import Reachability

/// A source of kind `test`: its policy says what comes and when, this keeps the time.
public final class TestAdSource: AdSource {
    /// The policy in force.
    public var policy: TestSource
    private let loop: EventLoop
    private let answers: AnswerTimers

    /// - Parameter onFailure: is told when there is no timer for an answer.
    public init(policy: TestSource, loop: EventLoop, onFailure: @escaping (SystemError) -> Void) {
        self.policy = policy
        self.loop = loop
        answers = AnswerTimers(loop: loop, onFailure: onFailure)
    }

    /// Asks; the answer is the policy's.
    public func ask(_ request: SourceRequest, answer: @escaping (SourceAnswer) -> Void) {
        let now = loop.instant
        guard let reply = policy.answer(to: request, at: now) else { return }
        answers.deliver(SourceAnswer(reply.result), to: request.id, at: now + reply.after, answer)
    }

    /// Nobody waits for this answer any more.
    public func cancel(_ request: RequestID) {
        answers.cancel(request)
    }

    /// Nothing to do: no network is used.
    public func networkGained() {}
}
