internal import Glibc

/// What tells of a shortage of memory: a file of the kernel's pressure stall information, or, for whoever
/// manages memory in the kernel's place and for tests, a FIFO or a socket that becomes readable.
public struct MemoryPressureSource: Hashable, Sendable {
    /// The file, FIFO or socket.
    public var path: String
    /// What is written to it after it is opened: the threshold. A FIFO takes nothing.
    public var trigger: [UInt8]

    /// Names a source.
    public init(path: String, trigger: [UInt8] = []) {
        self.path = path
        self.trigger = trigger
    }

    /// The whole system: tasks stood still for want of memory for 150 ms within 2 s. Whoever is not
    /// privileged may ask for windows of whole multiples of 2 s (linux/Documentation/accounting/psi.rst).
    public static let system = MemoryPressureSource(
        path: "/proc/pressure/memory", trigger: Array("some 150000 2000000\0".utf8))
}

/// Calls a handler while the system is short of memory, at most once in a pause.
public final class MemoryPressureWatch {
    /// The least time between two calls: as long as pressure lasts, the kernel tells every 2 s, others as
    /// often as they like.
    static let pauseMicroseconds: Int64 = 1_000_000
    /// How much of what a FIFO or a socket says is thrown away at a time.
    private static let drainBytes = 4_096

    private let loop: EventLoop
    private let file: OwnedDescriptor
    private let isStream: Bool
    private let handler: () -> Void
    private var watch: IOWatch?
    private var pause: LoopTimer?

    /// Opens the source and watches it.
    /// - Throws: what open(2), connect(2) or write(2) report; a kernel without pressure stall information has
    ///   no such file (ENOENT) or refuses the trigger (EOPNOTSUPP), and an older one takes triggers of
    ///   privileged users only (EACCES, EPERM, EINVAL).
    public init(
        loop: EventLoop, source: MemoryPressureSource = .system, handler: @escaping () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        var status = stat()
        _ = try check("stat", on: source.path) { unsafe stat(source.path, &status) }
        let kind = status.st_mode & S_IFMT
        isStream = kind == S_IFIFO || kind == S_IFSOCK
        file = try Self.open(source.path, kind)
        if !source.trigger.isEmpty {
            let (raw, trigger) = (file.raw, source.trigger)
            _ = try check("write", on: source.path) { unsafe write(raw, trigger, trigger.count) }
        }
        pause = try loop.makeTimer { [unowned self] in watch?.interest = interest }
        watch = try loop.watch(file.raw, for: interest) { [unowned self] in notice($0) }
    }

    private var interest: IOInterest { isStream ? .readable : .exceptional }

    private static func open(_ path: String, _ kind: mode_t) throws(SystemError) -> OwnedDescriptor {
        guard kind != S_IFSOCK else { return try UnixSocket.connect(path: path) }
        // Open for writing too, a FIFO has never lost its last writer.
        let raw = try check("open", on: path) {
            unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        }
        return OwnedDescriptor(takingOver: raw)
    }

    private func notice(_ readiness: IOReadiness) {
        if isStream, !drain() || readiness.contains(.hangUp) {
            // Nobody will say anything more.
            watch = nil
            return
        }
        if readiness.contains(.error) {
            // The kernel has dropped the trigger, with the control group that it was for.
            watch = nil
            return
        }
        watch?.interest = []
        pause?.arm(at: loop.now + Self.pauseMicroseconds)
        handler()
    }

    /// Throws away what has been said.
    /// - Returns: false at the end of the stream.
    private func drain() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.drainBytes, alignment: 1) { space in
            while true {
                let count = unsafe read(file.raw, space.baseAddress, Self.drainBytes)
                if count == 0 { return false }
                if count < 0, errno != EINTR { return errno == EAGAIN }
                if count > 0, count < Self.drainBytes { return true }
            }
        }
    }
}
