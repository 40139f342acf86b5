"""How long a busy process of 50 threads takes to stand still, by each kind of work that the daemon pauses itself.

Beside the daemon the bare system call: kill(2), or writing to cgroup.freeze. Units need a systemd, which there is
none of in here; systemd freezes them the same way as the daemon does a control group.
"""
import json
import os
import select
import signal
import socket
import struct
import subprocess
import time

from .figures import summary
from .run import Program

THREADS = 50
LINE_BYTES = 64
# Between two pauses, so that the scheduler has given every thread its turn.
REST_SECONDS = 0.05
PATIENCE_SECONDS = 10

CONFIGURATION = """\
[Reachability]
LossHold=0
GainHold=0
DampMax=0
[Slot banner]
MinimumInterval=0
[Actions]
PauseTimeout=10s
[Source test]
Delay=1ms
"""


class Call:
    """A call on a connection of its own."""

    def __init__(self, path, method, parameters, more=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(path)
        self.rest = b""
        self.ask(method, parameters, more)

    def ask(self, method, parameters, more=False):
        call = {"method": "org.adslotd." + method, "parameters": parameters, "more": more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def reply(self):
        while b"\0" not in self.rest:
            data = self.socket.recv(65536)
            if not data:
                raise RuntimeError("the daemon closed the connection")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        if "error" in message:
            raise RuntimeError(str(message))
        return message.get("parameters", {})


class Busy:
    """The process, and when each of its threads was last seen alive."""

    def __init__(self, run):
        self.path = run.path("words")
        self.program = Program(
            [run.program("busy-threads"), self.path, str(THREADS)], start_new_session=True)
        self.pid = self.program.pid
        self.group = make_group(self.pid)

    def last_word(self):
        with open(self.path, "rb") as file:
            words = file.read()
        return max(struct.unpack_from("=Q", words, LINE_BYTES * i)[0] for i in range(THREADS))

    def is_silent(self):
        before = self.last_word()
        time.sleep(0.01)
        return self.last_word() == before

    def stop(self):
        self.program.process.stdin.close()
        self.program.process.wait()
        if self.group:
            os.rmdir(self.group)


def make_group(pid):
    """A control group for the process; None where there is none to be had."""
    found = subprocess.run(
        ["findmnt", "--noheadings", "--raw", "--types", "cgroup2", "--output", "TARGET"], capture_output=True,
        text=True, check=False)
    for target in reversed(found.stdout.split()):
        path = f"{target}/adslotd-bench-{os.getpid()}"
        try:
            os.mkdir(path)
            with open(path + "/cgroup.procs", "w", encoding="ascii") as file:
                file.write(str(pid))
            return path
        except OSError:
            continue
    return None


class BareSignal:
    """kill(2), and looking until every thread is stopped."""

    def __init__(self, busy):
        self.busy = busy

    def pause(self):
        os.kill(self.busy.pid, signal.SIGSTOP)
        while any(state(self.busy.pid, task) not in "Tt" for task in os.listdir(f"/proc/{self.busy.pid}/task")):
            pass

    def resume(self):
        os.kill(self.busy.pid, signal.SIGCONT)

    def stop(self):
        pass


def state(pid, task):
    with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


class BareFreezer:
    """Writing to cgroup.freeze, and waiting for its event."""

    def __init__(self, busy):
        self.group = busy.group
        self.events = open(self.group + "/cgroup.events", encoding="ascii")
        self.poll = select.poll()
        self.poll.register(self.events, select.POLLPRI)

    def write(self, text):
        with open(self.group + "/cgroup.freeze", "w", encoding="ascii") as file:
            file.write(text)

    def pause(self):
        self.write("1")
        while True:
            self.events.seek(0)
            if "frozen 1" in self.events.read():
                return
            self.poll.poll(1000 * PATIENCE_SECONDS)

    def resume(self):
        self.write("0")

    def stop(self):
        self.events.close()


class ByDaemon:
    """A person touches a banner; the answer comes when the work stands still."""

    def __init__(self, run, busy, parameters):
        self.path = run.path("work-socket")
        self.busy = busy
        usual, run.configuration = run.configuration, run.write("work.conf", CONFIGURATION)
        self.daemon = run.start_daemon(self.path)
        run.configuration = usual
        self.work = Call(self.path, "Work.Register", {"name": "busy", **parameters}, more=True)
        self.work.reply()
        self.host = Call(
            self.path, "Slots.Attach", {"slot": "banner", "viewport": {"width": 360, "height": 640}}, more=True)
        self.lease = self.host.reply()["lease"]
        while (command := self.host.reply()["command"])["kind"] != "show":
            pass
        self.banner = command["banner"]
        self.calls = Call(self.path, "Slots.List", {})
        self.calls.reply()
        self.action = None

    def pause(self):
        self.calls.ask("Slots.BeginAction", {"lease": self.lease, "banner": self.banner})
        self.action = self.calls.reply()["action"]

    def resume(self):
        self.calls.ask("Slots.FinishAction", {"lease": self.lease, "action": self.action})
        self.calls.reply()

    def stop(self):
        self.daemon.stop()


def measure(run):
    busy = Busy(run)
    ways = {"process: kill(2)": lambda: BareSignal(busy)}
    ways["process: adslotd"] = lambda: ByDaemon(run, busy, {"kind": "process", "pid": busy.pid})
    if busy.group:
        ways["cgroup: cgroup.freeze"] = lambda: BareFreezer(busy)
        ways["cgroup: adslotd"] = lambda: ByDaemon(run, busy, {"kind": "cgroup", "path": busy.group})
    else:
        run.report.skip("cgroup", "no control group can be made here")
    run.report.skip("unit", "there is no systemd in the namespace of the bench")
    figures = {}
    for name, make in ways.items():
        way = make()
        figures[name] = rounds(run, busy, name, way)
        way.stop()
    busy.stop()
    run.report.figures["work"] = {"threads": THREADS, "ways": figures}


def rounds(run, busy, name, way):
    """Microseconds until the last instruction of any thread, and until it is known that there is none."""
    silent, known = [], []
    for _ in range(5 if run.report.figures["quick"] else 50):
        time.sleep(REST_SECONDS)
        begun = time.monotonic_ns()
        way.pause()
        known.append((time.monotonic_ns() - begun) / 1000)
        silent.append(max(0, busy.last_word() - begun) / 1000)
        if not busy.is_silent():
            run.report.fault(f"work, {name}: it still runs")
        way.resume()
    return {"silent": summary(silent), "known": summary(known)}
