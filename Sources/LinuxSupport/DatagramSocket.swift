internal import Glibc

/// What a read from a datagram socket came to.
public enum DatagramResult: Hashable, Sendable {
    /// A datagram of so many bytes.
    case bytes(Int)
    /// A datagram that was longer than the buffer: its end is lost.
    case truncated
    /// Nothing is there.
    case wouldBlock
    /// The kernel dropped datagrams because the receive buffer was full (ENOBUFS).
    case overrun
}

/// A buffer for datagrams, aligned for the kernel's message headers.
@safe
public final class DatagramBuffer {
    let space: UnsafeMutableRawBufferPointer

    /// Creates a buffer of `capacity` bytes.
    public init(capacity: Int) {
        unsafe space = .allocate(byteCount: capacity, alignment: 16)
        unsafe space.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        unsafe space.deallocate()
    }

    /// Lends the first `count` bytes.
    public func withBytes<Result, Failure: Error>(
        _ count: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(rebasing: space[..<min(count, space.count)]))
    }
}

/// Reading and tuning datagram sockets that somebody else (libnl) made.
public enum DatagramSocket {
    /// Reads one datagram.
    public static func receive(_ descriptor: Int32, into buffer: DatagramBuffer) throws(SystemError)
        -> DatagramResult
    {
        do {
            let count = try checkNonBlocking("recv") {
                unsafe recv(descriptor, buffer.space.baseAddress, buffer.space.count, Int32(MSG_TRUNC))
            }
            guard let count else { return .wouldBlock }
            return unsafe count > buffer.space.count ? .truncated : .bytes(count)
        } catch  where error.code == ENOBUFS {
            return .overrun
        }
    }

    /// Asks for a receive buffer of `bytes`, past the system's limit where this process may
    /// (SO_RCVBUFFORCE), else as much of it as the limit allows.
    /// - Returns: whether the whole size was granted.
    public static func setReceiveBuffer(_ descriptor: Int32, bytes: Int32) throws(SystemError) -> Bool {
        do {
            try setOption(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, bytes, named: "SO_RCVBUFFORCE")
            return true
        } catch  where error.isNotPermitted {
            try setOption(descriptor, SOL_SOCKET, SO_RCVBUF, bytes, named: "SO_RCVBUF")
            var granted: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            _ = try check("getsockopt SO_RCVBUF") {
                unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &granted, &size)
            }
            // The kernel doubles what is asked for, to cover its own bookkeeping (socket(7)).
            return granted / 2 >= bytes
        }
    }

    /// Bounds how long a blocking read may wait (SO_RCVTIMEO).
    public static func setReceiveTimeout(_ descriptor: Int32, seconds: Int) throws(SystemError) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        _ = try check("setsockopt SO_RCVTIMEO") {
            unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Sets an option of whole-number value.
    public static func setOption(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32, named name: String
    ) throws(SystemError) {
        var value = value
        _ = try check("setsockopt", on: name) {
            unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }
}
