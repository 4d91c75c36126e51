"""What the server writes down: its own troubles on standard error, and each answer as a line of JSON if wanted.

A line of the access log says when, what, how it went and how long it took. Who asked is left out, and so is the query,
in which people's names are: neither is needed to see how the server does.
"""

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from critmass.web.cache import GIVEN_AGAIN
from critmass.web.metrics import Metrics

STDOUT = "-"
_BEGINNING = b'{"time": "'
"""By what an access log is known."""


class Record(Logger):
    """Gunicorn's log, its access log in JSON, and the counters."""

    def __init__(self, cfg: Config, path: str | None, metrics: Metrics | None) -> None:
        """Write the access log to that file, or to standard output for `-`; `OSError` where that cannot be."""
        super().__init__(cfg)
        self.metrics = metrics
        self._path = path
        self._file = _opened(path)

    def access(self, resp: Any, req: Any, environ: Mapping[str, Any], request_time: timedelta) -> None:  # noqa: ARG002
        """Write an answer down."""
        self.answered(
            str(environ["REQUEST_METHOD"]),
            environ["PATH_INFO"],
            str(resp.status)[:3],
            resp.sent,
            max(0.0, request_time.total_seconds()),  # clocks jump
            again=GIVEN_AGAIN in environ,
        )

    def answered(
        self, method: str | None, path: str | None, status: str, sent: int, seconds: float, *, again: bool = False
    ) -> None:
        """Write an answer down; method and path are unknown where the request could not be read."""
        if self.metrics:
            self.metrics.count(path or "", status, sent, seconds, again)
        if self._file is None:
            return
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "method": method,
            "path": path,
            "status": int(status),
            "bytes": sent,
            "ms": round(1000 * seconds, 2),
            "again": again,
            "worker": os.getpid(),
        }
        with contextlib.suppress(OSError):  # a full disk is no reason not to answer
            os.write(self._file, json.dumps(line).encode() + b"\n")  # one write, so that lines stay whole

    def exception(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Write an error down, but for a client that took too long to take its answer."""
        if not isinstance(sys.exc_info()[1], TimeoutError):
            super().exception(msg, *args, **kwargs)

    def reopen_files(self) -> None:
        """Go on in a new file where the old one was moved away."""
        super().reopen_files()
        with contextlib.suppress(OSError):
            old, self._file = self._file, _opened(self._path)
            if old is not None and self._path != STDOUT:
                os.close(old)


def _opened(path: str | None) -> int | None:
    """Return the file that lines are added to; raise `OSError` where there is none, or lines would spoil it."""
    if path is None:
        return None
    if path == STDOUT:
        return sys.stdout.fileno()
    half = _has_half_a_line(Path(path))
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o640)
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
