# The units as they are installed, under a systemd that is PID 1.

unwatched=yes
socket=
diagnose() { journalctl --no-pager --unit=adslotd.service --unit=adslotd.socket --lines=60; }

property() { systemctl show --property="$1" --value "${2:-adslotd.service}"; }
expect_property() { # NAME VALUE [UNIT]
    local found
    found=$(property "$1" "${3:-}")
    [ "$found" = "$2" ] || fail "expected $1 $2, found $found"
}
said() { journalctl --quiet --no-pager --unit=adslotd.service --after-cursor="$cursor" --output=cat --grep="$1"; }
listen() { # from here on
    journalctl --sync
    cursor=$(journalctl --quiet --no-pager --lines=0 --show-cursor | sed -n 's/^-- cursor: //p')
}
restarted_since() { # PID
    local pid
    pid=$(property MainPID)
    [ "$pid" -ne 0 ] && [ "$pid" -ne "$1" ] && [ "$(property ActiveState)" = active ]
}

installed() {
    local said
    do_now systemd-sysusers
    do_now id adslotd
    do_now systemctl daemon-reload
    said=$(systemd-analyze verify adslotd.service adslotd.socket 2>&1)
    [ -z "$said" ] || fail "verify: $said"
}
check "The installed units are valid, and their user can be made" installed

activated() {
    do_now systemctl start adslotd.socket
    expect_property ActiveState inactive
    expect_property ActiveState active adslotd.socket
    do_now adslotctl status
    expect_property ActiveState active
    expect_property User adslotd
    expect_output adslotd:750 stat --dereference --format=%U:%a /var/lib/adslotd
    expect_output 666 stat --format=%a /run/adslotd/socket
    expect_output adslotd ps -o user= "$(property MainPID)"
}
check "The first client starts the service through its socket" activated

ready() {
    do_now systemctl stop adslotd.service
    do_now systemctl start adslotd.service
    expect_property StatusText "not reachable, noLink"
    ip link add e0 type veth peer name e1
    ip link set e0 up
    ip link set e1 up
    ip addr add 192.0.2.2/24 dev e0
    ip route add default via 192.0.2.1
    until_true 10 eval '[[ $(property StatusText) == ethernet* ]]'
    await status ethernet
}
check "Started means ready, and the status line follows the network" ready

reloaded() {
    local pid before
    pid=$(property MainPID)
    mkdir -p /etc/adslotd
    printf '[Link e*]\nMetered=yes\n' >/etc/adslotd/adslotd.conf
    listen
    do_now systemctl reload adslotd.service
    await expensive true 5
    expect_property MainPID "$pid"
    expect_property ActiveState active
    do_now said 'configuration read again'
    printf '[Link e*]\nMetered=perhaps\n' >/etc/adslotd/adslotd.conf
    systemctl reload adslotd.service
    until_true 10 said 'keeping the old one'
    expect expensive true
    expect_property MainPID "$pid"
    rm /etc/adslotd/adslotd.conf
    do_now systemctl reload adslotd.service
    await expensive false 5
}
check "A reload takes the configuration in, and keeps the old one where the new one is wrong" reloaded

watched() {
    local pid
    mkdir -p /run/systemd/system/adslotd.service.d
    printf '[Service]\nWatchdogSec=1\n' >/run/systemd/system/adslotd.service.d/watchdog.conf
    do_now systemctl daemon-reload
    do_now systemctl restart adslotd.service
    pid=$(property MainPID)
    sleep 3
    expect_property MainPID "$pid"
    listen
    kill -STOP "$pid"
    until_true 20 restarted_since "$pid"
    journalctl --sync
    journalctl --quiet --after-cursor="$cursor" --grep='(?i)watchdog timeout' >/dev/null ||
        fail "it was not the watchdog that restarted it"
    do_now adslotctl status
    rm -r /run/systemd/system/adslotd.service.d
    do_now systemctl daemon-reload
}
check "A daemon that hangs is killed by the watchdog and started again; one that does not is left alone" watched

crashed() {
    local pid
    do_now systemctl restart adslotd.service
    pid=$(property MainPID)
    kill -KILL "$pid"
    # The socket stays: a client that comes between waits and is answered.
    do_now timeout 10 adslotctl status
    until_true 10 restarted_since "$pid"
}
check "A daemon that dies is started again, and a client meanwhile is answered" crashed

stopped() {
    do_now systemctl stop adslotd.service
    expect_property ActiveState inactive
    expect_property Result success
    [ -S /run/adslotd/socket ] || fail "the socket went with the service"
    do_now timeout 10 adslotctl status
    expect_property ActiveState active
    do_now systemctl stop adslotd.socket adslotd.service
    [ ! -e /run/adslotd/socket ] || fail "the stopped socket is still there"
    adslotctl status >/dev/null 2>&1
    [ $? -eq 8 ] || fail "without a socket there is a daemon"
}
check "Stopped, it is started by the next client; with its socket stopped, it is not there" stopped

lingering() {
    do_now systemctl start adslotd.service
    adslotctl --json=short monitor >/dev/null 2>&1 &
    local client=$! begun=$SECONDS
    sleep 0.5
    do_now systemctl stop adslotd.service
    [ $((SECONDS - begun)) -le 5 ] || fail "stopping took $((SECONDS - begun)) s"
    expect_property Result success
    kill "$client" 2>/dev/null
}
check "It stops at once although a client listens" lingering
