"""The ledger: rows that outlive a loss of power, and a file of ten million rows."""
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import time

from .figures import summary
from .resources import kilobytes, launch
from .run import CONFIGURATION

GROUPS = (1, 10, 100)
# What the sqlite3 shell is given for each transaction, as the ledger writes it (Sources/Ledger/EntryTable.swift).
ENTRY = ("INSERT INTO entries (sequence, id, kind, wall, trusted, at, slot, host, source, creative, campaign, path,"
         " cpm_nanos, currency, started, visible) VALUES ({row}, X'{identifier:032x}', 'impression', {wall}, 1,"
         " {row}, 'banner', 'kiosk', 'exchange', 'creative-1', 'campaign-1', 'wifi', 2500000000, 'USD', {wall},"
         " 1000000);\n")
SUM = ("INSERT INTO sums VALUES ({hour}, 'banner', 'exchange', 'campaign-1', 'wifi', 'USD', 0, 0, 0, 0, 0, {count},"
       " 0, {units}, 0) ON CONFLICT DO UPDATE SET impressions = impressions + {count},"
       " cpm_units = cpm_units + {units};\n")
HOUR = ("INSERT INTO hours VALUES ({hour}, {first}, {last}) ON CONFLICT DO UPDATE SET"
        " first = min(first, {first}), last = max(last, {last});\n")
PRAGMAS = ("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
           " PRAGMA wal_autocheckpoint = 256; PRAGMA cache_size = -128;\n")
MICROSECONDS_PER_HOUR = 3_600_000_000
FILE = "ledger.sqlite"


def measure(run):
    """Rows a second beside the sqlite3 shell, both in turn, on the file system of the run's directory."""
    rounds, seconds = (2, 0.05) if run.report.figures["quick"] else (7, 1.0)
    if not shutil.which("sqlite3"):
        return run.report.skip("sqlite3 shell", "not installed (.ci/setup)")
    figures = {}
    for group in GROUPS:
        # About as many as take so long.
        rows = int(seconds * 3000 * group)
        samples = {"adslotd": [], "sqlite3 shell": []}
        for _ in range(rounds):
            samples["adslotd"].append(keep(run, group, rows))
            samples["sqlite3 shell"].append(insert(run, group, rows))
        medians = {name: round(statistics.median(rates)) for name, rates in samples.items()}
        figures[group] = {**medians, "ratio": round(medians["adslotd"] / medians["sqlite3 shell"], 2)}
    run.report.figures["ledger"] = figures


def emptied(run, name):
    path = run.path(name)
    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path)
    return path


def keep(run, group, rows):
    program = os.path.join(os.path.dirname(run.adslotd), "ledger-bench")
    done = subprocess.run(
        [program, emptied(run, "kept"), str(group), str(rows)], stdout=subprocess.PIPE, text=True, check=True)
    figures = json.loads(done.stdout)
    if figures["rows"] != rows:
        run.report.fault(f"ledger: {figures['rows']} of {rows} rows are there")
    return figures["rowsPerSecond"]


def insert(run, group, rows):
    """Rows a second of the shell, with a file that the ledger has made; reading what it is told included."""
    directory = emptied(run, "inserted")
    program = os.path.join(os.path.dirname(run.adslotd), "ledger-bench")
    subprocess.run([program, directory, "1", "0"], stdout=subprocess.DEVNULL, check=True)
    script = run.path("insert.sql")
    with open(script, "w", encoding="ascii") as file:
        file.write(PRAGMAS)
        for first in range(1, rows + 1, group):
            last = min(first + group - 1, rows)
            file.write("BEGIN IMMEDIATE;\n")
            for row in range(first, last + 1):
                wall = 1_800_000_000_000_000 + row * 1000
                file.write(ENTRY.format(row=row, identifier=row, wall=wall))
            hour, count = wall // MICROSECONDS_PER_HOUR, last - first + 1
            file.write(SUM.format(hour=hour, count=count, units=count * 2))
            file.write(HOUR.format(hour=hour, first=first, last=last))
            file.write("COMMIT;\n")
    with open(script, "rb") as file:
        started = time.monotonic()
        subprocess.run(
            ["sqlite3", "-bail", os.path.join(directory, FILE)], stdin=file, stdout=subprocess.DEVNULL, check=True)
    return rows / (time.monotonic() - started)


def measure_big(run):
    """Start, report and export with a file of very many rows, which is made once and kept for the next run."""
    quick = run.report.figures["quick"]
    rows, starts, exported = (200_000, 3, 50_000) if quick else (10_000_000, 10, 1_000_000)
    usual, run.state = run.state, os.path.join(run.programs, f"ledger-{rows}")
    plain = run.configuration
    run.configuration = run.write("big.conf", CONFIGURATION + "[Ledger]\nSizeMax=1T\nRetainDays=3650\n")
    try:
        seconds = fill(run, rows)
        path = os.path.join(run.state, FILE)
        ready = launch(run, starts)
        if not ready:
            return run.report.fault("bigledger: the daemon did not become ready")
        daemon = run.start_daemon(run.path("socket"))
        figures = {
            "rows": rows, "MiB": os.path.getsize(path) >> 20, "made in seconds": seconds,
            "ready": summary([row[0] for row in ready]),
            "report ms": {by: timed(run, "report", "--by", by) for by in ("slot", "campaign", "hour")},
            "export rows per second": export(run, exported),
            "pss KiB": kilobytes(daemon.pid)["Pss"],
        }
        daemon.stop()
    finally:
        run.state, run.configuration = usual, plain
    run.report.figures["bigledger"] = figures


