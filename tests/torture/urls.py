"""Random and mutated requests over real sockets: none is answered with an error of the server's own."""

import random
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from web.wire import on_this_site

from torture.requests import request
from torture.wire import Answer, Client, Lost

REFUSAL = {"connection", "content-length", "content-type", "date"}
"""The headers of an answer that waitress makes itself, to what is no request."""


@dataclass
class Seen:
    """What was answered, and what was wrong with it."""

    statuses: Counter[int] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    slowest: tuple[float, bytes] = (0, b"")
    wrong: list[str] = field(default_factory=list)

    def add(self, asked: bytes, answer: Answer, seconds: float) -> None:
        """Take an answer down."""
        self.statuses[answer.status] += 1
        self.times.append(seconds)
        self.slowest = max(self.slowest, (seconds, asked.split(b"\r\n")[0][:200]))
        if fault := wrong_with(answer):
            self.wrong.append(f"{fault}: {asked!r}")

    def __str__(self) -> str:
        median = statistics.median(self.times)
        counts = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        slow, asked = self.slowest
        return (
            f"{len(self.times)} requests: {counts}; median {1000 * median:.1f} ms, slowest {1000 * slow:.0f} ms = "
            f"{slow / median:.0f} medians, for {asked!r}"
        )


def wrong_with(answer: Answer) -> str | None:
    """Return what no answer may be."""
    if answer.status in (400, 413, 431) and {*answer.headers} == REFUSAL:
        return None  # it did not get as far as the app
    if answer.status >= 500 and (answer.status != 503 or "retry-after" not in answer.headers):
        return f"answered {answer.status}"
    if "location" in answer.headers and not on_this_site(answer.headers["location"]):
        return f"sent on to {answer.headers['location']!r}"
    if answer.headers.get("x-content-type-options") != "nosniff":
        return "without its headers"
    return None


def bombard(port: int, *, until: float = 0, count: int = 0, seed: int = 1, clients: int = 2) -> Seen:
    """Send random requests, so many for each of the clients or until a moment of the monotonic clock."""
    seen, lock = Seen(), threading.Lock()

    def work(number: int) -> None:
        rng, done = random.Random(f"{seed} {number}"), 0
        with Client(port) as client:
            while done < count or time.monotonic() < until:
                done += 1
                asked, start = request(rng), time.monotonic()
                try:
                    answer = client.ask(asked)
                except Lost as error:
                    if asked.split(b" ")[1].startswith(b"/"):  # else it may be an address that is none
                        with lock:
                            seen.wrong.append(f"{error!r}: {asked!r}")
                    continue
                except (OSError, AssertionError, KeyError, ValueError) as error:
                    with lock:
                        seen.wrong.append(f"{error!r}: {asked!r}")
                    continue
                with lock:
                    seen.add(asked, answer, time.monotonic() - start)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen
