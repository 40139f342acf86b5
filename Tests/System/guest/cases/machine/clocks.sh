# A wall clock that is set, and a machine that sleeps. Nothing is decided by the one; over the other, holds go
# on and the links are read anew.

need_module veth

# time_of FILTER: a time of the status, in whole seconds since the Unix epoch.
time_of() { echo $(($(control --json=short status | jq "$1") / 1000000)); }

# expect_near WORDS EXPECTED FOUND: times in seconds, as near as readings one after the other can be.
expect_near() {
    local difference=$(($3 - $2))
    [ "${difference#-}" -le 3 ] || fail "expected $1 $2, found $3"
}

# said TEXT: a line of the daemon's log has it.
said() { grep --quiet --fixed-strings "$1" "$work/log"; }

# set_clock SECONDS: so much later, or, negative, earlier. The shell's own SECONDS go with it.
set_clock() { do_now date --set="@$(($(date +%s) + $1))"; }

# make_network [LOSS-HOLD]: a wired network, and a daemon that holds losses for so long.
make_network() {
    if [ -n "${1:-}" ]; then
        stop_daemon
        start_daemon "[Reachability]
LossHold=$1"
    fi
    make_uplink e0 10.0.0.2 10.0.0.1
    do_now ip route add default via 10.0.0.1
    await status ethernet
    settle
}

clock_set() {
    local step since started
    make_network
    for step in 86400 -86400; do
        since=$(time_of .reachability.since) started=$(time_of .started)
        set_clock "$step"
        expect_near since $((since + step)) "$(time_of .reachability.since)"
        expect_near started $((started + step)) "$(time_of .started)"
        expect status ethernet held false
    done
    expect_notifications 1
    [ "$(grep --count "the wall clock was set" "$work/log")" -eq 2 ] || fail "each of two steps is told"
    remove_uplink e0
}
check "A wall clock that is set changes what times are told, and nothing else" clock_set

clock_set_in_hold() {
    local begun
    make_network 8s
    begun=$(date +%s)
    do_now ip -n far link set far-e0 down
    await held true
    set_clock 86400
    set_clock -86400
    await status none
    expect_notifications 2
    expect_near "the loss is posted at" $((begun + 9)) "$(time_of .reachability.since)"
    remove_uplink e0
}
check "A hold lasts as long on a clock that is set forward and back" clock_set_in_hold

if ! grep --quiet --word-regexp mem /sys/power/state || ! [ -e /sys/class/rtc/rtc0 ]; then
    missing="needs suspend to memory, and a clock that ends it"
fi

# suspend_for SECONDS: the machine's clock wakes it up then.
suspend_for() { do_now rtcwake --mode mem --seconds "$1"; }

slept() {
    local since
    make_network
    since=$(time_of .reachability.since)
    suspend_for 5
    until_true 10 said "woke up after"
    expect status ethernet reason usable held false
    expect_near since "$since" "$(time_of .reachability.since)"
    expect_notifications 1
    do_now ip -n far link set far-e0 down
    await status none
    do_now ip -n far link set far-e0 up
    await status ethernet
    settle
    expect_notifications 3
    remove_uplink e0
}
check "A machine that wakes up has its links read anew, and all goes on" slept

slept_over_hold() {
    local woken
    make_network 8s
    do_now ip -n far link set far-e0 down
    await held true
    suspend_for 9
    woken=$(date +%s)
    await status none
    expect_notifications 2
    expect_near "the loss is posted at" "$woken" "$(time_of .reachability.since)"
    remove_uplink e0
}
check "A hold that ends while the machine sleeps is over when it wakes up" slept_over_hold
