/// Messages about addresses, as the kernel sends them.
enum AddressFixtures {
    /// An IPv4 address.
    static let ipv4Address = hex(
        """
        3c 00 00 00                           # nlmsg_len 60
        14 00 00 00                           # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        02 18 80 00                           # AF_INET, /24, PERMANENT, scope universe
        02 00 00 00                           # index 2
        08 00 01 00  c0 00 02 01              # IFA_ADDRESS 192.0.2.1
        08 00 02 00  c0 00 02 01              # IFA_LOCAL 192.0.2.1
        09 00 03 00  65 74 68 30 00 00 00 00  # IFA_LABEL "eth0"
        08 00 08 00  80 00 00 00              # IFA_FLAGS PERMANENT
        """)

    /// An IPv4 address with a peer, as of a point-to-point link.
    static let peerAddress = hex(
        """
        30 00 00 00               # nlmsg_len 48
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 20 80 00               # AF_INET, /32, PERMANENT, scope universe
        04 00 00 00               # index 4
        08 00 01 00  c0 00 02 0a  # IFA_ADDRESS 192.0.2.10, the peer's
        08 00 02 00  c0 00 02 09  # IFA_LOCAL 192.0.2.9, ours
        08 00 08 00  80 00 00 00  # IFA_FLAGS PERMANENT
        """)

    /// An IPv6 address whose duplicate detection still runs.
    static let ipv6Tentative = hex(
        """
        34 00 00 00               # nlmsg_len 52
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 40 00               # AF_INET6, /64, TENTATIVE, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  40 01 00 00  # IFA_FLAGS TENTATIVE, MANAGETEMPADDR
        """)

    /// One that may be used meanwhile.
    static let ipv6Optimistic = hex(
        """
        34 00 00 00               # nlmsg_len 52
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 44 00               # AF_INET6, /64, TENTATIVE, OPTIMISTIC, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  44 00 00 00  # IFA_FLAGS TENTATIVE, OPTIMISTIC
        """)

    /// One that somebody else has.
    static let ipv6Duplicate = hex(
        """
        34 00 00 00               # nlmsg_len 52
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 c8 00               # AF_INET6, /64, PERMANENT, TENTATIVE, DADFAILED, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  c8 00 00 00  # IFA_FLAGS PERMANENT, TENTATIVE, DADFAILED
        """)

    /// One that is not for new connections. The flags in the header are none: only IFA_FLAGS has them.
    static let ipv6Deprecated = hex(
        """
        34 00 00 00               # nlmsg_len 52
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 00 00               # AF_INET6, /64, no flags, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  20 01 00 00  # IFA_FLAGS DEPRECATED, MANAGETEMPADDR
        """)

    /// One that is ready; the header says otherwise, and IFA_FLAGS has the last word.
    static let ipv6Ready = hex(
        """
        34 00 00 00               # nlmsg_len 52
        14 00 00 00               # RTM_NEWADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 40 00               # AF_INET6, /64, TENTATIVE, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  80 00 00 00  # IFA_FLAGS PERMANENT
        """)

    /// One that is gone.
    static let ipv6Gone = hex(
        """
        34 00 00 00               # nlmsg_len 52
        15 00 00 00               # RTM_DELADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        0a 40 80 00               # AF_INET6, /64, PERMANENT, scope universe
        02 00 00 00               # index 2
        14 00 01 00               # IFA_ADDRESS 2001:db8::7
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 07
        08 00 08 00  80 00 00 00  # IFA_FLAGS PERMANENT
        """)

    /// An IPv4 address that is gone.
    static let ipv4Gone = hex(
        """
        28 00 00 00               # nlmsg_len 40
        15 00 00 00               # RTM_DELADDR, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 18 80 00               # AF_INET, /24, PERMANENT, scope universe
        02 00 00 00               # index 2
        08 00 01 00  c0 00 02 01  # IFA_ADDRESS 192.0.2.1
        08 00 02 00  c0 00 02 01  # IFA_LOCAL 192.0.2.1
        """)

    /// All of them.
    static let all = [
        ipv4Address, peerAddress, ipv6Tentative, ipv6Optimistic, ipv6Duplicate, ipv6Deprecated, ipv6Ready,
        ipv6Gone, ipv4Gone,
    ]
}
