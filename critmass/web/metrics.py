"""What the workers have done so far, for Prometheus.

The counters are a page of memory that all workers share: each adds to a row of its own, and whoever is asked sums the
rows up. Nothing is written to files, and nothing is lost with a worker that dies. (prometheus-client keeps a file a
worker for that, which has to lie somewhere and is never tidied up, and takes more memory than a worker of this app.)
"""

import mmap
import socket
import socketserver
from bisect import bisect_left
from http.server import BaseHTTPRequestHandler
from itertools import accumulate, product
from threading import Lock, Thread

from critmass import __version__

KINDS = ("page", "json", "txt", "svg", "png", "gif", "static")
STATUSES = ("200", "303", "304", "308", "400", "404", "405", "411", "413", "414", "422", "429", "431", "500", "503")
OTHER = "other"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper ends of the histogram's buckets, in seconds; the last one is open."""
_REQUESTS = [*product(KINDS, (*STATUSES, OTHER))]
_NAMES: list[str | tuple[str, str]] = [*_REQUESTS, "again", "bytes", "microseconds", "workers"]
_SLOTS = {name: number for number, name in enumerate(_NAMES)}
_TIMES = len(_SLOTS)
_WIDTH = _TIMES + len(BOUNDS) + 1
_ROWS = 64


def kind_of(path: str) -> str:
    """Return what is asked for there: a representation, a static file, or else a page."""
    if path.startswith("/static/"):
        return "static"
    suffix = path.rpartition(".")[2]
    return suffix if suffix in KINDS else "page"


class Metrics:
    """Counters that processes forked from this one share."""

    def __init__(self) -> None:
        self._cells = memoryview(mmap.mmap(-1, 8 * _WIDTH * _ROWS)).cast("Q")
        self._free = list(range(_ROWS))
        self._row = 0
        self._lock = Lock()

    def claim(self) -> int:
        """Return a row for a new worker; what its last owner counted stays in it."""
        return self._free.pop() if self._free else 0

    def release(self, row: int) -> None:
        """Take back the row of a worker that has ended."""
        self._free.append(row)

    def begin(self, row: int) -> None:
        """Count into this row from now on: this is its worker."""
        self._row = row * _WIDTH
        self._lock = Lock()  # one that no other thread held when the process was forked
        self._add("workers", 1)

    def count(self, path: str, status: str, sent: int, seconds: float, again: bool) -> None:
        """Count an answer."""
        with self._lock:
            self._add((kind_of(path), status if status in STATUSES else OTHER), 1)
            self._add("again", again)
            self._add("bytes", sent)
            self._add("microseconds", round(seconds * 1e6))
            self._cells[self._row + _TIMES + bisect_left(BOUNDS, seconds)] += 1

    def _add(self, name: str | tuple[str, str], amount: int) -> None:
        self._cells[self._row + _SLOTS[name]] += amount

    def text(self) -> str:
        """Return all of it in the text format that Prometheus reads."""
        sums = [sum(self._cells[slot::_WIDTH]) for slot in range(_WIDTH)]
        counted = {f'{{kind="{kind}",status="{status}"}}': sums[_SLOTS[kind, status]] for kind, status in _REQUESTS}
        times = list(accumulate(sums[_TIMES:]))
        return "".join(
            (
                _family("critmass_build_info", "gauge", {f'{{version="{__version__}"}}': 1}),
                _family("critmass_workers_started_total", "counter", {"": sums[_SLOTS["workers"]]}),
                _family("critmass_requests_total", "counter", {key: it for key, it in counted.items() if it}),
                _family("critmass_given_again_total", "counter", {"": sums[_SLOTS["again"]]}),
                _family("critmass_sent_bytes_total", "counter", {"": sums[_SLOTS["bytes"]]}),
                _family(
                    "critmass_request_seconds",
                    "histogram",
                    {
                        **{f'_bucket{{le="{end}"}}': it for end, it in zip((*BOUNDS, "+Inf"), times, strict=True)},
                        "_sum": sums[_SLOTS["microseconds"]] / 1e6,
                        "_count": times[-1],
                    },
                ),
            )
        )


_HELP = {
    "critmass_build_info": "The version of the program.",
    "critmass_workers_started_total": "Workers started since the server was.",
    "critmass_requests_total": "Answers by what was asked for and status.",
    "critmass_given_again_total": "Answers out of a worker's memory.",
    "critmass_sent_bytes_total": "Bytes of bodies sent.",
    "critmass_request_seconds": "Time from request read to answer written.",
}


def _family(name: str, kind: str, samples: dict[str, float]) -> str:
    head = f"# HELP {name} {_HELP[name]}\n# TYPE {name} {kind}\n"
    return head + "".join(f"{name}{rest} {value}\n" for rest, value in samples.items())


def answer_on(sock: socket.socket, metrics: Metrics) -> None:
    """Answer /metrics on a listening socket, in a thread of its own: whichever worker takes the connection can."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            found = self.path.partition("?")[0] == "/metrics"
            body = metrics.text().encode() if found else b"There is only /metrics here.\n"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = socketserver.ThreadingTCPServer(("", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.daemon_threads = True
    sock.setblocking(False)  # another worker may have been faster
    server.socket = sock
    Thread(target=server.serve_forever, daemon=True).start()
