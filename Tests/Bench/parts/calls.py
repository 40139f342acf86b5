"""Answers a second on one connection: one call after the other, and with many unanswered at a time."""
import shutil
import statistics
import subprocess

from .run import Program

PIPELINE_DEPTH = 32
REPLY_BYTES = 256


class BareServer:
    """Answers with the same bytes without looking."""

    request = "varlink"

    def __init__(self, run):
        self.path = run.path("bare")
        self.program = Program([run.program("bare-server"), self.path, str(REPLY_BYTES)])

    def stop(self):
        self.program.stop()


class Adslotd:
    request = "varlink"

    def __init__(self, run):
        self.path = run.path("socket")
        self.daemon = run.start_daemon(self.path)

    def stop(self):
        self.daemon.stop()


class Redis:
    """A server of one thread that is known for its speed."""

    request = "redis"

    def __init__(self, run):
        self.path = run.path("redis")
        self.program = Program(
            ["redis-server", "--port", "0", "--unixsocket", self.path, "--save", "", "--daemonize", "no",
             "--dir", run.directory, "--logfile", "redis.log"], ready=False)
        run.wait_for(self.path)

    def stop(self):
        self.program.stop()


def measure(run):
    servers = {"bare server": BareServer(run), "adslotd": Adslotd(run)}
    if shutil.which("redis-server"):
        servers["redis-server"] = Redis(run)
    else:
        run.report.skip("redis-server", "it is not installed")
    rates = {name: {1: [], PIPELINE_DEPTH: []} for name in servers}
    for _ in range(run.sizes.call_rounds):
        for name, server in servers.items():
            for depth, values in rates[name].items():
                values.append(rate(run, name, server, depth))
    for server in servers.values():
        server.stop()
    run.report.figures["calls"] = {
        name: {
            "one by one": statistics.median(values[1]),
            f"{PIPELINE_DEPTH} at a time": statistics.median(values[PIPELINE_DEPTH]),
            "samples": values,
        }
        for name, values in rates.items()}


def rate(run, name, server, depth):
    done = subprocess.run(
        [run.program("call-rate"), server.path, str(run.sizes.calls), str(depth), server.request],
        stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        run.report.fault(f"calls, {name}: a wrong answer")
        return 0.0
    return float(done.stdout)
