"""The figures of a run: as a table for people, as JSON for programs."""
import json
import os
import platform

from .calls import PIPELINE_DEPTH

AIM_RATIO = 2
AIM_PSS_MIB = 8


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
        self.show_events()
        self.show_resources()
        self.show_calls()
        for peer, reason in self.figures["skipped"].items():
            print(f"\n{peer} skipped: {reason}")
        print(f"\nRaw figures: {path}")
        for fault in self.faults:
            print(f"WRONG: {fault}")

    def show_events(self):
        events = self.figures.get("events")
        if not events:
            return
        print("\nFrom just before the change to whoever wants to know, microseconds (median / p99)\n")
        row("", "bare reader", "bare relay", "adslotd", "ratio", "behind reader", "GNetworkMonitor")
        for name, event in events.items():
            figures = event["figures"]
            row(name, pair(figures.get("bare reader")), pair(figures.get("bare relay")),
                pair(figures["adslotd"]), times(event["ratio"]["adslotd"]), pair(event["behind reader"]),
                glib(figures.get("GNetworkMonitor"), event["slow GNetworkMonitor"]))
        print(f"\nratio: adslotd's client to the bare reader, by the medians; aim at most {AIM_RATIO}."
              "\nbare relay: the least that a daemon with a client can do."
              "\nbehind reader: at the same change, both running."
              "\ntap: the kernel itself holds the carrier back, so look at how far behind the reader.")

    def show_resources(self):
        figures = self.figures
        lines = []
        if memory := figures.get("memory"):
            lines.append((f"memory with {memory['links']} links",
                          f"PSS {memory['pss KiB'] / 1024:.1f} MiB (aim: under {AIM_PSS_MIB}), "
                          f"RSS {memory['rss KiB'] / 1024:.1f} MiB"))
        if idle := figures.get("idle"):
            lines.append((f"wake-ups in {idle['seconds']} idle seconds", f"{idle['context switches']} (aim: 0)"))
        if start := figures.get("start"):
            lines.append(("exec to READY=1", f"{pair(start['ready'])} µs (median / p99)"))
            lines.append(("exec to an answer of Get", f"{pair(start['answered'])} µs (median / p99)"))
        if lines:
            print()
        for name, text in lines:
            print(f"{name:<32}{text}")

    def show_calls(self):
        calls = self.figures.get("calls")
        if not calls:
            return
        print("\nAnswers a second on one connection\n")
        many = f"{PIPELINE_DEPTH} at a time"
        print(f"{'':<16}{'one by one':>14}{many:>16}")
        for name, figures in calls.items():
            print(f"{name:<16}{figures['one by one']:>14,.0f}{figures[many]:>16,.0f}")


def row(name, *cells):
    widths = (14, 14, 14, 7, 15, 17)
    print(f"{name:<20}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths)))


def pair(figure):
    return f"{figure['median']:.0f} / {figure['p99']:.0f}" if figure else "-"


def times(value):
    return f"{value:.2f}" if value else "-"


def glib(figure, slow):
    if not slow:
        return pair(figure)
    if slow["never"] == slow["of"]:
        return "never"
    return pair(slow["figures"]) + (f" ({slow['never']} never)" if slow["never"] else "")
