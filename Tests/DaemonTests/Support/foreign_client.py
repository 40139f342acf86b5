"""Drives the daemon through PyPI's varlink package and prints what it sees, a line of JSON each.

    python3 foreign_client.py unix:SOCKET NOTIFICATIONS

First the interfaces and their methods, then the daemon's status, then the state of the network and as many
notifications as asked for, then the error of a call that must be refused.
"""

import json
import sys

import varlink


def say(**members):
    print(json.dumps(members), flush=True)


def main(address, notifications):
    with varlink.Client.new_with_address(address) as client:
        names = sorted(client.get_interfaces())
        methods = []
        for name in names:
            interface = client.get_interface(name)
            methods += [
                f"{name}.{member.name}"
                for member in interface.members.values()
                if type(member).__name__ == "_Method"
            ]
        say(interfaces=names, methods=methods)
        with client.open("org.adslotd.Manager") as manager:
            say(status=manager.GetStatus())
        with client.open("org.adslotd.Reachability") as reachability:
            for count, reply in enumerate(reachability.Monitor(_more=True)):
                say(reachability=reply["reachability"])
                if count == notifications:
                    break
        with client.open("org.adslotd.Slots") as slots:
            try:
                slots.Explain("basement")
            except varlink.VarlinkError as error:
                say(refused=error.error())


main(sys.argv[1], int(sys.argv[2]))
