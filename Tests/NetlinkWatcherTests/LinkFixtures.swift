/// Messages about links, as the kernel sends them; attributes that nobody reads are left out.
enum LinkFixtures {
    /// A network card with carrier.
    static let ethernet = hex(
        """
        58 00 00 00                           # nlmsg_len 88
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        02 00 00 00                           # index 2
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  65 74 68 30 00 00 00 00  # IFLA_IFNAME "eth0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  52 54 00 12 34 56 00 00  # IFLA_ADDRESS 52:54:00:12:34:56
        """)

    /// The same card, shut down by an administrator: the carrier is a stale 1.
    static let ethernetDown = hex(
        """
        58 00 00 00                           # nlmsg_len 88
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        02 00 00 00                           # index 2
        02 10 00 00                           # BROADCAST, MULTICAST
        01 00 00 00                           # change 0x1
        09 00 03 00  65 74 68 30 00 00 00 00  # IFLA_IFNAME "eth0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  02 00 00 00              # IFLA_OPERSTATE DOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  52 54 00 12 34 56 00 00  # IFLA_ADDRESS 52:54:00:12:34:56
        """)

    /// Associated with an access point, the keys not yet exchanged.
    static let wifiDormant = hex(
        """
        58 00 00 00                           # nlmsg_len 88
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        03 00 00 00                           # index 3
        03 10 01 00                           # UP, BROADCAST, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  77 6c 61 6e 30 00 00 00  # IFLA_IFNAME "wlan0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  05 00 00 00              # IFLA_OPERSTATE DORMANT
        05 00 11 00  01 00 00 00              # IFLA_LINKMODE dormant
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  02 00 00 00 00 00 00 00  # IFLA_ADDRESS 02:00:00:00:00:00
        """)

    /// What wireless extensions send: a name, and no state of the link.
    static let wirelessEvent = hex(
        """
        38 00 00 00                           # nlmsg_len 56
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        03 00 00 00                           # index 3
        03 10 01 00                           # UP, BROADCAST, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  77 6c 61 6e 30 00 00 00  # IFLA_IFNAME "wlan0"
        0c 00 0b 00  08 00 15 8b 00 00 00 00  # IFLA_WIRELESS SIOCGIWAP
        """)

    /// A tun device that a program holds open: the state is never told, and there is no address.
    static let tun = hex(
        """
        64 00 00 00                           # nlmsg_len 100
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 fe ff                           # AF_UNSPEC, ARPHRD_NONE
        04 00 00 00                           # index 4
        d1 10 01 00                           # UP, POINTOPOINT, RUNNING, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  74 75 6e 30 00 00 00 00  # IFLA_IFNAME "tun0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        18 00 12 00                           # IFLA_LINKINFO
        08 00 01 00  74 75 6e 00              #   IFLA_INFO_KIND "tun"
        0c 00 02 00                           #   IFLA_INFO_DATA
        05 00 03 00  01 00 00 00              #     IFLA_TUN_TYPE tun
        """)

    /// A veth that is the port of a bridge.
    static let bridgePort = hex(
        """
        84 00 00 00                           # nlmsg_len 132
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        05 00 00 00                           # index 5
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  76 65 74 68 31 00 00 00  # IFLA_IFNAME "veth1"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  be d8 18 ab b3 a8 00 00  # IFLA_ADDRESS be:d8:18:ab:b3:a8
        08 00 0a 00  07 00 00 00              # IFLA_MASTER 7
        08 00 05 00  06 00 00 00              # IFLA_LINK 6
        1c 00 12 00                           # IFLA_LINKINFO
        09 00 01 00  76 65 74 68 00 00 00 00  #   IFLA_INFO_KIND "veth"
        0b 00 04 00  62 72 69 64 67 65 00 00  #   IFLA_INFO_SLAVE_KIND "bridge"
        """)

    /// A VLAN on the card.
    static let vlan = hex(
        """
        7c 00 00 00                           # nlmsg_len 124
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        08 00 00 00                           # index 8
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0b 00 03 00  65 74 68 30 2e 37 00 00  # IFLA_IFNAME "eth0.7"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  52 54 00 12 34 56 00 00  # IFLA_ADDRESS 52:54:00:12:34:56
        08 00 05 00  02 00 00 00              # IFLA_LINK 2
        1c 00 12 00                           # IFLA_LINKINFO
        09 00 01 00  76 6c 61 6e 00 00 00 00  #   IFLA_INFO_KIND "vlan"
        0c 00 02 00                           #   IFLA_INFO_DATA
        06 00 01 00  07 00 00 00              #     IFLA_VLAN_ID 7
        """)

