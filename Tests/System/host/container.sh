# A system in namespaces: systemd is PID 1 of its own, the kernel is this machine's and the network is a new
# one with loopback only. Sourced by `run`, which calls run_in_container; with arguments it is the inside.

# run_in_container IMAGE STAGE SECONDS: boots IMAGE under STAGE and waits for its end; prints its output.
run_in_container() {
    local image=$1 stage=$2 seconds=$3 group work boot follow status=0
    work=$(mktemp --directory)
    mkdir "$work/mount"
    # A control group of its own, so that not a process is left over.
    group=$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1)/system-test.$$
    mkdir "$group"
    : >"$stage/system-test/output"
    tail --lines=+1 --follow --sleep-interval=0.2 "$stage/system-test/output" &
    follow=$!
    bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" \
        unshare --fork --kill-child --pid --mount --uts --ipc --net --cgroup \
        bash "${BASH_SOURCE[0]}" "$image/root" "$stage" "$work/mount" &
    boot=$!
    wait_for_process "$boot" "$seconds" || status=$?
    sleep 0.5
    kill "$follow"
    kill -KILL "$boot" 2>/dev/null || true
    wait "$boot" "$follow" 2>/dev/null || true
    local attempt
    for attempt in {1..50}; do
        echo 1 >"$group/cgroup.kill"
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break
        sleep 0.1
    done
    rm -rf "$work"
    return "$status"
}

# Inside: lays the mounts of a fresh system over the image and becomes its PID 1.
become_system() {
    local image=$1 stage=$2 scratch=$3 root device node
    mount --make-rprivate /
    mount -t tmpfs -o mode=755 tmpfs "$scratch"
    root=$scratch/root
    mkdir "$scratch/upper" "$scratch/work" "$root"
    mount -t overlay -o "lowerdir=$stage:$image,upperdir=$scratch/upper,workdir=$scratch/work" overlay "$root"
    mount --bind "$stage/system-test" "$root/system-test"

    mount -t proc proc "$root/proc"
    # Of /proc/sys only net/ is this namespace's; the rest is the machine's and stays as it is.
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount --bind "$root/proc/sys/net" "$root/proc/sys/net"
    mount -o remount,bind,ro "$root/proc/sys"
    # Read-only, it also tells udev that devices are none of its business.
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"

    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    mkdir "$root/dev/pts" "$root/dev/shm" "$root/dev/net"
    for device in null zero full random urandom tty net/tun; do
        node=$root/dev/$device
        [ ! -e "/dev/$device" ] || { : >"$node" && mount --bind "/dev/$device" "$node"; }
    done
    mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"

    cd "$root"
    pivot_root . mnt
    cd /
    umount --lazy /mnt
    exec env --ignore-environment container=system-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd </dev/null >/dev/null 2>&1
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    become_system "$@"
fi
