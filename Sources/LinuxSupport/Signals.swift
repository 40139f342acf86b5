internal import CLinux
internal import CSystemd
internal import Glibc

/// The signals that a daemon takes through its loop.
public enum Signals: Int32, CaseIterable, Sendable {
    /// Reload.
    case hangUp = 1
    /// End, from a terminal.
    case interrupt = 2
    /// End, from the service manager.
    case terminate = 15

    /// Blocks all of them, so that only the loop sees them, and ignores SIGPIPE. First thing in main,
    /// before any thread.
    public static func prepare() throws(SystemError) {
        try StandardStream.openClosed()
        _ = try check("sigaction") { adslot_ignore_sigpipe() }
        let numbers = allCases.map(\.rawValue)
        _ = try check("sigprocmask") { unsafe adslot_block_signals(numbers, numbers.count) }
    }
}

/// A signal watched by the loop, until the object goes.
public final class SignalWatch {
    private var source: SourceHandle?
    private let handler: () -> Void

    init(loop: EventLoop, signal: Signals, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        source = try unsafe SourceHandle("sd_event_add_signal", priority: .normal) { created in
            unsafe sd_event_add_signal(
                loop.handle, &created, signal.rawValue,
                { _, _, context in
                    guard let context = unsafe context else { return 0 }
                    unsafe Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().handler()
                    return 0
                }, me)
        }
    }
}
