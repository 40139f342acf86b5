"""A Varlink call to adslotd with nothing but Python's standard library."""

import json
import os
import select
import socket


class Call:
    """One connection with one call on it; replies are read as they come."""

    def __init__(self, method, parameters=None, more=False):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["ADSLOTD_SOCKET"])
        call = {"method": method, "parameters": parameters or {}, "more": more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")
        self.buffer = b""

    def replies(self, timeout=None):
        """Yields parameters; None when nothing came for `timeout` seconds. Ends with the connection."""
        while True:
            while b"\0" in self.buffer:
                message, self.buffer = self.buffer.split(b"\0", 1)
                reply = json.loads(message)
                if "error" in reply:
                    raise RuntimeError(f"{reply['error']} {reply.get('parameters')}")
                yield reply.get("parameters", {})
            if not select.select([self.socket], [], [], timeout)[0]:
                yield None
                continue
            data = self.socket.recv(65536)
            if not data:
                return
            self.buffer += data


def call(method, **parameters):
    """Calls once and gives the reply's parameters."""
    return next(Call(method, parameters).replies())
