"""Floods: what a message costs that makes no difference, and how soon the state is right after a loss of
messages."""
import os
import signal
import statistics
import time

from .figures import summary
from .peers import PEERS, available

# Changes in a row, then a pause, so that nobody's receive buffer overflows.
BURST, PAUSE_MICROSECONDS = 20, 2000
QUIET_SECONDS, QUIET_SECONDS_MAX = 0.3, 10
REPAIR_SECONDS_MAX = 5


def processor_seconds(pid):
    """What a process has had of a processor (proc(5), schedstat)."""
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def wait_until_quiet(pid):
    """Waits until a process has done nothing for a while."""
    end = time.monotonic() + QUIET_SECONDS_MAX
    last = processor_seconds(pid)
    while time.monotonic() < end:
        time.sleep(QUIET_SECONDS)
        spent = processor_seconds(pid)
        if spent - last < 0.001:
            return spent
        last = spent
    return last


def measure_storm(run):
    """Links get another alias and addresses come and go on a link that nothing goes over."""
    costs = {name: [] for name in available(run) if name != "bare relay"}
    for number in range(run.sizes.storms):
        names = list(costs)
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            peer = PEERS[name](run, "link", "uplink", {})
            before = wait_until_quiet(peer.pid)
            messages = int(run.flapper.ask(f"storm {run.sizes.storm_changes} {BURST} {PAUSE_MICROSECONDS}")[0])
            costs[name].append((wait_until_quiet(peer.pid) - before) / messages)
            records = peer.stop()
            if name == "adslotd" and len(records) != 1:
                run.report.fault(f"storm: {len(records) - 1} notifications of what makes no difference")
    run.report.figures["storm"] = {
        name: {
            "microseconds a message": round(statistics.median(values) * 1e6, 2),
            "messages a second": round(1 / statistics.median(values)),
            "samples": values,
        }
        for name, values in costs.items()}


def measure_overrun(run):
    """The watcher is stopped while more messages come than its buffer holds, the last of them a loss, and goes on:
    from then to the news of that loss at its client."""
    run.report.figures["overrun"] = {}
    for name in available(run):
        if name in ("bare reader", "bare relay"):
            continue
        kind = "route" if "route" in PEERS[name].KINDS else "carrier"
        watched = "route" if kind == "route" else "link"
        found = [overrun(run, name, kind, watched) for _ in range(run.sizes.overruns)]
        repaired = [microseconds for microseconds in found if microseconds is not None]
        run.report.figures["overrun"][name] = {
            "figures": summary(repaired), "never": found.count(None), "of": len(found), "samples": found}
        if name == "adslotd":
            check(run, found)


def check(run, found):
    """The state was right each time, and each time messages had been lost."""
    if None in found:
        run.report.fault(f"overrun: the state stayed wrong {found.count(None)} times")
    with open(run.path("adslotd.log"), encoding="utf-8") as log:
        losses = sum("messages were lost" in line for line in log)
    if losses < len(found):
        run.report.fault(f"overrun: messages were lost {losses} times, not {len(found)}")


def overrun(run, name, kind, watched):
    peer = PEERS[name](run, watched, "uplink", run.paced())
    wait_until_quiet(peer.pid)
    os.kill(peer.pid, signal.SIGSTOP)
    run.flapper.ask(f"storm {run.sizes.overrun_changes} {BURST} 0")
    run.flapper.ask(f"make {kind} 0")
    origin = time.monotonic_ns()
    os.kill(peer.pid, signal.SIGCONT)
    end = origin + REPAIR_SECONDS_MAX * 10**9
    while run.seen_state() != 0 and time.monotonic_ns() < end:
        time.sleep(0.001)
    time.sleep(QUIET_SECONDS)
    run.flapper.ask(f"make {kind} 1")
    time.sleep(QUIET_SECONDS)
    times = [moment for moment, state, _ in peer.stop() if state == 0 and origin <= moment]
    return (times[0] - origin) / 1000 if times else None
