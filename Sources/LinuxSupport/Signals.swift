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

/// The signals that a program which runs another passes on to it, and that of the other's end.
public enum PassedSignal: Int32, CaseIterable, Sendable {
    /// SIGHUP.
    case hangUp = 1
    /// SIGINT.
    case interrupt = 2
    /// SIGQUIT.
    case quit = 3
    /// SIGUSR1.
    case user1 = 10
    /// SIGUSR2.
    case user2 = 12
    /// SIGTERM.
    case terminate = 15
    /// SIGCHLD: a child ended, stopped or went on. It is not passed on.
    case child = 17
    /// SIGCONT.
    case proceed = 18
    /// SIGWINCH.
    case windowChange = 28

    /// Blocks all of them, so that only the loop sees them, and ignores SIGPIPE: a standard error that nobody
    /// reads must not end who has a program to resume. After that program has been started, which would
    /// inherit both.
    public static func block() throws(SystemError) {
        _ = try check("sigaction") { adslot_ignore_sigpipe() }
        let numbers = allCases.map(\.rawValue)
        _ = try check("sigprocmask") { unsafe adslot_block_signals(numbers, numbers.count) }
    }
}

/// A signal watched by the loop, until the object goes.
public final class SignalWatch {
    private var source: SourceHandle?
    private let handler: () -> Void

    init(loop: EventLoop, signal: Int32, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        source = try unsafe SourceHandle("sd_event_add_signal", priority: .normal) { created in
            unsafe sd_event_add_signal(
                loop.handle, &created, signal,
                { _, _, context in
                    guard let context = unsafe context else { return 0 }
                    unsafe Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().handler()
                    return 0
                }, me)
        }
    }
}