    /// A veth whose other end is in another network namespace, where the index means another link.
    static let otherNamespace = hex(
        """
        78 00 00 00                           # nlmsg_len 120
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        09 00 00 00                           # index 9
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  65 74 68 30 00 00 00 00  # IFLA_IFNAME "eth0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  9e 00 00 00 00 01 00 00  # IFLA_ADDRESS 9e:00:00:00:00:01
        08 00 05 00  02 00 00 00              # IFLA_LINK 2, of the other namespace
        08 00 25 00  00 00 00 00              # IFLA_LINK_NETNSID 0
        10 00 12 00                           # IFLA_LINKINFO
        09 00 01 00  76 65 74 68 00 00 00 00  #   IFLA_INFO_KIND "veth"
        """)

    /// A GRE tunnel, whose link-layer address is its own end.
    static let gre = hex(
        """
        7c 00 00 00                           # nlmsg_len 124
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 0a 03                           # AF_UNSPEC, ARPHRD_IPGRE
        0a 00 00 00                           # index 10
        91 00 01 00                           # UP, POINTOPOINT, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  67 72 65 31 00 00 00 00  # IFLA_IFNAME "gre1"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        08 00 05 00  00 00 00 00              # IFLA_LINK 0: none
        08 00 01 00  c0 00 02 09              # IFLA_ADDRESS 192.0.2.9
        20 00 12 00                           # IFLA_LINKINFO
        08 00 01 00  67 72 65 00              #   IFLA_INFO_KIND "gre"
        14 00 02 00                           #   IFLA_INFO_DATA
        08 00 06 00  c0 00 02 09              #     IFLA_GRE_LOCAL 192.0.2.9
        08 00 07 00  c6 33 64 01              #     IFLA_GRE_REMOTE 198.51.100.1
        """)

    /// A GRE tunnel over IPv6.
    static let greOverIPv6 = hex(
        """
        7c 00 00 00                           # nlmsg_len 124
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 37 03                           # AF_UNSPEC, ARPHRD_IP6GRE
        0b 00 00 00                           # index 11
        91 00 01 00                           # UP, POINTOPOINT, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  67 72 65 36 00 00 00 00  # IFLA_IFNAME "gre6"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        08 00 05 00  00 00 00 00              # IFLA_LINK 0: none
        28 00 12 00                           # IFLA_LINKINFO
        0b 00 01 00  69 70 36 67 72 65 00 00  #   IFLA_INFO_KIND "ip6gre"
        18 00 02 00                           #   IFLA_INFO_DATA
        14 00 07 00                           #     IFLA_GRE_REMOTE 2001:db8::1
        20 01 0d b8 00 00 00 00
        00 00 00 00 00 00 00 01
        """)

    /// An IP-in-IP tunnel.
    static let ipip = hex(
        """
        70 00 00 00                           # nlmsg_len 112
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 00 03                           # AF_UNSPEC, ARPHRD_TUNNEL
        0c 00 00 00                           # index 12
        91 00 01 00                           # UP, POINTOPOINT, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  69 70 69 70 31 00 00 00  # IFLA_IFNAME "ipip1"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        08 00 05 00  00 00 00 00              # IFLA_LINK 0: none
        1c 00 12 00                           # IFLA_LINKINFO
        09 00 01 00  69 70 69 70 00 00 00 00  #   IFLA_INFO_KIND "ipip"
        0c 00 02 00                           #   IFLA_INFO_DATA
        08 00 03 00  c6 33 64 03              #     IFLA_IPTUN_REMOTE 198.51.100.3
        """)

    /// A tunnel of IPsec.
    static let vti = hex(
        """
        6c 00 00 00                           # nlmsg_len 108
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 00 03                           # AF_UNSPEC, ARPHRD_TUNNEL
        0d 00 00 00                           # index 13
        91 00 01 00                           # UP, POINTOPOINT, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  76 74 69 31 00 00 00 00  # IFLA_IFNAME "vti1"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        08 00 05 00  00 00 00 00              # IFLA_LINK 0: none
        18 00 12 00                           # IFLA_LINKINFO
        08 00 01 00  76 74 69 00              #   IFLA_INFO_KIND "vti"
        0c 00 02 00                           #   IFLA_INFO_DATA
        08 00 05 00  c6 33 64 04              #     IFLA_VTI_REMOTE 198.51.100.4
        """)

