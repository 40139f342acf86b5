# Images to boot, from Debian's packages alone. They are made once and kept outside of the tree; what they
# are made of is part of their names, so that a change here makes new ones. Sourced by `run`.

cache=${ADSLOTD_SYSTEM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/adslotd-system}

# What the systems under test consist of; libraries of the daemon that are not among it are laid over it.
image_packages=(
    systemd systemd-sysv udev dbus polkitd kmod procps jq socat libstdc++6
    libinih1 libnl-3-200 libnl-genl-3-200 libsystemd0
    iproute2 iw hostapd wpasupplicant rfkill ppp wireguard-tools
)

# What the machine's kernel has to load: its own disk, and the devices of the cases.
kernel_modules=(
    virtio_pci virtio_blk virtio_rng ext4 crc32c_generic autofs4 configfs efivarfs
    mac80211_hwsim ccm ctr gcm cmac ecb ghash-generic
    dummy_hcd libcomposite usb_f_ecm cdc_ether
    ppp_async ppp_deflate bsd_comp
    wireguard bonding 8021q vrf dummy veth tun bridge macvlan ipvlan
    ip_gre ip6_gre ipip sit xfrm_interface
)

# fingerprint WORD...: a short name for what an image is made of.
fingerprint() {
    { printf '%s\n' "$@"; cat "${BASH_SOURCE[0]}"; } | sha256sum | cut -c 1-12
}

# make_once PATH FUNCTION ARGUMENT...: calls FUNCTION with a new directory, which becomes PATH when done.
make_once() {
    local path=$1
    shift
    mkdir -p "$cache"
    (
        flock 9
        [ ! -e "$path" ] || exit 0
        rm -rf "$path.new"
        mkdir "$path.new"
        echo "system: making $path, once" >&2
        "$1" "$path.new" "${@:2}"
        mv "$path.new" "$path"
    ) 9>"$cache/lock"
}

# A root directory with systemd that starts nothing but the test and what that needs.
make_root() {
    local root=$1/root codename sources
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
    for sources in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
        [ ! -s "$sources" ] || break
    done
    mmdebstrap --quiet --mode=root --variant=essential --format=directory \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
        --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --include="$(IFS=,; echo "${image_packages[*]}")" "$codename" "$root" "$sources" >&2
    local units=$root/etc/systemd/system
    rm -rf "$units"/*.wants "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
    : >"$root/etc/machine-id"
    echo system-test >"$root/etc/hostname"
    ln -s system-test.target "$units/default.target"
    cat >"$units/system-test.target" <<'UNIT'
[Unit]
Description=The system under test
Requires=basic.target system-test.service
Wants=dbus.socket
After=basic.target
AllowIsolate=yes
UNIT
    # A container finds everything in place; a machine has it on its second disk, as a plain archive.
    cat >"$units/system-test.service" <<'UNIT'
[Unit]
Description=The test
After=basic.target dbus.socket
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
Environment=HOME=/root LANG=C.UTF-8
ExecStartPre=/bin/sh -c '[ ! -b /dev/vdb ] || tar -x -f /dev/vdb -C /'
ExecStart=/bin/bash /system-test/guest/agent
UNIT
}

# A disk with that root and the kernel's modules, the kernel, and an initial file system that finds the disk.
make_machine() {
    local directory=$1 root=$2 package version tree list module
    package=$(apt-cache depends linux-image-amd64 | awk '$1 == "Depends:" && $2 ~ /^linux-image-/ { print $2; exit }')
    version=${package#linux-image-}
    mkdir "$directory/package" "$directory/tree"
    (cd "$directory/package" && apt-get --quiet=2 --option APT::Sandbox::User=root download "$package" >&2)
    dpkg-deb --extract "$directory"/package/*.deb "$directory/package/x"
    mv "$directory/package/x/boot/vmlinuz-$version" "$directory/kernel"

    tree=$directory/package/x/lib/modules/$version
    find "$tree" -name '*.ko.xz' -exec xz --decompress {} +
    depmod --basedir "$directory/package/x" "$version"
    list=$directory/modules
    for module in "${kernel_modules[@]}"; do
        # What is built in, or not there at all, prints no file: the cases that need it are skipped.
        modprobe --dirname "$directory/package/x" --set-version "$version" --show-depends "$module" 2>/dev/null || true
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$list"

    cp --archive "$root/root" "$directory/root"
    local target=$directory/root/lib/modules/$version
    mkdir -p "$target"
    cp "$tree"/modules.{order,builtin,builtin.modinfo} "$target/"
    while read -r module; do
        install -D --mode=644 "$module" "$target/${module#"$tree/"}"
    done <"$list"
    depmod --basedir "$directory/root" "$version"

    make_initial "$directory" "$version"
    mkfs.ext4 -q -m 0 -O ^has_journal -d "$directory/root" "$directory/disk" 1G >&2
    rm -rf "$directory/root" "$directory/package" "$directory/tree"
}

make_initial() {
    local directory=$1 version=$2 initial=$1/initial module
    mkdir -p "$initial"/{bin,dev,mnt,modules}
    cp "$(command -v busybox)" "$initial/bin/busybox"
    for module in virtio_pci virtio_blk crc32c_generic ext4; do
        modprobe --dirname "$directory/root" --set-version "$version" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r module; do
        cp "$module" "$initial/modules/"
        basename "$module"
    done >"$initial/modules/order"
    cat >"$initial/init" <<'INIT'
#!/bin/busybox sh
bb=/bin/busybox
$bb mount -t devtmpfs devtmpfs /dev
while read -r module; do $bb insmod "/modules/$module"; done </modules/order
until [ -b /dev/vda ]; do $bb sleep 0.1; done
$bb mount -t ext4 /dev/vda /mnt
$bb mount --move /dev /mnt/dev
exec $bb switch_root /mnt /sbin/init
INIT
    chmod +x "$initial/init"
    (cd "$initial" && find . | busybox cpio -o -H newc 2>/dev/null) >"$directory/initrd"
    rm -rf "$initial"
}
