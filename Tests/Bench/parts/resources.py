"""Memory, idle wake-ups, and the time from exec to readiness."""
import contextlib
import subprocess
import time

from .figures import summary
from .peers import PEERS, available
from .run import Program, Service, Unavailable, shell
from .storm import wait_until_quiet

IDLE_PAIRS = 3
SETTLE_SECONDS = 3


@contextlib.contextmanager
def crowd(run, links):
    """A network of so many links, one of them an uplink, in a namespace of its own, which is measured."""
    holder = Service(["unshare", "--net", "sleep", "infinity"])
    own = subprocess.run(["readlink", "/proc/self/ns/net"], capture_output=True, text=True, check=True).stdout
    while subprocess.run(["readlink", f"/proc/{holder.pid}/ns/net"], capture_output=True, text=True,
                         check=True).stdout == own:
        time.sleep(0.005)
    run.namespace = holder.pid
    try:
        # Loopback and the uplink's pair are three; the other end of the last pair may be one too many.
        lines = ["link set lo up", "link add uplink type veth peer name far", "link set far up", "link set uplink up",
                 "address add 192.0.2.2/24 dev uplink", "route add default via 192.0.2.1 dev uplink"]
        lines += [f"link add left{number} type veth peer name right{number}" for number in range((links - 3) // 2)]
        if links % 2 == 0:
            lines.append("link add bridge type bridge")
        subprocess.run(run.inside(["ip", "-batch", "-"]), input="\n".join(lines), text=True, check=True)
        yield
    finally:
        run.namespace = None
        holder.stop()


def kilobytes(pid):
    """Pss and Rss by the kernel's account (proc(5), smaps_rollup)."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        fields = (line.split() for line in file)
        return {words[0].rstrip(":"): int(words[1]) for words in fields if words[0] in ("Pss:", "Rss:")}


def switches(pid):
    """Voluntary and other context switches of a process so far."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)


def measure_memory(run):
    """Once the process has become quiet; and how long its client waited for the first state."""
    names = [name for name in available(run) if name not in ("bare reader", "bare relay")]
    run.report.figures["memory"] = {}
    for links in run.sizes.crowds:
        with crowd(run, links):
            run.report.figures["memory"][str(links)] = {name: measure_peer(run, name) for name in names}


def measure_peer(run, name):
    started = time.monotonic()
    try:
        peer = PEERS[name](run, "link", "uplink", {})
    except Unavailable as reason:
        return {"failed": str(reason)}
    ready = time.monotonic() - started
    wait_until_quiet(peer.pid)
    reading = kilobytes(peer.pid)
    peer.stop()
    return {"pss KiB": reading["Pss"], "rss KiB": reading["Rss"], "ready ms": round(ready * 1000, 1)}


def measure_idle(run):
    """A daemon with a client that monitors it, and a network in which nothing happens."""
    for number in range(IDLE_PAIRS):
        shell(f"ip link add left{number} type veth peer name right{number}")
    path = run.path("socket")
    daemon = run.start_daemon(path)
    client = Program([run.program("varlink-monitor"), path])
    # Addresses that the kernel gives to new links are checked for duplicates first.
    time.sleep(SETTLE_SECONDS)
    before = switches(daemon.pid)
    time.sleep(run.sizes.idle_seconds)
    count = switches(daemon.pid) - before
    client.stop()
    daemon.stop()
    for number in range(IDLE_PAIRS):
        shell(f"ip link delete left{number}")
    run.report.figures["idle"] = {"seconds": run.sizes.idle_seconds, "context switches": count}


def measure_start(run):
    run.report.figures["start"] = {}
    counts = {min(run.sizes.crowds): run.sizes.starts, max(run.sizes.crowds): run.sizes.crowded_starts}
    for links, starts in counts.items():
        with crowd(run, links):
            rows = launch(run, starts)
        if not rows:
            return run.report.fault(f"start: no answer with {links} links")
        run.report.figures["start"][str(links)] = {
            "ready": summary([row[0] for row in rows]),
            "answered": summary([row[1] for row in rows]),
            "samples": rows,
        }


def launch(run, starts):
    """For each start, the microseconds to READY=1 and to an answer of Get."""
    command = [run.program("launcher"), run.path("launched"), str(starts)] + run.daemon_command()
    done = subprocess.run(
        run.inside(command), stdout=subprocess.PIPE, stderr=run.log("adslotd"), text=True, check=False)
    return [] if done.returncode else [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
