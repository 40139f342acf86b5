# A modem on USB, by a gadget that looks like one to cdc_ether, and pppd.

need_module dummy_hcd libcomposite usb_f_ecm cdc_ether
gadget=/sys/kernel/config/usb_gadget/modem

plug() {
    mountpoint --quiet /sys/kernel/config || do_now mount -t configfs configfs /sys/kernel/config
    mkdir -p "$gadget/strings/0x409" "$gadget/configs/c.1" "$gadget/functions/ecm.0"
    # The numbers of a modem that the kernel's table calls wwan.
    echo 0x1e2d >"$gadget/idVendor"
    echo 0x0061 >"$gadget/idProduct"
    echo 1 >"$gadget/strings/0x409/serialnumber"
    [ -e "$gadget/configs/c.1/ecm.0" ] || do_now ln -s "$gadget/functions/ecm.0" "$gadget/configs/c.1/ecm.0"
    basename /sys/class/udc/dummy_udc* >"$gadget/UDC"
    until_true 20 test -e /sys/class/net/wwan0
    ip netns list | grep --quiet --word-regexp mast || do_now ip netns add mast
    # The modem's own end stays there once it is there.
    ip -n mast link show usb0 >/dev/null 2>&1 || do_now ip link set usb0 netns mast
}

plugged() {
    plug
    expect_link wwan0 kind cellular evidence "DEVTYPE wwan" metered true
    do_now ip link set wwan0 up
    do_now ip addr add 10.71.0.2/30 dev wwan0
    do_now ip route add default via 10.71.0.1
    settle
    expect status none reason noCarrier
    expect_notifications 0
    do_now ip -n mast link set usb0 up
    await status cellular
    expect interface wwan0 expensive true connectionRequired false
    settle
    expect_notifications 1
}
check "A modem that is plugged in is cellular, and works once it has coverage" plugged

coverage() {
    expect status cellular
    do_now ip -n mast link set usb0 down
    await status none
    expect reason noCarrier
    expect_notifications 1
    do_now ip -n mast link set usb0 up
    await status cellular
    settle
    expect_notifications 2
}
check "Coverage lost and won again is told once each" coverage

unplugged() {
    expect status cellular
    echo >"$gadget/UDC"
    await status none
    expect reason noLink
    [ -z "$(link wwan0 name)" ] || fail "wwan0 is still listed"
    settle
    expect_notifications 1
}
check "A modem that is unplugged is gone" unplugged

replugged() {
    plug
    do_now ip -n mast link set usb0 up
    do_now ip link set wwan0 up
    do_now ip addr add 10.71.0.2/30 dev wwan0
    do_now ip route add default via 10.71.0.1
    await status cellular
    # A driver that knows of its connection says so by the operational state.
    do_now ip link set wwan0 mode dormant
    do_now ip -n mast link set usb0 down
    do_now ip -n mast link set usb0 up
    await connectionRequired true
    expect status cellular reachable false reason dormant
    do_now ip link set wwan0 state up
    await reachable true
    settle
    expect status cellular connectionRequired false
    do_now ip link set wwan0 mode default
    echo >"$gadget/UDC"
    await status none
}
check "Dormant, it wants a connection first" replugged
missing=

need_module ppp_async
call() { # pppd and the far end that it talks to, without which the connection is lost
    pppd nodetach noauth nolock noipdefault ipcp-accept-local ipcp-accept-remote defaultroute noipv6 \
        noccp novj lcp-echo-interval 1 lcp-echo-failure 2 "$@" \
        pty "ip netns exec exchange pppd notty nodetach noauth nolock noipv6 noccp novj 10.72.0.1:10.72.0.2" \
        >>"$work/ppp" 2>&1 &
    dialled=$!
}

dialled() {
    ip netns list | grep --quiet --word-regexp exchange || do_now ip netns add exchange
    [ -c /dev/ppp ] || do_now mknod /dev/ppp c 108 0
    call
    await status cellular 40
    expect interface ppp0 expensive true
    expect_link ppp0 kind cellular evidence "DEVTYPE ppp" operationalState UNKNOWN
    settle
    expect_notifications 1
    pkill --oldest --full "^pppd notty"
    await status none
    until_true 20 test ! -e /sys/class/net/ppp0
    expect reason noLink
    expect_notifications 2
    wait "$dialled"
    call
    await status cellular 40
    kill "$dialled"
    wait "$dialled"
    await status none
}
check "PPP is cellular, is lost with its peer, and works again when redialled" dialled
