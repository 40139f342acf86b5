"""Makes calls one after the other, each on a connection of its own, and says how each was answered.

    call_as.py SOCKET < CALLS

CALLS is a list of [method, parameters] in JSON. A line each: "ok", or the error without "org.adslotd.". A call
with "more" is asked for one reply; its connection stays open until the end, so that what it began stays.
"""
import json
import socket
import sys

STREAMS = ("Attach", "Register", "Monitor", "Record", "Export", "Timeline")


def answer(method, parameters):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(15)
    connection.connect(sys.argv[1])
    call = {"method": method if method.startswith("org.") else "org.adslotd." + method, "parameters": parameters}
    if method.split(".")[-1] in STREAMS:
        call["more"] = True
    connection.sendall(json.dumps(call).encode() + b"\0")
    data = b""
    # Manager.Monitor says nothing before something happens.
    while b"\0" not in data and method != "Manager.Monitor":
        part = connection.recv(65536)
        if not part:
            return connection, "closed"
        data += part
    reply = json.loads(data.split(b"\0")[0]) if data else {}
    return connection, reply.get("error", "ok").removeprefix("org.adslotd.")


kept = []
for method, parameters in json.load(sys.stdin):
    connection, text = answer(method, parameters)
    kept.append(connection)
    print(text, flush=True)
