/// Messages of generic netlink, as the kernel sends them; attributes that nobody reads are left out.
enum GenericFixtures {
    /// The controller's description of nl80211, with two of its groups.
    static let wirelessFamily = hex(
        """
        68 00 00 00                           # nlmsg_len 104
        10 00 02 00                           # GENL_ID_CTRL, NLM_F_MULTI
        00 00 00 00 00 00 00 00               # sequence and port
        01 02 00 00                           # CTRL_CMD_NEWFAMILY, version 2
        0c 00 02 00                           # CTRL_ATTR_FAMILY_NAME
        6e 6c 38 30 32 31 31 00               # "nl80211"
        06 00 01 00  1c 00 00 00              # CTRL_ATTR_FAMILY_ID 28
        08 00 03 00  01 00 00 00              # CTRL_ATTR_VERSION 1
        38 00 07 80                           # CTRL_ATTR_MCAST_GROUPS, nested
        1c 00 01 80                           # the first, nested
        08 00 02 00  07 00 00 00              # CTRL_ATTR_MCAST_GRP_ID 7
        0f 00 01 00                           # CTRL_ATTR_MCAST_GRP_NAME
        72 65 67 75 6c 61 74 6f 72 79 00 00   # "regulatory"
        18 00 02 80                           # the second, nested
        08 00 02 00  05 00 00 00              # CTRL_ATTR_MCAST_GRP_ID 5
        0b 00 01 00                           # CTRL_ATTR_MCAST_GRP_NAME
        63 6f 6e 66 69 67 00 00               # "config"
        """)

    /// The module behind nl80211 was removed.
    static let wirelessFamilyGone = hex(
        """
        28 00 00 00                           # nlmsg_len 40
        10 00 00 00                           # GENL_ID_CTRL, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        02 02 00 00                           # CTRL_CMD_DELFAMILY, version 2
        0c 00 02 00                           # CTRL_ATTR_FAMILY_NAME
        6e 6c 38 30 32 31 31 00               # "nl80211"
        06 00 01 00  1c 00 00 00              # CTRL_ATTR_FAMILY_ID 28
        """)

    /// nl80211 has a new link.
    static let wirelessLink = hex(
        """
        30 00 00 00                           # nlmsg_len 48
        1c 00 00 00                           # type 28, the family's number
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        07 01 00 00                           # NL80211_CMD_NEW_INTERFACE
        08 00 03 00  05 00 00 00              # NL80211_ATTR_IFINDEX 5
        0a 00 04 00                           # NL80211_ATTR_IFNAME
        77 6c 61 6e 30 00 00 00               # "wlan0"
        08 00 01 00  00 00 00 00              # NL80211_ATTR_WIPHY 0
        """)

    /// A link changed its type, from station to access point.
    static let wirelessLinkChanged = wirelessLink.replacing(at: 16, with: [6])

    /// A link left nl80211.
    static let wirelessLinkGone = wirelessLink.replacing(at: 16, with: [8])

    /// A device for peer-to-peer has no link.
    static let wirelessDevice = hex(
        """
        1c 00 00 00                           # nlmsg_len 28
        1c 00 00 00                           # type 28, the family's number
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        07 01 00 00                           # NL80211_CMD_NEW_INTERFACE
        08 00 01 00  00 00 00 00              # NL80211_ATTR_WIPHY 0
        """)

    /// A station has associated: NL80211_CMD_CONNECT.
    static let wirelessConnect = wirelessLink.replacing(at: 16, with: [46])

    /// A WireGuard device with a mark and two peers: one for all of IPv4, one for 10.0.0.0/8 and IPv6.
    static let wireGuard = hex(
        """
        d4 00 00 00                           # nlmsg_len 212
        1d 00 02 00                           # type 29, NLM_F_MULTI
        00 00 00 00 00 00 00 00               # sequence and port
        00 01 00 00                           # WG_CMD_GET_DEVICE, version 1
        08 00 07 00  6c ca 00 00              # WGDEVICE_A_FWMARK 51820
        b8 00 08 80                           # WGDEVICE_A_PEERS, nested
        """ + "\n" + firstPeer + "\n" + secondPeer)

    /// The same peer goes on in another message, by its key alone: it is allowed 192.0.2.0/24 too.
    static let wireGuardContinued = hex(
        """
        44 00 00 00                           # nlmsg_len 68
        1d 00 02 00                           # type 29, NLM_F_MULTI
        00 00 00 00 00 00 00 00               # sequence and port
        00 01 00 00                           # WG_CMD_GET_DEVICE, version 1
        30 00 08 80                           # WGDEVICE_A_PEERS, nested
        2c 00 00 80                           # a peer, nested
        08 00 01 00  22 22 22 22              # WGPEER_A_PUBLIC_KEY, shortened
        20 00 09 80                           # WGPEER_A_ALLOWEDIPS, nested
        1c 00 00 80                           # a prefix, nested
        06 00 01 00  02 00 00 00              # WGALLOWEDIP_A_FAMILY AF_INET
        08 00 02 00  c0 00 02 00              # WGALLOWEDIP_A_IPADDR 192.0.2.0
        05 00 03 00  18 00 00 00              # WGALLOWEDIP_A_CIDR_MASK 24
        """)

    private static let firstPeer = """
        40 00 00 80                           # a peer, nested
        08 00 01 00  11 11 11 11              # WGPEER_A_PUBLIC_KEY, shortened
        14 00 04 00                           # WGPEER_A_ENDPOINT
        02 00 ca 6c  c6 33 64 07              # AF_INET, port 51820, 198.51.100.7
        00 00 00 00 00 00 00 00
        20 00 09 80                           # WGPEER_A_ALLOWEDIPS, nested
        1c 00 00 80                           # a prefix, nested
        06 00 01 00  02 00 00 00              # WGALLOWEDIP_A_FAMILY AF_INET
        08 00 02 00  00 00 00 00              # WGALLOWEDIP_A_IPADDR 0.0.0.0
        05 00 03 00  00 00 00 00              # WGALLOWEDIP_A_CIDR_MASK 0
        """

    private static let secondPeer = """
        74 00 01 80                           # a peer, nested
        08 00 01 00  22 22 22 22              # WGPEER_A_PUBLIC_KEY, shortened
        20 00 04 00                           # WGPEER_A_ENDPOINT
        0a 00 ca 6c  00 00 00 00              # AF_INET6, port 51820, no flow
        20 01 0d b8 00 00 00 00               # 2001:db8::9
        00 00 00 00 00 00 00 09
        00 00 00 00                           # no scope
        48 00 09 80                           # WGPEER_A_ALLOWEDIPS, nested
        1c 00 00 80                           # a prefix, nested
        06 00 01 00  02 00 00 00              # WGALLOWEDIP_A_FAMILY AF_INET
        08 00 02 00  0a 00 00 00              # WGALLOWEDIP_A_IPADDR 10.0.0.0
        05 00 03 00  08 00 00 00              # WGALLOWEDIP_A_CIDR_MASK 8
        28 00 01 80                           # a prefix, nested
        06 00 01 00  0a 00 00 00              # WGALLOWEDIP_A_FAMILY AF_INET6
        14 00 02 00                           # WGALLOWEDIP_A_IPADDR ::
        00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00
        05 00 03 00  00 00 00 00              # WGALLOWEDIP_A_CIDR_MASK 0
        """

    static let all =
        wirelessFamily + wirelessFamilyGone + wirelessLink + wirelessDevice + wireGuard + wireGuardContinued
}
