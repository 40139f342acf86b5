internal import LinuxSupport

/// Work that the event loop runs soon, outside of whatever asked for it.
final class DeferredWork {
    private var waiting: [() -> Void] = []
    private var deferral: Deferral?

    init(loop: EventLoop) throws(SystemError) {
        deferral = try loop.makeDeferral { [weak self] in self?.run() }
    }

    /// Runs `work` once.
    func add(_ work: @escaping () -> Void) {
        waiting.append(work)
        deferral?.arm()
    }

    private func run() {
        let ready = waiting
        waiting = []
        for work in ready { work() }
    }
}
