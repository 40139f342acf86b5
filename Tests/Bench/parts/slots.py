"""Slots, hosts and work: the coordinator alone, a click to its answer, an event to a thousand hosts."""
import json
import os
import subprocess

from .figures import summary
from .resources import kilobytes
from .run import Program

WORK_COUNTS = (0, 1, 50)
HOSTS = 1000
LOSS, GAIN = 0, 1

CONFIGURATION = """\
[Reachability]
LossHold=0
GainHold=0
DampMax=0
[Source test]
Delay=0
"""


def configuration(run, slots):
    """A file with so many slots, whose requests wait for nothing."""
    sections = (f"[Slot slot{number}]\nMinimumInterval=0\nRefreshInterval=1h\n" for number in range(slots))
    return run.write("slots.conf", CONFIGURATION + "".join(sections))


def measure_coordinator(run):
    program = os.path.join(os.path.dirname(run.adslotd), "coordinator-bench")
    events, seeds = (20_000, 10) if run.report.figures["quick"] else (300_000, 200)
    done = subprocess.run([program, str(events), str(seeds)], stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    run.report.figures["coordinator"] = {
        "slots": [line for line in lines if "slots" in line],
        "simulation": next(line for line in lines if "slots" not in line),
    }


def measure_clicks(run):
    count = 50 if run.report.figures["quick"] else 1000
    run.configuration, usual = configuration(run, 1), run.configuration
    path = run.path("socket")
    daemon = run.start_daemon(path)
    figures = {}
    for work in WORK_COUNTS:
        done = subprocess.run(
            [run.program("clicks"), path, str(work), str(count)], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            run.report.fault(f"clicks with {work} pieces of work: a wrong answer")
        figures[work] = summary([int(line) / 1000 for line in done.stdout.splitlines()])
    daemon.stop()
    run.configuration = usual
    run.report.figures["clicks"] = figures


def measure_hosts(run):
    flaps = 5 if run.report.figures["quick"] else 100
    run.configuration, usual = configuration(run, HOSTS), run.configuration
    path = run.path("socket")
    figures = {}
    for name, stalled in (("all read", 0), ("one does not read", 1)):
        daemon = run.start_daemon(path)
        hosts = Program([run.program("hosts"), path, str(HOSTS), str(stalled)])
        memory = kilobytes(daemon.pid)["Pss"]
        lines = run.flapper.ask(f"flap route {flaps} 250000 -")
        origins = [tuple(map(int, line.split()[:2])) for line in lines]
        records = hosts.records()
        daemon.stop()
        figures[name] = {"pss KiB": memory}
        for state, word in ((LOSS, "loss"), (GAIN, "gain")):
            starts = [time for time, to in origins if to == state]
            ends = [record for record in records if record[1] == state]
            if len(starts) != len(ends):
                run.report.fault(f"hosts, {name}: {len(ends)} of {len(starts)} times all were told of a {word}")
            figures[name][word] = {
                "last": summary([(end[0] - start) / 1000 for start, end in zip(starts, ends)]),
                "last after first": summary([end[2] / 1000 for end in ends]),
            }
    run.configuration = usual
    run.report.figures["hosts"] = {"hosts": HOSTS, "figures": figures}
