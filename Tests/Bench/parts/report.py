"""The figures of a run: as a table for people, as JSON for programs."""
import json
import os
import platform

from .calls import PIPELINE_DEPTH
from .peers import OTHERS

AIM_RATIO = 2
AIM_GLIB = 10
AIM_PSS_MIB = 8
AIM_REPAIR_MILLISECONDS = 100
AIM_BIG_START_MILLISECONDS = 200


class Report:
    def __init__(self, is_quick):
        self.figures = {
            "quick": is_quick, "kernel": platform.release(), "processors": os.cpu_count(), "skipped": {}}
        self.faults = []

    def skip(self, peer, reason):
        self.figures["skipped"][peer] = reason

    def fault(self, text):
        self.faults.append(text)

    def save(self, path):
        self.figures["faults"] = self.faults
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.figures, file, indent=1)

    def show(self, path):
        print(f"Linux {self.figures['kernel']}, {self.figures['processors']} processors"
              + (", quick: too few samples to go by" if self.figures["quick"] else ""))
        for show in (self.show_events, self.show_overrun, self.show_storm, self.show_memory, self.show_idle,
                     self.show_start, self.show_calls):
            show()
        self.show_coordinator()
        self.show_clicks()
        self.show_hosts()
        self.show_work()
        self.show_schedule()
        self.show_openrtb()
        self.show_ledger()
        self.show_big_ledger()
        for peer, reason in self.figures["skipped"].items():
            print(f"\n{peer} skipped: {reason}")
        print(f"\nRaw figures: {path}")
        for fault in self.faults:
            print(f"WRONG: {fault}")

    def show_work(self):
        work = self.figures.get("work")
        if not work:
            return
        print(f"\nStopping a busy process of {work['threads']} threads, microseconds (median / p99)\n")
        print(f"{'':<24}{'last instruction':>20}{'known to stand still':>24}")
        for name, figures in work["ways"].items():
            print(f"{name:<24}{pair(figures['silent']):>20}{pair(figures['known']):>24}")

    def show_events(self):
        events = self.figures.get("events")
        if not events:
            return
        print("\nFrom just before a change to whoever wants to know, microseconds (median / p99)\n")
        row("", "bare reader", "bare relay", "adslotd", "ratio", "behind reader")
        for name, event in events.items():
            figures = event["figures"]
            row(name, pair(figures.get("bare reader")), pair(figures.get("bare relay")), pair(figures["adslotd"]),
                times(event["ratio"]["adslotd"]), pair(event["behind reader"]))
        print(f"\nratio: adslotd's client to the bare reader, by the medians (aim: at most {AIM_RATIO})."
              "\nbare relay: the least that a daemon with a client can do."
              "\nbehind reader: at the same change, both running."
              "\ntap: the kernel itself holds the carrier back, so look at how far behind the reader.")
        print("\nThe same changes told by others (in brackets: how many times adslotd's median;"
              f" aim: GNetworkMonitor at least {AIM_GLIB})\n")
        row("", *OTHERS, width=26)
        for name, event in events.items():
            if not name.startswith("tap"):
                row(name, *(other(event, peer) for peer in OTHERS), width=26)
        print("\n-: the peer is not here, or tells nothing of such changes. (n never): so many were not told."
              "\nNetworkManager: the first word of it, a device's flags or an IP configuration's properties.")

    def show_overrun(self):
        overruns = self.figures.get("overrun")
        if not overruns:
            return
        print("\nA flood that overruns the receive buffer, its last message a loss: "
              "from the end of the flood to the right state\n")
        for name, overrun in overruns.items():
            aim = f" (aim: {AIM_REPAIR_MILLISECONDS} ms)" if name == "adslotd" else ""
            figure = overrun["figures"]
            text = f"{figure['median'] / 1000:.1f} ms, at most {figure['p99'] / 1000:.1f} ms{aim}" if figure else ""
            missed = f"never in {overrun['never']} of {overrun['of']}" if overrun["never"] else ""
            print(f"{name:<20}" + ", ".join(part for part in (text, missed) if part))

    def show_storm(self):
        storm = self.figures.get("storm")
        if not storm:
            return
        print("\nMessages that make no difference, in a storm: processor time\n")
        print(f"{'':<20}{'µs a message':>14}{'messages a second and core':>30}")
        for name, figures in storm.items():
            print(f"{name:<20}{figures['microseconds a message']:>14.1f}{figures['messages a second']:>30,}")

    def show_memory(self):
        memory = self.figures.get("memory")
        if not memory:
            return
        print(f"\nMemory, PSS in MiB (aim with 10 links: under {AIM_PSS_MIB}), "
              "and in brackets ms from exec until its client has the first state\n")
        row("", *(f"{links} links" for links in memory), width=20)
        for name in next(iter(memory.values())):
            row(name, *(size(memory[links][name]) for links in memory), width=20)

    def show_idle(self):
        if idle := self.figures.get("idle"):
            print(f"\nWake-ups in {idle['seconds']} idle seconds: {idle['context switches']} (aim: 0)")

    def show_start(self):
        for links, start in self.figures.get("start", {}).items():
            print(f"\nexec to READY=1 with {links} links: {pair(start['ready'])} µs (median / p99); "
                  f"to an answer of Get: {pair(start['answered'])} µs")

    def show_calls(self):
        calls = self.figures.get("calls")
        if not calls:
            return
        print("\nAnswers a second on one connection\n")
        many = f"{PIPELINE_DEPTH} at a time"
        print(f"{'':<20}{'one by one':>14}{many:>16}")
        for name, figures in calls.items():
            print(f"{name:<20}{figures['one by one']:>14,.0f}{figures[many]:>16,.0f}")

    def show_coordinator(self):
        coordinator = self.figures.get("coordinator")
        if not coordinator:
            return
        print("\nThe coordinator alone, one core\n")
        print(f"{'slots':<20}{'events a second':>18}{'bytes a slot':>16}")
        for figures in coordinator["slots"]:
            memory = f"{figures['bytesPerSlot']:,}" if figures["slots"] > 1000 else "-"
            print(f"{figures['slots']:<20,}{figures['eventsPerSecond']:>18,}{memory:>16}")
        simulation = coordinator["simulation"]
        print(f"\nRandom scenarios with every check: {simulation['simulatedEventsPerSecond']:,} events a second,"
              f" {simulation['simulatedHoursPerSecond']:,} simulated hours a second")

    def show_clicks(self):
        clicks = self.figures.get("clicks")
        if not clicks:
            return
        print("\nFrom BeginAction to its answer, with client work that acknowledges at once, microseconds"
              " (median / p99)\n")
        for work, figure in clicks.items():
            print(f"{work} pieces of work".ljust(32) + pair(figure))

    def show_hosts(self):
        hosts = self.figures.get("hosts")
        if not hosts:
            return
        print(f"\nFrom the kernel's change until the last of {hosts['hosts']:,} hosts has its command,"
              " milliseconds (median / p99)\n")
        for name, figures in hosts["figures"].items():
            cells = [f"{word} {milliseconds(figures[word]['last'])}" for word in ("loss", "gain")]
            print(f"{name:<32}{cells[0]:<24}{cells[1]:<24}PSS {figures['pss KiB'] / 1024:.1f} MiB")

    def show_schedule(self):
        schedule = self.figures.get("schedule")
        if not schedule:
            return
        print("\nThe scheduler of house campaigns alone, one core (aim: cost well below linear)\n")
        print(f"{'campaigns':<20}{'decisions a second':>20}{'slowest µs':>14}{'load ms':>12}{'bytes each':>14}")
        for figures in schedule:
            print(f"{figures['campaigns']:<20,}{figures['decisionsPerSecond']:>20,}"
                  f"{figures['slowestMicroseconds']:>14,}{figures['loadMicroseconds'] / 1000:>12,.1f}"
                  f"{figures['bytesPerCampaign']:>14,}")

    def show_openrtb(self):
        openrtb = self.figures.get("openrtb")
        if not openrtb:
            return
        own = openrtb["adslotd"]
        print(f"\nA bid request of {own['requestBytes']:,} bytes, an answer of {own['answerBytes']:,} with three bids,"
              " a second and core\n")
        print(f"{'':<20}{'requests built':>18}{'answers read':>18}")
        for name in ("adslotd", "python json"):
            print(f"{name:<20}{openrtb[name]['requestsPerSecond']:>18,}{openrtb[name]['answersPerSecond']:>18,}")
        none = openrtb["no-fill"]
        print(f"\nadslotd judges the answer too, and fills in the notices and the markup of the best bid."
              f"\n{none['rounds']:,} rounds without a fill: PSS {none['pss KiB before'] / 1024:.2f} MiB before,"
              f" {none['pss KiB after'] / 1024:.2f} after")

    def show_ledger(self):
        ledger = self.figures.get("ledger")
        if not ledger:
            return
        print("\nRows a second that outlive a loss of power, by the rows of a transaction\n")
        print(f"{'':<20}{'adslotd':>14}{'sqlite3 shell':>16}{'ratio':>10}")
        for group, figures in ledger.items():
            print(f"{group:<20}{figures['adslotd']:>14,}{figures['sqlite3 shell']:>16,}{figures['ratio']:>10.2f}")

    def show_big_ledger(self):
        big = self.figures.get("bigledger")
        if not big:
            return
        print(f"\nA ledger of {big['rows']:,} rows ({big['MiB']:,} MiB, PSS after all of it"
              f" {big['pss KiB'] / 1024:.1f} MiB)\n"
              f"\nexec to READY=1: {milliseconds(big['ready'])} ms (median / p99;"
              f" aim: under {AIM_BIG_START_MILLISECONDS})")
        reports = ", ".join(f"{by} {spent:,.0f} ms" for by, spent in big["report ms"].items())
        print(f"report over all of it by: {reports}\nexport: {big['export rows per second']:,} rows a second")


def row(name, *cells, width=24):
    print(f"{name:<20}" + "".join(f"{cell:>{width}}" for cell in cells))


def pair(figure):
    return f"{figure['median']:.0f} / {figure['p99']:.0f}" if figure else "-"


def milliseconds(figure):
    return f"{figure['median'] / 1000:.1f} / {figure['p99'] / 1000:.1f}" if figure else "-"


def times(value):
    return f"{value:.2f}" if value else "-"


def size(reading):
    if "failed" in reading:
        return "not ready"
    return f"{reading['pss KiB'] / 1024:.1f} ({reading['ready ms']:.0f})"


def other(event, peer):
    """A peer's figure: of all changes, or of the few that were given all the time they might take."""
    figure, never = event["figures"].get(peer), event["never"].get(peer, 0)
    if peer == "GNetworkMonitor" and (slow := event["slow GNetworkMonitor"]):
        figure, never = slow["figures"], slow["never"]
    if not figure:
        return "never" if never else "-"
    factor = figure["median"] / event["figures"]["adslotd"]["median"]
    return f"{pair(figure)} ({factor:.1f})" + (f" ({never} never)" if never else "")
