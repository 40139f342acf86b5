"""What one run of the bench has at hand: programs, the daemon, the private network."""
import dataclasses
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ANSWER_SECONDS_MAX = 20
SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What a program needs beyond the C library, by the names of pkg-config.
LIBRARIES = {"glib-monitor": ["gio-2.0"]}

CONFIGURATION = """\
# No holds and no damping: what is measured is the way of a change, not the wait for it to last.
[Reachability]
LossHold=0
GainHold=0
DampMax=0
"""


@dataclasses.dataclass
class Sizes:
    """How much is measured."""

    rounds: int
    flaps: int
    pause_microseconds: int
    slow_flaps: int
    slow_pause_microseconds: int
    tap_flaps: int
    tap_pause_microseconds: int
    starts: int
    idle_seconds: int
    call_rounds: int
    calls: int

    @staticmethod
    def full():
        """1,000 flaps of each kind, in ten rounds."""
        return Sizes(10, 100, 4000, 10, 2_500_000, 30, 1_100_000, 20, 30, 7, 100_000)

    @staticmethod
    def quick():
        """Enough to see that it works."""
        return Sizes(2, 20, 4000, 2, 2_500_000, 3, 1_100_000, 5, 3, 2, 10_000)


class Unavailable(Exception):
    """A peer is not there; the text says why."""


class Program:
    """A program that says "ready", works until it is told to end, and then prints its records."""

    started = []

    def __init__(self, command, ready=True, **options):
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **options)
        Program.started.append(self.process)
        if ready and self.line() != "ready":
            raise RuntimeError(f"{self.name} did not become ready")

    @property
    def pid(self):
        return self.process.pid

    def line(self):
        return self.process.stdout.readline().rstrip("\n")

    def ask(self, command):
        """Sends a line; the lines of the answer up to "done"."""
        self.process.stdin.write(command + "\n")
        lines = []
        while (line := self.line()) != "done":
            if not line and self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended with {self.process.returncode}")
            lines.append(line)
        return lines

    def stop(self):
        """Ends the program; what it printed meanwhile."""
        # Once more after a while: a signal between a check and a blocking call is not seen.
        for _ in range(100):
            self.process.send_signal(signal.SIGTERM)
            try:
                return self.process.communicate(timeout=0.2)[0]
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        raise RuntimeError(f"{self.name} did not end")

    def records(self):
        """Ends the program; what it saw, as (nanoseconds, state, note)."""
        return [tuple(map(int, line.split())) for line in self.stop().splitlines()]


class Run:
    """One run: a directory for sockets, the C programs built, the network made."""

    def __init__(self, build, sizes, report):
        self.adslotd = os.path.abspath(os.path.join(build, "adslotd"))
        if not os.access(self.adslotd, os.X_OK):
            raise SystemExit(f"bench: no {self.adslotd}: build it first")
        self.programs = os.path.join(os.path.abspath(build), "bench")
        self.sizes = sizes
        self.report = report

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="adslotd-bench-")
        self.progress = self.path("progress")
        self.configuration = self.path("adslotd.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        os.makedirs(self.programs, exist_ok=True)
        shell("mount -t sysfs sysfs /sys", check=False)
        shell("ip link set lo up")
        # UPLINK's other end is in the flapper's own namespace, so that only what happens to UPLINK is seen.
        self.flapper = Program([self.program("flapper"), "uplink", "far", "tap"])
        shell(f"ip link add uplink type veth peer name far netns {self.flapper.pid}")
        shell(f"nsenter --net=/proc/{self.flapper.pid}/ns/net ip link set far up")
        shell("ip address add 192.0.2.2/24 dev uplink; ip link set uplink up")
        shell("ip route add default via 192.0.2.1 dev uplink")
        return self

    def __exit__(self, *_):
        # After an error others than the flapper may still be there.
        for process in Program.started:
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def paced(self):
        """Options of the watcher that the flapper waits for."""
        with open(self.progress, "wb") as file:
            file.write((1).to_bytes(8, sys.byteorder))
        return {"env": {**os.environ, "BENCH_PROGRESS": self.progress}}

    def path(self, name):
        return os.path.join(self.directory, name)

    def program(self, name):
        """Builds one of the C programs where it is older than its sources; its path."""
        target = os.path.join(self.programs, name)
        sources = [os.path.join(SOURCES, file) for file in (name + ".c", "bench.h", "netlink.h")]
        if os.path.exists(target) and all(os.path.getmtime(target) > os.path.getmtime(s) for s in sources):
            return target
        flags = []
        for library in LIBRARIES.get(name, []):
            found = subprocess.run(
                ["pkg-config", "--cflags", "--libs", library], capture_output=True, text=True, check=False)
            if found.returncode != 0:
                raise Unavailable(f"{library} is not installed (libglib2.0-dev)")
            flags += found.stdout.split()
        compiler = os.environ.get("CC", "cc")
        subprocess.run(
            [compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-o", target,
             sources[0]] + flags, check=True)
        return target

    def daemon_command(self, socket=None):
        command = [self.adslotd, "--config", self.configuration, "--state-directory", self.path("state")]
        return command + (["--socket", socket] if socket else [])

    def start_daemon(self, socket):
        """Starts adslotd and waits until it is ready."""
        notify_path = self.path("notify")
        with NotifySocket(notify_path) as notify:
            with open(self.path("adslotd.log"), "a", encoding="utf-8") as log:
                daemon = Program(
                    self.daemon_command(socket), ready=False, stderr=log,
                    env={**os.environ, "NOTIFY_SOCKET": notify_path})
            notify.wait_ready()
        return daemon


class NotifySocket:
    """The service manager's end of sd_notify(3)."""

    def __init__(self, path):
        import socket

        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def __enter__(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.socket.bind(self.path)
        return self

    def wait_ready(self):
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while select.select([self.socket], [], [], max(0, end - time.monotonic()))[0]:
            if b"READY=1" in self.socket.recv(4096):
                return
        raise RuntimeError("adslotd did not become ready")

    def __exit__(self, *_):
        # The path goes, so that later status lines cost the daemon what they cost without a manager.
        self.socket.close()
        os.unlink(self.path)


def shell(command, check=True):
    subprocess.run(["sh", "-e", "-c", command], check=check, stderr=None if check else subprocess.DEVNULL)
