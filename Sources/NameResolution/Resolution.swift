internal import LinuxSupport
internal import Reachability

/// A name being resolved. Letting go of it, or ``cancel()``, ends it without an answer.
public final class Resolution {
    private enum State {
        /// The servers are being asked. Moves to: decided, ended.
        case asking([AresChannel], Answers, isSufficient: Bool)
        /// The answer is handed over in the loop's next turn. Moves to: ended.
        case decided(Result<ResolvedHost, ResolutionFailure>)
        /// It has been handed over, or nobody wants it.
        case ended
    }

    private var state: State
    private let loop: EventLoop
    private var timer: LoopTimer?
    private let completion: (Result<ResolvedHost, ResolutionFailure>) -> Void
    /// Is called once, when this one no longer counts.
    private var onEnd: () -> Void

    init(
        loop: EventLoop, decided result: Result<ResolvedHost, ResolutionFailure>, onEnd: @escaping () -> Void,
        completion: @escaping (Result<ResolvedHost, ResolutionFailure>) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.onEnd = onEnd
        self.completion = completion
        state = .decided(result)
        timer = try loop.makeTimer { [unowned self] in timerFired() }
        timer?.arm(at: loop.now)
    }

    init(
        loop: EventLoop, asking channels: [AresChannel], for name: String, within microseconds: Int64,
        onEnd: @escaping () -> Void,
        completion: @escaping (Result<ResolvedHost, ResolutionFailure>) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.onEnd = onEnd
        self.completion = completion
        state = .asking(channels, Answers(), isSufficient: false)
        timer = try loop.makeTimer { [unowned self] in timerFired() }
        timer?.arm(at: loop.now + microseconds)
        for channel in channels {
            let family = channel.family
            channel.onAnswer = { [unowned self] in take($0, of: family) }
            channel.ask(name)
        }
        for channel in channels { channel.deliver() }
    }

    deinit {
        cancel()
    }

    /// Ends it: the answer is not handed over any more.
    public func cancel() {
        state = .ended
        timer = nil
        onEnd()
        onEnd = {}
    }

    private func take(_ answer: Answers.Answer, of family: AddressFamily) {
        guard case .asking(let channels, var answers, let wasSufficient) = state else { return }
        answers.add(answer, of: family)
        switch answers.progress {
        case .complete: decide(answers.outcome)
        case .sufficient:
            state = .asking(channels, answers, isSufficient: true)
            if !wasSufficient { timer?.arm(at: loop.now + Limits.secondFamilyMicroseconds) }
        case .open: state = .asking(channels, answers, isSufficient: false)
        }
    }

    private func decide(_ result: Result<ResolvedHost, ResolutionFailure>) {
        state = .decided(result)
        timer?.arm(at: loop.now)
    }

    private func timerFired() {
        switch state {
        case .asking(_, let answers, _): end(with: answers.outcome)
        case .decided(let result): end(with: result)
        case .ended: break
        }
    }

    private func end(with result: Result<ResolvedHost, ResolutionFailure>) {
        cancel()
        completion(result)
    }
}
