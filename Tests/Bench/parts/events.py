"""From a change in the kernel to whoever wants to know.

The peers are measured one by one, so that none waits for a processor that another holds, and take turns in
each round, so that a busy moment of the machine meets all. Then the bare reader and adslotd run side by side:
how far behind the reader the client is at one and the same change.
"""
from .figures import ratio, summary
from .run import Program, Unavailable, shell

# What the flapper does, what the bare reader watches meanwhile, and which of the two states are measured:
# after an admin-down the route is put back by hand, so only the loss is one event.
KINDS = {
    "veth carrier": ("carrier", "link", "uplink", (0, 1)),
    "default route": ("route", "route", "uplink", (0, 1)),
    "admin down": ("admin", "link", "uplink", (0,)),
}
STATES = {0: "loss", 1: "gain"}


class Reader:
    """A bare reader of the kernel's messages."""

    def __init__(self, run, watched, link, options):
        self.program = Program([run.program("netlink-reader"), link, watched], **options)

    def stop(self):
        return self.program.records()


class Relay:
    """The bare reader as a daemon: a client of it has the news."""

    def __init__(self, run, watched, link, options):
        path = run.path("relay")
        self.server = Program([run.program("netlink-reader"), link, watched, path])
        self.client = Program([run.program("varlink-monitor"), path], **options)

    def stop(self):
        records = self.client.records()
        self.server.stop()
        return records


class Adslotd:
    """adslotd with a client of Monitor."""

    def __init__(self, run, _watched, _link, options):
        path = run.path("socket")
        self.daemon = run.start_daemon(path)
        self.client = Program([run.program("varlink-monitor"), path], **options)

    def stop(self):
        records = self.client.records()
        self.daemon.stop()
        return records


class GLib:
    """GLib's GNetworkMonitor, which looks at default routes only."""

    def __init__(self, run, _watched, _link, options):
        with open(run.path("glib.log"), "a", encoding="utf-8") as log:
            self.program = Program([run.program("glib-monitor")], stderr=log, **options)

    def stop(self):
        return self.program.records()


PEERS = {"bare reader": Reader, "bare relay": Relay, "adslotd": Adslotd, "GNetworkMonitor": GLib}


def available(run):
    """The peers that are there; the others are skipped by name."""
    try:
        run.program("glib-monitor")
    except Unavailable as reason:
        run.report.skip("GNetworkMonitor", str(reason))
        return [name for name in PEERS if name != "GNetworkMonitor"]
    return list(PEERS)


def flap(run, command, count, pause, progress):
    lines = run.flapper.ask(f"{command} {count} {pause} {progress}")
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
    """Starts the peers, flaps, stops them; (origins, peer -> (times, records))."""
    command, watched, link, _ = KINDS.get(kind) or ("tap", "link", "tap", ())
    # The last one is waited for, unless it may never notice.
    waits = names[-1] != "GNetworkMonitor"
    peers = {
        name: PEERS[name](run, watched, link, run.paced() if waits and name == names[-1] else {})
        for name in names}
    origins = flap(run, command, count, pause, run.progress if waits else "-")
    found = {}
    for name, peer in peers.items():
        records = peer.stop()
        found[name] = match(origins, records)
        if name == "adslotd":
            check(run, f"{kind}, {name}", origins, records, found[name])
    return origins, found


def measure(run):
    run.report.figures["events"] = {}
    names = available(run)
    for kind in KINDS:
        measure_kind(run, kind, names)
    measure_tap(run)


def measure_kind(run, kind, names):
    states = KINDS[kind][3]
    raw = {state: {name: [] for name in names} for state in states}
    behind = {state: [] for state in states}
    sizes = run.sizes
    late = 0
    for number in range(sizes.rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            origins, found = one_round(run, [name], kind, sizes.flaps, sizes.pause_microseconds)
            for state in states:
                raw[state][name] += samples(origins, found[name], state)
            if name == "GNetworkMonitor":
                late += sum(
                    time is None for (_, state), time in zip(origins, found[name]) if state in states)
        origins, found = one_round(
            run, ["bare reader", "adslotd"], kind, sizes.flaps, sizes.pause_microseconds)
        pairs = list(zip(origins, found["bare reader"], found["adslotd"]))
        for state in states:
            behind[state] += [
                (client - reader) / 1000 for (_, made), reader, client in pairs
                if made == state and reader is not None and client is not None]
    slow = measure_slowly(run, kind, states) if late else {}
    for state in states:
        store(run, f"{kind} {STATES[state]}", raw[state], behind[state], slow.get(state))


def measure_slowly(run, kind, states):
    """GNetworkMonitor once more, with all the time it may take: peer -> samples, None for never."""
    origins, found = one_round(
        run, ["GNetworkMonitor"], kind, run.sizes.slow_flaps, run.sizes.slow_pause_microseconds)
    times = found["GNetworkMonitor"]
    return {
        state: {
            "samples": samples(origins, times, state),
            "never": sum(time is None for (_, made), time in zip(origins, times) if made == state),
            "of": run.sizes.slow_flaps,
        }
        for state in states}


def measure_tap(run):
    """The kernel holds a tap's carrier back for up to 0.7 s after another change (link-watch pacing), so what
    counts here is how far behind the reader the client is."""
    lead_over_tap()
    origins, found = one_round(
        run, ["bare reader", "adslotd"], "tap carrier", run.sizes.tap_flaps, run.sizes.tap_pause_microseconds)
    for state in (0, 1):
        reader = samples(origins, found["bare reader"], state)
        client = samples(origins, found["adslotd"], state)
        behind = [
            (later - earlier) / 1000
            for (_, made), earlier, later in zip(origins, found["bare reader"], found["adslotd"])
            if made == state and earlier is not None and later is not None]
        store(run, f"tap carrier {STATES[state]}", {"bare reader": reader, "adslotd": client}, behind, None)
    lead_over_uplink()


def lead_over_tap():
    shell("ip route del default dev uplink")
    shell("ip address add 198.51.100.2/24 dev tap; ip link set tap up")
    shell("ip route add default via 198.51.100.1 dev tap")


def lead_over_uplink():
    shell("ip link set tap down; ip address flush dev tap")
    shell("ip route add default via 192.0.2.1 dev uplink")


def store(run, event, raw, behind, slow):
    figures = {name: summary(values) for name, values in raw.items()}
    run.report.figures["events"][event] = {
        "figures": figures,
        "behind reader": summary(behind),
        "ratio": {name: ratio(figures[name], figures["bare reader"]) for name in figures},
        "slow GNetworkMonitor": slow and {
            "figures": summary(slow["samples"]), "never": slow["never"], "of": slow["of"]},
        "samples": {name: [round(value, 2) for value in values] for name, values in raw.items()},
        "behind samples": [round(value, 2) for value in behind],
    }
