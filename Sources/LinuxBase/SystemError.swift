internal import Glibc

/// A system call, or a call of a C library, that failed: what was tried, on what, and why.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, by its name in the manual.
    public let operation: String
    /// What it was tried on (a path, an address), empty when there is nothing to name.
    public let subject: String
    /// The cause, a value of errno(3).
    public let code: Int32

    /// Creates an error from the value of errno that the call left.
    public init(operation: String, subject: String = "", code: Int32) {
        self.operation = operation
        self.subject = subject
        self.code = code
    }

    /// `operation subject: the system's text for the cause`.
    public var description: String {
        let cause = unsafe String(cString: strerror(code))
        return subject.isEmpty ? "\(operation): \(cause)" : "\(operation) \(subject): \(cause)"
    }
}

extension SystemError {
    /// Whether the call found the file or address missing (ENOENT).
    public var isMissing: Bool { code == ENOENT }
    /// Whether the process, or the system, is out of descriptors (EMFILE, ENFILE).
    public var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
    /// Whether a live process holds the address (EADDRINUSE).
    public var isAddressInUse: Bool { code == EADDRINUSE }
    /// Whether trying again later may help (EAGAIN).
    public var isTryAgain: Bool { code == EAGAIN }
    /// Whether nothing can be written there now, for whoever tries (EROFS, ENOSPC, EDQUOT).
    public var isDiskUnwritable: Bool { code == EROFS || code == ENOSPC || code == EDQUOT }
    /// Whether the peer has gone (EPIPE, ECONNRESET).
    public var isDisconnection: Bool { code == EPIPE || code == ECONNRESET }
    /// Whether this kernel does not know the option (ENOPROTOOPT).
    public var isUnsupportedOption: Bool { code == ENOPROTOOPT }
    /// Whether this kernel does not know the protocol (EPROTONOSUPPORT).
    public var isUnsupportedProtocol: Bool { code == EPROTONOSUPPORT }
    /// Whether a file is longer than it may be (EFBIG).
    public var isTooLarge: Bool { code == EFBIG }
    /// Whether something is still in use (EBUSY).
    public var isBusy: Bool { code == EBUSY }
    /// Whether what was asked makes no sense for what was named (EINVAL).
    public var isInvalid: Bool { code == EINVAL }
    /// Whether the caller may not do this (EACCES, EPERM).
    public var isNotPermitted: Bool { code == EACCES || code == EPERM }
}

/// The one gate to errno: runs a call that answers -1 on failure, again where a signal interrupted it.
package func check<Result: SignedInteger>(
    _ operation: String, on subject: @autoclosure () -> String = "", _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(operation: operation, subject: subject(), code: code) }
    }
}

/// The same gate for a call on a non-blocking descriptor: nil where it would have to wait.
package func checkNonBlocking<Result: SignedInteger>(
    _ operation: String, on subject: @autoclosure () -> String = "", _ call: () -> Result
) throws(SystemError) -> Result? {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code == EAGAIN || code == EWOULDBLOCK { return nil }
        if code != EINTR { throw SystemError(operation: operation, subject: subject(), code: code) }
    }
}

extension SystemError {
    /// The error that the last call of this thread left in errno, for libraries that answer a number of
    /// their own. To be called at once after the failure.
    public static func last(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: errno)
    }

    /// An error for a peer that has gone (ECONNRESET).
    public static func disconnection(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ECONNRESET)
    }

    /// An error for memory that was not to be had (ENOMEM).
    public static func outOfMemory(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: ENOMEM)
    }

    /// An error for an answer that makes no sense (EBADMSG).
    public static func malformed(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: EBADMSG)
    }
}
