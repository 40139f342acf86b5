"""The demo's time-critical work: a game that stands still while an ad action covers the screen."""

import sys
import time

from client import Call, call

registration = Call("org.adslotd.Work.Register", {"name": "game", "kind": "client"}, more=True)
replies = registration.replies(timeout=0.02)
lease = next(reply for reply in replies if reply is not None)["lease"]
print("registered", flush=True)
frame, isPaused = 0, False
while True:
    reply = next(replies, "gone")
    if reply == "gone":
        sys.exit("the daemon closed the connection")
    if reply is None:
        frame += not isPaused
        continue
    instruction = reply["instruction"]
    isPaused = instruction["kind"] == "pause"
    if isPaused:
        call("org.adslotd.Work.Acknowledge", lease=lease, token=instruction["token"])
    print(f"{'paused' if isPaused else 'resumed'} at frame {frame}", flush=True)
