internal import LinuxSupport

/// Work that the event loop runs soon, outside of whatever asked for it, and in its turn among all else that
/// is ready.
final class DeferredWork {
    private let loop: EventLoop
    private var waiting: [() -> Void] = []
    private var deferral: Deferral

    init(loop: EventLoop) throws(SystemError) {
        self.loop = loop
        deferral = try loop.makeDeferral {}
        deferral = try makeDeferral()
    }

    /// Runs `work` once.
    func add(_ work: @escaping () -> Void) {
        waiting.append(work)
        guard waiting.count == 1 else { return }
        // sd-event serves what has been ready for longest first, and dates a deferral by its making: one that
        // is used again would always come before every client.
        // Where there is no memory for a new one, the old one does it.
        if let fresh = try? makeDeferral() { deferral = fresh }
        deferral.arm()
    }

    private func makeDeferral() throws(SystemError) -> Deferral {
        try loop.makeDeferral { [weak self] in self?.run() }
    }

    private func run() {
        let ready = waiting
        waiting = []
        for work in ready { work() }
    }
}
