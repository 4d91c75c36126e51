"""Limits for costly requests: how much a client may ask for in a minute, and how much is made at the same time.

Who asks from this machine itself is not counted. That is its owner, or a proxy that nobody told the server to believe
(`--trusted-proxies`), and then all its visitors would share one limit. Whoever asks, only so many pictures and films
are made at a time, so that threads are left for pages.
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
"""What a picture, a film, a search and the study of one position cost of what a client has a minute."""
PLACES = {".png": 6, ".gif": 2}
"""How many pictures and how many films are drawn at the same time; a browser asks for six at once."""
SOON = 2
"""The seconds after which to come again when all places are taken."""
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
    """Limit what is costly, for a client as `RATE_LIMIT` says; 0 is without end."""
    limit = app.config["RATE_LIMIT"]
    app.extensions["rate_limit"] = Buckets(limit) if limit else None
    app.extensions["places"] = {suffix: Semaphore(places) for suffix, places in PLACES.items()}


def costly_places(app: Flask) -> int:
    """Return how many threads costly requests may keep at the same time, searches and those that wait for one too."""
    return sum(PLACES.values()) + int(app.config["SEARCH_PROCESSES"] + app.config["SEARCH_QUEUE"])


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
    """Take from what whoever asks has left and return 0; or, where that is too little, for how many seconds."""
    buckets: Buckets | None = current_app.extensions["rate_limit"]
    client = client_of(request.remote_addr)
    if buckets is None or client is None:
        return 0
    return math.ceil(buckets.take(client, cost))


def spend(cost: float) -> None:
    """Take from what whoever asks has left; raise `TooManyRequests` where that is too little."""
    if wait := short_of(cost):
        raise TooManyRequests("There is a limit to the pictures a minute.", retry_after=wait)


@contextmanager
def place(suffix: str) -> Iterator[None]:
    """Have a place for making a representation, if it is costly; raise `ServiceUnavailable` where all are taken."""
    places: Semaphore | None = current_app.extensions["places"].get(suffix)
    if places is None:
        yield
        return
    if not places.acquire(blocking=False):
        what = "films" if suffix == ".gif" else "pictures"
        raise ServiceUnavailable(f"Too many {what} are being drawn at once.", retry_after=SOON)
    try:
        yield
    finally:
        places.release()
