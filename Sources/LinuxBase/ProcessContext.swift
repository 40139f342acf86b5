internal import CLinux
internal import Glibc

/// What this process was started with and as.
public enum ProcessContext {
    /// The value of an environment variable, nil when it is not set or empty.
    public static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The name of this device (gethostname(2)), or of the container.
    public static var hostName: String {
        // One byte more than POSIX allows a name, for the end of what was cut.
        var name = [CChar](repeating: 0, count: Int(_POSIX_HOST_NAME_MAX) + 2)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The process id.
    public static var pid: Int32 { getpid() }

    /// The process group.
    public static var group: Int32 { getpgrp() }

    /// The effective user id.
    public static var userID: UInt32 { geteuid() }

    /// Raises the number of descriptors that may be open as far as the system allows, at most to `maximum`:
    /// each client takes one, and the usual soft limit is 1,024.
    public static func raiseDescriptorLimit(to maximum: UInt) throws(SystemError) {
        _ = try check("setrlimit RLIMIT_NOFILE") { adslot_raise_descriptor_limit(maximum) }
    }

    /// The id of a group by its name (getgrnam(3)), nil when there is none.
    public static func groupID(named name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}

/// The streams that a program is born with.
public enum StandardStream: Int32, Sendable {
    /// Where a program's results go.
    case output = 1
    /// Where a program complains.
    case error = 2

    /// Whether a person reads along.
    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The number of columns of the terminal, nil where it is none.
    public var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Opens /dev/null in the place of streams that are closed, before their numbers go to sockets and what
    /// is meant for a person goes to a client. First thing in main.
    public static func openClosed() throws(SystemError) {
        _ = try check("open", on: "/dev/null") { adslot_open_standard_streams() }
    }

    /// Writes a line if that can be done without waiting for a reader; what is longer than a pipe takes at
    /// once (PIPE_BUF) is cut.
    /// - Returns: false when it would have had to wait, or nobody will ever read.
    public func writeLineIfReady(_ text: String) -> Bool {
        var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&request, 1, 0) == 1, request.revents & Int16(POLLOUT) != 0 else { return false }
        let bytes = Array(text.utf8.prefix(Int(PIPE_BUF) - 1)) + [UInt8(ascii: "\n")]
        return (try? write(bytes)) != nil
    }

    /// Writes all of `bytes`, waiting where it must.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try check("write") {
                unsafe bytes.withUnsafeBytes { space in
                    guard let base = space.baseAddress else { return 0 }
                    return unsafe Glibc.write(rawValue, base + offset, space.count - offset)
                }
            }
        }
    }

    /// Writes text and a line's end.
    public func writeLine(_ text: String) throws(SystemError) {
        try write(Array((text + "\n").utf8))
    }
}

/// The end of the program.
public enum Exit {
    /// Ends the process at once with an exit code.
    public static func with(_ code: Int32) -> Never {
        exit(code)
    }
}
