"""Clients that mean no good: while they are at it, everybody else is answered."""

import contextlib
import random
import re
import resource
import socket
import statistics
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from torture.requests import costly
from torture.wire import Client, Lost, connection, rest

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


class Attack(NamedTuple):
    """What a client does to a port, for as long as it is told to, with some randomness."""

    name: str
    run: Callable[[int, float, random.Random], None]


class Witness(threading.Thread):
    """Somebody who only wants to play: asks for pages all the while, and takes down how that goes."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._done = threading.Event()
        self.times: list[float] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        rng = random.Random(1)
        while not self._done.wait(0.05):
            start = time.monotonic()
            try:
                with Client(self._port) as client:
                    status = client.get(f"/m/0z7c?names={rng.randrange(10**9)}").status
            except (Lost, OSError) as error:
                self.wrong.append(repr(error))
                continue
            self.times.append(time.monotonic() - start)
            if status not in (200, 503):
                self.wrong.append(f"answered {status}")

    def end(self) -> None:
        """Have it stop asking."""
        self._done.set()
        self.join()

    def __str__(self) -> str:
        if not self.times:
            return "nobody was answered"
        median, most = statistics.median(self.times), max(self.times)
        return (
            f"{len(self.times)} others answered meanwhile, median {1000 * median:.0f} ms, slowest {1000 * most:.0f} ms"
        )


@contextlib.contextmanager
def witness(port: int) -> Iterator[Witness]:
    """Somebody who asks for pages all the while."""
    seen = Witness(port)
    seen.start()
    try:
        yield seen
    finally:
        seen.end()


def check(answers: bytes, *allowed: int) -> None:
    """Demand that only these statuses came back, and whole answers at that."""
    statuses = {int(status) for status in re.findall(rb"HTTP/1\.1 ([0-9]{3}) ", answers)}
    assert statuses <= {*allowed, 503}, f"answered {statuses}, expected {allowed}: {answers[:300]!r}"


def _until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield


# --- What they do -------------------------------------------------------------------------------------------------


def trickle(port: int, seconds: float, rng: random.Random) -> None:
    """Send a request byte by byte, over many connections, and never come to its end."""
    _byte_by_byte(port, b"GET /m/0 HTTP/1.1\r\nX: ", 100, seconds, rng)


def trickle_body(port: int, seconds: float, rng: random.Random) -> None:
    """The same with what is posted."""
    _byte_by_byte(port, POST + b"Content-Length: 60000\r\n\r\ntext=", 300, seconds, rng)


def _byte_by_byte(port: int, head: bytes, connections: int, seconds: float, rng: random.Random) -> None:
    with contextlib.ExitStack() as stack:
        socks = [stack.enter_context(connection(port, head)) for _ in range(connections)]
        for _ in _until(seconds):
            for sock in socks:
                with contextlib.suppress(OSError):
                    sock.sendall(bytes([rng.randint(97, 122)]))
            time.sleep(0.5)
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_WR)
            check(rest(sock), 400)


def silent(port: int, seconds: float, rng: random.Random) -> None:
    """Fifteen hundred connections over which nothing comes, half a head, or nothing more after an answer."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.ExitStack() as stack:
        for _ in range(500):
            for sent in (b"", GET[:30], GET):
                stack.enter_context(connection(port, sent))
        time.sleep(seconds)


def half_open(port: int, seconds: float, rng: random.Random) -> None:
    """Connect and say nothing; say half and hang up, shut one way, or break off without a word."""
    with contextlib.ExitStack() as stack:
        for _ in _until(seconds):
            stack.enter_context(connection(port))
            for sent in (b"", b"G", GET[:20], GET[:-2], GET):
                with connection(port, sent) as sock:
                    how = rng.choice(("close", "shut", "reset"))
                    if how == "shut":
                        sock.shutdown(socket.SHUT_WR)
                        check(rest(sock), 200, 400)
                    elif how == "reset":
                        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            time.sleep(0.02)


