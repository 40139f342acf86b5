"""A slot host without any library: attaches and prints the parameters of each reply as a line of JSON.

    python3 plain_host.py SOCKET SLOT
"""

import json
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
call = {
    "method": "org.adslotd.Slots.Attach",
    "parameters": {"slot": sys.argv[2], "viewport": {"width": 360, "height": 640}, "host": "plain"},
    "more": True,
}
connection.sendall(json.dumps(call).encode() + b"\0")
received = b""
while data := connection.recv(65536):
    *messages, received = (received + data).split(b"\0")
    for message in messages:
        print(json.dumps(json.loads(message)["parameters"]), flush=True)
