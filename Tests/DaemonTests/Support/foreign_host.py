"""A slot host with a piece of work, on PyPI's varlink package: what AdslotClient does, in another language.

    python3 foreign_host.py unix:SOCKET

It attaches, waits for its banner, turns its screen, is touched, pauses its work and goes on, and prints what
happens, a line of JSON each.
"""

import json
import sys
import threading

import varlink

printing = threading.Lock()


def say(**members):
    with printing:
        print(json.dumps(members), flush=True)


def work(client, registered, resumed):
    with client.open("org.adslotd.Work") as stream, client.open("org.adslotd.Work") as calls:
        replies = stream.Register(name="python-game", kind="client", _more=True)
        lease = next(replies)["lease"]
        registered.set()
        for reply in replies:
            instruction = reply["instruction"]
            say(instruction=instruction["kind"])
            if instruction["kind"] == "pause":
                calls.Acknowledge(lease=lease, token=instruction["token"])
            else:
                resumed.set()
                return


def main(address):
    client = varlink.Client.new_with_address(address)
    registered, resumed = threading.Event(), threading.Event()
    threading.Thread(target=work, args=(client, registered, resumed), daemon=True).start()
    registered.wait()
    with client.open("org.adslotd.Slots") as stream, client.open("org.adslotd.Slots") as calls:
        replies = stream.Attach(
            slot="banner", viewport={"width": 360, "height": 640}, host="python", _more=True
        )
        lease = next(replies)["lease"]

        def expect(kind):
            for reply in replies:
                command = reply["command"]
                say(command=command["kind"], reason=command["reason"])
                if command["kind"] == kind:
                    return command

        banner = expect("show")["banner"]
        calls.Update(lease=lease, viewport={"width": 640, "height": 360})
        expect("show")
        answer = calls.BeginAction(lease=lease, banner=banner)
        say(allowed=answer["allowed"])
        calls.FinishAction(lease=lease, action=answer["action"])
        resumed.wait()
        try:
            calls.FinishAction(lease=lease, action=answer["action"])
        except varlink.VarlinkError as error:
            say(refused=error.error())
        calls.Update(lease=lease, visible=False)
        expect("hide")


main(sys.argv[1])
