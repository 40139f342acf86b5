internal import CNetlink
internal import Reachability

/// One netlink message inside a datagram. It is valid only while the datagram is lent.
@safe
struct RawMessage {
    let type: UInt16
    let flags: UInt16
    let sequence: UInt32
    /// The header and what follows it.
    private let whole: UnsafeRawBufferPointer

    fileprivate init(_ header: nlmsghdr, whole: UnsafeRawBufferPointer) {
        type = header.nlmsg_type
        flags = header.nlmsg_flags
        sequence = header.nlmsg_seq
        unsafe self.whole = whole
    }

    /// What follows the header.
    private var body: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: whole[MemoryLayout<nlmsghdr>.size...])
    }

    /// How long the message is, with its header.
    var count: Int { unsafe whole.count }

    /// Whether it begins as RTM_NEWLINK and RTM_DELLINK do.
    var isAboutLink: Bool {
        (Int(type) == RTM_NEWLINK || Int(type) == RTM_DELLINK)
            && count >= MemoryLayout<nlmsghdr>.size + MemoryLayout<ifinfomsg>.size
    }

    /// Lends the message, with its header.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe body(whole) }

    /// Whether the dump that this message belongs to saw the kernel's list change under it.
    var isInterrupted: Bool { flags & UInt16(NLM_F_DUMP_INTR) != 0 }

    /// The errno of an NLMSG_ERROR (0: an acknowledgement), or of an NLMSG_DONE that ended badly.
    var errorCode: Int32 { -(fixedPart(as: Int32.self) ?? 0) }

    /// The fixed part at the message's beginning, nil when the message is shorter.
    func fixedPart<Header: BitwiseCopyable>(as type: Header.Type) -> Header? {
        guard unsafe body.count >= MemoryLayout<Header>.size else { return nil }
        return unsafe body.loadUnaligned(as: type)
    }

    /// Calls `visit` with each attribute behind the fixed part, in order.
    func forEachAttribute<Header>(after type: Header.Type, _ visit: (Attribute) -> Void) {
        unsafe Attribute.forEach(in: body, from: (MemoryLayout<Header>.size + 3) & ~3, visit)
    }

    /// Calls `visit` with each message of a datagram, in order, until it returns false or what is left is
    /// not a whole message.
    static func forEach(in datagram: UnsafeRawBufferPointer, _ visit: (RawMessage) -> Bool) {
        let headerBytes = MemoryLayout<nlmsghdr>.size
        var offset = 0
        while datagram.count - offset >= headerBytes {
            let header = unsafe datagram.loadUnaligned(fromByteOffset: offset, as: nlmsghdr.self)
            let length = Int(header.nlmsg_len)
            guard length >= headerBytes, length <= datagram.count - offset else { return }
            let whole = unsafe UnsafeRawBufferPointer(rebasing: datagram[offset..<(offset + length)])
            guard unsafe visit(RawMessage(header, whole: whole)) else { return }
            // Messages begin at multiples of four bytes (NLMSG_ALIGNTO); the last may lack its padding.
            offset += (length + 3) & ~3
        }
    }
}

/// One attribute of a message. It is valid only while the datagram is lent.
@safe
struct Attribute {
    /// The number of the attribute, without the flags for nests and byte order.
    let type: Int
    private let payload: UnsafeRawBufferPointer

    /// The value as a byte, nil when it is shorter.
    var byte: UInt8? { unsafe payload.first }

    /// The value as a 32-bit number in the machine's order, nil when it is shorter.
    var word: UInt32? { unsafe payload.count >= 4 ? payload.loadUnaligned(as: UInt32.self) : nil }

    /// The value as a 16-bit number in the machine's order, nil when it is shorter.
    var halfWord: UInt16? { unsafe payload.count >= 2 ? payload.loadUnaligned(as: UInt16.self) : nil }

    /// The value as it stands.
    var bytes: [UInt8] { unsafe Array(payload) }

    /// The value as the index of a link; 0 stands for none.
    var linkIndex: Int? { word.flatMap { $0 == 0 ? nil : Int($0) } }

    /// The value as text up to its final zero. The kernel takes names of any bytes; what is not UTF-8 is
    /// replaced by U+FFFD, since a link that cannot be named well still carries traffic.
    var text: String {
        let end = unsafe payload.firstIndex(of: 0) ?? payload.count
        return unsafe String(decoding: payload[..<end], as: UTF8.self)
    }

    /// The value as an address, nil when it is not one of 4 or 16 bytes.
    var address: IPAddress? { unsafe IPAddress(payload) }

    /// The address in a value that is a struct sockaddr_in or sockaddr_in6, nil when it is neither.
    var socketAddress: IPAddress? {
        let (start, length): (Int, Int)
        switch halfWord.map(Int32.init) {
        case AF_INET: (start, length) = (4, 4)
        case AF_INET6: (start, length) = (8, 16)
        default: return nil
        }
        guard unsafe payload.count >= start + length else { return nil }
        return unsafe IPAddress(payload[start..<(start + length)])
    }

    /// Whether any byte is not zero.
    var isSet: Bool { unsafe payload.contains { $0 != 0 } }

    /// Calls `visit` with each attribute of this nest.
    func forEachNested(_ visit: (Attribute) -> Void) {
        unsafe Attribute.forEach(in: payload, from: 0, visit)
    }

    /// Walks the chain and stops at the first attribute that does not fit, as libnl does. A link has some
    /// fifty attributes, and libnl takes five calls for each.
    fileprivate static func forEach(
        in bytes: UnsafeRawBufferPointer, from start: Int, _ visit: (Attribute) -> Void
    ) {
        let headerBytes = MemoryLayout<nlattr>.size
        var offset = start
        while bytes.count - offset >= headerBytes {
            let header = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: nlattr.self)
            let length = Int(header.nla_len)
            guard length >= headerBytes, length <= bytes.count - offset else { return }
            let payload = unsafe UnsafeRawBufferPointer(
                rebasing: bytes[(offset + headerBytes)..<(offset + length)])
            unsafe visit(Attribute(type: Int(header.nla_type) & typeMask, payload: payload))
            // Attributes begin at multiples of four bytes (NLA_ALIGNTO); the last may lack its padding.
            offset += (length + 3) & ~3
        }
    }

    /// NLA_TYPE_MASK: all but NLA_F_NESTED and NLA_F_NET_BYTEORDER.
    private static let typeMask = 0x3FFF
}
