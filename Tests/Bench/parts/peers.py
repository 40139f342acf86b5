"""Those who watch the network, each with a program that records when it is told of a change.

A peer is made with what it shall watch, is ready when its constructor returns, and has

    pid         the process that does the work
    stop()      ends it; what its client was told, as (nanoseconds, state, note)
    KINDS       what it can tell of: link, route, address
"""
import os
import subprocess
import sys
import time

from .run import Program, Service, Unavailable

# Where a distribution puts what this runs; `.ci/setup --peers` unpacks the same elsewhere.
NETWORK_MANAGER = "usr/sbin/NetworkManager"
NETWORKD = "/lib/systemd/systemd-networkd"
PYTHON_PACKAGES = "usr/lib/python3/dist-packages"
# networkd gives up root for another user. Where there is no other it is started as one that is not root.
NETWORKD_USER = "998"

LISTEN_SECONDS_MAX = 5

EVERYTHING = ("link", "route", "address")

BUS_CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
 <listen>unix:path={path}</listen>
 <auth>EXTERNAL</auth>
 <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
  <allow user="*"/></policy>
</busconfig>
"""

# Links that somebody else has set up are followed, not touched.
NETWORK_MANAGER_CONFIGURATION = """\
[main]
plugins=keyfile
auth-polkit=false
dns=none
systemd-resolved=false
no-auto-default=*
[keyfile]
path=/run/NetworkManager/connections
[connectivity]
enabled=false
[logging]
level=WARN
"""


class Reader:
    """A bare reader of the kernel's messages."""

    KINDS = EVERYTHING

    def __init__(self, run, watched, link, options):
        self.program = Program(run.inside([run.program("netlink-reader"), link, watched]), **options)
        self.pid = self.program.pid

    def stop(self):
        return self.program.records()


class Relay:
    """The bare reader as a daemon: a client of it has the news."""

    KINDS = EVERYTHING

    def __init__(self, run, watched, link, options):
        path = run.path("relay")
        self.server = Program(run.inside([run.program("netlink-reader"), link, watched, path]))
        self.client = Program([run.program("varlink-monitor"), path], **options)
        self.pid = self.server.pid

    def stop(self):
        records = self.client.records()
        self.server.stop()
        return records


class Adslotd:
    """adslotd with a client of Monitor."""

    KINDS = EVERYTHING

    def __init__(self, run, _watched, _link, options):
        path = run.path("socket")
        self.daemon = run.start_daemon(path)
        self.client = Program([run.program("varlink-monitor"), path], **options)
        self.pid = self.daemon.pid

    def stop(self):
        records = self.client.records()
        self.daemon.stop()
        return records


class GLib:
    """GLib's GNetworkMonitor, which looks at default routes only."""

    KINDS = EVERYTHING

    def __init__(self, run, _watched, _link, options):
        self.program = Program(
            run.inside([run.program("glib-monitor")]), stderr=run.log("glib"), **options)
        self.pid = self.program.pid

    def stop(self):
        return self.program.records()


class IPMonitor:
    """iproute2's `ip monitor`, with a reader of its lines."""

    KINDS = EVERYTHING

    def __init__(self, run, watched, link, options):
        self.service = Service(
            run.inside(["ip", "-oneline", "monitor", "link", "address", "route"]),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=run.log("ip"))
        self.program = Program(
            [run.program("line-monitor"), watched, link], stdin=self.service.process.stdout, **options)
        self.service.process.stdout.close()
        self.service.process.stdout = None
        self.pid = self.service.pid
        self.wait_until_it_listens()

    def wait_until_it_listens(self):
        """It says nothing before the first message. A netlink socket has its process's number as its port."""
        end = time.monotonic() + LISTEN_SECONDS_MAX
        while time.monotonic() < end:
            with open(f"/proc/{self.pid}/net/netlink", encoding="ascii") as file:
                rows = [line.split() for line in file]
            if any(row[2] == str(self.pid) and int(row[3], 16) for row in rows[1:]):
                return
            time.sleep(0.005)
        raise Unavailable("ip monitor does not listen")

    def stop(self):
        records = self.program.records()
        self.service.stop()
        return records


