"""Requests as bytes over a real socket, and what comes back."""

import contextlib
import re
import socket
from collections.abc import Iterator
from typing import NamedTuple

HANG = 60
"""The seconds after which an answer that has not come is a hang."""
_LINE = re.compile(rb"[A-Za-z][A-Za-z-]*: [^\r\n\0]*")


class Lost(Exception):
    """A connection that ended before a whole answer had come."""


class Answer(NamedTuple):
    """What came back: header names in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def stays_open(self) -> bool:
        """Whether the next request may go over the same connection."""
        return self.headers.get("connection", "").lower() != "close"


class Client:
    """A client that keeps its connection for as long as the server does."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._sock: socket.socket | None = None
        self._come = b""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        if self._sock:
            self._sock.close()
        self._sock, self._come = None, b""

    def ask(self, request: bytes) -> Answer:
        """Send a request and return its answer; raise `Lost`, or `TimeoutError` for a hang.

        A connection that the server had closed for want of requests is opened anew, as any client does.
        """
        kept = self._sock is not None
        try:
            return self._ask(request)
        except Lost:
            if not kept:
                raise
            return self._ask(request)

    def _ask(self, request: bytes) -> Answer:
        if self._sock is None:
            self._sock = socket.create_connection(("127.0.0.1", self._port), timeout=HANG)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has read all of it
            self._sock.sendall(request)
        try:
            answer = self._answer(request.startswith(b"HEAD "))
        except BaseException:
            self.close()
            raise
        if self._come or not answer.stays_open:
            self.close()
        return answer

    def get(self, target: str) -> Answer:
        """Ask for a target that needs no escaping."""
        return self.ask(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def _answer(self, bodiless: bool) -> Answer:
        status, headers = self._head()
        while status < 200:  # go on
            status, headers = self._head()
        length = 0 if bodiless or status == 304 else int(headers["content-length"])
        while len(self._come) < length:
            self._more()
        body, self._come = self._come[:length], self._come[length:]
        return Answer(status, headers, body)

    def _head(self) -> tuple[int, dict[str, str]]:
        while b"\r\n\r\n" not in self._come:
            self._more()
        head, _, self._come = self._come.partition(b"\r\n\r\n")
        return parse_head(head)

    def _more(self) -> None:
        assert self._sock
        try:
            data = self._sock.recv(1 << 16)
        except ConnectionError as error:
            raise Lost(str(error)) from error
        if not data:
            raise Lost("it was closed")
        self._come += data


def parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    """Return status and headers; every line has to be a header's."""
    first, *lines = head.split(b"\r\n")
    found = re.fullmatch(rb"HTTP/1\.[01] ([1-5][0-9][0-9]) [^\r\n\0]*", first)
    assert found, first
    assert all(_LINE.fullmatch(line) for line in lines), head
    pairs = (line.decode("latin-1").split(": ", 1) for line in lines)
    return int(found[1]), {name.lower(): value for name, value in pairs}


@contextlib.contextmanager
def connection(port: int, sent: bytes = b"") -> Iterator[socket.socket]:
    """A bare connection, over which these bytes are sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG) as sock:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            sock.sendall(sent)
        yield sock


def rest(sock: socket.socket) -> bytes:
    """All that still comes over a connection until the server closes it."""
    come = b""
    with contextlib.suppress(ConnectionError):
        while data := sock.recv(1 << 16):
            come += data
    return come
