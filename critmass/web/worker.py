"""One of the processes that answer: gunicorn's worker with threads, and answers of its own to what is no request."""

import re
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from ssl import SSLError
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker

from critmass.web.headers import HEADERS
from critmass.web.metrics import answer_on
from critmass.web.record import Record

_REFUSED = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.ParseException: HTTPStatus.BAD_REQUEST,
    SSLError: HTTPStatus.BAD_REQUEST,
}
"""What is answered to a request that cannot be read; the first that fits."""
LONGEST_LINE = 8190
"""The most bytes of a request's first line, the address in it; a longer one is answered 414."""
LARGEST_HEAD, LARGEST_BODY = 1 << 16, 1 << 18
"""The most bytes of all header fields, and of what is posted; beyond, it is answered 431 and 413."""
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
"""What tells a worker to end. The master has them wait while it starts one: a new process would lose them."""
LONGEST_QUEUE = 3
"""The seconds after which a request that no thread had time for is answered 503, so that the next has a chance."""
_LINGER = 2
_SENDING = 60
"""The seconds that a client has for taking what does not fit into the buffer of its connection."""
_SEND_BUFFER = 1 << 20
_MOST_LEFT = 1 << 25
"""The most bytes of answers that wait for their clients; beyond, who takes longest is given up."""
_AT_ONCE = 1 << 16
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})", re.IGNORECASE)
_OURS = (errors.InvalidResponseHeader, errors.InvalidResponseHeaderName)  # type: ignore[attr-defined]


class Outbox(socket.socket):
    """A client's socket, on which an answer never waits: what the client does not take yet stays here until it does."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock.family, sock.type, sock.proto, sock.detach())
        self.left = bytearray()

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send as much as is taken at once, and keep the rest."""
        self.left += data
        self.flush(flags)

    def flush(self, flags: int = 0) -> bool:
        """Send as much as is taken at once of what was kept; return whether that was all."""
        timeout = self.gettimeout()
        self.setblocking(False)
        try:
            with suppress(BlockingIOError):
                while self.left:
                    del self.left[: self.send(self.left, flags)]
        finally:
            self.settimeout(timeout)
        return not self.left


class Connection(TConn):
    """A client's connection, and what has come of its next request."""

    def __init__(self, worker: "Worker", sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, Outbox(sock), client, server)
        self.sock: Outbox
        sock = self.sock
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self.worker = worker
        self.data_ready = True
        self.come = bytearray()
        self.queued = 0.0

    def receive(self) -> bool:
        """Take what has come, without waiting; return whether a thread has something to do with it."""
        if self.parser:
            self.come += self.parser.unreader.take_buffered()  # type: ignore[union-attr]
        while not self.whole:
            try:
                data = self.sock.recv(_AT_ONCE)
            except BlockingIOError:
                return False
            except OSError:
                data = b""
            if not data:
                return True
            self.come += data
        return True

    @property
    def whole(self) -> bool:
        """Whether a request has come with all its body, or more than is taken."""
        head, body = self._lengths()
        return self.refusal is not None or (head > 0 and len(self.come) >= head + body)

    @property
    def refusal(self) -> HTTPStatus | None:
        """What is answered to a request that is too large."""
        head, body = self._lengths()
        if body > LARGEST_BODY:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if not head and len(self.come) > LONGEST_LINE and b"\r\n" not in self.come[: LONGEST_LINE + 2]:
            return HTTPStatus.REQUEST_URI_TOO_LONG
        if (head or len(self.come)) > LARGEST_HEAD:
            return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        return None

    @property
    def cut_short(self) -> bool:
        """Whether the client hung up in the middle of what it posted: nothing is to be made of such a piece."""
        head, body = self._lengths()
        return head > 0 and len(self.come) < head + body

    def _lengths(self) -> tuple[int, int]:
        """Return the bytes of the head, 0 as long as it has no end, and those that it says are in the body."""
        end = self.come.find(b"\r\n\r\n")
        length = _LENGTH.search(self.come, 0, end + 2) if end >= 0 else None
        return end + 4 if end >= 0 else 0, int(length[1]) if length else 0

    def init(self) -> None:
        """Hand what has come to the parser, which so never waits for a client."""
        super().init()
        self.sock.settimeout(_SENDING)
        if self.come:
            self.parser.unreader.unread(bytes(self.come))  # type: ignore[union-attr]
            self.come.clear()

    def close(self, graceful: bool = False) -> None:
        """Close it; gracefully, when the client has taken the answer."""
        if graceful:
            self.worker.linger(self)
        else:
            super().close()


