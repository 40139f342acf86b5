"""The far end of a link, in a network namespace of its own: a router that lets nobody out at first.

Reads words on standard input and answers each with a line "ok":

  up LINK    take LINK, which has been moved here: 10.0.0.1/24, and listen at port 80
  link LINK up, link LINK down
  open       answer 204, as the internet does         portal     answer 302, as a portal does
  text       answer 200 with the text "online"        login      answer 200 with another text
  silent     take requests and say nothing            failing    answer 503

Writes a line "asked" for each request.
"""
import http.server
import subprocess
import sys
import threading

mode = "portal"
answers = {
    "open": (204, b""),
    "portal": (302, b""),
    "text": (200, b"online, and more"),
    "login": (200, b"<html>Please log in"),
    "failing": (503, b""),
}
hang = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        now = mode
        say("asked")
        if now == "silent":
            hang.wait()
        status, body = answers[now]
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://10.0.0.1/login")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


say("ready")
for line in sys.stdin:
    words = line.split()
    if words[0] == "up":
        ip("address", "add", "10.0.0.1/24", "dev", words[1])
        ip("link", "set", words[1], "up")
        threading.Thread(target=Server(("10.0.0.1", 80), Handler).serve_forever, daemon=True).start()
    elif words[0] == "link":
        ip("link", "set", words[1], words[2])
    else:
        mode = words[0]
    say("ok")
