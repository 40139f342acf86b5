internal import LinuxSupport

/// Peers that are thrown out but may still read what is queued for them, for a while each.
final class LingerQueue {
    private let loop: EventLoop
    private let microseconds: Int64
    private var timer: LoopTimer?
    /// Everyone gets the same time, so the first to come is the first to go.
    private var waiting: [(end: Int64, session: Reference)] = []

    private struct Reference {
        weak var session: ServerSession?
    }

    init(loop: EventLoop, microseconds: Int64) throws(SystemError) {
        self.loop = loop
        self.microseconds = microseconds
        timer = try loop.makeTimer { [weak self] in self?.expire() }
    }

    /// Gives a connection its time.
    func add(_ session: ServerSession) {
        waiting.append((loop.now + microseconds, Reference(session: session)))
        if waiting.count == 1 { armTimer() }
    }

    private func expire() {
        let now = loop.now
        let expired = waiting.prefix { $0.end <= now }
        waiting.removeFirst(expired.count)
        armTimer()
        for entry in expired { entry.session.session?.hangUp() }
    }

    private func armTimer() {
        guard let next = waiting.first else { return }
        timer?.arm(at: next.end)
    }
}
