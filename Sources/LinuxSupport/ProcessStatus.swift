internal import Glibc

/// A process among all that ever ran on this machine since it booted: its number, which is used again, and
/// when it began, which is not.
public struct ProcessIdentity: Hashable, Sendable {
    /// The process id.
    public var pid: Int32
    /// When it began, in clock ticks since boot: field 22 of proc_pid_stat(5).
    public var startTicks: UInt64

    /// Creates an identity from its parts.
    public init(pid: Int32, startTicks: UInt64) {
        self.pid = pid
        self.startTicks = startTicks
    }
}

/// What the kernel says of a process, or of a thread, in proc_pid_stat(5).
public struct ProcessStatus: Hashable, Sendable {
    /// What a thread is doing, by its letter.
    public enum State: UInt8, Sendable {
        /// Stopped by a signal, `T`.
        case stopped = 84
        /// Stopped by a debugger, `t`.
        case traced = 116
        /// Ended and not yet waited for, `Z`.
        case zombie = 90
        /// Ended, `X`.
        case dead = 88
        /// Waiting in the kernel for something that no signal cuts short, `D`.
        case uninterruptible = 68
    }

    /// Which process it is.
    public let identity: ProcessIdentity
    /// What it is doing; nil for whatever else runs, or may.
    public let state: State?
    /// The process group that it is in.
    public let group: Int32
    /// Whether it is a thread of the kernel, which no signal stops.
    public let isKernelThread: Bool

    /// Reads the status of a process.
    /// - Throws: ENOENT or ESRCH where there is none.
    public init(pid: Int32) throws(SystemError) {
        self = try Self.read("/proc/\(pid)/stat", pid)
    }

    /// Whether no thread of the process executes anything: each is stopped, or has ended.
    /// - Parameter afterStop: whether SIGSTOP has been sent. Then a thread that waits in the kernel, whatever
    ///   for, stops before its next instruction. (The parent of a vfork(2) may wait so for a child that is
    ///   stopped itself, for as long as that is.)
    public func isWhollyStill(afterStop: Bool) throws(SystemError) -> Bool {
        // The first thread's word is as good as a no, and no more than that.
        guard isStill(afterStop) else { return false }
        do throws(SystemError) {
            return try Self.threads(of: identity.pid).allSatisfy { $0.isStill(afterStop) }
        } catch  where error.isGone {
            return true
        }
    }

    private func isStill(_ afterStop: Bool) -> Bool {
        switch state {
        case .stopped, .traced, .zombie, .dead: true
        case .uninterruptible: afterStop
        case nil: false
        }
    }

    /// The statuses of all threads of a process.
    private static func threads(of pid: Int32) throws(SystemError) -> [ProcessStatus] {
        let directory = "/proc/\(pid)/task"
        var threads: [ProcessStatus] = []
        for name in try Directory.names(in: directory) {
            do throws(SystemError) {
                threads.append(try read("\(directory)/\(name)/stat", Int32(name) ?? 0))
            } catch  where error.isGone {
                continue
            }
        }
        return threads
    }

    /// The processes of a group; without leave to see them (hidepid of proc(5)) they are not among them.
    public static func members(of group: Int32) throws(SystemError) -> [ProcessStatus] {
        var members: [ProcessStatus] = []
        for name in try Directory.names(in: "/proc") {
            guard let pid = Int32(name), let status = try? ProcessStatus(pid: pid), status.group == group
            else { continue }
            members.append(status)
        }
        return members
    }

    private static func read(_ path: String, _ pid: Int32) throws(SystemError) -> ProcessStatus {
        let text = try TextFile.read(path, maximum: Limits.processStatusBytesMax)
        guard let status = ProcessStatus(parsing: text, pid: pid) else { throw .malformed("read \(path)") }
        return status
    }

    /// The number and the name come first, the name in parentheses and free to hold some itself.
    init?(parsing text: [UInt8], pid: Int32) {
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        func number(_ field: Int) -> UInt64? {
            // Fields are counted from 1, as in the manual; the two before are cut off.
            fields.count > field - 3 ? UInt64(String(decoding: fields[field - 3], as: UTF8.self)) : nil
        }
        guard let letter = fields.first?.first, let group = number(5), let flags = number(9),
            let start = number(22)
        else { return nil }
        identity = ProcessIdentity(pid: pid, startTicks: start)
        state = State(rawValue: letter)
        self.group = Int32(truncatingIfNeeded: group)
        // PF_KTHREAD of linux/sched.h.
        isKernelThread = flags & 0x0020_0000 != 0
    }
}

/// Who a process belongs to.
public struct ProcessOwner: Hashable, Sendable {
    /// The real and the saved user id: those that kill(2) compares.
    public let real, saved: UInt32

    /// Reads the `Uid:` line of proc_pid_status(5).
    public init(pid: Int32) throws(SystemError) {
        let path = "/proc/\(pid)/status"
        let text = String(
            decoding: try TextFile.read(path, maximum: Limits.processStatusBytesMax), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        let numbers = (line ?? "").split { $0 == "\t" || $0 == " " }.dropFirst().compactMap { UInt32($0) }
        guard numbers.count == 4 else { throw .malformed("read \(path)") }
        (real, saved) = (numbers[0], numbers[2])
    }

    /// Whether it is wholly this user's.
    public func isOnly(_ user: UInt32) -> Bool { real == user && saved == user }
}

/// This boot of this machine.
public enum Boot {
    /// The boot's identifier: random(4), boot_id.
    public static func identifier() throws(SystemError) -> String {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = String(decoding: try TextFile.read(path, maximum: 4_096), as: UTF8.self)
        return String(text.prefix { $0 != "\n" })
    }
}
