"""Runs a command on a terminal of its own and plays a person at it.

    terminal.py STEPS COMMAND...

STEPS is a list in JSON: "<text" waits until that is shown, ">text" types it. Prints all that was shown; exit code
1 where something never was, else that of the command.
"""
import json
import os
import pty
import select
import signal
import sys
import time

PATIENCE_SECONDS = 12

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
seen = 0


def read(seconds):
    """Takes what is shown; false when nothing is, or nobody is left to show anything."""
    global shown
    if not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return False
    shown += data
    return bool(data)


code = 0
for step in steps:
    if step[0] == ">":
        os.write(terminal, step[1:].encode())
        continue
    end = time.monotonic() + PATIENCE_SECONDS
    while step[1:].encode() not in shown[seen:]:
        read(0.2)
        if time.monotonic() > end:
            print(f"never shown: {step[1:]!r}", file=sys.stderr)
            code = 1
            break
    else:
        seen += shown[seen:].index(step[1:].encode()) + len(step[1:].encode())
        continue
    break
if code:
    os.kill(pid, signal.SIGKILL)
while read(2):
    pass
print(shown.decode(errors="replace"))
if not code:
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
