public import AdSlots
public import LinuxSupport

/// A source of kind `house`: the daemon's own campaigns. All sources of this kind share them.
public final class HouseSource: AdSource {
    private let name: String
    private let ads: HouseAds
    private let loop: EventLoop
    private let answers: AnswerTimers

    /// - Parameters:
    ///   - name: The source's, for the ads that come from it.
    ///   - onFailure: Is told when there is no timer for an answer.
    public init(
        name: String, ads: HouseAds, loop: EventLoop, onFailure: @escaping (SystemError) -> Void
    ) {
        self.name = name
        self.ads = ads
        self.loop = loop
        answers = AnswerTimers(loop: loop, onFailure: onFailure)
    }

    /// Asks. It is decided when the answer is given, so that one who no longer waits has nothing counted.
    public func ask(_ request: SourceRequest, answer: @escaping (SourceAnswer) -> Void) {
        answers.deliver(
            self.ads.answer(to: request, source: self.name), to: request.id, at: loop.instant, answer)
    }

    /// Nobody waits for this answer any more.
    public func cancel(_ request: RequestID) {
        answers.cancel(request)
    }

    /// Nothing to do: no network is used.
    public func networkGained() {}
}
