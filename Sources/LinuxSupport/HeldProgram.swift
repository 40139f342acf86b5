internal import CLinux
internal import Glibc

/// A program that has a process already and does not run before it is let go: a child of this process, leader
/// of a process group of its own.
public final class HeldProgram {
    /// What became of it.
    public enum Change: Equatable, Sendable {
        /// It ended by itself, with this code.
        case exited(Int32)
        /// A signal ended it.
        case killed(Int32)
        /// A signal stopped it: by a terminal's doing, or by SIGSTOP.
        case stopped(byTerminal: Bool)
        /// It goes on.
        case continued
    }

    /// Its process, whose number is also that of the group.
    public let pid: Int32
    private let name: String
    private var start: OwnedDescriptor?
    private var failure: OwnedDescriptor?
    private var isReaped = false

    /// Makes the process.
    /// - Parameters:
    ///   - command: the program, found along PATH, and its arguments.
    ///   - hasTerminal: whether it shares a terminal with this process. Where not, it gets a session of
    ///     its own: within one, the kernel hangs up a group that is stopped when this process, its last tie
    ///     to the session, ends (setpgid(2), on orphaned process groups).
    public init(_ command: [String], hasTerminal: Bool) throws(SystemError) {
        name = command.first ?? ""
        let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var (go, failed): (Int32, Int32) = (-1, -1)
        pid = try check("fork") { unsafe adslot_fork_held(arguments, hasTerminal ? 0 : 1, &go, &failed) }
        start = OwnedDescriptor(takingOver: go)
        failure = OwnedDescriptor(takingOver: failed)
    }

    /// Lets the program run, as soon as its process may: it can be stopped or frozen already. Whether it
    /// could be run is told by ``startDescriptor``.
    public func go() throws(SystemError) {
        let byte: [UInt8] = [1]
        let raw = start?.raw ?? -1
        _ = try check("write") { unsafe Glibc.write(raw, byte, 1) }
        start = nil
    }

    /// Becomes readable once it is known whether the program could be run; nil when that has been taken.
    public var startDescriptor: Int32? { failure?.raw }

    /// Whether the program could be run; waits until that is known.
    /// - Returns: why it could not be, an errno of execve(2); the process ends by itself then. Nil where it
    ///   could, and where that has been taken before.
    public func takeStartFailure() throws(SystemError) -> SystemError? {
        guard let descriptor = startDescriptor else { return nil }
        var code: Int32 = 0
        let count = try check("read") { unsafe read(descriptor, &code, MemoryLayout<Int32>.size) }
        failure = nil
        return count > 0 ? SystemError(operation: "run", subject: name, code: code) : nil
    }

    /// Has the process end without ever having run the program.
    public func abandon() {
        start = nil
        var status: Int32 = 0
        while !isReaped, unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }

    /// Sends a signal to the whole group; nothing once the program's end has been told.
    public func send(_ signal: PassedSignal) {
        // Not waited for yet, its number is nobody else's.
        if !isReaped { _ = kill(-pid, signal.rawValue) }
    }

    /// What became of it since the last time; its end comes last.
    public func changes() -> [Change] {
        var changes: [Change] = []
        var status: Int32 = 0
        while !isReaped, unsafe adslot_wait_child(pid, &status) == 1 {
            let change = Self.change(status)
            changes.append(change)
            switch change {
            case .exited, .killed: isReaped = true
            case .stopped, .continued: break
            }
        }
        return changes
    }

    /// The status as wait(2) describes it; its macros are none that Swift sees.
    private static func change(_ status: Int32) -> Change {
        let high = status >> 8 & 0xFF
        switch status & 0xFF {
        case _ where status == 0xFFFF: return .continued
        case 0x7F: return .stopped(byTerminal: [SIGTSTP, SIGTTIN, SIGTTOU].contains(high))
        case 0: return .exited(high)
        default: return .killed(status & 0x7F)
        }
    }
}

/// The terminal that this process belongs to, shared with others group by group (tcsetpgrp(3)).
public final class ControllingTerminal {
    private let descriptor: OwnedDescriptor

    /// - Returns: nil where there is none.
    public init?() {
        let raw = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        descriptor = OwnedDescriptor(takingOver: raw)
    }

    /// The group whose turn it is.
    public var foregroundGroup: Int32 { tcgetpgrp(descriptor.raw) }

    /// Hands the terminal over. SIGTTOU is ignored from then on: it would stop this process when it does so
    /// from the background. A program started before that does not inherit it.
    public func give(to group: Int32) {
        _ = adslot_ignore_terminal_output_stop()
        // It fails where the group has ended or the terminal hung up: nobody is left to mind.
        _ = tcsetpgrp(descriptor.raw, group)
    }
}

extension ProcessContext {
    /// Stops this process until somebody continues it.
    public static func stop() {
        _ = kill(getpid(), SIGSTOP)
    }
}
