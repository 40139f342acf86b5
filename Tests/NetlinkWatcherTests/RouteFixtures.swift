/// Messages about all that routing hangs on, as the kernel sends them.
enum RouteFixtures {
    /// A default route.
    static let route = hex(
        """
        34 00 00 00               # nlmsg_len 52
        18 00 00 00               # RTM_NEWROUTE, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 00 00               # AF_INET, to anywhere, from anywhere, any service
        fe 03 00 01               # main table, protocol boot, scope universe, unicast
        00 00 00 00               # no flags
        08 00 0f 00  fe 00 00 00  # RTA_TABLE main
        08 00 05 00  c0 00 02 0a  # RTA_GATEWAY 192.0.2.10
        08 00 04 00  02 00 00 00  # RTA_OIF 2
        """)

    /// One that is gone.
    static let routeGone = hex(
        """
        34 00 00 00               # nlmsg_len 52
        19 00 00 00               # RTM_DELROUTE, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 00 00               # AF_INET, to anywhere, from anywhere, any service
        fe 03 00 01               # main table, protocol boot, scope universe, unicast
        00 00 00 00               # no flags
        08 00 0f 00  fe 00 00 00  # RTA_TABLE main
        08 00 05 00  c0 00 02 0a  # RTA_GATEWAY 192.0.2.10
        08 00 04 00  02 00 00 00  # RTA_OIF 2
        """)

    /// A route of the cache: what a lookup found, no decision.
    static let clonedRoute = hex(
        """
        34 00 00 00               # nlmsg_len 52
        18 00 00 00               # RTM_NEWROUTE, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 00 00               # AF_INET, to anywhere, from anywhere, any service
        fe 03 00 01               # main table, protocol boot, scope universe, unicast
        00 02 00 00               # RTM_F_CLONED
        08 00 0f 00  fe 00 00 00  # RTA_TABLE main
        08 00 05 00  c0 00 02 0a  # RTA_GATEWAY 192.0.2.10
        08 00 04 00  02 00 00 00  # RTA_OIF 2
        """)

    /// A policy rule.
    static let rule = hex(
        """
        24 00 00 00               # nlmsg_len 36
        20 00 00 00               # RTM_NEWRULE, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 18 00               # AF_INET, to anywhere, from a /24
        64 00 00 01               # table 100, to it
        00 00 00 00               # no flags
        08 00 02 00  c0 00 02 00  # FRA_SRC 192.0.2.0
        """)

    /// A nexthop object.
    static let nexthop = hex(
        """
        28 00 00 00               # nlmsg_len 40
        68 00 05 06               # RTM_NEWNEXTHOP, flags 0x605
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 fe 00 00               # AF_INET, scope link
        00 00 00 00               # no flags
        08 00 01 00  09 00 00 00  # NHA_ID 9
        08 00 05 00  02 00 00 00  # NHA_OIF 2
        """)

    /// A setting of IPv4 on a link.
    static let netconf = hex(
        """
        24 00 00 00               # nlmsg_len 36
        50 00 00 00               # RTM_NEWNETCONF, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 00 00               # AF_INET
        08 00 01 00  02 00 00 00  # NETCONFA_IFINDEX 2
        08 00 02 00  00 00 00 00  # NETCONFA_FORWARDING off
        """)

    /// A neighbour: nothing that anybody asked for.
    static let neighbour = hex(
        """
        24 00 00 00               # nlmsg_len 36
        1c 00 00 00               # RTM_NEWNEIGH, no flags
        00 00 00 00 00 00 00 00   # sequence and port: an event of the kernel
        02 00 00 00               # AF_INET
        02 00 00 00               # index 2
        02 00 00 01               # reachable, unicast
        08 00 01 00  c0 00 02 0a  # NDA_DST 192.0.2.10
        """)

    /// All of them.
    static let all = [route, routeGone, clonedRoute, rule, nexthop, netconf, neighbour]
}
