# A virtual machine with Debian's own kernel, emulated: no KVM is needed. Sourced by `run`.

# run_in_machine IMAGE STAGE SECONDS: boots IMAGE with STAGE on its second disk and waits for its end; prints
# its output. What is written to the disks is forgotten.
run_in_machine() {
    local image=$1 stage=$2 seconds=$3 work emulator follow status=0
    work=$(mktemp --directory)
    tar --create --file="$work/stage" --directory="$stage" .
    : >"$work/output"
    tail --lines=+1 --follow --sleep-interval=0.2 "$work/output" &
    follow=$!
    qemu-system-x86_64 -accel tcg,thread=multi -machine pc,usb=off -cpu max -smp 2 -m 768 \
        -nodefaults -no-user-config -no-reboot -display none \
        -kernel "$image/kernel" -initrd "$image/initrd" \
        -append "console=ttyS0 quiet panic=-1 oops=panic mitigations=off net.ifnames=0" \
        -drive "file=$image/disk,format=raw,if=virtio,snapshot=on" \
        -drive "file=$work/stage,format=raw,if=virtio,snapshot=on" \
        -serial "file:$work/console" -serial "file:$work/output" -device virtio-rng-pci \
        >"$work/emulator" 2>&1 &
    emulator=$!
    wait_for_process "$emulator" "$seconds" || status=$?
    sleep 0.5
    kill "$follow"
    kill -KILL "$emulator" 2>/dev/null || true
    wait "$emulator" "$follow" 2>/dev/null || true
    if ! grep --quiet '^END' "$work/output"; then
        echo "the machine's last words:"
        tail --lines=20 "$work/console" "$work/emulator" || true
    fi
    rm -rf "$work"
    return "$status"
}
