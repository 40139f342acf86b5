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
LIBRARIES = {"glib-monitor": ["gio-2.0"], "bus-monitor": ["libsystemd"]}

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
    storms: int
    storm_changes: int
    overruns: int
    overrun_changes: int
    crowds: tuple
    starts: int
    crowded_starts: int
    idle_seconds: int
    call_rounds: int
    calls: int

    @staticmethod
    def full():
        """600 flaps of each kind, in ten rounds."""
        return Sizes(
            rounds=10, flaps=60, pause_microseconds=4000, slow_flaps=10, slow_pause_microseconds=2_500_000,
            tap_flaps=30, tap_pause_microseconds=1_100_000, storms=3, storm_changes=20_000, overruns=5,
            overrun_changes=20_000, crowds=(10, 1000, 5000), starts=20, crowded_starts=5, idle_seconds=30,
            call_rounds=7, calls=100_000)

    @staticmethod
    def quick():
        """Enough to see that it works."""
        return Sizes(
            rounds=2, flaps=20, pause_microseconds=4000, slow_flaps=2, slow_pause_microseconds=2_500_000,
            tap_flaps=3, tap_pause_microseconds=1_100_000, storms=1, storm_changes=2000, overruns=2,
            overrun_changes=20_000, crowds=(10, 500), starts=5, crowded_starts=2, idle_seconds=3,
            call_rounds=2, calls=10_000)


class Unavailable(Exception):
    """A peer is not there; the text says why."""


class Service:
    """A process that ends by SIGTERM."""

    started = []

    def __init__(self, command, **options):
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(command, **options)
        Service.started.append(self)

    @property
    def pid(self):
        return self.process.pid

    def stop(self):
        """Ends the process; what it printed meanwhile, where that is read here."""
        # Once more after a while: a signal between a check and a blocking call is not seen.
        for _ in range(100):
            self.process.send_signal(signal.SIGTERM)
            try:
                return self.process.communicate(timeout=0.2)[0]
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        raise RuntimeError(f"{self.name} did not end")

    def kill(self):
        """Ends the process at once."""
        self.process.kill()
        self.process.wait()


class Program(Service):
    """A program that says "ready", works until it is told to end, and then prints its records."""

    def __init__(self, command, ready=True, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
        super().__init__(command, text=True, bufsize=1, **options)
        if ready:
            self.wait_ready()

    def wait_ready(self, alongside=None):
        """Waits for the line; in vain where another process ends first."""
        while alongside and alongside.process.poll() is None:
            if select.select([self.process.stdout], [], [], 0.2)[0]:
                break
        if alongside and alongside.process.poll() is not None:
            self.process.kill()
            raise Unavailable(f"{alongside.name} ended with {alongside.process.returncode}")
        if self.line() != "ready":
            raise Unavailable(f"{self.name} did not become ready")

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

    def records(self):
        """Ends the program; what it saw, as (nanoseconds, state, note)."""
        return [tuple(map(int, line.split())) for line in self.stop().splitlines()]


class Run:
    """One run: a directory for sockets, the C programs built, the network made."""

    def __init__(self, build, peers, sizes, report):
        self.peers = os.path.abspath(peers)
        self.namespace = None
        self.available = None
        self.adslotd = os.path.abspath(os.path.join(build, "adslotd"))
        if not os.access(self.adslotd, os.X_OK):
            raise SystemExit(f"bench: no {self.adslotd}: build it first")
        self.programs = os.path.join(os.path.abspath(build), "bench")
        self.sizes = sizes
        self.report = report

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="adslotd-bench-")
        self.progress = self.path("progress")
        self.configuration = self.write("adslotd.conf", CONFIGURATION)
        self.state = self.path("state")
        os.makedirs(self.programs, exist_ok=True)
        # A sysfs of this namespace, with the control groups that lay beneath the old one.
        shell("exec 9<\"$(findmnt --noheadings --raw --types cgroup2 --output TARGET | head -n 1)\";"
              "mount -t sysfs sysfs /sys;"
              "mount --no-canonicalize --bind /proc/self/fd/9 /sys/fs/cgroup", check=False)
        shell("ip link set lo up")
        # UPLINK's other end is in the flapper's own namespace, so that only what happens to UPLINK is seen.
        self.flapper = Program([self.program("flapper"), "uplink", "far", "tap", "stub"])
        shell(f"ip link add uplink type veth peer name far netns {self.flapper.pid}")
        shell(f"ip link add stub type veth peer name end netns {self.flapper.pid}; ip link set stub up")
        shell(f"nsenter --net=/proc/{self.flapper.pid}/ns/net ip link set far up")
        shell("ip address add 192.0.2.2/24 dev uplink; ip link set uplink up")
        shell("ip route add default via 192.0.2.1 dev uplink")
        return self

    def __exit__(self, *_):
        # After an error others than the flapper may still be there.
        for service in Service.started:
            if service.process.poll() is None:
                service.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def paced(self):
        """Options of the watcher that the flapper waits for."""
        with open(self.progress, "wb") as file:
            file.write((1).to_bytes(8, sys.byteorder))
        return {"env": {**os.environ, "BENCH_PROGRESS": self.progress}}

    def seen_state(self):
        """The state that the paced watcher has seen last."""
        with open(self.progress, "rb") as file:
            return int.from_bytes(file.read(8), sys.byteorder)

    def inside(self, command):
        """The command in the network namespace that is measured."""
        return ["nsenter", f"--net=/proc/{self.namespace}/ns/net", *command] if self.namespace else command

    def path(self, name):
        return os.path.join(self.directory, name)

    def free_path(self, name):
        """A path for a socket that somebody may have left there."""
        if os.path.exists(self.path(name)):
            os.unlink(self.path(name))
        return self.path(name)

    def source(self, name):
        return os.path.join(SOURCES, name)

    def write(self, name, text):
        """Writes a file of this run; its path."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def log(self, name):
        return open(self.path(name + ".log"), "a", encoding="utf-8")

    def wait_for(self, path):
        """Waits until a socket is there."""
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while not os.path.exists(path):
            if time.monotonic() > end:
                raise RuntimeError(f"no {path}")
            time.sleep(0.01)

    def program(self, name):
        """Builds one of the C programs where it is older than its sources; its path."""
        target = os.path.join(self.programs, name)
        sources = [self.source(file) for file in (name + ".c", "bench.h", "netlink.h", "peer.h")]
        if os.path.exists(target) and all(os.path.getmtime(target) > os.path.getmtime(s) for s in sources):
            return target
        flags = []
        for library in LIBRARIES.get(name, []):
            found = subprocess.run(
                ["pkg-config", "--cflags", "--libs", library], capture_output=True, text=True, check=False)
            if found.returncode != 0:
                raise Unavailable(f"pkg-config does not find {library} (.ci/setup)")
            flags += found.stdout.split()
        compiler = os.environ.get("CC", "cc")
        subprocess.run(
            [compiler, "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-o", target,
             sources[0]] + flags, check=True)
        return target

    def daemon_command(self, socket=None):
        command = [self.adslotd, "--config", self.configuration, "--state-directory", self.state]
        return command + (["--socket", socket] if socket else [])

    def start_daemon(self, socket):
        """Starts adslotd and waits until it is ready."""
        notify_path = self.path("notify")
        with NotifySocket(notify_path) as notify:
            daemon = Program(
                self.inside(self.daemon_command(socket)), ready=False, stderr=self.log("adslotd"),
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
