internal import AdSlots
internal import LinuxSupport
internal import Reachability

/// Answers that come later: even an immediate one goes through the loop, so that it never arrives inside the
/// question.
final class AnswerTimers {
    private let loop: EventLoop
    private let onFailure: (SystemError) -> Void
    private var timers: [RequestID: LoopTimer] = [:]

    init(loop: EventLoop, onFailure: @escaping (SystemError) -> Void) {
        self.loop = loop
        self.onFailure = onFailure
    }

    /// - Parameter answer: made when it is delivered.
    func deliver(
        _ answer: @escaping @autoclosure () -> SourceAnswer, to request: RequestID, at moment: Instant,
        _ take: @escaping (SourceAnswer) -> Void
    ) {
        do throws(SystemError) {
            let timer = try loop.makeTimer { [unowned self] in
                guard timers.removeValue(forKey: request) != nil else { return }
                take(answer())
            }
            timer.arm(at: moment.microseconds)
            timers[request] = timer
        } catch {
            // Without a timer the request's own time runs out, and the slot tries again.
            onFailure(error)
        }
    }

    func cancel(_ request: RequestID) {
        timers[request] = nil
    }
}

extension EventLoop {
    /// The moment that the pure parts are told.
    var instant: Instant { Instant(microseconds: now) }
}
