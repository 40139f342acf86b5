import Testing

/// Cases of the same kinds as those of ``RealFaultTests`` that nobody has reported yet.
@Suite("What is of the same kind as a known fault is right too", .ownThread, .needsNamespaces)
struct SiblingCaseTests {
    @Test("Every case posts exactly its notifications", arguments: routes + rules + links + identities)
    func play(_ sibling: RealCase) throws {
        try sibling.play()
    }

    private static let identities = [
        RealCase(
            "A link that is renamed is of the kind of its new name", seen: "sibling of canonical/probert#72",
            steps: """
                BASE
                daemon ethernet
                ip link set e0 name wl7
                settle wifi
                get interface wl7
                listed wl7
                """, posted: ["wifi"]),
        RealCase(
            "A link that moves to another namespace is gone", seen: "sibling of libnl#340",
            steps: """
                BASE
                daemon ethernet
                shell unshare --net sleep 10 </dev/null >/dev/null 2>&1 & sleep 0.3; ip link set e0 netns $!
                settle none
                """, posted: ["none"]),
        RealCase(
            "An index that is used again is another link", seen: "sibling of libnl#340",
            steps: """
                ip link add e0 index 77 type veth peer name p0
                ip link set e0 up
                ip link set p0 up
                A
                D
                daemon ethernet
                ip link delete e0
                ip link add ww0 index 77 type veth peer name p0
                ip link set ww0 up
                ip link set p0 up
                A 0 ww0
                D
                settle cellular
                """, posted: ["cellular"]),
        RealCase(
            "A deprecated address is still an address", seen: "sibling of keepalived#2678",
            steps: """
                P
                ip address add 2001:db8::2/64 dev e0 nodad
                ip -6 route add default via 2001:db8::1
                daemon ethernet
                ip address change 2001:db8::2/64 dev e0 valid_lft 100 preferred_lft 0
                settle ethernet
                """, posted: []),
        RealCase(
            "An address that another machine has is no address", seen: "sibling of keepalived#2678",
            steps: """
                P
                shell sysctl -qw net.ipv6.conf.p0.dad_transmits=0
                ip address add 2001:db8::2/64 dev p0 nodad
                daemon none
                ip address add 2001:db8::2/64 dev e0
                ip -6 route add default via 2001:db8::1 dev e0
                pause 2500
                settle none noAddress
                """, posted: []),
    ]

    private static let links = [
        RealCase(
            "A bridge is as usable as its port, and of its kind", seen: "sibling of settings-network#4",
            needs: .bridge,
            steps: """
                P
                ip link add br0 type bridge
                ip link set br0 up
                ip link set e0 master br0
                A 0 br0
                D
                daemon ethernet
                get interface br0
                ip link set p0 down
                settle none
                ip link set p0 up
                settle ethernet
                """, posted: ["none", "ethernet"]),
        RealCase(
            "A bridge that loses its last port loses its carrier", seen: "sibling of keepalived#1823",
            needs: .bridge,
            steps: """
                P
                ip link add br0 type bridge
                ip link set br0 up
                ip link set e0 master br0
                A 0 br0
                D
                daemon ethernet
                ip link set e0 nomaster
                settle none
                listed e0
                """, posted: ["none"]),
        RealCase(
            "A device whose owner closes it is gone", seen: "sibling of libnl#340", needs: .tun,
            steps: """
                MODEM ww0
                A 3 ww0
                ip route add default dev ww0
                daemon cellular
                close ww0
                settle none
                """, posted: ["none"]),
        RealCase(
            "A device that comes back under its name is taken again", seen: "sibling of canonical/probert#72",
            needs: .tap,
            steps: """
                TAP wl0
                A 2 wl0
                D 2
                daemon wifi
                close wl0
                settle none
                TAP wl0
                A 2 wl0
                D 2
                settle wifi
                """, posted: ["none", "wifi"]),
        RealCase(
            "A roam that is too long is one loss and one gain", seen: "sibling of systemd#35739", needs: .tap,
            steps: """
                TAP wl0
                A 2 wl0
                D 2
                daemon wifi
                carrier wl0 off
                await none
                carrier wl0 on
                settle wifi
                """, posted: ["none", "wifi"]),
        RealCase(
            "A GRE tunnel does not hide a dead uplink", seen: "sibling of plus_plugins#1445", needs: .gre,
            steps: """
                P
                A
                ip route add 203.0.113.1 via 10.0.0.1
                ip tunnel add g0 mode gre remote 203.0.113.1 local 10.0.0.2
                ip link set g0 up
                ip address add 10.9.0.2/24 dev g0
                ip route add default dev g0
                daemon ethernet
                get tunnel g0
                get interface e0
                ip link set p0 down
                settle none uplinkDown
                """, posted: ["none"]),
        RealCase(
            "A macvlan is of the kind of the link below it, and goes down with it",
            seen: "sibling of settings-network#4", needs: .tap, .macvlan,
            steps: """
                TAP wl0
                ip link add link wl0 name m0 type macvlan mode bridge
                ip link set m0 up
                A 5 m0
                D 5
                daemon wifi
                get interface m0
                carrier wl0 off
                settle none
                carrier wl0 on
                settle wifi
                """, posted: ["none", "wifi"]),
        RealCase(
            "A bridge of two kinds is of neither", seen: "sibling of settings-network#4",
            needs: .tap, .bridge,
            steps: """
                P
                TAP wl0
                ip link add br0 type bridge
                ip link set br0 up
                ip link set e0 master br0
                A 0 br0
                D
                daemon ethernet
                ip link set wl0 master br0
                settle other
                ip link set e0 nomaster
                settle wifi
                """, posted: ["other", "wifi"]),
        RealCase(
            "A VLAN is of the kind of the link below it", seen: "sibling of settings-network#4", needs: .tap,
            .vlan,
            steps: """
                TAP wl0
                ip link add link wl0 name wl0.5 type vlan id 5
                ip link set wl0.5 up
                A 5 wl0.5
                D 5
                daemon wifi
                carrier wl0 off
                settle none
                """, posted: ["none"]),
    ]
}
