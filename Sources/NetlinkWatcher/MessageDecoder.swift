internal import CNetlink
package import Reachability

/// Bytes of netlink to facts. Whatever the bytes are, it does not trap: what makes no sense is no fact.
package enum MessageDecoder {
    /// What one message means.
    static func decode(_ message: RawMessage) -> Fact? {
        switch Int(message.type) {
        case RTM_NEWLINK, RTM_DELLINK: LinkDecoder.decode(message)
        case RTM_NEWADDR, RTM_DELADDR: AddressDecoder.decode(message)
        case RTM_NEWROUTE, RTM_DELROUTE: isCached(message) ? nil : .routesMayHaveChanged
        case RTM_NEWRULE, RTM_DELRULE, RTM_NEWNEXTHOP, RTM_DELNEXTHOP, RTM_NEWNETCONF, RTM_DELNETCONF:
            .routesMayHaveChanged
        default: nil
        }
    }

    /// The facts of a datagram, in order.
    package static func decode(_ datagram: [UInt8]) -> [Fact] {
        var facts: [Fact] = []
        forEachFact(in: datagram[...]) { facts.append($0) }
        return facts
    }

    /// Calls `visit` with the facts of a part of some bytes, in order.
    static func forEachFact(in datagram: ArraySlice<UInt8>, _ visit: (Fact) -> Void) {
        unsafe datagram.withUnsafeBytes { bytes in
            unsafe RawMessage.forEach(in: bytes) { message in
                if let fact = decode(message) { visit(fact) }
                return true
            }
        }
    }

    /// Whether a route message is about the kernel's cache of past lookups, which decides nothing.
    private static func isCached(_ message: RawMessage) -> Bool {
        guard let header = message.fixedPart(as: rtmsg.self) else { return true }
        return header.rtm_flags & UInt32(RTM_F_CLONED) != 0
    }
}
