"""What the server has done since it was started, for Prometheus, on a port of its own."""

from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)

from critmass import __version__

if TYPE_CHECKING:
    from critmass.web.http.access_log import Answered

KINDS = ("page", "json", "txt", "svg", "png", "gif", "static")
STATUSES = (200, 303, 304, 308, 400, 404, 405, 411, 413, 415, 422, 429, 500, 503)
OTHER = "other"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper ends of the histogram's buckets, in seconds; the last one is open."""


def kind_of(path: str) -> str:
    """Return what is asked for there: a representation, a static file, or else a page."""
    if path.startswith("/static/"):
        return "static"
    suffix = path.rpartition(".")[2]
    return suffix if suffix in KINDS else "page"


class Metrics:
    """The counters: however much is asked for, there are only so many of them."""

    def __init__(self) -> None:
        disable_created_metrics()
        self._registry = it = CollectorRegistry()
        ProcessCollector(registry=it)
        build = Gauge("critmass_build_info", "The version of the program.", ["version"], registry=it)
        build.labels(__version__).set(1)
        self._requests = Counter(
            "critmass_requests", "Answers by what was asked for and status.", ["kind", "status"], registry=it
        )
        self._again = Counter("critmass_given_again", "Answers out of memory.", registry=it)
        self._bytes = Counter("critmass_sent_bytes", "Bytes of bodies.", registry=it)
        self._seconds = Histogram(
            "critmass_request_seconds", "Time that making an answer took.", registry=it, buckets=BOUNDS
        )

    def count(self, answered: "Answered") -> None:
        """Count an answer."""
        status = str(answered.status) if answered.status in STATUSES else OTHER
        self._requests.labels(kind_of(answered.path), status).inc()
        self._again.inc(answered.again)
        self._bytes.inc(answered.bytes)
        self._seconds.observe(answered.seconds)

    def serve(self, host: str, port: int) -> str:
        """Answer there, in a thread of its own; return the address, and raise `OSError` where that cannot be."""
        server, _ = start_http_server(port, host, self._registry)
        return f"http://{f'[{host}]' if ':' in host else host}:{server.server_port}/metrics"
