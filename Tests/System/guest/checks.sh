# What cases are made of. A file of cases says what it needs, then checks one thing after the other:
#
#     need_module dummy
#     works() { ip link set dummy0 up; await status ethernet; expect_notifications 1; }
#     check "A dummy link is Ethernet" works
#
# A check prints PASS, FAIL with what was expected and found and the daemon's log, or SKIP with the reason.

work=$(mktemp --directory)
socket=$work/socket
missing=
failures=()
daemon=
base=0

# need_module NAME...: without one of them every check that follows is skipped.
need_module() {
    local module
    for module in "$@"; do
        modprobe --quiet "$module" || missing="needs the kernel module $module"
    done
}

# check WORDS FUNCTION: runs one case. Each begins with a daemon of its own, unless `unwatched` is set.
check() {
    local begun=$SECONDS
    if [ -n "$missing" ]; then
        echo "SKIP $1: $missing"
        return
    fi
    failures=()
    : >"$work/log"
    [ -n "${unwatched:-}" ] || start_daemon
    "$2"
    if [ ${#failures[@]} -eq 0 ]; then
        echo "PASS $1 ($((SECONDS - begun)) s)"
    else
        echo "FAIL $1"
        printf '    %s\n' "${failures[@]}"
        diagnose | sed 's/^/    | /'
    fi
    stop_daemon
}

diagnose() {
    [ -n "${unwatched:-}" ] || control --no-pager links
    diagnose_more
    ip rule
    ip route show table all type unicast
    tail --lines=60 "$work/log"
}

# control ARGUMENT...: adslotctl, to the daemon of the case, or to the service where `socket` is empty.
control() { adslotctl ${socket:+--socket "$socket"} "$@" 2>>"$work/log"; }

# Files of cases may say more.
diagnose_more() { :; }

fail() { failures+=("$*"); }

# start_daemon [CONFIGURATION]: a fresh daemon; notifications are counted from its first state on.
start_daemon() {
    echo "${1:-}" >"$work/conf"
    mkdir -p "$work/state"
    chmod 777 "$work" "$work/state"
    ${as:-} adslotd --verbose --config "$work/conf" --socket "$socket" \
        --state-directory "$work/state" >>"$work/log" 2>&1 &
    daemon=$!
    local attempt
    for attempt in {1..200}; do
        control status >/dev/null 2>&1 && break
        sleep 0.05
    done
    base=$(field sequence)
}

stop_daemon() {
    [ -n "$daemon" ] || return 0
    kill "$daemon" 2>/dev/null
    wait "$daemon" 2>/dev/null
    daemon=
}

# field NAME: a field of the reachability as the daemon tells it.
field() { control --json=short status | jq --raw-output ".reachability.$1"; }

# expect NAME VALUE...: fields are so now.
expect() {
    local found
    while [ $# -gt 0 ]; do
        found=$(field "$1")
        [ "$found" = "$2" ] || fail "expected $1 $2, found $found"
        shift 2
    done
}

# await NAME VALUE [SECONDS]: a field becomes so.
await() {
    local found end=$((SECONDS + ${3:-20}))
    while [ "$SECONDS" -lt "$end" ]; do
        found=$(field "$1")
        [ "$found" = "$2" ] && return 0
        sleep 0.1
    done
    fail "expected $1 to become $2 within ${3:-20} s, found $found"
    return 1
}

# settle: waits until no hold can be running any more.
settle() {
    sleep 2
    await held false
}

# expect_notifications NUMBER...: so many since the daemon's first state; any of the numbers will do.
expect_notifications() {
    local found=$(($(field sequence) - base)) number
    for number in "$@"; do
        [ "$found" -ne "$number" ] || return 0
    done
    fail "expected $* notifications, found $found"
}

# link NAME FIELD: what the daemon says of a link; empty where it lists none of that name.
link() {
    control --json=short links | jq --raw-output --arg name "$1" ".links[] | select(.name == \$name) | .$2"
}

# expect_link NAME FIELD VALUE...: so it is, at the latest in 5 seconds.
expect_link() {
    local name=$1 found end
    shift
    while [ $# -gt 0 ]; do
        end=$((SECONDS + 5))
        while found=$(link "$name" "$1") && [ "$found" != "$2" ] && [ "$SECONDS" -lt "$end" ]; do sleep 0.1; done
        [ "$found" = "$2" ] || fail "expected $1 of $name to be $2, found '$found'"
        shift 2
    done
}

# until_true SECONDS COMMAND...: tries until it succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$end" ]; then
            fail "this never came true: $*"
            return 1
        fi
        sleep 0.1
    done
}

# do_now COMMAND...: what a case depends on; a failure of it is one of the case.
do_now() {
    local said
    said=$("$@" 2>&1) || fail "failed: $*: $said"
}

# expect_output TEXT COMMAND...
expect_output() {
    local found
    found=$("${@:2}" 2>&1)
    [ "$found" = "$1" ] || fail "expected '$1' of '${*:2}', found '$found'"
}

# make_uplink NAME ADDRESS GATEWAY: a veth whose far end far-NAME is in the namespace `far`.
make_uplink() {
    ip netns list | grep --quiet --word-regexp far || do_now ip netns add far
    do_now ip link add "$1" type veth peer name "far-$1" netns far
    do_now ip -n far addr add "$3/24" dev "far-$1"
    do_now ip -n far link set "far-$1" up
    do_now ip link set "$1" up
    do_now ip addr add "$2/24" dev "$1"
}

# remove_uplink NAME
remove_uplink() { do_now ip link del "$1"; }

tidy_up() {
    stop_daemon
    rm -rf "$work"
}
