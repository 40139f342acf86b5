# Work that the service pauses: units by way of systemd and polkit, processes of other users.

unwatched=yes
socket=
bus=/run/adslotd/socket
tick=/run/tick
diagnose() {
    journalctl --no-pager --unit=adslotd.service --unit=polkit.service --lines=60
    adslotctl slots
    adslotctl work
}

property() { systemctl show --property="$1" --value "$2"; }
listen() { # from here on
    journalctl --sync
    cursor=$(journalctl --quiet --no-pager --lines=0 --show-cursor | sed -n 's/^-- cursor: //p')
}
said() { # TEXT
    journalctl --sync
    journalctl --quiet --no-pager --unit=adslotd.service --after-cursor="$cursor" --grep="$1"
}

# hold NAME METHOD PARAMETERS: keeps a call open; its replies go to a file, a line each. `release` ends all.
holders=()
hold() {
    { printf '{"method":"org.adslotd.%s","parameters":%s,"more":true}\0' "$2" "$3" && exec sleep 600; } |
        socat - "UNIX-CONNECT:$bus" | stdbuf --output=0 tr '\0' '\n' >"$work/$1" &
    holders+=("$(jobs -p %% | head -n 1)")
    until_true 10 test -s "$work/$1"
}
# ask METHOD PARAMETERS: the first reply.
ask() {
    hold answer "$1" "$2"
    head -n 1 "$work/answer"
    kill "${holders[-1]}"
    unset 'holders[-1]'
}
release() {
    # The sleep at the head of each pipe; what follows it ends with it.
    local holder
    for holder in "${holders[@]}"; do kill "$holder" 2>/dev/null; done
    holders=()
    until_true 10 eval '[ "$(adslotctl --json=short work)" = "{\"work\":[]}" ]'
    until_true 10 eval 'adslotctl --json=short slots | jq --exit-status ".slots[0].state == \"detached\"" >/dev/null'
}

# begin: a host comes and touches its banner.
begin() {
    hold host Slots.Attach '{"slot":"banner","viewport":{"width":360,"height":640}}'
    until_true 10 grep --quiet '"show"' "$work/host"
    lease=$(head -n 1 "$work/host" | jq --raw-output .parameters.lease)
    local banner
    banner=$(grep '"show"' "$work/host" | head -n 1 | jq .parameters.command.banner)
    action=$(ask Slots.BeginAction "{\"lease\":\"$lease\",\"banner\":$banner}" | jq .parameters.action)
    [ "${action:-null}" != null ] || fail "the action was not allowed"
}
finish() { ask Slots.FinishAction "{\"lease\":\"$lease\",\"action\":$action}" >/dev/null; }

ticks() { # whether the unit runs
    local before
    before=$(cat $tick)
    sleep 0.2
    [ "$(cat $tick)" != "$before" ]
}
still() { ! ticks; }
refusal() { # UNIT: why it is refused
    hold refused Work.Register "{\"name\":\"x\",\"kind\":\"unit\",\"unit\":\"$1\"}"
    jq --raw-output '.parameters.message // .error' "$work/refused"
}
expect_refusal() { # UNIT TEXT
    local found
    found=$(refusal "$1")
    [[ "$found" == *$2* ]] || fail "expected a refusal of $1 with '$2', found '$found'"
}

prepared() {
    local unit=/run/systemd/system
    mkdir -p $unit /etc/polkit-1/rules.d
    printf '[Service]\nExecStart=/bin/sh -c "while :; do date +%%%%s%%%%N >%s; sleep 0.02; done"\n' $tick \
        >$unit/game.service
    printf '[Service]\nExecStart=/bin/sleep 600\nWatchdogSec=600\n' >$unit/watched.service
    printf '[Service]\nExecStart=/bin/sleep 600\n' >$unit/other.service
    rm -f /etc/polkit-1/rules.d/50-adslotd.rules
    do_now systemd-sysusers
    do_now systemctl daemon-reload
    do_now systemctl start game.service watched.service other.service
    if ! ip link show e0 >/dev/null 2>&1; then
        ip link add e0 type veth peer name e1
        ip addr add 192.0.2.2/24 dev e0
    fi
    ip link set e0 up
    ip link set e1 up
    ip route replace default via 192.0.2.1
    mkdir -p /etc/adslotd
    printf '[Slot banner]\nMinimumInterval=0\n[Actions]\nPauseTimeout=5s\n' >/etc/adslotd/adslotd.conf
    do_now systemctl restart adslotd.socket adslotd.service
    until_true 10 ticks
}
check "The service starts with the capability, the bus policy and units to pause" prepared

forbidden() {
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    listen
    begin
    until_true 10 said 'not frozen'
    ticks || fail "it was frozen without a rule of polkit"
    finish
    release
}
check "Without a rule of polkit systemd freezes nothing, and the log says why" forbidden

