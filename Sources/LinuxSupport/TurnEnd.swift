/// Work that runs once everything has had its turn that was ready when it was armed. What gets ready again
/// and again meanwhile cannot hold it off, but for sources of a higher priority.
///
/// sd-event knows no such turn: it waits anew after each source that it has served. Of those that are ready
/// it takes first what the earliest wait found, and dates a deferral by the wait before its making. So one
/// that is armed now may come before others that the same wait found ready; a second one, armed by the first,
/// cannot.
public final class TurnEnd {
    private enum State {
        /// Moves to: waiting.
        case idle
        /// The first deferral is armed. Moves to: ending, idle.
        case waiting
        /// The second deferral is armed. Moves to: idle.
        case ending
    }

    private let loop: EventLoop
    private let handler: () -> Void
    private var state = State.idle
    private var deferral: Deferral?

    init(loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        deferral = try makeDeferral()
    }

    /// Runs the work once, at the end of the turn; until then, arming again changes nothing.
    public func arm() {
        guard case .idle = state else { return }
        state = .waiting
        armDeferral()
    }

    /// Takes an armed run back.
    public func disarm() {
        state = .idle
        deferral?.disarm()
    }

    private func armDeferral() {
        // Where there is no memory for a new one, the old one does it, if sooner than it should.
        if let fresh = try? makeDeferral() { deferral = fresh }
        deferral?.arm()
    }

    private func makeDeferral() throws(SystemError) -> Deferral {
        try loop.makeDeferral { [unowned self] in advance() }
    }

    private func advance() {
        switch state {
        case .idle: break
        case .waiting:
            state = .ending
            armDeferral()
        case .ending:
            state = .idle
            handler()
        }
    }
}
