# WireGuard: the path is the path of the link that its packets leave by.

need_module wireguard veth
far_key=$(wg genkey | wg pubkey)
(umask 077 && wg genkey >"$work/near")
diagnose_more() { wg; }

make_wireguard() { # ENDPOINT
    do_now ip link add wg0 type wireguard
    do_now wg set wg0 private-key "$work/near" peer "$far_key" endpoint "$1:51820" allowed-ips 0.0.0.0/0
    do_now ip link set wg0 up
    do_now ip addr add 10.8.0.2/24 dev wg0
    do_now ip route add default dev wg0
}

by_endpoint() {
    make_uplink e0 10.0.0.2 10.0.0.1
    # No route but the one to the far end's own network: only the kernel can tell that wg0 runs over e0.
    make_wireguard 10.0.0.1
    await status ethernet
    expect interface e0 tunnel wg0 reason usable
    expect_link wg0 kind tunnel evidence "kind wireguard"
    settle
    expect_notifications 1
    do_now ip -n far link set far-e0 down
    await status none
    expect reason uplinkDown
    do_now ip -n far link set far-e0 up
    await status ethernet
    settle
    expect_notifications 3
}
check "Over a live uplink it works; over a dead one it reaches nothing" by_endpoint

moved() {
    do_now ip link add ww0 type veth peer name far-ww0 netns far
    do_now ip -n far link set far-ww0 up
    do_now ip link set ww0 up
    do_now ip addr add 10.0.1.2/24 dev ww0
    await status ethernet
    # No message tells of it: the next judgement asks.
    do_now wg set wg0 peer "$far_key" endpoint 10.0.1.1:51820
    do_now ip route add 198.51.100.0/24 dev e0
    await status cellular
    expect interface ww0 tunnel wg0 expensive true
    settle
    expect_notifications 1
    do_now ip link del ww0
    do_now wg set wg0 peer "$far_key" endpoint 10.0.0.1:51820
}
check "An endpoint that moves to another uplink is followed at the next judgement" moved

several_peers() {
    local other
    other=$(wg genkey | wg pubkey)
    # A peer for one network, whose endpoint nothing leads to, does not speak for the rest.
    do_now wg set wg0 peer "$other" endpoint 203.0.113.9:51820 allowed-ips 10.99.0.0/16
    do_now ip route add 198.51.100.1 dev e0
    settle
    expect status ethernet interface e0
    do_now wg set wg0 peer "$other" allowed-ips 1.0.0.0/8
    do_now ip route del 198.51.100.1 dev e0
    await status none
    expect reason uplinkDown
    do_now wg set wg0 peer "$other" remove
}
check "Of several peers the one counts whose addresses are meant" several_peers

marked() {
    # As wg-quick does it: its own packets carry a mark, and all others are sent into it.
    do_now wg set wg0 fwmark 51820
    do_now ip route del default dev wg0
    do_now ip route add default dev wg0 table 51820
    do_now ip rule add not fwmark 51820 table 51820
    do_now ip link add ww0 type veth peer name far-ww0 netns far
    do_now ip -n far link set far-ww0 up
    do_now ip link set ww0 up
    do_now ip addr add 10.0.1.2/24 dev ww0
    do_now ip route add default via 10.0.1.1 dev ww0 metric 5
    do_now ip route add default via 10.0.0.1 dev e0 metric 500
    do_now wg set wg0 peer "$far_key" endpoint 203.0.113.9:51820
    do_now ip route add 203.0.113.0/24 via 10.0.0.1 dev e0
    settle
    expect interface e0 status ethernet tunnel wg0
    do_now ip route del 203.0.113.0/24
    await interface ww0
    expect status cellular tunnel wg0
    do_now ip rule del not fwmark 51820 table 51820
}
check "Policy rules that go by WireGuard's mark are followed" marked

as="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all"
unprivileged() {
    # Without the right to ask WireGuard, the uplink is found by the routes.
    do_now ip route add default dev wg0 metric 1
    await interface ww0
    expect status cellular tunnel wg0
    do_now ip link del ww0
    await interface e0
    expect status ethernet tunnel wg0
    ! grep --quiet -i "nl80211\|not permitted" "$work/log" || fail "the log complains"
    do_now ip link del wg0
    remove_uplink e0
}
check "Without CAP_NET_ADMIN the uplink is found by the routes, and nobody complains" unprivileged
