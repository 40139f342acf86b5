internal import CNetlink
internal import Reachability

/// Decodes RTM_NEWADDR and RTM_DELADDR (rtnetlink(7), linux/if_addr.h).
enum AddressDecoder {
    static func decode(_ message: RawMessage) -> Fact? {
        guard let header = message.fixedPart(as: ifaddrmsg.self), header.ifa_index > 0 else { return nil }
        let family: AddressFamily
        switch Int32(header.ifa_family) {
        case AF_INET: family = .ipv4
        case AF_INET6: family = .ipv6
        default: return nil
        }

        // On a link with a peer address IFA_ADDRESS is the peer's and IFA_LOCAL ours; elsewhere either
        // may be missing.
        var local: IPAddress?
        var address: IPAddress?
        // The header has room for eight flags only; IFA_FLAGS has them all.
        var flags = UInt32(header.ifa_flags)
        message.forEachAttribute(after: ifaddrmsg.self) { attribute in
            switch attribute.type {
            case IFA_LOCAL: local = attribute.address
            case IFA_ADDRESS: address = attribute.address
            case IFA_FLAGS: flags = attribute.word ?? flags
            default: break
            }
        }
        guard let own = local ?? address, own.family == family else { return nil }
        let index = Int(header.ifa_index)
        let prefixLength = Int(header.ifa_prefixlen)
        guard Int(message.type) == RTM_NEWADDR else {
            return .addressGone(linkIndex: index, address: own, prefixLength: prefixLength)
        }
        return .address(
            LinkAddress(
                linkIndex: index, address: own, prefixLength: prefixLength,
                isTentative: flags & UInt32(IFA_F_TENTATIVE) != 0,
                isOptimistic: flags & UInt32(IFA_F_OPTIMISTIC) != 0,
                isDuplicate: flags & UInt32(IFA_F_DADFAILED) != 0,
                isDeprecated: flags & UInt32(IFA_F_DEPRECATED) != 0))
    }
}
