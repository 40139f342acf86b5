internal import LinuxSupport

/// A listening socket. When accepting fails, for want of descriptors for instance, it rests for a while:
/// the waiting connection keeps the socket readable, and the loop would spin on it.
final class Listener {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor
    private let pauseMicroseconds: Int64
    private let connected: (consuming OwnedDescriptor) -> Void
    private let failed: (SystemError) -> Void
    private var watch: IOWatch?
    private var timer: LoopTimer?
    private var isPaused = false
    /// A series of failures is reported once. It ends when nobody waits: the kernel takes a descriptor
    /// before it looks for a connection, so with the last one taken the next attempt fails in any case.
    private var hasReported = false

    init(
        loop: EventLoop, descriptor: consuming OwnedDescriptor, pauseMicroseconds: Int64,
        connected: @escaping (consuming OwnedDescriptor) -> Void, failed: @escaping (SystemError) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.descriptor = descriptor
        self.pauseMicroseconds = pauseMicroseconds
        self.connected = connected
        self.failed = failed
        watch = try loop.watch(self.descriptor.raw, for: .readable) { [weak self] _ in self?.accept() }
        timer = try loop.makeTimer { [weak self] in self?.resume() }
    }

    deinit {
        watch?.cancel()
    }

    /// Accepts again where that was resting: a descriptor may have become free.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        timer?.disarm()
        watch?.interest = .readable
    }

    private func accept() {
        for _ in 0..<Limits.acceptsPerTurnMax {
            do {
                guard let descriptor = try UnixSocket.accept(descriptor.raw) else {
                    hasReported = false
                    return
                }
                connected(descriptor)
            } catch {
                return pause(after: error)
            }
        }
    }

    private func pause(after error: SystemError) {
        isPaused = true
        watch?.interest = []
        timer?.arm(at: loop.now + pauseMicroseconds)
        guard !hasReported else { return }
        hasReported = true
        failed(error)
    }
}
