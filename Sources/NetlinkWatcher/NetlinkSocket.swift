internal import CNetlink
internal import LinuxSupport

/// A netlink socket, opened by libnl (netlink(7)).
@safe
final class NetlinkSocket {
    /// Whom a socket talks to.
    enum Realm: Int32 {
        /// Links, addresses, routes (rtnetlink(7)).
        case route = 0
        /// The families that have names and get their numbers at run time (linux/genetlink.h).
        case generic = 16
    }

    private let handle: OpaquePointer
    let descriptor: Int32

    /// Opens a socket and joins the multicast groups given.
    init(
        _ realm: Realm = .route, groups: [rtnetlink_groups] = [], blocking: Bool
    ) throws(SystemError) {
        guard let allocated = unsafe nl_socket_alloc() else {
            throw SystemError.outOfMemory("nl_socket_alloc")
        }
        unsafe handle = allocated
        unsafe nl_socket_disable_auto_ack(allocated)
        // libnl reports its own error numbers; the cause that matters is the errno behind them.
        guard unsafe nl_connect(allocated, realm.rawValue) == 0 else {
            let error = SystemError.last("nl_connect")
            unsafe nl_socket_free(allocated)
            throw error
        }
        unsafe descriptor = nl_socket_get_fd(allocated)
        for group in groups {
            try join(group: group.rawValue)
        }
        if !blocking {
            _ = unsafe nl_socket_set_nonblocking(allocated)
        }
    }

    deinit {
        unsafe nl_socket_free(handle)
    }

    /// Joins a multicast group.
    func join(group: UInt32) throws(SystemError) {
        guard unsafe nl_socket_add_membership(handle, Int32(bitPattern: group)) == 0 else {
            throw SystemError.last("nl_socket_add_membership \(group)")
        }
    }

    /// Sends a request built by `build`; libnl fills in length, port and sequence number.
    /// - Returns: the sequence number that the answer will carry.
    func send(
        type: Int32, flags: Int32, _ build: (OpaquePointer) -> Bool
    ) throws(SystemError) -> UInt32 {
        guard let message = unsafe nlmsg_alloc_size(Limits.requestBytesMax) else {
            throw SystemError.outOfMemory("nlmsg_alloc_size")
        }
        defer { unsafe nlmsg_free(message) }
        let (port, sequence) = (UInt32(NL_AUTO_PORT), UInt32(NL_AUTO_SEQ))
        guard unsafe nlmsg_put(message, port, sequence, type, 0, flags) != nil else {
            throw SystemError.outOfMemory("nlmsg_put")
        }
        return try unsafe send(message, build)
    }

    /// Sends a request to a generic family.
    /// - Returns: the sequence number that the answer will carry.
    func send(_ request: GenericRequest) throws(SystemError) -> UInt32 {
        guard let message = unsafe nlmsg_alloc() else { throw SystemError.outOfMemory("nlmsg_alloc") }
        defer { unsafe nlmsg_free(message) }
        let header = unsafe genlmsg_put(
            message, UInt32(NL_AUTO_PORT), UInt32(NL_AUTO_SEQ), Int32(request.family), 0, request.flags,
            request.command, request.version)
        guard unsafe header != nil else { throw SystemError.outOfMemory("genlmsg_put") }
        return try unsafe send(message) { message in
            guard let word = request.word else { return true }
            return unsafe nla_put_u32(message, word.attribute, word.value) == 0
        }
    }

    private func send(
        _ message: OpaquePointer, _ build: (OpaquePointer) -> Bool
    ) throws(SystemError) -> UInt32 {
        guard unsafe build(message) else { throw SystemError.outOfMemory("nlmsg_append") }
        guard unsafe nl_send_auto(handle, message) >= 0 else { throw SystemError.last("nl_send_auto") }
        guard let header = unsafe nlmsg_hdr(message) else {
            throw SystemError.malformed("nlmsg_hdr")
        }
        return unsafe header.pointee.nlmsg_seq
    }
}
