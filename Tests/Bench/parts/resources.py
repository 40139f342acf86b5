"""Memory, idle wake-ups, and the time from exec to readiness."""
import statistics
import subprocess
import time

from .figures import summary
from .run import Program, shell

LINKS = 10
PAIRS = 3
SETTLE_SECONDS = 3


def make_links():
    """Ten links with loopback, the uplink and the tap: a bridge and three pairs besides."""
    shell("ip link add bridge type bridge")
    for number in range(PAIRS):
        shell(f"ip link add left{number} type veth peer name right{number}")


def remove_links():
    for number in range(PAIRS):
        shell(f"ip link delete left{number}")
    shell("ip link delete bridge")


def kilobytes(pid):
    """Pss and Rss by the kernel's account (proc(5), smaps_rollup)."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        fields = (line.split() for line in file)
        return {words[0].rstrip(":"): int(words[1]) for words in fields if words[0] in ("Pss:", "Rss:")}


def switches(pid):
    """Voluntary and other context switches of a process so far."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)


def link_count():
    return int(subprocess.run(
        ["sh", "-c", "ip -oneline link | wc -l"], capture_output=True, text=True, check=True).stdout)


def measure_memory(run):
    make_links()
    if link_count() != LINKS:
        run.report.fault(f"memory: {link_count()} links instead of {LINKS}")
    readings = []
    for _ in range(min(5, run.sizes.starts)):
        daemon = run.start_daemon(run.path("socket"))
        time.sleep(0.3)
        readings.append(kilobytes(daemon.pid))
        daemon.stop()
    remove_links()
    run.report.figures["memory"] = {
        "links": LINKS,
        "pss KiB": statistics.median(reading["Pss"] for reading in readings),
        "rss KiB": statistics.median(reading["Rss"] for reading in readings),
        "readings": readings,
    }


def measure_idle(run):
    """A daemon with a client that monitors it, and a network in which nothing happens."""
    make_links()
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
    remove_links()
    run.report.figures["idle"] = {"seconds": run.sizes.idle_seconds, "context switches": count}


def measure_start(run):
    command = [run.program("launcher"), run.path("launched"), str(run.sizes.starts)] + run.daemon_command()
    with open(run.path("adslotd.log"), "a", encoding="utf-8") as log:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, check=False)
    if done.returncode != 0:
        return run.report.fault(f"start: no answer (exit code {done.returncode})")
    rows = [tuple(map(float, line.split())) for line in done.stdout.splitlines()]
    run.report.figures["start"] = {
        "ready": summary([row[0] for row in rows]),
        "answered": summary([row[1] for row in rows]),
        "samples": rows,
    }
