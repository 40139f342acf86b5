internal import CLinux
internal import Glibc

/// A process held by a pidfd (pidfd_open(2)): whatever is asked of it reaches it and no process that has its
/// number later.
public final class ProcessHandle {
    /// Which process it is.
    public let identity: ProcessIdentity
    private let pidfd: OwnedDescriptor

    /// Takes hold of a process that runs now.
    /// - Throws: ESRCH where there is none, or it has ended; EINVAL or ENOENT for a thread.
    public init(pid: Int32) throws(SystemError) {
        pidfd = OwnedDescriptor(
            takingOver: try check("pidfd_open", on: "process \(pid)") { adslot_pidfd_open(pid) })
        do throws(SystemError) {
            identity = try ProcessStatus(pid: pid).identity
        } catch  where error.isGone {
            throw SystemError(operation: "pidfd_open", subject: "process \(pid)", code: ESRCH)
        }
        // What was read is the held process's: had another taken its number since, it would have ended.
        if hasEnded { throw SystemError(operation: "pidfd_open", subject: "process \(pid)", code: ESRCH) }
    }

    /// Becomes readable when the process ends.
    public var descriptor: Int32 { pidfd.raw }

    /// Whether the process has ended.
    public var hasEnded: Bool {
        (try? Waiting.wait(for: .readable, on: pidfd.raw, milliseconds: 0)) ?? false
    }

    /// Its status, nil once it has ended and been waited for.
    public func status() throws(SystemError) -> ProcessStatus? {
        do throws(SystemError) {
            let status = try ProcessStatus(pid: identity.pid)
            return status.identity == identity ? status : nil
        } catch  where error.isGone {
            return nil
        }
    }

    /// Whether a signal could be sent.
    /// - Throws: EPERM where this process may not.
    public func checkPermission() throws(SystemError) { try send(0) }

    /// SIGSTOP. It takes effect when each thread comes out of the kernel: see ``isStill(afterStop:)``.
    public func stop() throws(SystemError) { try send(SIGSTOP) }

    /// SIGCONT.
    public func proceed() throws(SystemError) { try send(SIGCONT) }

    private func send(_ signal: Int32) throws(SystemError) {
        do {
            _ = try check("pidfd_send_signal", on: "process \(identity.pid)") {
                adslot_pidfd_signal(pidfd.raw, signal)
            }
        } catch  where error.code == ESRCH {
            return
        }
    }

    /// Whether no thread executes anything, see ``ProcessStatus/isWhollyStill(afterStop:)``.
    public func isStill(afterStop: Bool) throws(SystemError) -> Bool {
        guard let status = try status() else { return true }
        return try status.isWhollyStill(afterStop: afterStop)
    }
}

extension SystemError {
    /// Whether what was asked about has ended (ENOENT, ESRCH) or was removed (ENODEV).
    public var isGone: Bool { code == ENOENT || code == ESRCH || code == ENODEV }
}
