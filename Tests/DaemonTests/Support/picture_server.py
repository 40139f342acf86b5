"""The far end of a link, in a network namespace of its own: a web server with pictures for creatives.

Reads lines on standard input and answers each with a line "ok", after what it has to say:

  up LINK                      take LINK, which has been moved here: 10.0.0.1/24, and listen at port 80
  put PATH WIDTH HEIGHT        a PNG picture without compression: about 3 bytes a pixel; says its length
  do PATH serve|cut|html|slow  how PATH is answered from now on: whole, with a body that breaks off half way,
                               with a page in the place of the picture, a byte every now and then
  do PATH STATUS               with a status and no picture
  asked                        says what was asked for so far, a path a line
"""
import http.server
import struct
import subprocess
import sys
import threading
import time
import zlib

pictures = {}
manners = {}
asked = []


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height):
    rows = b"".join(b"\0" + bytes(3 * width) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked.append(self.path)
        manner = manners.get(self.path, "serve")
        body = pictures.get(self.path)
        if body is None or manner.isdigit():
            return self.send_error(404 if body is None else int(manner))
        if manner == "html":
            body = b"<html>Please log in</html>"
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if manner == "cut":
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            return
        if manner == "slow":
            while True:
                self.wfile.write(body[:100])
                time.sleep(0.05)
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


say("ready")
for line in sys.stdin:
    verb, *words = line.split()
    if verb == "up":
        ip("link", "set", "lo", "up")
        ip("link", "set", words[0], "up")
        ip("address", "add", "10.0.0.1/24", "dev", words[0])
        threading.Thread(target=Server(("10.0.0.1", 80), Handler).serve_forever, daemon=True).start()
    elif verb == "put":
        pictures[words[0]] = png(int(words[1]), int(words[2]))
        say(str(len(pictures[words[0]])))
    elif verb == "do":
        manners[words[0]] = words[1]
    elif verb == "asked":
        for path in list(asked):
            say(path)
    say("ok")
