internal import CLinux
internal import Glibc

/// What a read from a non-blocking socket came to.
public enum ReceiveResult: Equatable, Sendable {
    /// So many bytes were appended.
    case bytes(Int)
    /// Nothing is there yet.
    case wouldBlock
    /// The peer will send nothing more.
    case endOfFile
}

/// Who is at the other end of a Unix socket, as the kernel knows it (unix(7), SO_PEERCRED).
public struct PeerCredentials: Hashable, Sendable {
    /// Process id at the time of connect(2).
    public var pid: Int32
    /// Effective user id.
    public var uid: UInt32
    /// Effective group id.
    public var gid: UInt32
    /// Supplementary groups.
    public var groups: [UInt32]

    /// Creates credentials from their parts.
    public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32]) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }
}

/// Stream sockets of the Unix domain, all non-blocking and closed on exec.
public enum UnixSocket {
    /// The connections that the kernel keeps for a listener that has not accepted them yet.
    package static let backlog: Int32 = 128

    /// Listens at `path`. A socket that nobody listens at any more is taken over; one that a live
    /// process answers on is refused with EADDRINUSE.
    /// - Parameter mode: the access bits of the socket file.
    public static func listen(path: String, mode: UInt32) throws(SystemError) -> OwnedDescriptor {
        let socket = try makeSocket()
        do {
            try bind(socket.raw, to: path, mode: mode)
        } catch  where error.code == EADDRINUSE {
            guard try isSocket(path) else {
                throw SystemError(operation: "bind", subject: path, code: ENOTSOCK)
            }
            guard try !isAlive(path) else { throw error }
            _ = try check("unlink", on: path) { unsafe unlink(path) }
            try bind(socket.raw, to: path, mode: mode)
        }
        _ = try check("listen", on: path) { Glibc.listen(socket.raw, backlog) }
        return socket
    }

    /// Connects to the socket at `path`.
    public static func connect(path: String) throws(SystemError) -> OwnedDescriptor {
        let socket = try makeSocket()
        try unsafe withAddress(of: path) { address, length throws(SystemError) in
            _ = try check("connect", on: path) { unsafe Glibc.connect(socket.raw, address, length) }
        }
        return socket
    }

    /// Makes a socket that somebody else opened non-blocking.
    package static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = try check("fcntl F_GETFL") { fcntl(descriptor, F_GETFL) }
        _ = try check("fcntl F_SETFL") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Takes the next waiting connection.
    /// - Returns: nil when none is waiting.
    public static func accept(_ listener: Int32) throws(SystemError) -> OwnedDescriptor? {
        while true {
            do {
                guard let raw = try checkNonBlocking("accept4", { adslot_accept(listener) }) else {
                    return nil
                }
                return OwnedDescriptor(takingOver: raw)
            } catch  where error.code == ECONNABORTED {
                continue
            }
        }
    }

    /// Reads at most `maximum` bytes and appends them to `buffer`.
    public static func receive(
        _ descriptor: Int32, into buffer: inout [UInt8], maximum: Int
    ) throws(SystemError) -> ReceiveResult {
        try unsafe withUnsafeTemporaryAllocation(byteCount: maximum, alignment: 1) {
            space throws(SystemError) -> ReceiveResult in
            let count = try checkNonBlocking("recv") {
                unsafe recv(descriptor, space.baseAddress, maximum, 0)
            }
            guard let count else { return .wouldBlock }
            unsafe buffer.append(contentsOf: space[..<count])
            return count == 0 ? .endOfFile : .bytes(count)
        }
    }

    /// Writes from `bytes`, beginning at `offset`.
    /// - Returns: how many bytes the kernel took, nil when there is no room now.
    public static func send(
        _ descriptor: Int32, _ bytes: [UInt8], from offset: Int = 0
    ) throws(SystemError) -> Int? {
        try checkNonBlocking("send") {
            unsafe bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                return unsafe Glibc.send(
                    descriptor, base + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Who connected to `descriptor`.
    public static func peerCredentials(_ descriptor: Int32) throws(SystemError) -> PeerCredentials {
        var pid: pid_t = 0
        var uid: uid_t = 0
        var gid: gid_t = 0
        _ = try check("getsockopt SO_PEERCRED") {
            unsafe adslot_peer_credentials(descriptor, &pid, &uid, &gid)
        }
        // NGROUPS_MAX is 65,536; few users are in more than a handful, so the size is asked for first.
        let count = try check("getsockopt SO_PEERGROUPS") { adslot_peer_groups(descriptor, nil, 0) }
        var groups = [gid_t](repeating: 0, count: Int(count))
        if !groups.isEmpty {
            _ = try check("getsockopt SO_PEERGROUPS") {
                unsafe adslot_peer_groups(descriptor, &groups, count)
            }
        }
        return PeerCredentials(pid: pid, uid: uid, gid: gid, groups: groups)
    }

    /// Two sockets that are connected to each other; both are the caller's to take over.
    public static func pair() throws(SystemError) -> (Int32, Int32) {
        var raw: [Int32] = [-1, -1]
        _ = try check("socketpair") { unsafe adslot_stream_pair(&raw) }
        return (raw[0], raw[1])
    }
}

extension UnixSocket {
    private static func makeSocket() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(takingOver: try check("socket") { adslot_stream_socket() })
    }

    private static func bind(_ socket: Int32, to path: String, mode: UInt32) throws(SystemError) {
        // The file is born with its final bits: a window with wider ones would let a stranger in.
        let previous = umask(~mode & 0o777)
        defer { _ = umask(previous) }
        try unsafe withAddress(of: path) { address, length throws(SystemError) in
            _ = try check("bind", on: path) { unsafe Glibc.bind(socket, address, length) }
        }
    }

    private static func isSocket(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        _ = try check("lstat", on: path) { unsafe lstat(path, &status) }
        return status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func isAlive(_ path: String) throws(SystemError) -> Bool {
        do {
            _ = try connect(path: path)
            return true
        } catch  where error.code == ECONNREFUSED {
            return false
        } catch  where error.code == EAGAIN {
            // Its queue of waiting connections is full, so somebody holds it.
            return true
        }
    }

    /// Builds the sockaddr_un of `path`, whose size unix(7) bounds at 108 bytes with the final zero.
    private static func withAddress(
        of path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw SystemError(operation: "socket path", subject: path, code: EINVAL)
        }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(operation: "socket path", subject: path, code: ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            unsafe target.copyBytes(from: bytes)
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var result: Result<Void, SystemError> = .success(())
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                do throws(SystemError) {
                    try unsafe body(address, length)
                } catch {
                    result = .failure(error)
                }
            }
        }
        try result.get()
    }
}
