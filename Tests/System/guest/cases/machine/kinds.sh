# Devices that few kernels outside of a real machine have: their kind, by what evidence, and what they do to
# the answer.

need_module dummy veth

dummy() {
    do_now ip link add dummy0 type dummy
    do_now ip link set dummy0 up
    do_now ip addr add 192.0.2.2/24 dev dummy0
    do_now ip route add default via 192.0.2.1
    await status ethernet
    expect interface dummy0 reason usable
    expect_link dummy0 kind ethernet evidence default operationalState UNKNOWN
    settle
    expect_notifications 1
    do_now ip link del dummy0
    await status none
    expect reason noLink
    expect_notifications 2
}
check "A dummy link stays UNKNOWN and works" dummy

need_module 8021q
vlan() {
    make_uplink e0 10.0.0.2 10.0.0.1
    do_now ip link add link e0 name e0.5 type vlan id 5
    do_now ip link set e0.5 up
    do_now ip addr add 10.5.0.2/24 dev e0.5
    do_now ip route add default via 10.5.0.1
    await status ethernet
    expect interface e0.5
    expect_link e0.5 kind ethernet evidence "below e0"
    settle
    expect_notifications 1
    do_now ip -n far link set far-e0 down
    await status none
    expect reason noCarrier
    expect_link e0.5 operationalState LOWERLAYERDOWN
    do_now ip -n far link set far-e0 up
    await status ethernet
    settle
    expect_notifications 3
    remove_uplink e0
}
check "A VLAN is what the link below it is, and goes down with it" vlan
missing=

need_module bonding
bond() {
    make_uplink e0 10.0.0.2 10.0.0.1
    make_uplink e1 10.0.1.2 10.0.1.1
    do_now ip link add bond0 type bond mode active-backup miimon 100
    expect_link bond0 kind ethernet evidence default
    local port
    for port in e0 e1; do
        do_now ip link set "$port" down
        do_now ip link set "$port" master bond0
    done
    do_now ip link set bond0 up
    do_now ip addr add 10.2.0.2/24 dev bond0
    do_now ip route add default via 10.2.0.1
    await status ethernet
    expect interface bond0
    expect_link bond0 kind ethernet evidence "below e0"
    settle
    expect_notifications 1
    do_now ip -n far link set far-e0 down
    settle
    expect status ethernet
    expect_notifications 1
    do_now ip -n far link set far-e1 down
    await status none
    expect reason noCarrier
    expect_notifications 2
    do_now ip -n far link set far-e0 up
    await status ethernet
    expect_notifications 3
    do_now ip link del bond0
    remove_uplink e0
    remove_uplink e1
}
check "A bond lives on without its active member, and dies with its last" bond
missing=

need_module vrf
vrf() {
    make_uplink e0 10.0.0.2 10.0.0.1
    do_now ip link add red type vrf table 10
    do_now ip link set red up
    do_now ip link set e0 master red
    do_now ip route add default via 10.0.0.1 table 10
    settle
    expect status none reason noRoute
    expect_notifications 0
    do_now ip rule add pref 100 lookup 10
    await status ethernet
    expect interface e0
    do_now ip rule del pref 100
    await status none
    expect_notifications 2
    # A route of the main table that hands the rest to the VRF's.
    do_now ip route add default dev red
    await status ethernet
    expect interface e0
    do_now ip route del default table 10
    await status none
    do_now ip link del red
    remove_uplink e0
}
check "A VRF's routes count where rules or routes lead to them" vrf
missing=

need_module macvlan ipvlan
upper() {
    make_uplink e0 10.0.0.2 10.0.0.1
    do_now ip link add link e0 name m0 type macvlan mode bridge
    expect_link m0 kind ethernet evidence "below e0"
    do_now ip link del m0
    do_now ip link add link e0 name i0 type ipvlan mode l2
    expect_link i0 kind ethernet evidence "below e0"
    remove_uplink e0
}
check "A MACVLAN and an IPVLAN are what the link below them is" upper
