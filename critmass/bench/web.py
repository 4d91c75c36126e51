"""`critmass bench web`: the page and the part of a match, on a real server.

They are measured against a constant page of the same server, or against the same pages of another checkout.
"""

import http.client
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response

import critmass
from critmass.bench import links, percentile
from critmass.engine import classic
from critmass.web import create_app

CONSTANT = "/bench/constant"
CONNECTIONS = 4
ENCODING = {"Accept-Encoding": "gzip, deflate, br, zstd"}
PART = {**ENCODING, "HX-Request": "true"}


def make_app() -> Flask:
    """Return the app with one more route: a constant page, as large as that of a 60-move match."""
    app = create_app()
    page = create_app().test_client().get(links(1)[0]).get_data()

    @app.get(CONSTANT)
    def constant() -> Response:
        return Response(page)

    return app


ROUNDS = 10
"""A machine is faster at one moment than at the next: what is compared takes turns, so many times."""


@dataclass(frozen=True)
class Figures:
    """What a load came to."""

    seconds: float = 0
    """How long all of it took."""
    times: tuple[float, ...] = ()
    """How long each request took, in seconds."""
    sent: int = 0
    """The bytes of all answers, on the wire, without headers."""

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(self.seconds + other.seconds, self.times + other.times, self.sent + other.sent)

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.times) / self.seconds

    @property
    def p99(self) -> float:
        """The 99th percentile of the times, in ms."""
        return 1000 * percentile(self.times, 99)

    @property
    def size(self) -> float:
        """The bytes of an answer."""
        return self.sent / len(self.times)


@contextmanager
def server() -> Iterator[str]:
    """Run a server of its own as a child process; yield its address as `host:port`."""
    command = [sys.executable, "-m", "critmass.bench.serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) as child:  # noqa: S603
        try:
            assert child.stdout is not None  # noqa: S101 - it is a pipe
            yield urlsplit(child.stdout.readline().split()[3]).netloc
        finally:
            child.terminate()


def load(netloc: str, paths: Sequence[str], headers: dict[str, str]) -> Figures:
    """Ask for every path once, over a few connections at a time, and return the figures."""
    times: list[float] = []
    sizes: list[int] = []
    waiting = iter(paths)
    lock = threading.Lock()

    def client() -> None:
        connection = http.client.HTTPConnection(netloc, timeout=30)
        while True:
            with lock:
                path = next(waiting, None)
            if path is None:
                break
            start = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            spent = time.perf_counter() - start
            if answer.status != 200:
                raise RuntimeError(f"expected 200: {answer.status} for {path}")
            with lock:
                times.append(spent)
                sizes.append(len(body))
        connection.close()

    clients = [threading.Thread(target=client) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    spent = time.perf_counter() - start
    return Figures(spent, tuple(times), sum(sizes))


@contextmanager
def checkout(folder: Path) -> Iterator[str]:
    """Run the server of a checkout of the program, with one process that answers; yield its address as `host:port`."""
    command = [sys.executable, "-m", "critmass", "serve", "--port", "0"]
    told = subprocess.run(  # noqa: S603
        [*command[:-2], "--help"], cwd=folder, env=_of(folder), capture_output=True, text=True, check=False
    )
    if told.returncode:
        last = told.stderr.strip().rpartition("\n")[2]
        raise RuntimeError(f"the program in {folder} does not run here: {last}")
    if "--workers" in told.stdout:
        command += ["--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=_of(folder)) as child:  # noqa: S603
        try:
            found = re.search(r"//(\S+)/", child.stdout.readline() if child.stdout else "")
            if not found:
                raise RuntimeError(f"the server in {folder} does not start")
            yield found[1]
        finally:
            child.terminate()


def _of(folder: Path) -> dict[str, str]:
    """Return the environment in which the program in a folder is the one that is imported."""
    return {**os.environ, "PYTHONPATH": str(folder)}


def compare(requests: int, other: Path) -> list[str]:
    """Return the lines of the report on this program and another checkout of it, which take turns."""
    urls = links(2 * requests)
    pages, parts = urls[:requests], [f"{url}?part=1" for url in urls[requests:]]
    kinds = {
        "page, never asked for": (pages, ENCODING),
        "page, asked for before": (pages, ENCODING),
        "part, never asked for": (parts, PART),
        "part, asked for before": (parts, PART),
    }
    here = Path(critmass.__file__).parents[1]
    measured = {name: (Figures(), Figures()) for name in kinds}
    ratios = dict[str, list[float]]()
    with checkout(here) as ours, checkout(other) as theirs:
        for netloc in (ours, theirs):
            load(netloc, links(50, seed=1), ENCODING)
        for number in range(ROUNDS):
            for name, (paths, headers) in kinds.items():
                if some := paths[number::ROUNDS]:
                    # Who comes first changes too.
                    turns = [ours, theirs] if number % 2 else [theirs, ours]
                    by = {netloc: load(netloc, some, headers) for netloc in turns}
                    before, after = measured[name]
                    measured[name] = before + by[theirs], after + by[ours]
                    ratios.setdefault(name, []).append(by[ours].rate / by[theirs].rate)
    lines = [
        f"60-move Critical Mass matches, 1 process each, {CONNECTIONS} connections, {os.cpu_count()} cores, brotli",
        f"  {'':24} {'there':>10} {'here':>10}   here over there, median of {ROUNDS} rounds",
    ]
    for name, (before, after) in measured.items():
        median = statistics.median(ratios[name])
        lines.append(f"  {name:24} {before.rate:7.0f} /s {after.rate:7.0f} /s {median:6.2f}")
    return lines


def run(requests: int) -> list[str]:
    """Return the lines of the report."""
    urls, few = links(2 * requests), max(20, requests // 20)
    pages, parts = urls[:requests], [f"{url}?part=1" for url in urls[requests:]]
    kinds = {
        "constant page": ([CONSTANT] * requests, ENCODING),
        "page, never asked for": (pages, ENCODING),
        "page, asked for before": (pages, ENCODING),
        "part, never asked for": (parts, PART),
        "part, asked for before": (parts, PART),
    }
    measured = dict.fromkeys(kinds, Figures())
    with server() as netloc:
        load(netloc, links(50, seed=1), ENCODING)
        for number in range(ROUNDS):
            for name, (paths, headers) in kinds.items():
                if some := paths[number::ROUNDS]:
                    measured[name] += load(netloc, some, headers)
        large = links(few, 500, classic(16, 16, 8))
        grown = {
            "page, 16×16, 8 players, 500 moves": load(netloc, large, ENCODING),
            "part, 16×16, 8 players, 500 moves": load(netloc, [f"{url}?part=1" for url in large], PART),
        }
    constant = measured["constant page"]
    cores = os.cpu_count()
    lines = [f"60-move Critical Mass matches, 1 process, {CONNECTIONS} connections, {cores} cores, brotli"]
    for name, it in measured.items():
        share = it.rate / constant.rate
        lines.append(f"  {name:24} {it.rate:7.0f} /s  p99 {it.p99:6.1f} ms  {it.size / 1000:5.1f} kB  {share:5.2f}")
    lines.append("  The last column is the rate over that of the constant page.")
    for name, it in grown.items():
        small = measured["page, never asked for" if name.startswith("page") else "part, never asked for"]
        cost = small.rate / it.rate
        lines.append(
            f"  {name:36} {it.rate:5.0f} /s  {it.size / 1000:5.1f} kB  costs {cost:4.1f} × that of 60 moves on 6×6"
        )
    return lines
