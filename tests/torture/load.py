"""More than it can do, and processes that die while they answer."""

import asyncio
import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from fronts import PROXIED, Front
from processes import running_server

from critmass.bench import percentile
from torture.requests import costly
from torture.wire import HANG, Client, Lost, parse_head

T = TypeVar("T")


class Fate(NamedTuple):
    """What became of a request; status 0 is a connection that ended without an answer."""

    status: int
    start: float
    end: float
    headers: dict[str, str]

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.start


async def _asked(port: int, path: str) -> Fate:
    """Ask over a connection of its own."""
    start = time.monotonic()
    status, headers = 0, dict[str, str]()
    with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(HANG):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                got, found = parse_head((await reader.readuntil(b"\r\n\r\n")).removesuffix(b"\r\n\r\n"))
                await reader.readexactly(int(found["content-length"]))
                status, headers = got, found
            finally:
                writer.close()
    return Fate(status, start, time.monotonic(), headers)


def _run(work: Coroutine[None, None, T]) -> T:
    """Run in a thread of its own: in this one an event loop of somebody else's may be under way."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def capacity(port: int, seconds: float, rng: random.Random, at_once: int = 4) -> float:
    """How many pictures a second it draws when a few ask one after another."""

    async def one(until: float) -> int:
        done = 0
        while time.monotonic() < until:
            done += (await _asked(port, costly(rng))).status == 200
        return done

    async def several() -> int:
        until = time.monotonic() + seconds
        return sum(await asyncio.gather(*(one(until) for _ in range(at_once))))

    return max(_run(several()) / seconds, 1.0)


def flood(port: int, rate: float, seconds: float, rng: random.Random) -> list[Fate]:
    """Ask for so many pictures a second, whatever comes back."""

    async def ask_all() -> list[Fate]:
        tasks, start = [], time.monotonic()
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0, start + number / rate - time.monotonic()))
            tasks.append(asyncio.create_task(_asked(port, costly(rng))))
        return await asyncio.gather(*tasks)

    return _run(ask_all())


def overload(port: int, seconds: float, times: float = 10, seed: int = 1) -> str:
    """Ask for ten times as much as it can do, and then again for a little; return what was seen."""
    rng = random.Random(seed)
    able = capacity(port, min(seconds, 10), rng)
    fates = flood(port, times * able, seconds, rng)
    start = time.monotonic()
    with Client(port) as client:
        while client.get(costly(rng)).status != 200:
            assert time.monotonic() - start < HANG, "it did not recover"
            client.close()
            time.sleep(0.1)
    recovered = time.monotonic() - start
    counts = Counter(fate.status for fate in fates)
    assert {*counts} <= {200, 503}, f"expected pictures or refusals: {counts}"
    assert all("retry-after" in fate.headers for fate in fates if fate.status == 503)
    assert counts[200], "nobody was answered"
    told = [f"{able:.1f} pictures a second; {len(fates)} asked for at {times:g} times that: "]
    for status, name in ((200, "drawn"), (503, "refused")):
        spent = [fate.seconds for fate in fates if fate.status == status]
        if len(spent) > 1:
            span = f"median {percentile(spent, 50):.1f} s, 99 % within {percentile(spent, 99):.1f} s"
            told.append(f"{len(spent)} {name}, {span}; ")
    return "".join(told) + f"a picture again {recovered:.1f} s after the last"


# --- Processes that die -------------------------------------------------------------------------------------------


def kill_servers(front: Front, seconds: float, clients: int = 8, pause: float = 1, seed: int = 1) -> str:
    """Kill the servers behind nginx at random while clients ask; return what was lost: what was under way at a kill.

    Each is started again, as systemd does it, and the next is killed when nginx asks it again.
    """
    rng, fates, kills, done = random.Random(seed), list[Fate](), list[float](), threading.Event()

    def ask(number: int) -> None:
        mine = random.Random(f"{seed} {number}")
        while not done.is_set():
            path = costly(mine, 200) if mine.random() < 0.3 else f"/m/0z7c?names={mine.randrange(10**9)}"
            fates.append(asyncio.run(_asked(front.port, path)))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    ports = [server.port for server in front.servers]
    pids = [server.child.pid for server in front.servers]
    until = time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        try:
            while time.monotonic() < until:
                time.sleep(rng.uniform(0.5, 1.5) * pause)
                which = rng.randrange(len(ports))
                kills.append(time.monotonic())
                os.killpg(pids[which], signal.SIGKILL)
                settings = (*PROXIED, "--port", str(ports[which]), "--access-log", "-")
                again = stack.enter_context(running_server(*settings, dies=True)).child
                pids[which] = again.pid
                again.next_line(HANG)
            while not _goes_on(fates, kills) and time.monotonic() < until + HANG:
                time.sleep(0.1)
        finally:
            done.set()
            for thread in threads:
                thread.join()
    return _told(fates, kills)


def _goes_on(fates: list[Fate], kills: list[float]) -> bool:
    return any(fate.start > kills[-1] and fate.status == 200 for fate in fates[:])


def _told(fates: list[Fate], kills: list[float]) -> str:
    lost = [fate for fate in fates if fate.status == 0]
    counts = Counter(fate.status for fate in fates)
    assert {*counts} <= {0, 200, 503}, counts
    spared = [fate for fate in lost if not any(fate.start <= kill <= fate.end + 0.1 for kill in kills)]
    assert not spared, f"{len(spared)} requests were lost that were not under way when a server was killed"
    assert counts[200] > len(lost)
    assert _goes_on(fates, kills), "it did not go on"
    return (
        f"{len(kills)} times a server killed; of {len(fates)} requests {len(lost)} were lost, all under way at a kill"
    )


def ask_one(port: int, path: str) -> int:
    """The status of one answer, 0 without any."""
    with contextlib.suppress(Lost, OSError), Client(port) as client:
        return client.get(path).status
    return 0
