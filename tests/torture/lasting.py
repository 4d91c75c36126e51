"""What time does to it: a clock that jumps, a disk that is full, and a day of a village."""

import os
import random
import resource
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from processes import Server, running_server

from torture import TESTS
from torture.requests import request
from torture.urls import wrong_with
from torture.wire import Client, Lost

HOUR = 3600
JUMPS = (-10 * 365 * 24 * HOUR, 30 * 365 * 24 * HOUR, -1, 24 * HOUR, -HOUR, 0, 7 * 24 * HOUR)


# --- A clock that jumps -------------------------------------------------------------------------------------------


class Clock:
    """The time of day as a server sees it: so many seconds off."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "offset"
        self.set(0)

    def set(self, seconds: float) -> None:
        """Let the clock jump: to so many seconds from the true time."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+.0f}\n", "ascii")
        new.replace(self._file)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to see this clock; those that only ever go on are true."""
        path = f"{TESTS / 'torture/clock'}{os.pathsep}{os.environ.get('PYTHONPATH', TESTS.parent)}"
        return {"CLOCK_OFFSET": str(self._file), "PYTHONPATH": path}


def jump(folder: Path, rounds: int = 1) -> str:
    """Let the clock jump by years under a server; its answers are the same, and it lives."""
    clock, seen = Clock(folder), set[str]()
    with running_server(**clock.environment) as server, Client(server.port) as client:
        paths = ("/m/0z7c", "/m/0z7c.png", "/m/0z7c.json?at=2", "/m/00", "/healthz")
        first = {path: client.get(path).body for path in paths}
        for offset in JUMPS * rounds:
            clock.set(offset)
            for path in paths:
                answer = client.get(path)
                assert answer.body == first[path], f"{path} is another answer {offset} s later"
                seen.add(answer.headers["date"][12:16])
            tag = client.get(paths[0]).headers["etag"]
            again = f"GET {paths[0]} HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n"
            assert client.ask(again.encode()).status == 304
            time.sleep(1.2)  # it looks for idle connections once a second
        assert len(seen) >= 3, f"the clock did not jump: {seen}"
    return f"{len(JUMPS) * rounds} jumps, in the years {', '.join(sorted(seen))}: the same answers"


# --- A disk that is full ------------------------------------------------------------------------------------------


def full_disk(count: int, seed: int = 1) -> str:
    """Serve with not a byte to be written to any file: none in the log, none for temporary files, none anywhere."""
    rng = random.Random(seed)
    nowhere = {"TMPDIR": "/dev/null", "HOME": "/dev/null"}
    with running_server("--access-log", "/dev/full", **nowhere) as server:
        resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (0, 0))
        with Client(server.port) as client:
            for _ in range(count):
                asked = request(rng)
                assert (fault := wrong_with(client.ask(asked))) is None, f"{fault}: {asked!r}"
        with Client(server.port) as client:
            form = b"text=/m/0z7c;" + 60_000 * b"x"
            head = b"POST /import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            assert client.ask(head + b"Content-Length: %d\r\n\r\n" % len(form) + form).status in (303, 422)
            assert client.get("/m/0z7c.gif").status == 200
    return f"{count} requests, a large form and a film answered without a byte in any file"


# --- A day --------------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """What all processes of a server hold at one moment."""

    kilobytes: int
    files: int
    threads: int


def sample(server: Server) -> Sample:
    """Look at a server, and what it has started."""
    pid = server.child.pid
    pids = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split())]
    return Sample(
        sum(_status(pid, "VmRSS") for pid in pids),
        sum(len([*Path(f"/proc/{pid}/fd").iterdir()]) for pid in pids),
        sum(_status(pid, "Threads") for pid in pids),
    )


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def a_day(folder: Path, count: int, samples: int = 40, seed: int = 1, allowed: float = 0.1) -> str:
    """Ask as a village does in a day, the clock going round once; memory, files and threads do not grow.

    The first half is for caches to fill up and threads to be used. The medians of the last two quarters are compared.
    """
    rng, taken, wrong = random.Random(seed), list[Sample](), list[str]()
    clock = Clock(folder)
    few = ("--cache-mb", "2")
    with running_server(*few, **clock.environment) as server, Client(server.port) as client:
        assert client.get("/healthz").status == 200
        for number in range(samples):
            clock.set(24 * HOUR * number / samples)
            wrong += [fault for _ in range(count // samples) if (fault := _asked(client, rng))]
            client.close()
            taken.append(sample(server))
    assert not wrong, wrong[:5]
    warm = taken[samples // 2 :]
    early, late = warm[: len(warm) // 2], warm[len(warm) // 2 :]
    for name in Sample._fields:
        before, after = (statistics.median(getattr(it, name) for it in part) for part in (early, late))
        room = allowed * before + (2048 if name == "kilobytes" else 4)
        assert after <= before + room, f"{name} grew from {before} to {after}: {[getattr(it, name) for it in taken]}"
    first, last = early[0], taken[-1]
    return (
        f"{count} requests in 24 hours of its clock: {first.kilobytes / 1024:.1f} MB, "
        f"{first.files} files and {first.threads} threads after a half, {last.kilobytes / 1024:.1f} MB, "
        f"{last.files} and {last.threads} at the end"
    )


def _asked(client: Client, rng: random.Random) -> str | None:
    try:
        return wrong_with(client.ask(request(rng)))
    except (Lost, OSError) as error:
        return repr(error)
