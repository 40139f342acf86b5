"""From a change in the kernel to whoever wants to know.

The peers are measured one by one, so that none waits for a processor that another holds, and take turns in
each round, so that a busy moment of the machine meets all. Then the bare reader and adslotd run side by side:
how far behind the reader the client is at one and the same change.
"""
import dataclasses

from .figures import ratio, summary
from .peers import PEERS, available
from .run import shell


@dataclasses.dataclass
class Kind:
    """A kind of change."""

    command: str
    """What the flapper does."""
    watched: str
    """What the peers watch meanwhile."""
    link: str = "uplink"
    states: tuple = (0, 1)
    """Which of the two states are measured."""
    before: str = ""
    """How the network is made ready for it, and made as it was."""
    after: str = ""


KINDS = {
    "admin down": Kind("admin", "link", states=(0,)),  # then the route is put back by hand: no single event
    "carrier": Kind("carrier", "link"),
    "default route": Kind("route", "route"),
    # With its last address a link loses all routes; an address that reaches nobody else keeps the default route.
    "address": Kind(
        "address", "address",
        before="ip address add 169.254.2.2/16 scope link dev uplink; "
               "ip route replace default via 192.0.2.1 dev uplink onlink",
        after="ip address del 169.254.2.2/16 dev uplink"),
}
TAP = Kind("tap", "link", link="tap")
STATES = {0: "loss", 1: "gain"}


def flap(run, command, count, pause, progress):
    lines = run.flapper.ask(f"flap {command} {count} {pause} {progress}")
    return [tuple(map(int, line.split()[:2])) for line in lines]


def match(origins, records):
    """For each change of the flapper the moment at which the watcher had it, None where it never did."""
    times, position = [], 0
    for index, (origin, state) in enumerate(origins):
        end = origins[index + 1][0] if index + 1 < len(origins) else float("inf")
        while position < len(records) and records[position][0] < origin:
            position += 1
        found = None
        for record in records[position:]:
            if record[0] >= end:
                break
            if record[1] == state:
                found = record[0]
                break
        times.append(found)
    return times


def check(run, what, origins, records, times):
    """Every change is told once, and says what happened."""
    missing = times.count(None)
    if missing:
        run.report.fault(f"{what}: {missing} of {len(origins)} notifications did not come")
    numbers = [record[2] for record in records]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        run.report.fault(f"{what}: sequence numbers are not consecutive")
    inside = [record for record in records if record[0] >= origins[0][0]]
    if len(inside) != len(origins) - missing:
        run.report.fault(f"{what}: {len(inside)} notifications of {len(origins)} changes")


def samples(origins, times, state):
    """Microseconds from the change to the watcher."""
    return [
        (time - origin) / 1000 for (origin, made), time in zip(origins, times)
        if made == state and time is not None]


def one_round(run, names, kind, count, pause):
    """Starts the peers, flaps, stops them; (origins, peer -> times)."""
    # The last one is waited for, unless it may never notice.
    waits = names[-1] != "GNetworkMonitor"
    peers = {
        name: PEERS[name](run, kind.watched, kind.link, run.paced() if waits and name == names[-1] else {})
        for name in names}
    origins = flap(run, kind.command, count, pause, run.progress if waits else "-")
    found = {}
    for name, peer in peers.items():
        records = peer.stop()
        found[name] = match(origins, records)
        if name == "adslotd":
            check(run, f"{kind.command}, {name}", origins, records, found[name])
    return origins, found


def measure(run):
    run.report.figures["events"] = {}
    for name, kind in KINDS.items():
        shell(kind.before)
        names = [peer for peer in available(run) if kind.watched in PEERS[peer].KINDS]
        measure_kind(run, name, kind, names)
        shell(kind.after)
    measure_tap(run)


def measure_kind(run, kind_name, kind, names):
    raw = {state: {name: [] for name in names} for state in kind.states}
    behind = {state: [] for state in kind.states}
    never = {state: {name: 0 for name in names} for state in kind.states}
    sizes = run.sizes
    for number in range(sizes.rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            origins, found = one_round(run, [name], kind, sizes.flaps, sizes.pause_microseconds)
            for state in kind.states:
                raw[state][name] += samples(origins, found[name], state)
                never[state][name] += sum(
                    time is None for (_, made), time in zip(origins, found[name]) if made == state)
        origins, found = one_round(
            run, ["bare reader", "adslotd"], kind, sizes.flaps, sizes.pause_microseconds)
        for state in kind.states:
            behind[state] += lag(origins, found, state)
    is_late = any(never[state].get("GNetworkMonitor") for state in kind.states)
    slow = measure_slowly(run, kind) if is_late else {}
    for state in kind.states:
        store(run, f"{kind_name} {STATES[state]}", raw[state], never[state], behind[state], slow.get(state))


def lag(origins, found, state):
    """Microseconds from the bare reader to adslotd's client at the same changes."""
    return [
        (client - reader) / 1000
        for (_, made), reader, client in zip(origins, found["bare reader"], found["adslotd"])
        if made == state and reader is not None and client is not None]


def measure_slowly(run, kind):
    """GNetworkMonitor once more, with all the time it may take."""
    origins, found = one_round(
        run, ["GNetworkMonitor"], kind, run.sizes.slow_flaps, run.sizes.slow_pause_microseconds)
    times = found["GNetworkMonitor"]
    return {
        state: {
            "samples": samples(origins, times, state),
            "never": sum(time is None for (_, made), time in zip(origins, times) if made == state),
            "of": run.sizes.slow_flaps,
        }
        for state in kind.states}


def measure_tap(run):
    """The kernel holds a tap's carrier back for up to 0.7 s after another change (link-watch pacing), so what
    counts here is how far behind the reader the client is."""
    lead_over_tap()
    names = ["bare reader", "adslotd"]
    origins, found = one_round(run, names, TAP, run.sizes.tap_flaps, run.sizes.tap_pause_microseconds)
    for state in TAP.states:
        raw = {name: samples(origins, found[name], state) for name in names}
        never = {name: 0 for name in names}
        store(run, f"tap carrier {STATES[state]}", raw, never, lag(origins, found, state), None)
    lead_over_uplink()


def lead_over_tap():
    shell("ip route del default dev uplink")
    shell("ip address add 198.51.100.2/24 dev tap; ip link set tap up")
    shell("ip route add default via 198.51.100.1 dev tap")


def lead_over_uplink():
    shell("ip link set tap down; ip address flush dev tap")
    shell("ip route add default via 192.0.2.1 dev uplink")


def store(run, event, raw, never, behind, slow):
    figures = {name: summary(values) for name, values in raw.items()}
    run.report.figures["events"][event] = {
        "figures": figures,
        "never": {name: count for name, count in never.items() if count},
        "behind reader": summary(behind),
        "ratio": {name: ratio(figures[name], figures["bare reader"]) for name in figures},
        "slow GNetworkMonitor": slow and {
            "figures": summary(slow["samples"]), "never": slow["never"], "of": slow["of"]},
        "samples": {name: [round(value, 2) for value in values] for name, values in raw.items()},
        "behind samples": [round(value, 2) for value in behind],
    }
