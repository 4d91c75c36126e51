"""One of the processes that answer: gunicorn's worker with threads, and answers of its own to what is no request."""

import socket
from http import HTTPStatus
from ssl import SSLError
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

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
_OURS = (errors.InvalidResponseHeader, errors.InvalidResponseHeaderName)  # type: ignore[attr-defined]


class Worker(ThreadWorker):
    """A process that answers, several requests at a time."""

    log: Record
    metrics_socket: socket.socket | None = None
    row: int | None = None

    def init_process(self) -> None:
        """Answer until told to end."""
        if self.log.metrics and self.row is not None:
            self.log.metrics.begin(self.row)
            if self.metrics_socket:
                answer_on(self.metrics_socket, self.log.metrics)
        super().init_process()

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:  # noqa: ARG002
        """Answer a request that could not be read, or that broke the app, in plain words that quote nothing."""
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        if not isinstance(exc, _OURS):
            status = next((code for kind, code in _REFUSED.items() if isinstance(exc, kind)), status)
        if status is HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log.exception("A request could not be answered")
        answer = plain(status)
        self.log.answered(None, None, str(status.value), len(answer), 0)
        try:
            util.write_nonblock(client, answer)
        except OSError:
            self.log.debug("The client had gone")


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
