internal import CNetlink
internal import LinuxSupport

/// A route netlink socket, opened by libnl (netlink(7), rtnetlink(7)).
@safe
final class NetlinkSocket {
    private let handle: OpaquePointer
    let descriptor: Int32

    /// Opens a socket and joins the multicast groups given.
    init(groups: [rtnetlink_groups] = [], blocking: Bool) throws(SystemError) {
        guard let allocated = unsafe nl_socket_alloc() else {
            throw SystemError.outOfMemory("nl_socket_alloc")
        }
        unsafe handle = allocated
        unsafe nl_socket_disable_auto_ack(allocated)
        // libnl reports its own error numbers; the cause that matters is the errno behind them.
        guard unsafe nl_connect(allocated, NETLINK_ROUTE) == 0 else {
            let error = SystemError.last("nl_connect")
            unsafe nl_socket_free(allocated)
            throw error
        }
        unsafe descriptor = nl_socket_get_fd(allocated)
        for group in groups {
            guard unsafe nl_socket_add_membership(allocated, Int32(group.rawValue)) == 0 else {
                throw SystemError.last("nl_socket_add_membership \(group.rawValue)")
            }
        }
        if !blocking {
            _ = unsafe nl_socket_set_nonblocking(allocated)
        }
    }

    deinit {
        unsafe nl_socket_free(handle)
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
        guard unsafe build(message) else { throw SystemError.outOfMemory("nlmsg_append") }
        guard unsafe nl_send_auto(handle, message) >= 0 else { throw SystemError.last("nl_send_auto") }
        guard let header = unsafe nlmsg_hdr(message) else {
            throw SystemError.malformed("nlmsg_hdr")
        }
        return unsafe header.pointee.nlmsg_seq
    }
}
