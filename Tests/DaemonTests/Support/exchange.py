"""An exchange that speaks OpenRTB 2.6, or does not: the far end of a link, in a network namespace of its own.

Reads lines on standard input and answers each with a line "ok":

  up LINK                take LINK, which has been moved here: 10.0.0.1/24, and listen at port 80
  link LINK up|down
  bid JSON               bid, with other members of the bid as said (null takes one away)
  bids JSON              bid once for each object of an array
  answer JSON            bid, with other members of the whole answer as said
  body TEXT              answer 200 with these bytes
  status N [FIELD:VALUE] answer with that status, and perhaps a header field
  lag SECONDS            bid after a while
  gzip | bomb            bid compressed; send a hundred megabytes that are compressed to a hundred kilobytes
  huge | drip            send a body without end; one byte at a time
  break | cut | silent   close without an answer; in the middle of one; say nothing at all
  redirect | loop        send the request on to where it is answered by a bid; on and on
  notices N...           answer the next notices with these statuses, those after them with 200

and "report", which it answers with what has come so far, as JSON, before "ok": connections, requests, the
last request, its faults and those of all before (see openrtb_check), and the notices by their kind.
"""
import functools
import gzip
import http.server
import json
import subprocess
import sys
import threading
import time

import openrtb_check

NOTICE = (
    "http://10.0.0.1/{}?id=${{AUCTION_ID}}&bid=${{AUCTION_BID_ID}}&imp=${{AUCTION_IMP_ID}}&seat=${{AUCTION_SEAT_ID}}"
    "&ad=${{AUCTION_AD_ID}}&price=${{AUCTION_PRICE}}&cur=${{AUCTION_CURRENCY}}&mbr=${{AUCTION_MBR}}"
    "&loss=${{AUCTION_LOSS}}&min=${{AUCTION_MIN_TO_WIN}}&times=${{AUCTION_MULTIPLIER}}&at=${{AUCTION_IMP_TS}}"
    "&new=${{AUCTION_NEW}}"
)
lock = threading.Lock()
mode = ["bid", "{}"]
statuses = []
seen = {"connections": 0, "requests": 0, "request": None, "faults": [], "notices": []}
ids = set()
hang = threading.Event()


@functools.cache
def bomb():
    return gzip.compress(b" " * 100_000_000)


def bid_for(request, changes):
    banner = request["imp"][0]["banner"]
    bid = {
        "id": "bid-1", "impid": request["imp"][0]["id"], "price": 1.25, "crid": "creative-1", "adid": "ad 1",
        "adm": '<a href="https://shoes.example/?a=1&amp;b=2"><img src="https://cdn.example/${AUCTION_PRICE}.png"></a>',
        "adomain": ["shoes.example"], "w": banner["w"], "h": banner["h"], "mtype": 1,
        "nurl": NOTICE.format("win"), "burl": NOTICE.format("billing"), "lurl": NOTICE.format("loss"),
    }
    bid.update(changes)
    return {key: value for key, value in bid.items() if value is not None}


def answer_for(request, bids=({},), changes=None):
    answer = {
        "id": request["id"], "bidid": "response-1", "cur": request["cur"][0],
        "seatbid": [{"seat": "seat&1", "bid": [bid_for(request, bid) for bid in bids]}],
    }
    answer.update(changes or {})
    return {key: value for key, value in answer.items() if value is not None}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The header and the body in one segment.
    wbufsize = -1

    def setup(self):
        with lock:
            seen["connections"] += 1
        super().setup()

    def log_message(self, *arguments):
        pass

    def send(self, status, body=b"", *fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with lock:
            status = statuses.pop(0) if statuses else 200
            seen["notices"].append({"kind": self.path[1:].split("?")[0], "path": self.path, "status": status})
        self.send(status, b"thanks")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(body)
        with lock:
            now, argument = mode
            seen["requests"] += 1
            seen["request"] = request
            faults = openrtb_check.check(request, {key.lower(): value for key, value in self.headers.items()})
            # libcurl sends a request again when a connection that it had kept turns out to be closed.
            if request["id"] in ids and not self.path.startswith("/again") and now != "break":
                faults.append("an id comes twice")
            ids.add(request["id"])
            seen["faults"] += faults
        if self.path == "/again":
            now, argument = "bid", "{}"
        getattr(self, "do_" + now)(request, argument)

    def give(self, answer, *fields):
        self.send(200, json.dumps(answer).encode(), ("Content-Type", "application/json"), *fields)

    def do_bid(self, request, argument):
        self.give(answer_for(request, [json.loads(argument)]))

    def do_bids(self, request, argument):
        self.give(answer_for(request, json.loads(argument)))

    def do_answer(self, request, argument):
        self.give(answer_for(request, changes=json.loads(argument)))

    def do_body(self, request, argument):
        self.send(200, argument.encode())

    def do_status(self, request, argument):
        status, _, field = argument.partition(" ")
        self.send(int(status), b"", *([tuple(field.split(":", 1))] if field else []))

    def do_lag(self, request, argument):
        time.sleep(float(argument))
        self.give(answer_for(request))

    def do_gzip(self, request, argument):
        self.send(200, gzip.compress(json.dumps(answer_for(request)).encode()), ("Content-Encoding", "gzip"))

    def do_bomb(self, request, argument):
        self.send(200, bomb(), ("Content-Encoding", "gzip"))

    def stream(self, piece, pause):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(pause)
        except OSError:
            pass

    def do_huge(self, request, argument):
        self.stream(b" " * 65536, 0)

    def do_drip(self, request, argument):
        self.stream(b" ", 0.05)

    def do_break(self, request, argument):
        self.close_connection = True

    def do_cut(self, request, argument):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"id":')
        self.close_connection = True

    def do_silent(self, request, argument):
        hang.wait()

    def do_redirect(self, request, argument):
        self.send(307, b"", ("Location", "/again"))

    def do_loop(self, request, argument):
        self.send(307, b"", ("Location", "/again/and/again"))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, address)


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


say("ready")
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "up":
        ip("address", "add", "10.0.0.1/24", "dev", rest)
        ip("link", "set", rest, "up")
        threading.Thread(target=Server(("10.0.0.1", 80), Handler).serve_forever, daemon=True).start()
    elif word == "link":
        ip("link", "set", *rest.split())
    elif word == "notices":
        with lock:
            statuses[:] = [int(status) for status in rest.split()]
    elif word == "report":
        with lock:
            say(json.dumps(seen))
    else:
        with lock:
            mode = [word, rest if rest or word == "body" else "{}"]
    say("ok")
