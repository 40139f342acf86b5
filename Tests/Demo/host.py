"""The demo's slot host: draws what it is told, and is clicked and covered by lines on standard input."""

import select
import sys

from client import Call, call

attach = Call(
    "org.adslotd.Slots.Attach",
    {"slot": "banner", "viewport": {"width": 1024, "height": 600}, "host": "demo"},
    more=True,
)
lease = next(attach.replies())["lease"]
banner = action = None


def say(text):
    print(text, flush=True)


def draw(command):
    global banner
    kind, frame, content = command["kind"], command["bannerFrame"], command["contentFrame"]
    banner = command["banner"]
    place = f"banner {banner} at y={frame['y']}, content {content['width']}x{content['height']}"
    say(f"{kind:8}{place}  ({command['reason']})")
    if kind == "show":
        text = f" {command['creative']['id']} from {command['creative']['source']} ".center(44)
        say("        ┌" + "─" * 44 + "┐")
        say("        │" + text + "│")
        say("        └" + "─" * 44 + "┘")


replies = attach.replies(timeout=0)
while True:
    # What came along with an earlier reply does not make the socket readable again.
    while (reply := next(replies, "gone")) is not None:
        if reply == "gone":
            sys.exit("the daemon closed the connection")
        draw(reply["command"])
    if sys.stdin in select.select([attach.socket, sys.stdin], [], [])[0]:
        word = sys.stdin.readline().strip()
        if word == "":
            break
        if word == "click":
            answer = call("org.adslotd.Slots.BeginAction", lease=lease, banner=banner)
            action = answer.get("action")
            say(f"a person touches the banner: {'allowed' if answer['allowed'] else answer.get('reason')}")
        elif word == "back":
            call("org.adslotd.Slots.FinishAction", lease=lease, action=action)
            say("the person is back")
        else:
            call("org.adslotd.Slots.Update", lease=lease, visible=word == "uncover")