class Pyroute2:
    """pyroute2's IPRoute."""

    KINDS = EVERYTHING

    def __init__(self, run, watched, link, options):
        environment = dict(options.pop("env", os.environ))
        environment["PYTHONPATH"] = os.path.join(run.peers, PYTHON_PACKAGES)
        if subprocess.run([sys.executable, "-c", "import pyroute2"], env=environment, check=False,
                          stderr=subprocess.DEVNULL).returncode != 0:
            raise Unavailable("python3-pyroute2 is neither installed nor unpacked (.ci/setup --peers)")
        self.program = Program(
            run.inside([sys.executable, run.source("pyroute2-monitor"), watched, link]), env=environment, **options)
        self.pid = self.program.pid

    def stop(self):
        return self.program.records()


class OnBus:
    """A service on a message bus of its own, with a client there."""

    SERVICE = ""

    def __init__(self, run, watched, link, options):
        environment = dict(options.pop("env", os.environ))
        path = run.free_path("bus")
        configuration = run.write("bus.conf", BUS_CONFIGURATION.format(path=path))
        self.bus = self.service = None
        try:
            self.bus = Service(["dbus-daemon", "--nofork", "--nopidfile", "--config-file", configuration],
                               stdout=run.log("bus"), stderr=subprocess.STDOUT)
            run.wait_for(path)
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=" + path
            command, variables = self.command(run)
            log = run.log(self.SERVICE)
            # Nothing of the machine's own state is seen or changed; without a writable sysfs neither waits
            # for udev, of which there is one in no network namespace but the first.
            self.service = Service(
                run.inside(["unshare", "--mount", "sh", "-e", "-c", self.PREPARATION + 'exec "$@"', "sh"] + command),
                env={**environment, **variables}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.service.name = self.SERVICE
            self.pid = self.service.pid
            self.client = Program(
                [run.program("bus-monitor"), self.SERVICE, watched, link], ready=False, env=environment, stderr=log,
                **options)
            self.client.wait_ready(alongside=self.service)
        except BaseException:
            self.end()
            raise

    PREPARATION = (
        "mount -t sysfs -o ro sysfs /sys 2>/dev/null || mount -o remount,bind,ro /sys; mount -t tmpfs -o mode=755 tmpfs /run; "
        "mount -t tmpfs tmpfs /var/lib; mkdir -p /run/NetworkManager /var/lib/NetworkManager /run/systemd/netif; ")

    def stop(self):
        records = self.client.records()
        self.end()
        return records

    def end(self):
        # A service that is busy with thousands of links takes its time to end by itself.
        for service in (self.service, self.bus):
            if service:
                service.kill()


class NetworkManager(OnBus):
    """NetworkManager, its device's or IP configuration's properties."""

    SERVICE = "NetworkManager"
    KINDS = EVERYTHING

    def command(self, run):
        unpacked = os.path.join(run.peers, NETWORK_MANAGER)
        program = unpacked if os.path.exists(unpacked) else "/" + NETWORK_MANAGER
        if not os.path.exists(program):
            raise Unavailable("network-manager is neither installed nor unpacked (.ci/setup --peers)")
        configuration = run.write("NetworkManager.conf", NETWORK_MANAGER_CONFIGURATION)
        nowhere = run.path("none")
        libraries = os.path.join(run.peers, "usr/lib", f"{os.uname().machine}-linux-gnu")
        return [
            program, "--no-daemon", "--config", configuration, "--config-dir", nowhere, "--system-config-dir", nowhere,
            "--intern-config", run.path("intern.conf")], {"LD_LIBRARY_PATH": libraries}


class Networkd(OnBus):
    """systemd-networkd, its link's properties. Of routes it tells nothing."""

    SERVICE = "networkd"
    KINDS = ("link", "address")

    def command(self, _run):
        if not os.path.exists(NETWORKD):
            raise Unavailable(f"there is no {NETWORKD}")
        user = ["unshare", "--user", "--map-user", NETWORKD_USER, "--map-group", NETWORKD_USER]
        return user + [NETWORKD], {}


OWN = {"bare reader": Reader, "bare relay": Relay, "adslotd": Adslotd}
OTHERS = {
    "GNetworkMonitor": GLib, "ip monitor": IPMonitor, "pyroute2": Pyroute2, "NetworkManager": NetworkManager,
    "networkd": Networkd,
}
PEERS = {**OWN, **OTHERS}


def available(run):
    """The names of the peers that run here; the others are skipped by name."""
    if run.available is None:
        run.available = list(OWN)
        for name, peer in OTHERS.items():
            try:
                peer(run, "link", "uplink", {}).stop()
                run.available.append(name)
            except Unavailable as reason:
                run.report.skip(name, str(reason))
    return run.available
