"""`critmass bench serve`: how soon a server answers, what it weighs, and what its most costly answers cost."""

import http.client
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from critmass.bench import SEED, links
from critmass.bench.web import ENCODING, load
from critmass.engine import Match, Position, cells_of, classic
from critmass.links import link_to

STARTS = 5
AGAIN = 300
COSTLY = ("", ".json", ".svg", ".png", ".png?card=1", ".gif", ".gif?size=1024")
"""The representations of a long match on the largest board."""


def long_match(plies: int = 600) -> Match:
    """Return a match of that many plies on the largest board, in which nobody is ever out: few chains, many orbs."""
    rng = random.Random(SEED)  # noqa: S311 - a match to measure with is no secret
    rules = classic(16, 16, 8)
    position = Position.start(rules)
    cells: list[int] = []
    while len(cells) < plies:
        legal = list(cells_of(position.legal))
        tried = [position.play(cell) for cell in rng.sample(legal, min(12, len(legal)))]
        calmest = min(tried, key=lambda ply: (ply.after.turn is None, len(ply.rings)))
        cells.append(calmest.cell)
        position = calmest.after
    return Match.replay(rules, cells)


@contextmanager
def started() -> Iterator[tuple[subprocess.Popen[str], str, float]]:
    """Run a server; yield its process, its address, and the seconds that it took to its first answer."""
    command = [sys.executable, "-m", "critmass", "serve", "--port", "0"]
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603
        try:
            found = re.search(r"//(\S+)/", child.stdout.readline() if child.stdout else "")
            if not found:
                raise RuntimeError("the server does not start")
            load(found[1], ["/m/0z7c"] * 2, ENCODING)
            yield child, found[1], time.perf_counter() - begin
        finally:
            child.terminate()


def memory(pid: int) -> float:
    """Return the MB that a process takes, what it shares with others included in part."""
    fields = dict(re.findall(r"^(\w+): +(\d+) kB$", Path(f"/proc/{pid}/smaps_rollup").read_text("ascii"), re.MULTILINE))
    return int(fields["Pss"]) / 1024


def _importing() -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import flask, PIL.Image"], check=True)
    return time.perf_counter() - begin


def _weight(name: str, pid: int) -> str:
    return f"  {name:34} {memory(pid):5.1f} MB"


def run() -> list[str]:
    """Return the lines of the report."""
    times, importing = [], []
    for _ in range(STARTS):
        importing.append(_importing())
        with started() as (_, _, seconds):
            times.append(seconds)
    start, least = statistics.median(times), statistics.median(importing)
    lines = [
        f"one process, {os.cpu_count()} cores",
        f"  start to first answer              {start:5.2f} s, {start / least:.1f} × importing Flask and Pillow alone",
    ]
    with started() as (child, netloc, _):
        lines.append(_weight("the server, new", child.pid))
        load(netloc, links(1500), ENCODING)
        lines.append(_weight("the server, after 1500 pages", child.pid))
        small = load(netloc, links(40, seed=1), ENCODING)
        lines.append("Of a match of 600 moves on 16×16, to one client alone, and as times a page of 60 moves on 6×6:")
        link = link_to(long_match()).url()
        for suffix in COSTLY:
            milliseconds, size = _cost(netloc, link + suffix)
            times_as_dear = milliseconds * small.rate / 1000
            lines.append(f"  {suffix or 'page':34} {milliseconds:5.0f} ms {size / 1000:6.0f} kB {times_as_dear:6.1f} ×")
        lines.append(_weight("the server, after those", child.pid))
        lines += _asking_again(netloc)
    return lines


def _cost(netloc: str, path: str) -> tuple[float, int]:
    """Return the milliseconds to an answer that was never given before, and its bytes: the best of three."""
    best, size = float("inf"), 0
    for number in range(3):
        connection = http.client.HTTPConnection(netloc, timeout=60)
        begin = time.perf_counter()
        connection.request("GET", f"{path}{'&' if '?' in path else '?'}names={number}", headers=ENCODING)
        size = len(connection.getresponse().read())
        best = min(best, time.perf_counter() - begin)
        connection.close()
    return 1000 * best, size


def _asking_again(netloc: str) -> list[str]:
    """Return what it costs to ask again for what did not change: an answer without a body closes the connection."""
    path = "/m/0z7c"
    with closing(http.client.HTTPConnection(netloc, timeout=60)) as connection:
        connection.request("GET", path, headers=ENCODING)
        answer = connection.getresponse()
        answer.read()
        tag = answer.headers["ETag"]
        rates = {}
        for name, headers in (("304", {**ENCODING, "If-None-Match": tag}), ("200", ENCODING)):
            begin = time.perf_counter()
            for _ in range(AGAIN):
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                answer.read()
            rates[name] = AGAIN / (time.perf_counter() - begin)
            if str(answer.status) != name:
                raise RuntimeError(f"expected {name}: {answer.status}")
    new, kept = 1000 / rates["304"], 1000 / rates["200"]
    return [
        "Asking again for a page, one after the other, over a connection that stays open where it may:",
        f"  {'304, and a new connection each':34} {new:5.2f} ms",
        f"  {'200, the whole page again':34} {kept:5.2f} ms",
    ]
