internal import CNetlink
internal import LinuxSupport
internal import Reachability

/// Questions to the kernel that are answered before anything else happens: dumps and route lookups.
///
/// It is a socket of its own, so that answers and events never mix. The kernel works a request off
/// inside the send, so reading the answer does not wait; the time limit guards against the impossible.
final class QuerySocket {
    private let socket: NetlinkSocket
    private let buffer = DatagramBuffer(capacity: Limits.datagramBytesMax)

    init(_ realm: NetlinkSocket.Realm = .route) throws(SystemError) {
        socket = try NetlinkSocket(realm, blocking: true)
        try DatagramSocket.setReceiveTimeout(socket.descriptor, seconds: Limits.answerSeconds)
        do {
            // The kernel then refuses what it does not understand instead of ignoring it (5.0 and later).
            try DatagramSocket.setOption(
                socket.descriptor, SOL_NETLINK, Int32(NETLINK_GET_STRICT_CHK), 1,
                named: "NETLINK_GET_STRICT_CHK")
        } catch  where !error.isUnsupportedOption {
            throw error
        } catch {}
    }

    /// How a dump ended.
    enum DumpEnd: Equatable {
        case complete
        /// The list changed while it was being read (NLM_F_DUMP_INTR): what came may be wrong.
        case interrupted
    }

    /// Reads the whole list of one kind.
    /// - Parameters:
    ///   - type: RTM_GETLINK or RTM_GETADDR.
    ///   - headerBytes: the size of the request's fixed part, all zero: every family, every link.
    func dump(type: Int, headerBytes: Int, _ visit: (RawMessage) -> Void) throws(SystemError) -> DumpEnd {
        let sequence = try unsafe socket.send(type: Int32(type), flags: Int32(NLM_F_DUMP)) { message in
            unsafe nlmsg_reserve(message, headerBytes, Int32(NLMSG_ALIGNTO)) != nil
        }
        return try readDump(sequence, named: "netlink dump \(type)", visit)
    }

    /// Reads a whole list of a generic family, by a request with NLM_F_DUMP.
    func dump(_ request: GenericRequest, _ visit: (RawMessage) -> Void) throws(SystemError) -> DumpEnd {
        let sequence = try socket.send(request)
        return try readDump(
            sequence, named: "netlink dump \(request.command) of family \(request.family)", visit)
    }

    private func readDump(
        _ sequence: UInt32, named name: String, _ visit: (RawMessage) -> Void
    ) throws(SystemError) -> DumpEnd {
        var end: DumpEnd = .complete
        var failure: Int32 = 0
        var isDone = false
        while !isDone {
            try receive { message in
                guard message.sequence == sequence else { return true }
                if message.isInterrupted { end = .interrupted }
                switch Int32(message.type) {
                case NLMSG_DONE, NLMSG_ERROR:
                    failure = message.errorCode
                    isDone = true
                    return false
                default:
                    visit(message)
                    return true
                }
            }
        }
        if failure == EINTR { return .interrupted }
        guard failure == 0 else { throw SystemError(operation: name, code: failure) }
        return end
    }

    /// Asks for one link.
    /// - Returns: nil when it is not there.
    func link(_ index: Int) throws(SystemError) -> Link? {
        let result = try unsafe ask(type: RTM_GETLINK) { message in
            var header = ifinfomsg()
            header.ifi_index = Int32(clamping: index)
            return unsafe nlmsg_append(
                message, &header, MemoryLayout<ifinfomsg>.size, Int32(NLMSG_ALIGNTO)) == 0
        } _: { message in
            MessageDecoder.decode(message)
        }
        switch result {
        case .success(.link(let link)): return link
        case .success: throw .malformed("netlink link \(index)")
        case .failure(let refusal) where refusal.code == ENODEV: return nil
        case .failure(let refusal): throw SystemError(operation: "netlink link \(index)", code: refusal.code)
        }
    }

    /// Sends one request and hands its one answer to `read`.
    /// - Returns: what `read` made of the answer; the errno when the kernel refused.
    func ask<Answer>(
        type: Int, _ build: (OpaquePointer) -> Bool, _ read: (RawMessage) -> Answer?
    ) throws(SystemError) -> Result<Answer, Refusal> {
        let sequence = try unsafe socket.send(type: Int32(type), flags: 0, build)
        var result: Result<Answer, Refusal>?
        while result == nil {
            try receive { message in
                guard message.sequence == sequence else { return true }
                if Int32(message.type) == NLMSG_ERROR {
                    result = .failure(Refusal(code: message.errorCode))
                } else if let answer = read(message) {
                    result = .success(answer)
                } else {
                    result = .failure(Refusal(code: EBADMSG))
                }
                return false
            }
        }
        return result ?? .failure(Refusal(code: EBADMSG))
    }

    /// The kernel's no to a request, as an errno.
    struct Refusal: Error {
        let code: Int32
    }

    private func receive(_ visit: (RawMessage) -> Bool) throws(SystemError) {
        switch try DatagramSocket.receive(socket.descriptor, into: buffer) {
        case .bytes(let count):
            unsafe buffer.withBytes(count) { bytes in unsafe RawMessage.forEach(in: bytes, visit) }
        case .truncated:
            throw SystemError(operation: "netlink answer", code: EMSGSIZE)
        case .wouldBlock:
            throw SystemError(operation: "netlink answer", code: ETIMEDOUT)
        case .overrun:
            throw SystemError(operation: "netlink answer", code: ENOBUFS)
        }
    }
}
