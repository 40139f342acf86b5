# Wi-Fi by mac80211_hwsim: the station in this namespace, two access points of one network in another.

modprobe --quiet --dry-run mac80211_hwsim || missing="needs the kernel module mac80211_hwsim"

drive() { # loads the driver and puts the access points' radios away
    do_now modprobe mac80211_hwsim radios=3
    until_true 20 test -e /sys/class/net/wlan2
    udevadm settle
    ip netns list | grep --quiet --word-regexp air || do_now ip netns add air
    do_now iw phy "$(radio wlan1)" set netns name air
    do_now iw phy "$(radio wlan2)" set netns name air
}
radio() { cat "/sys/class/net/$1/phy80211/name"; }

access_point() { # NUMBER: starts the access point on wlanNUMBER
    cat >"$work/ap$1" <<CONF
interface=wlan$1
ctrl_interface=$work/hostapd$1
ssid=lab
hw_mode=g
channel=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=a secret of the lab
CONF
    do_now ip netns exec air hostapd -B -P "$work/ap$1.pid" "$work/ap$1"
    do_now ip -n air addr replace 10.9.0.1/24 dev "wlan$1"
}
address_of() { ip -n air -json link show "wlan$1" | jq --raw-output '.[0].address'; }
kill_access_point() { # NUMBER: without a word on the air
    kill -KILL "$(cat "$work/ap$1.pid")"
    do_now ip -n air link set "wlan$1" down
}

station() { wpa_cli -p "$work/wpa" -i wlan0 "$@"; }
station_is() { station status | grep --quiet "^$1=$2\$"; }
hears() { # ADDRESS of an access point
    station scan
    sleep 1
    station scan_results | grep --quiet "$1"
}
connected() { station_is wpa_state COMPLETED; }
give_address() {
    ip addr replace 10.9.0.2/24 dev wlan0
    ip route replace default via 10.9.0.1
}

appearing() {
    expect status none reason noLink
    drive
    expect_link wlan0 kind wifi evidence nl80211
    # The monitor's link that the simulated air makes is no part of nl80211.
    expect_link hwsim0 evidence default
    [ -z "$(link wlan1 name)" ] || fail "wlan1 is listed although it has moved away"
    expect_notifications 0
}
check "A driver that is loaded after the daemon's start is noticed by nl80211" appearing

associating() {
    expect_link wlan0 kind wifi evidence nl80211
    access_point 1
    cat >"$work/supplicant" <<CONF
ctrl_interface=$work/wpa
network={
    ssid="lab"
    psk="a secret of the lab"
    scan_freq=2412
}
CONF
    do_now wpa_supplicant -B -P "$work/wpa.pid" -i wlan0 -c "$work/supplicant"
    until_true 60 connected
    expect status none reason noRoute
    expect_notifications 0
    give_address
    await status wifi
    expect interface wlan0 reason usable ipv4 true expensive false connectionRequired false
    settle
    expect_notifications 1
}
check "An association, then an address: Wi-Fi, told once" associating

roaming() {
    local attempt target number=2
    access_point 2
    for attempt in 1 2 3; do
        target=$(address_of "$number")
        until_true 30 hears "$target"
        do_now station roam "$target"
        until_true 20 station_is bssid "$target"
        until_true 20 connected
        settle
        expect status wifi
        number=$((3 - number))
    done
    # A roam that takes longer than the hold, on a machine that is busy, is a loss and a gain.
    [ "$(grep --count 'reachability: not' "$work/log")" -gt 0 ] || expect_notifications 0
    [ "$(($(field sequence) - base))" -lt 6 ] || fail "every one of three roams was told"
}
check "Roaming between access points is not told" roaming

parting() {
    expect status wifi
    do_now station disconnect
    await status none
    expect reason noCarrier
    settle
    expect_notifications 1
    do_now station reconnect
    await status wifi 60
    settle
    # While keys are exchanged the link is dormant; where that takes longer than the hold, it is told too.
    expect_notifications 2 3
}
check "Disconnected and connected again, without a message about address or route" parting

deauthenticated() {
    expect status wifi
    local number own
    own=$(cat /sys/class/net/wlan0/address)
    for number in 1 2; do
        ip netns exec air hostapd_cli -p "$work/hostapd$number" -i "wlan$number" deauthenticate "$own" >/dev/null
    done
    until_true 60 connected
    await reachable true 60
    settle
    expect status wifi
    # The station is back before or after the hold has run out.
    expect_notifications 0 2 3
}
check "Deauthenticated, the station comes back by itself" deauthenticated

wrong_key() {
    expect status wifi
    do_now station set_network 0 psk '"not the secret of the lab"'
    do_now station reassociate
    adslotctl --socket "$socket" --json=short monitor >"$work/monitor" 2>/dev/null &
    local monitor=$!
    await status none
    sleep 12
    kill "$monitor"
    expect reachable false status none
    [ "$(jq --raw-output 'select(.kind == "reachability") | .data.reachable' "$work/monitor" | grep --count true)" \
        -eq 0 ] || fail "it was told to be reachable meanwhile: $(cat "$work/monitor")"
    do_now station set_network 0 psk '"a secret of the lab"'
    do_now station enable_network 0
    do_now station reassociate
    await status wifi 60
}
check "With a wrong key there is never a path, however often it is tried" wrong_key

silence() {
    expect status wifi
    kill_access_point 1
    kill_access_point 2
    await status none 30
    settle
    expect_notifications 1
    access_point 1
    await status wifi 60
    settle
    expect_notifications 2 3
}
check "An access point that falls silent is a loss" silence

switch() { rfkill "$1" "$(cat /sys/class/net/wlan0/phy80211/rfkill*/index)"; } # block or unblock
blocked() {
    expect status wifi
    do_now switch block
    await status none
    expect_link wlan0 administrativelyUp false kind wifi
    settle
    expect_notifications 1
    do_now switch unblock
    until_true 60 connected
    settle
    # The kernel dropped the default without a word, and does not bring it back.
    expect status none reason noRoute
    give_address
    await status wifi
    settle
    expect_notifications 2
}
check "The radio switched off and on" blocked

renamed() {
    expect status wifi
    kill "$(cat "$work/wpa.pid")"
    await status none
    do_now ip link set wlan0 down
    do_now ip link set wlan0 name radio
    expect_link radio kind wifi evidence nl80211
    do_now iw dev radio interface add second type station
    expect_link second kind wifi evidence nl80211
    do_now iw dev second del
    until_true 5 test -z "$(link second name)"
    do_now iw phy "$(radio radio)" set netns name air
    until_true 5 test ! -e /sys/class/net/radio
    [ -z "$(link radio name)" ] || fail "radio is listed although it has moved away"
    local number
    number=$(ip netns exec air iw dev radio info | sed -n 's/.*wiphy //p')
    do_now ip netns exec air iw phy "phy$number" set netns 1
    expect_link radio kind wifi evidence nl80211
    expect_notifications 1
}
check "A name, a second link on one radio, a way to another namespace and back: still Wi-Fi" renamed

gone() {
    expect_link radio kind wifi evidence nl80211
    pkill hostapd
    do_now modprobe --remove mac80211_hwsim
    until_true 20 test ! -e /sys/class/net/radio
    settle
    [ -z "$(link radio name)" ] || fail "the link is still listed"
    expect status none reason noLink
    expect_notifications 0
    do_now modprobe --remove mac80211
    do_now modprobe --remove cfg80211
    drive
    expect_link wlan0 kind wifi evidence nl80211
    do_now modprobe --remove mac80211_hwsim
}
check "A driver that is removed takes its links along, and comes back by nl80211's new number" gone
