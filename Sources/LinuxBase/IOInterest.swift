internal import Glibc

/// What to wait for on a descriptor.
public struct IOInterest: OptionSet, Hashable, Sendable {
    /// Bits of poll(2), which are those of epoll_ctl(2).
    public let rawValue: UInt32
    /// Creates a set from such bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Data, a connection, or the end of the stream can be read.
    public static let readable = IOInterest(rawValue: UInt32(POLLIN))
    /// There is room to write.
    public static let writable = IOInterest(rawValue: UInt32(POLLOUT))
    /// Something out of the ordinary has happened: a trigger of pressure stall information has fired.
    public static let exceptional = IOInterest(rawValue: UInt32(POLLPRI))
}

/// What has come on a descriptor.
public struct IOReadiness: OptionSet, Hashable, Sendable {
    /// Bits of poll(2), which are those of epoll_wait(2).
    public let rawValue: UInt32
    /// Creates a set from such bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Data, a connection, or the end of the stream can be read.
    public static let readable = IOReadiness(rawValue: UInt32(POLLIN))
    /// There is room to write.
    public static let writable = IOReadiness(rawValue: UInt32(POLLOUT))
    /// Something out of the ordinary has happened.
    public static let exceptional = IOReadiness(rawValue: UInt32(POLLPRI))
    /// Both directions are closed: the peer is gone. Reported whatever the interest is.
    public static let hangUp = IOReadiness(rawValue: UInt32(POLLHUP))
    /// The descriptor has an error pending. Reported whatever the interest is.
    public static let error = IOReadiness(rawValue: UInt32(POLLERR))
}