def control(run, *arguments):
    program = os.path.join(os.path.dirname(run.adslotd), "adslotctl")
    return [program, "--socket", run.path("socket"), *arguments]


def timed(run, *arguments):
    started = time.monotonic()
    subprocess.run(control(run, *arguments), stdout=subprocess.DEVNULL, check=True)
    return round((time.monotonic() - started) * 1000, 1)


def export(run, rows):
    """Rows a second of the newest ones."""
    began = BIG_START + BIG_SPAN - int(rows * BIG_SPAN / run_rows(run))
    started = time.monotonic()
    with subprocess.Popen(
            control(run, "ledger", "export", "--since", moment(began)), stdout=subprocess.PIPE) as process:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: process.stdout.read(1 << 20), b""))
    if process.returncode or not 0.9 * rows <= lines <= 1.1 * rows + 10:
        run.report.fault(f"bigledger: {lines} of {rows} rows were exported")
    return round(lines / (time.monotonic() - started))


def run_rows(run):
    return int(run.state.rsplit("-", 1)[1])


def moment(microseconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(microseconds // 1_000_000))


# Ninety days up to a moment of the past.
BIG_SPAN = 90 * 24 * MICROSECONDS_PER_HOUR
BIG_START = 1_790_000_000_000_000 // MICROSECONDS_PER_HOUR * MICROSECONDS_PER_HOUR - BIG_SPAN
# Sixteen rows in turn: what comes of five requests.
BIG_ROWS = """
    INSERT INTO entries (sequence, id, kind, wall, trusted, at, slot, host, source, creative, campaign, path,
        reason, request, cpm_nanos, currency, started, ended, visible)
    WITH RECURSIVE
        numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :rows),
        kinds (step, kind, back) AS (VALUES
            (0, 'request', 0), (1, 'fill', 1), (2, 'shown', 2), (3, 'impression', 3),
            (4, 'request', 0), (5, 'noFill', 1), (6, 'request', 0), (7, 'fill', 1), (8, 'shown', 2),
            (9, 'impression', 3), (10, 'action', 4), (11, 'request', 0), (12, 'fill', 1), (13, 'shown', 2),
            (14, 'impression', 3), (15, 'request', 0)),
        typed (i, kind, back, wall, ad) AS (
            SELECT i, kind, back, :start + CAST(i * (:span * 1.0 / :rows) AS INTEGER),
                kind NOT IN ('request', 'noFill')
            FROM numbers JOIN kinds ON step = i % 16)
    SELECT i + 1, randomblob(16), kind, wall, 1, wall - :start, 'slot' || (i / 16) % 8, 'kiosk',
        'exchange' || (i / 16) % 2, CASE WHEN ad THEN 'creative-' || (i / 16) % 400 END,
        CASE WHEN ad THEN 'campaign-' || (i / 16) % 200 END,
        CASE WHEN (i / 5000) % 3 = 0 THEN 'wifi' ELSE 'ethernet' END,
        CASE WHEN kind = 'noFill' THEN 'noFill' END, CASE WHEN back > 0 THEN i + 1 - back END,
        CASE WHEN ad THEN 2500000000 END, CASE WHEN ad THEN 'USD' END,
        CASE WHEN kind = 'impression' THEN wall - 1000000 END,
        CASE WHEN kind IN ('impression', 'action') THEN wall + 30000000 END,
        CASE WHEN kind = 'impression' THEN 30000000 END
    FROM typed ORDER BY i
    """
BIG_SUMS = """
    INSERT INTO sums
    SELECT wall / 3600000000 AS hour, slot, source, coalesce(campaign, ''), path, coalesce(currency, ''),
        sum(kind = 'request'), sum(kind = 'fill'), sum(kind = 'noFill'), 0, sum(kind = 'shown'),
        sum(kind = 'impression'), sum(kind = 'action'),
        sum(CASE WHEN kind = 'impression' THEN cpm_nanos ELSE 0 END) / 1000000000,
        sum(CASE WHEN kind = 'impression' THEN cpm_nanos ELSE 0 END) % 1000000000
    FROM entries GROUP BY 1, 2, 3, 4, 5, 6
    """
BIG_HOURS = "INSERT INTO hours SELECT wall / 3600000000, min(sequence), max(sequence) FROM entries GROUP BY 1"


def fill(run, rows):
    """Makes the file where it is not there, by SQL in tables that the daemon has made; the seconds it took."""
    kept, run.state = run.state, emptied(run, "fresh")
    run.start_daemon(run.path("socket")).stop()
    fresh, run.state = run.state, kept
    marker = os.path.join(run.state, "complete")
    if os.path.exists(marker) and version(run.state) == version(fresh):
        return 0
    shutil.rmtree(run.state, ignore_errors=True)
    shutil.copytree(fresh, run.state)
    started = time.monotonic()
    file = sqlite3.connect(os.path.join(run.state, FILE), isolation_level=None)
    for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -200000"):
        file.execute("PRAGMA " + pragma)
    file.execute("BEGIN")
    file.execute(BIG_ROWS, {"rows": rows, "start": BIG_START, "span": BIG_SPAN})
    file.execute(BIG_SUMS)
    file.execute(BIG_HOURS)
    file.execute("COMMIT")
    file.close()
    with open(marker, "w", encoding="ascii"):
        return round(time.monotonic() - started, 1)


def version(directory):
    """Of the tables: a daemon with others would first have to bring them up to date."""
    with sqlite3.connect(os.path.join(directory, FILE)) as file:
        return file.execute("PRAGMA user_version").fetchone()