allowed() {
    cp /usr/share/doc/adslotd/adslotd-units.rules /etc/polkit-1/rules.d/50-adslotd.rules
    do_now systemctl restart polkit.service
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    local round
    for round in 1 2 3; do
        begin
        [ "$(property FreezerState game.service)" = frozen ] || fail "round $round: it is not frozen"
        still || fail "round $round: it runs"
        adslotctl --json=short work | jq --exit-status '.work[0].state == "paused"' >/dev/null ||
            fail "round $round: it is not told as paused"
        finish
        until_true 10 ticks
        release_host
    done
    release
}
release_host() { # the latest holder
    kill "${holders[-1]}"
    unset 'holders[-1]'
    until_true 10 eval 'adslotctl --json=short slots | jq --exit-status ".slots[0].state == \"detached\"" >/dev/null'
}
check "With one a unit is frozen for each action and thawed after it" allowed

refused() {
    expect_refusal watched.service 'has a watchdog (WatchdogSec=)'
    expect_refusal nothing.service 'is not-found'
    expect_refusal adslotd.service 'has a watchdog'
    expect_refusal system.slice 'must run for others'
    expect_refusal dbus.service 'must run for others'
    expect_refusal adslotd.socket 'is of a kind that cannot be frozen'
    do_now systemctl stop other.service
    expect_refusal other.service 'is inactive'
    mkdir -p /run/systemd/system/adslotd.service.d
    printf '[Service]\nWatchdogSec=0\n' >/run/systemd/system/adslotd.service.d/watchdog.conf
    do_now systemctl daemon-reload
    do_now systemctl restart adslotd.service
    expect_refusal adslotd.service 'the daemon itself is in unit'
    rm -r /run/systemd/system/adslotd.service.d
    do_now systemctl daemon-reload
    do_now systemctl restart adslotd.service
    holders=()
}
check "Units with a watchdog, vital ones, the daemon's own and those that do not run are refused" refused

process() {
    # Root's, stopped by a daemon that is not.
    sleep 600 &
    local pid=$!
    hold process Work.Register "{\"name\":\"p\",\"kind\":\"process\",\"pid\":$pid}"
    begin
    [ "$(ps --no-headers -o state "$pid")" = T ] || fail "it is not stopped: $(adslotctl work)"
    finish
    until_true 10 eval "[ \"\$(ps --no-headers -o state $pid)\" != T ]"
    release
    kill "$pid"
}
check "The service stops and continues a process of another user" process

killed() {
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    sleep 600 &
    local pid=$!
    hold process Work.Register "{\"name\":\"p\",\"kind\":\"process\",\"pid\":$pid}"
    begin
    still || fail "it runs"
    listen
    do_now systemctl kill --signal=KILL --kill-whom=main adslotd.service
    until_true 10 ticks
    until_true 10 eval "[ \"\$(ps --no-headers -o state $pid)\" != T ]"
    until_true 10 said 'resumed unit game.service'
    until_true 10 said "resumed process $pid"
    until_true 10 eval '[ ! -e /var/lib/adslotd/paused ]'
    kill "$pid"
    release
}
check "When the service is killed, what it had paused goes on" killed

given_up() {
    mkdir -p /run/systemd/system/adslotd.service.d
    printf '[Service]\nRestart=no\n' >/run/systemd/system/adslotd.service.d/restart.conf
    do_now systemctl daemon-reload
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    begin
    still || fail "it runs"
    do_now systemctl kill --signal=KILL --kill-whom=main adslotd.service
    until_true 10 ticks
    until_true 10 eval '[ "$(property ActiveState adslotd.service)" = failed ]'
    [ ! -e /var/lib/adslotd/paused ] || fail "the record is still there"
    rm -r /run/systemd/system/adslotd.service.d
    do_now systemctl daemon-reload
    do_now systemctl reset-failed adslotd.service
    do_now systemctl start adslotd.service
    release
}
check "When it is not started again either, ExecStopPost= has seen to that" given_up

stopped() {
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    begin
    still || fail "it runs"
    do_now systemctl stop adslotd.service
    [ "$(property FreezerState game.service)" = running ] || fail "it was not thawed"
    ticks || fail "it does not run"
    do_now systemctl start adslotd.service
    release
}
check "When the service stops, what it had paused goes on" stopped

ended() {
    hold game Work.Register '{"name":"game","kind":"unit","unit":"game.service"}'
    do_now systemctl stop game.service
    until_true 10 grep --quiet 'unit game.service is' "$work/game"
    until_true 10 eval '[ "$(adslotctl --json=short work)" = "{\"work\":[]}" ]'
    do_now systemctl stop watched.service adslotd.socket adslotd.service
    rm -f /etc/adslotd/adslotd.conf /etc/polkit-1/rules.d/50-adslotd.rules
}
check "When the unit ends, so does its registration" ended
