"""One WSGI middleware that sees every request which reaches the app: it writes the access log and counts.

A line of the log says when, what, how it went and how long it took. Who asked is left out, and so is the query, in
which people's names are: neither is needed to see how the server does.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from critmass.web.http.cache import GIVEN_AGAIN

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from critmass.web.http.metrics import Metrics

STDOUT = "-"
_BEGINNING = b'{"time": "'
"""By what an access log is known."""


class Answered(NamedTuple):
    """An answer, as it is written down and counted."""

    method: str
    path: str
    status: int
    bytes: int
    """Those of the body."""
    seconds: float
    again: bool
    """Whether it came out of memory."""


class AccessLog:
    """A file that gets a line of JSON for each answer."""

    def __init__(self, path: str) -> None:
        """Write to that file, or to standard output for `-`; raise `OSError` where that cannot be."""
        self._path = path
        self._file = self._opened()

    def write(self, answered: Answered) -> None:
        """Write a line; on a full disk it is lost."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "method": answered.method,
            "path": answered.path,
            "status": answered.status,
            "bytes": answered.bytes,
            "ms": round(1000 * answered.seconds, 2),
            "again": answered.again,
        }
        with contextlib.suppress(OSError):  # a full disk is no reason not to answer
            os.write(self._file, json.dumps(line).encode() + b"\n")  # one write, so that lines stay whole

    def reopen(self) -> None:
        """Go on in a new file where the old one was moved away."""
        if self._path == STDOUT:
            return
        with contextlib.suppress(OSError):
            new = self._opened()
            os.dup2(new, self._file, inheritable=False)  # under the same number: threads may be writing
            os.close(new)

    def _opened(self) -> int:
        if self._path == STDOUT:
            return sys.stdout.fileno()
        half = _has_half_a_line(Path(self._path))
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o640)
        if half:
            with contextlib.suppress(OSError):
                os.write(file, b"\n")
        return file


def _has_half_a_line(path: Path) -> bool:
    """Return whether an access log was cut short; raise `OSError` for a file that does not begin as one."""
    if not path.is_file():  # pipes and devices take everything
        return False
    with path.open("rb") as file:
        beginning = file.readline(len(_BEGINNING))
        if not beginning:
            return False
        if not _BEGINNING.startswith(beginning.rstrip(b"\n") or b"\n"):  # the first line too may have been cut short
            raise OSError(f"{path} holds something else than an access log: choose another file")
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def observed(app: "WSGIApplication", log: AccessLog | None, metrics: "Metrics | None") -> "WSGIApplication":
    """Return the app with each of its answers written down and counted, as far as that is wanted.

    Every answer of this app is made before it is sent, and says its length: what its body takes to be sent is not in
    the time, for it waits outside of threads.
    """
    tell: list[Callable[[Answered], None]] = [it for it in (log and log.write, metrics and metrics.count) if it]
    if not tell:
        return app

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        status, length = 500, 0

        def start(line: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal status, length
            status = int(line[:3])
            length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
            return start_response(line, headers, *more)

        begin = time.perf_counter()
        try:
            return app(environ, start)
        finally:
            method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
            sent = 0 if method == "HEAD" else length
            answered = Answered(method, path, status, sent, time.perf_counter() - begin, GIVEN_AGAIN in environ)
            for it in tell:
                it(answered)

    return answer
