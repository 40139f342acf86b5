"""Where ads come from: the scheduler of house campaigns alone, and what an auction costs the device."""
import http.server
import json
import os
import socket
import subprocess
import threading
import time

from .resources import kilobytes
from .run import ANSWER_SECONDS_MAX, CONFIGURATION

SLOTS = 20
NO_FILL_ROUNDS = 1000
# What is loaded and allocated once is there by then.
WARM_UP_ROUNDS = 200


def measure_schedule(run):
    decisions = 500 if run.report.figures["quick"] else 20_000
    program = os.path.join(os.path.dirname(run.adslotd), "scheduler-bench")
    done = subprocess.run([program, str(decisions)], stdout=subprocess.PIPE, text=True, check=True)
    run.report.figures["schedule"] = [json.loads(line) for line in done.stdout.splitlines()]


def measure_openrtb(run):
    rounds = 2000 if run.report.figures["quick"] else 50_000
    program = os.path.join(os.path.dirname(run.adslotd), "openrtb-bench")
    done = subprocess.run([program, str(rounds)], stdout=subprocess.PIPE, text=True, check=True)
    figures, request, answer = done.stdout.splitlines()
    run.report.figures["openrtb"] = {
        "adslotd": json.loads(figures),
        # Reading alone, without any check of what was read.
        "python json": {
            "requestsPerSecond": rate(json.dumps, json.loads(request), rounds),
            "answersPerSecond": rate(json.loads, answer, rounds)},
        "no-fill": measure_no_fill(run),
    }


def rate(function, value, rounds):
    started = time.monotonic()
    for _ in range(rounds):
        function(value)
    return round(rounds / (time.monotonic() - started))


class Exchange(http.server.ThreadingHTTPServer):
    """An exchange that never has anything."""

    daemon_threads = True
    asked = 0

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.server.asked += 1
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Exchange.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def wait_until_asked(self, times):
        end = time.monotonic() + ANSWER_SECONDS_MAX + times / 10
        while self.asked < times:
            if time.monotonic() > end:
                raise RuntimeError(f"asked {self.asked} of {times} times")
            time.sleep(0.005)


def attach(path, slot):
    """A host of a slot; it stays one for as long as its socket is open."""
    host = socket.socket(socket.AF_UNIX)
    host.connect(path)
    call = {"method": "org.adslotd.Slots.Attach", "more": True,
            "parameters": {"slot": slot, "viewport": {"width": 1280, "height": 720}}}
    host.sendall(json.dumps(call).encode() + b"\0")
    return host


def measure_no_fill(run):
    """What a thousand questions that nothing came of leave in the daemon's memory."""
    exchange = Exchange()
    sections = "".join(
        f"[Slot s{number}]\nSources=ex\nMinimumInterval=0\nRetryInterval=50ms\nRetryMax=50ms\n"
        for number in range(SLOTS))
    plain = run.configuration
    run.configuration = run.write(
        "nofill.conf", f"{CONFIGURATION}{sections}[Source ex]\nKind=openrtb\n"
        f"Endpoint=http://127.0.0.1:{exchange.server_port}/bid\n")
    path = run.path("socket")
    daemon = run.start_daemon(path)
    hosts = [attach(path, f"s{number}") for number in range(SLOTS)]
    exchange.wait_until_asked(WARM_UP_ROUNDS)
    before = kilobytes(daemon.pid)["Pss"]
    exchange.wait_until_asked(WARM_UP_ROUNDS + NO_FILL_ROUNDS)
    after = kilobytes(daemon.pid)["Pss"]
    daemon.stop()
    for host in hosts:
        host.close()
    exchange.shutdown()
    run.configuration = plain
    return {"rounds": NO_FILL_ROUNDS, "pss KiB before": before, "pss KiB after": after}