class Worker(ThreadWorker):
    """A process that answers, several requests at a time.

    Threads are for requests that have come whole. Until then, while a client takes its time to take the answer, and
    until it hangs up, a connection only waits in the loop, so that slow clients, however many, keep nobody from being
    answered.
    """

    log: Record
    metrics_socket: socket.socket | None = None
    row: int | None = None
    patience = 10
    """The seconds that a client has for sending a request."""

    def init_process(self) -> None:
        """Answer until told to end."""
        self.sending: deque[Connection] = deque()
        self.lingering: deque[Connection] = deque()
        if self.log.metrics and self.row is not None:
            self.log.metrics.begin(self.row)
            if self.metrics_socket:
                answer_on(self.metrics_socket, self.log.metrics)
        super().init_process()

    def init_signals(self) -> None:
        """Get ready for signals, and then take those that came while nobody was (see `ENDING`)."""
        super().init_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    def accept(self, listener: socket.socket) -> None:
        """Take a connection."""
        try:
            sock, client = listener.accept()
        except OSError:  # another worker was faster, the client has gone, or there are no more files to be had
            return
        self.nr_conns += 1
        self.enqueue_req(Connection(self, sock, client, listener.getsockname()))

    def enqueue_req(self, conn: Connection) -> None:  # type: ignore[override]
        """Let a thread answer the next request of a connection, once it has come."""
        if conn.sock.gettimeout() != 0:
            conn.sock.setblocking(False)
        if conn.receive():
            self._submit(conn)
            return
        conn.timeout = time.monotonic() + self.patience
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: Connection, client: socket.socket) -> None:  # type: ignore[override]
        """Take more of a request."""
        if conn.receive():
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self._submit(conn)

    def _submit(self, conn: Connection) -> None:
        conn.queued = time.monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: Connection) -> bool:  # type: ignore[override]
        """Answer a request, in a thread; return whether the connection stays open."""
        if time.monotonic() - conn.queued > LONGEST_QUEUE:
            self._refuse(conn.sock, HTTPStatus.SERVICE_UNAVAILABLE, "Retry-After: 2")
            return False
        if conn.refusal:
            self._refuse(conn.sock, conn.refusal)
            return False
        if conn.cut_short:
            self._refuse(conn.sock, HTTPStatus.BAD_REQUEST)
            return False
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Connection) -> bool:  # type: ignore[override]
        """Answer a request that could be read."""
        if any(name == "TRANSFER-ENCODING" for name, _ in req.headers):
            self._refuse(conn.sock, HTTPStatus.LENGTH_REQUIRED)  # a body without an end would keep a thread waiting
            return False
        return super().handle_request(req, conn)

    def finish_request(self, conn: Connection, fs: Any) -> None:  # type: ignore[override]
        """Go on to the next request, or to the end, once the client has taken the answer."""
        if not conn.sock.left:
            super().finish_request(conn, fs)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + _SENDING
        self.sending.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_WRITE, partial(self._send_on, conn, fs))
        while sum(len(waiting.sock.left) for waiting in self.sending) > _MOST_LEFT:
            self._give_up_sending(self.sending.popleft())

    def _send_on(self, conn: Connection, fs: Any, client: Outbox) -> None:
        try:
            if not client.flush():
                return
        except OSError:  # it has gone
            self._give_up_sending(conn)
            self.sending.remove(conn)
            return
        self.poller.unregister(client)
        self.sending.remove(conn)
        super().finish_request(conn, fs)

    def _give_up_sending(self, conn: Connection) -> None:
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Give up on those who took too long to ask, to take an answer, or to hang up."""
        now = time.monotonic()
        for conn in _overdue(self.sending, now):
            self._give_up_sending(conn)
        for conn in _overdue(self.pending_conns, now):
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            if conn.come:
                self._refuse(conn.sock, HTTPStatus.REQUEST_TIMEOUT)
            conn.close()
        for conn in _overdue(self.lingering, now):
            self.poller.unregister(conn.sock)
            conn.close()

    def _cap_keepalive(self, deadline: float) -> None:
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout or deadline, deadline)
        super()._cap_keepalive(deadline)  # type: ignore[misc]

    def linger(self, conn: Connection) -> None:
        """Close a connection when its client has, or soon: at once, the end of the answer could get lost."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._drain, conn))
        except (OSError, ValueError):
            conn.close()
            return
        conn.timeout = time.monotonic() + _LINGER
        self.lingering.append(conn)

    def _drain(self, conn: Connection, client: socket.socket) -> None:
        with suppress(OSError):
            if client.recv(_AT_ONCE):
                return
        self.poller.unregister(client)
        self.lingering.remove(conn)
        conn.close()

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:  # noqa: ARG002
        """Answer a request that could not be read, or that broke the app, in plain words that quote nothing."""
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        if not isinstance(exc, _OURS):
            status = next((code for kind, code in _REFUSED.items() if isinstance(exc, kind)), status)
        if status is HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log.exception("A request could not be answered")
        self._refuse(client, status)

    def _refuse(self, client: socket.socket, status: HTTPStatus, *more: str) -> None:
        answer = plain(status, *more)
        self.log.answered(None, None, str(status.value), len(answer), 0)
        with suppress(OSError):  # who has gone needs no answer
            util.write_nonblock(client, answer)


def _overdue(waiting: deque[Any], now: float) -> Iterator[Connection]:
    """Take off those whose time is up; whoever came first is first."""
    while waiting and waiting[0].timeout <= now:
        yield waiting.popleft()


def plain(status: HTTPStatus, *more: str) -> bytes:
    """Return a whole answer that says its status in words, and closes the connection."""
    body = f"{status.phrase}.\n".encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *("Connection: close", "Content-Type: text/plain; charset=utf-8", "Cache-Control: no-store"),
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in HEADERS.items()),
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
