/// Cases about routes and rules.
extension SiblingCaseTests {
    static let routes = [
        RealCase(
            "An unreachable route is no route", seen: "sibling of ppp#581",
            steps: """
                BASE
                daemon ethernet
                ip route add unreachable 1.1.1.1/32
                settle none rejectRoute
                ip route delete unreachable 1.1.1.1/32
                settle ethernet
                """, posted: ["none", "ethernet"]),
        RealCase(
            "A prohibit rule is no route", seen: "sibling of ppp#581",
            steps: """
                BASE
                daemon ethernet
                ip rule add pref 100 prohibit
                settle none rejectRoute
                ip rule delete pref 100
                settle ethernet
                """, posted: ["none", "ethernet"]),
        RealCase(
            "A default over loopback is no route", seen: "sibling of ppp#581",
            steps: """
                BASE
                daemon ethernet
                ip route replace default dev lo
                settle none
                """, posted: ["none"]),
        RealCase(
            "A rule that goes takes its table with it", seen: "sibling of tailscale#4038",
            steps: """
                P
                A
                ip route add default via 10.0.0.1 table 201
                ip rule add pref 100 lookup 201
                daemon ethernet
                ip rule delete pref 100
                settle none noRoute
                """, posted: ["none"]),
        RealCase(
            "The only address that is deleted takes the default with it", seen: "sibling of libnl#340",
            steps: """
                BASE
                daemon ethernet
                ip address delete 10.0.0.2/24 dev e0
                settle none
                """, posted: ["none"]),
        RealCase(
            "A nexthop object that is deleted takes the default with it", seen: "sibling of libnl#340",
            steps: """
                P
                A
                ip nexthop add id 7 via 10.0.0.1 dev e0
                ip route add default nhid 7
                daemon ethernet
                ip nexthop delete id 7
                settle none noRoute
                """, posted: ["none"]),
        RealCase(
            "IPv4 over an IPv6 gateway is IPv4", seen: "sibling of mullvad#2983",
            steps: """
                P
                A
                daemon none
                ip -4 route add default via inet6 fe80::1 dev e0
                settle ethernet
                get ipv4 true
                """, posted: ["ethernet"]),
        RealCase(
            "IPv6 goes on when IPv4 goes", seen: "sibling of mullvad#2983",
            steps: """
                BASE
                ip address add 2001:db8::2/64 dev e0 nodad
                ip -6 route add default via 2001:db8::1
                daemon ethernet
                get ipv4 true
                get ipv6 true
                ip route delete default
                settle ethernet
                get ipv4 false
                """, posted: []),
        RealCase(
            "An IPv6 default without more than a link-local address is no path",
            seen: "sibling of mullvad#2983",
            steps: """
                P
                daemon none
                ip -6 route add default via fe80::1 dev e0
                settle none noAddress
                """, posted: []),
        RealCase(
            "A better default that is a reject route in IPv6 leaves IPv4 alone", seen: "sibling of ppp#581",
            steps: """
                BASE
                daemon ethernet
                ip -6 route add unreachable default metric 1
                settle ethernet
                """, posted: []),
    ]

    static let rules = [
        RealCase(
            "Rules that are not about our traffic change nothing", seen: "sibling of tailscale#11447",
            steps: """
                BASE
                ip route add blackhole default table 52
                daemon ethernet
                ip rule add pref 100 fwmark 7 lookup 52
                ip rule add pref 101 iif p0 lookup 52
                ip rule add pref 103 to 192.0.2.0/24 lookup 52
                settle ethernet
                """, posted: []),
        RealCase(
            "A route that throws the lookup out of its table leaves it to the next",
            seen: "sibling of ppp#581",
            steps: """
                BASE
                daemon ethernet
                ip route add throw default table 52
                ip rule add pref 100 lookup 52
                settle ethernet
                """, posted: []),
        RealCase(
            "One leg of a multipath default is enough", seen: "sibling of libnl#224",
            steps: """
                P
                A
                P 1
                A 1
                ip route add default nexthop via 10.0.0.1 nexthop via 10.0.1.1
                daemon ethernet
                ip link set e1 down
                settle ethernet
                get interface e0
                ip link set e0 down
                settle none
                """, posted: ["none"]),
    ]
}
