internal import Glibc

/// Waiting without a loop, for programs that do one thing at a time.
public enum Waiting {
    /// Waits for a descriptor with poll(2).
    /// - Parameter milliseconds: how long, for ever when negative.
    /// - Returns: false when it was not ready in time, or a signal came first.
    public static func wait(
        for interest: IOInterest, on descriptor: Int32, milliseconds: Int32
    ) throws(SystemError) -> Bool {
        let events = interest.contains(.writable) ? POLLOUT : POLLIN
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let result = unsafe poll(&request, 1, milliseconds)
        if result < 0, errno != EINTR { throw SystemError(operation: "poll", code: errno) }
        return result > 0
    }

    /// Waits, without end, until one of two descriptors is readable or a signal comes.
    public static func wait(forEither one: Int32, _ other: Int32) throws(SystemError) {
        var requests = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let result = unsafe poll(&requests, 2, -1)
        if result < 0, errno != EINTR { throw SystemError(operation: "poll", code: errno) }
    }

    /// Waits for a time; a signal makes it shorter.
    public static func pause(milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }
}
