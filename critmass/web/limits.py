"""What one client may ask for of what is dear: so much a minute, after which it waits.

Each worker counts for itself, in memory: a client that finds all of them has as many times as much, and no worker waits
for another. Who asks from this machine itself is not counted. That is its owner, or a proxy that nobody told the server
to believe (`--trusted-proxies`), and then all its visitors would share one ration.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from threading import Lock, Semaphore

from flask import Flask, current_app, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

PICTURE, FILM, SEARCH, STUDY = 1, 5, 4, 1
"""What a picture, a film, a search and the study of one position cost of a minute's ration."""
FILMS_AT_ONCE = 2
"""The films that a worker draws at a time, so that it has threads left for pages."""
_HOME_BITS = 64
"""The bits of an IPv6 address that tell one household from another."""
_MOST_CLIENTS = 10_000


class Buckets:
    """A bucket of tokens for each client, which fills up again in a minute."""

    def __init__(self, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Give each client that many tokens a minute, and as many at once."""
        self._size = size
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, client: str, cost: float) -> float:
        """Take that many tokens from a client and return 0; or none, and the seconds until there are enough."""
        with self._lock:
            now = self._clock()
            level, then = self._levels.pop(client, (self._size, now))
            level = min(self._size, level + (now - then) * self._size / 60)
            enough = level >= cost
            self._levels[client] = (level - cost if enough else level, now)
            if len(self._levels) > _MOST_CLIENTS:
                self._levels.popitem(last=False)
            return 0 if enough else (cost - level) * 60 / self._size


def init_app(app: Flask) -> None:
    """Ration what is dear, as `RATION` says; 0 is without end."""
    app.extensions["ration"] = Buckets(app.config["RATION"]) if app.config["RATION"] else None
    app.extensions["films"] = Semaphore(FILMS_AT_ONCE)


def client_of(address: str | None) -> str | None:
    """Return what stands for all requests of one client; `None` for this machine itself."""
    try:
        ip = ip_address(address or "")
    except ValueError:  # a socket in the file system
        return None
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    if ip.is_loopback:
        return None
    return str(ip) if ip.version == 4 else f"{int(ip) >> (128 - _HOME_BITS):x}"


def short_of(cost: float) -> int:
    """Take from the ration of whoever asks and return 0; or, where there is too little left, for how many seconds."""
    buckets: Buckets | None = current_app.extensions["ration"]
    client = client_of(request.remote_addr)
    if buckets is None or client is None:
        return 0
    return math.ceil(buckets.take(client, cost))


def spend(cost: float) -> None:
    """Take from the ration of whoever asks; raise `TooManyRequests` where there is too little left."""
    if wait := short_of(cost):
        raise TooManyRequests("There is a limit to the pictures a minute.", retry_after=wait)


@contextmanager
def filming() -> Iterator[None]:
    """Draw a film; raise `ServiceUnavailable` where too many are being drawn already."""
    films: Semaphore = current_app.extensions["films"]
    if not films.acquire(blocking=False):
        raise ServiceUnavailable("Too many films are being drawn at once.", retry_after=2)
    try:
        yield
    finally:
        films.release()
