"""The answers that were given lately, kept as they went over the wire: drawn and compressed once.

An answer that says `Cache-Control: public` is a function of the address, the site's name, and the few headers that
it varies by. So the server may give it again, as any cache between it and the reader may.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from werkzeug.datastructures import Headers
from werkzeug.http import is_resource_modified, remove_entity_headers

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

# All that an answer depends on.
_ASKED = (
    "wsgi.url_scheme",
    "HTTP_HOST",
    "SCRIPT_NAME",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_HX_REQUEST",
)
GIVEN_AGAIN = "critmass.given_again"
"""What is in the environment of a request that was answered out of memory."""
_LARGEST = 1 << 18
_COPIED = 1 << 11
# What Python needs to hold an answer.
_OVERHEAD = 4096


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with the status 200, compressed as it was asked for."""

    headers: list[tuple[str, str]]
    body: bytes
    tag: str

    @property
    def size(self) -> int:
        """About how much memory it takes, in bytes, but for its headers."""
        return len(self.body) + _OVERHEAD


class Cache:
    """A WSGI application that gives the answers of another again; of those kept, the longest unused go first."""

    def __init__(self, app: "WSGIApplication", limit: int) -> None:
        """Keep at most `limit` bytes of answers of `app`."""
        self._app = app
        self._limit = limit
        self._answers: OrderedDict[tuple[str, ...], Answer] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._answers)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request."""
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_RANGE" in environ:
            return self._app(environ, start_response)
        asked = tuple(environ.get(name, "") for name in _ASKED)
        with self._lock:
            answer = self._answers.get(asked)
            if answer:
                self._answers.move_to_end(asked)
        if answer is None:
            return self._ask(asked, environ, start_response)
        environ[GIVEN_AGAIN] = True
        if is_resource_modified(environ, answer.tag):
            start_response("200 OK", list(answer.headers))
            return _sent(environ, answer.body)
        headers = Headers(answer.headers)
        remove_entity_headers(headers)
        start_response("304 NOT MODIFIED", headers.to_wsgi_list())
        return []

    def _ask(
        self, asked: tuple[str, ...], environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Have the application answer, and keep what may be kept."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *more: object) -> object:
            started.append((status, headers))
            return start_response(status, headers, *more)  # type: ignore[arg-type]

        given = self._app(environ, start)  # type: ignore[arg-type]
        status, headers = started[-1]
        known = {name.lower(): value for name, value in headers}
        if not status.startswith("200") or "public" not in known.get("cache-control", "") or "etag" not in known:
            return given
        body = b"".join(given)
        if hasattr(given, "close"):
            given.close()
        if len(body) <= _LARGEST:
            lasting = [(name, value) for name, value in headers if name.lower() != "date"]  # the server knows the date
            self._keep(asked, Answer(lasting, body, known["etag"].strip('"')))
        return _sent(environ, body)

    def _keep(self, asked: tuple[str, ...], answer: Answer) -> None:
        with self._lock:
            if asked in self._answers:
                return
            self._answers[asked] = answer
            self._size += _weight(asked, answer)
            while self._size > self._limit:
                self._size -= _weight(*self._answers.popitem(last=False))


def _sent(environ: "WSGIEnvironment", body: bytes) -> Iterable[bytes]:
    """Return a body as it is sent: by the server's own means for files, which copy nothing of it.

    So an answer that a thousand clients are slow to take is in memory once.
    """
    wrapper = environ.get("wsgi.file_wrapper")
    return wrapper(BytesIO(body)) if wrapper and len(body) > _COPIED else [body]


def _weight(asked: tuple[str, ...], answer: Answer) -> int:
    """About how much memory an answer takes, with what was asked: that may be long, on purpose."""
    return sum(map(len, asked)) + sum(len(name) + len(value) for name, value in answer.headers) + answer.size