    /// A tunnel without a far end of its own.
    static let sitToAnybody = hex(
        """
        6c 00 00 00                           # nlmsg_len 108
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 08 03                           # AF_UNSPEC, ARPHRD_SIT
        0e 00 00 00                           # index 14
        91 00 01 00                           # UP, POINTOPOINT, NOARP, LOWER_UP
        00 00 00 00                           # change 0x0
        09 00 03 00  73 69 74 30 00 00 00 00  # IFLA_IFNAME "sit0"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        08 00 05 00  00 00 00 00              # IFLA_LINK 0: none
        18 00 12 00                           # IFLA_LINKINFO
        08 00 01 00  73 69 74 00              #   IFLA_INFO_KIND "sit"
        0c 00 02 00                           #   IFLA_INFO_DATA
        08 00 03 00  00 00 00 00              #     IFLA_IPTUN_REMOTE 0.0.0.0
        """)

    /// A name that is not UTF-8; the kernel takes it.
    static let oddName = hex(
        """
        58 00 00 00                           # nlmsg_len 88
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        0f 00 00 00                           # index 15
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  65 74 68 ff 30 00 00 00  # IFLA_IFNAME with a byte that is no UTF-8
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  52 54 00 12 34 57 00 00  # IFLA_ADDRESS 52:54:00:12:34:57
        """)

    /// The loopback link: the address is there, and all zero.
    static let loopback = hex(
        """
        54 00 00 00                           # nlmsg_len 84
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 04 03                           # AF_UNSPEC, ARPHRD_LOOPBACK
        01 00 00 00                           # index 1
        49 00 01 00                           # UP, LOOPBACK, RUNNING, LOWER_UP
        00 00 00 00                           # change 0x0
        07 00 03 00  6c 6f 00 00              # IFLA_IFNAME "lo"
        08 00 04 00  00 00 01 00              # IFLA_MTU 65536
        05 00 10 00  00 00 00 00              # IFLA_OPERSTATE UNKNOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  01 00 00 00              # IFLA_CARRIER 1
        0a 00 01 00  00 00 00 00 00 00 00 00  # IFLA_ADDRESS 00:00:00:00:00:00
        """)

    /// A port that leaves its bridge: a deletion in the eyes of the bridge alone.
    static let leftBridge = hex(
        """
        3c 00 00 00                           # nlmsg_len 60
        11 00 00 00                           # RTM_DELLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        07 00 01 00                           # AF_BRIDGE, ARPHRD_ETHER
        05 00 00 00                           # index 5
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  76 65 74 68 31 00 00 00  # IFLA_IFNAME "veth1"
        08 00 0a 00  07 00 00 00              # IFLA_MASTER 7
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        """)

    /// The state of a port as its bridge sees it.
    static let bridgeState = hex(
        """
        48 00 00 00                           # nlmsg_len 72
        10 00 00 00                           # RTM_NEWLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        07 00 01 00                           # AF_BRIDGE, ARPHRD_ETHER
        05 00 00 00                           # index 5
        43 10 01 00                           # UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP
        00 00 00 00                           # change 0x0
        0a 00 03 00  76 65 74 68 31 00 00 00  # IFLA_IFNAME "veth1"
        08 00 0a 00  07 00 00 00              # IFLA_MASTER 7
        05 00 10 00  06 00 00 00              # IFLA_OPERSTATE UP
        0c 00 0c 80                           # IFLA_PROTINFO (nested)
        05 00 01 00  03 00 00 00              #   IFLA_BRPORT_STATE forwarding
        """)

    /// A link that is gone.
    static let deleted = hex(
        """
        58 00 00 00                           # nlmsg_len 88
        11 00 00 00                           # RTM_DELLINK, no flags
        00 00 00 00 00 00 00 00               # sequence and port: an event of the kernel
        00 00 01 00                           # AF_UNSPEC, ARPHRD_ETHER
        05 00 00 00                           # index 5
        02 10 00 00                           # BROADCAST, MULTICAST
        ff ff ff ff                           # change 0xffffffff
        0a 00 03 00  76 65 74 68 31 00 00 00  # IFLA_IFNAME "veth1"
        08 00 04 00  dc 05 00 00              # IFLA_MTU 1500
        05 00 10 00  02 00 00 00              # IFLA_OPERSTATE DOWN
        05 00 11 00  00 00 00 00              # IFLA_LINKMODE default
        05 00 21 00  00 00 00 00              # IFLA_CARRIER 0
        0a 00 01 00  be d8 18 ab b3 a8 00 00  # IFLA_ADDRESS be:d8:18:ab:b3:a8
        """)

    /// All of them.
    static let all = [
        ethernet, ethernetDown, wifiDormant, wirelessEvent, tun, bridgePort, vlan, otherNamespace, gre,
        greOverIPv6, ipip, vti, sitToAnybody, oddName, loopback, leftBridge, bridgeState, deleted,
    ]
}
