"""A bidder's server for notices, at an address and port given as arguments.

Answers each request with the statuses given after those in turn, the last for ever, and writes a line with the
path of each request. `503:2` is a 503 that asks to be tried again after two seconds.
"""
import http.server
import sys

address, port, statuses = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        print(self.path, flush=True)
        status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
        status, _, seconds = status.partition(":")
        self.send_response(int(status))
        if seconds:
            self.send_header("Retry-After", seconds)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer((address, port), Handler)
print("ready", flush=True)
server.serve_forever()
