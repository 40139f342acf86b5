import Testing

/// Faults of other projects, played to the real kernel with the holds that the contract gives.
@Suite("What other projects got wrong is right against the real kernel", .ownThread, .needsNamespaces)
struct RealFaultTests {
    @Test("Every case posts exactly its notifications", arguments: cases)
    func play(_ fault: RealCase) throws {
        try fault.play()
    }

    static let cases = routes + families + devices + streams

    private static let routes = [
        RealCase(
            "A default does not outlive its downed link", seen: "libnl#340, finit#170",
            steps: """
                BASE
                daemon ethernet
                ip link set e0 down
                settle none
                """, posted: ["none"]),
        RealCase(
            "A default that comes back is noticed", seen: "canonical/probert#72",
            steps: """
                BASE
                daemon ethernet
                ip link set e0 down
                settle none
                ip link set e0 up
                D
                settle ethernet
                """, posted: ["none", "ethernet"]),
        RealCase(
            "Of two defaults of one metric, one stays when the other goes", seen: "libnl#224, libnl#293",
            steps: """
                BASE
                P 1
                A 1
                daemon ethernet
                ip route append default via 10.0.1.1
                ip route delete default via 10.0.0.1
                settle ethernet
                get interface e1
                """, posted: []),
        RealCase(
            "A replaced default is one default", seen: "iproute2#68",
            steps: """
                BASE
                P 1
                A 1
                daemon ethernet
                ip route replace default via 10.0.1.1
                ip route delete default via 10.0.1.1
                settle none noRoute
                """, posted: ["none"]),
        RealCase(
            "A table that a rule prefers decides", seen: "tailscale#11447", needs: .tun,
            steps: """
                BASE
                MODEM ww0
                A 3 ww0
                ip route add default dev ww0 table 52
                daemon ethernet
                ip rule add pref 100 lookup 52
                settle cellular
                """, posted: ["cellular"]),
        RealCase(
            "A default outside of main counts", seen: "tailscale#4038",
            steps: """
                P
                A
                daemon none
                ip route add default via 10.0.0.1 table 201
                ip rule add pref 100 lookup 201
                settle ethernet
                """, posted: ["ethernet"]),
        RealCase(
            "A reject route is no route", seen: "ppp#581",
            steps: """
                P
                A
                ip route add default via 10.0.0.1 metric 100
                daemon ethernet
                ip route add blackhole default metric 5
                settle none rejectRoute
                ip route delete blackhole default metric 5
                settle ethernet
                """, posted: ["none", "ethernet"]),
    ]

    private static let families = [
        RealCase(
            "IPv6 alone is online", seen: "mullvad#2983",
            steps: """
                P
                daemon none
                ip address add 2001:db8::2/64 dev e0 nodad
                ip -6 route add default via 2001:db8::1
                settle ethernet
                get ipv6 true
                get ipv4 false
                """, posted: ["ethernet"]),
        RealCase(
            "A tentative address becomes usable when its check has ended", seen: "keepalived#2678",
            steps: """
                P
                daemon none
                ip address add 2001:db8::2/64 dev e0
                ip -6 route add default via 2001:db8::1
                get reason addressTentative
                await ethernet
                settle ethernet
                """, posted: ["ethernet"]),
        RealCase(
            "Lifetimes that are refreshed are no news", seen: "tailscale#4282, avahi#41",
            steps: """
                P
                ip address add 2001:db8::2/64 dev e0 nodad
                ip -6 route add default via 2001:db8::1
                daemon ethernet
                shell for i in $(seq 100); do ip address change 2001:db8::2/64 dev e0 \
                valid_lft 100 preferred_lft 50; done
                settle ethernet
                """, posted: []),
    ]

    private static let devices = [
        RealCase(
            "A container's start changes nothing", seen: "docker/for-linux#914", needs: .bridge,
            steps: """
                BASE
                daemon ethernet
                ip link add br0 type bridge
                ip address add 172.17.0.1/16 dev br0
                ip link set br0 up
                shell for i in $(seq 20); do ip link add v$i type veth peer name w$i; \
                ip link set v$i master br0 up; ip link set w$i up; \
                ip address add 172.17.1.$i/16 dev w$i; done
                settle ethernet
                """, posted: []),
        RealCase(
            "A bridge without an uplink is not online", seen: "elementary/settings-network#4", needs: .bridge,
            steps: """
                daemon none
                ip link add br0 type bridge
                ip link set br0 up
                ip address add 172.17.0.1/16 dev br0
                settle none noRoute
                """, posted: []),
        RealCase(
            "A roam within the loss hold is not noticed", seen: "systemd#35739", needs: .tap,
            steps: """
                TAP wl0
                A 2 wl0
                D 2
                daemon wifi
                carrier wl0 off
                pause 400
                carrier wl0 on
                settle wifi
                """, posted: []),
        RealCase(
            "Operational state UNKNOWN is up", seen: "lf-edge/eve#3448", needs: .tun,
            steps: """
                MODEM ww0
                daemon none
                A 3 ww0
                ip route add default dev ww0
                settle cellular
                """, posted: ["cellular"]),
        RealCase(
            "A VPN does not hide a dead uplink", seen: "plus_plugins#1445, Alamofire#3678", needs: .tun,
            steps: """
                MODEM ww0
                A 3 ww0
                ip route add default dev ww0
                tun tun0
                ip link set tun0 up
                ip address add 10.9.0.2/24 dev tun0
                ip route add 0.0.0.0/1 dev tun0
                ip route add 128.0.0.0/1 dev tun0
                daemon cellular
                get tunnel tun0
                carrier ww0 off
                settle none uplinkDown
                """, posted: ["none"]),
        RealCase(
            "Leaving a bridge is no deletion", seen: "keepalived#1823", needs: .bridge,
            steps: """
                BASE
                ip link add br0 type bridge
                ip link set br0 up
                ip link add v0 type veth peer name w0
                ip link set v0 up
                ip link set v0 master br0
                daemon ethernet
                ip link set v0 nomaster
                settle ethernet
                listed v0
                """, posted: []),
        RealCase(
            "A far end that blinks is not noticed", seen: "Alamofire#2707",
            steps: """
                BASE
                daemon ethernet
                ip link set p0 down
                pause 50
                ip link set p0 up
                settle ethernet
                """, posted: []),
    ]

    private static let streams = [
        RealCase(
            "An overrun loses no state", seen: "systemd#5398, vishvananda#773",
            steps: """
                BASE
                daemon ethernet
                stop
                shell for i in $(seq 12000); do echo address add 10.7.0.1/32 dev e0; \
                echo address delete 10.7.0.1/32 dev e0; done | ip -batch -
                ip route delete default
                continue
                settle none noRoute
                resynchronised
                D
                settle ethernet
                """, posted: ["none", "ethernet"]),
        RealCase(
            "A dump that was interrupted is repeated", seen: "CNI plugins#1121",
            steps: """
                BASE
                shell (for i in $(seq 200); do ip link add x$i type veth peer name y$i; \
                ip link delete x$i; done) </dev/null >/dev/null 2>&1 &
                daemon ethernet
                settle ethernet
                """, posted: []),
        RealCase(
            "A start without a network says so", seen: "Alamofire#2677",
            steps: """
                daemon none
                settle none noLink
                """, posted: []),
    ]
}