def oversized(port: int, seconds: float, rng: random.Random) -> None:
    """Lines, fields and numbers of fields beyond all bounds."""
    for _ in _until(seconds):
        size = rng.choice((8_000, 9_000, 70_000, 1_000_000))
        sent = rng.choice(
            (
                b"GET /m/" + size * b"0" + b" HTTP/1.1\r\n\r\n",
                b"GET /m/0?" + size * b"x" + b" HTTP/1.1\r\n\r\n",
                b"GET / HTTP/1.1\r\nX: " + size * b"x" + b"\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + size * b"X: y\r\n" + b"\r\n",
                size * b"X",
                b"GET / HTTP/1.1\r\n" + size * b"x" + b": y\r\n\r\n",
                POST + b"Content-Length: %d\r\n\r\n" % size + size * b"x",
            )
        )
        with connection(port, sent) as sock:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_WR)
            check(rest(sock), 200, 303, 400, 404, 413, 414, 422, 431)


def pipelined(port: int, seconds: float, rng: random.Random) -> None:
    """Many requests at once over one connection, good ones and a bad one at the end."""
    for _ in _until(seconds):
        count = rng.randint(1, 200)
        last = rng.choice((b"nonsense\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"GET /healthz HTTP/1.0\r\n\r\n"))
        with connection(port, count * GET + last) as sock:
            answers = rest(sock)
        check(answers, 200, 400)
        assert answers.count(b"\r\n\r\nok\n") >= count or b" 503 " in answers, "a request of many was lost"


def wrong_lengths(port: int, seconds: float, rng: random.Random) -> None:
    """Bodies that are shorter or longer than they say, say it twice, or not at all."""
    for _ in _until(seconds):
        length = rng.choice(
            (b"5", b"500", b"0", b"-1", b"+5", b"5, 6", b"0x5", b"5\r\nContent-Length: 6", b"", b"\xff")
        )
        body = rng.choice((b"text=", b"text=/m/0z", b""))
        with connection(port, POST + b"Content-Length: " + length + b"\r\n\r\n" + body + GET) as sock:
            sock.shutdown(socket.SHUT_WR)
            check(rest(sock), *((400,) if length == b"500" else (200, 303, 400, 405, 422)))


def chunked(port: int, seconds: float, rng: random.Random) -> None:
    """Chunks that are none, with or without a length besides."""
    sizes = (
        b"5\r\ntext=\r\n0\r\n\r\n",
        b"zz\r\n",
        b"fffffffffffffffff\r\nx",
        b"-1\r\n\r\n",
        b"5;x=y\r\ntext=\r\n",
        b"0\r\n",
    )
    codings = (b"chunked", b"Chunked", b"gzip, chunked", b"chunked, identity", b"x", b"chunked\r\nContent-Length: 5")
    for _ in _until(seconds):
        head = POST + b"Transfer-Encoding: " + rng.choice(codings) + b"\r\n\r\n"
        with connection(port, head + rng.choice(sizes)) as sock:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_WR)
            check(rest(sock), 200, 303, 400, 422, 501)


def deaf(port: int, seconds: float, rng: random.Random) -> None:
    """Ask for pictures, one or hundreds at once, and never read them."""
    with contextlib.ExitStack() as stack:
        for _ in _until(seconds):
            asked = f"GET {costly(rng)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            stack.enter_context(connection(port, rng.choice((1, 1, 1, 200)) * asked))
            time.sleep(0.2)


def noise(port: int, seconds: float, rng: random.Random) -> None:
    """Bytes that are nothing at all."""
    for _ in _until(seconds):
        with connection(port, rng.randbytes(rng.randint(1, 2000)) + b"\r\n\r\n") as sock:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_WR)
            check(rest(sock), 400, 404, 405, 414, 431)


ATTACKS = [
    Attack(work.__name__, work)
    for work in (trickle, trickle_body, silent, half_open, oversized, pipelined, wrong_lengths, chunked, deaf, noise)
]


def attack(port: int, attacks: list[Attack], seconds: float, seed: int = 1) -> str:
    """Do all of these at once; return how others fared, or raise what was answered that should not be."""
    wrong: list[str] = []

    def run(one: Attack) -> None:
        try:
            one.run(port, seconds, random.Random(f"{seed} {one.name}"))
        except Exception as error:
            wrong.append(f"{one.name}: {error!r}")

    threads = [threading.Thread(target=run, args=(one,)) for one in attacks]
    with witness(port) as seen:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong + seen.wrong, "\n".join(wrong + seen.wrong)
    assert seen.times, "nobody else was answered"
    return f"{', '.join(one.name for one in attacks)}: {seen}"
