"""The app behind something that may answer in its place: a proxy, or a network that wants a login."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from critmass.web import create_app

LOGIN = "<!doctype html><title>Hotel</title><h1>Welcome to our network</h1><a href=/login>Log in</a>"


Other = Callable[["Gateway", Any, Any], Iterable[bytes]]


class Gateway:
    """A server in front of the app, which can be replaced by another version or answered for by others."""

    def __init__(self) -> None:
        self.app: Flask = create_app()
        self.other: str | None = None
        """Who answers in place of the app, one of `OTHERS` or `moved`; nobody if none."""
        self.where = ""
        """What the paths begin with that they answer; all, if nothing is said."""
        self.asked: list[str] = []
        """The paths that they were asked for."""
        self.last_worker = ""
        """What is left of the worker where the site has moved."""
        self.awaited = threading.Event()
        """Set when what does not come is no longer waited for."""
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.port = self._server.port
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if self.other is None or not environ["PATH_INFO"].startswith(self.where):
            return self.app(environ, start_response)
        self.asked.append(environ["PATH_INFO"])
        return (_moved if self.other == "moved" else OTHERS[self.other])(self, environ, start_response)

    def update(self) -> str:
        """Put a new version into service, and return what it is called."""
        self.app = create_app({"BASE_URL": self.url})
        return self.app.extensions["version"]

    def close(self) -> None:
        """End it."""
        self.awaited.set()
        self._server.shutdown()
        self._server.server_close()


def _says(status: str, body: str, **headers: str) -> Other:
    def answer(_: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
        told = [(name.replace("_", "-"), value.format(**environ)) for name, value in headers.items()]
        start_response(status, [("Content-Type", "text/html"), ("Content-Length", str(len(body))), *told])
        return [body.encode()]

    return answer


def _leads_to_login(status: str, location: str) -> Other:
    login, leads = _says("200 OK", LOGIN), _says(status, "", Location=location)

    def answer(gateway: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
        return (login if environ["PATH_INFO"] == "/login" else leads)(gateway, environ, start_response)

    return answer


def _never(gateway: Gateway, _: Any, start_response: Any) -> Iterable[bytes]:
    gateway.awaited.wait()
    start_response("504 Gateway Timeout", [])
    return []


def _half(gateway: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
    """Begin the app's own answer, and never go on."""
    whole = b"".join(gateway.app(environ, start_response))

    def parts() -> Iterable[bytes]:
        yield whole[: len(whole) // 2]
        gateway.awaited.wait()

    return parts()


def _cut(gateway: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
    """Break off in the middle of the app's own answer."""
    whole = b"".join(gateway.app(environ, start_response))
    return [whole[: len(whole) // 2]]


def _broken(gateway: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
    """Answer as the app itself does when it fails."""

    def fails(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        return start_response("500 Internal Server Error", headers, *more)

    return gateway.app(environ, fails)


def _moved(gateway: Gateway, environ: Any, start_response: Any) -> Iterable[bytes]:
    """Send everybody on to another name, but for the worker."""
    if environ["HTTP_HOST"].startswith("play.test"):
        return gateway.app(environ, start_response)
    if environ["PATH_INFO"] != "/sw.js":
        return _says("301 Moved", "", Location="http://play.test:{SERVER_PORT}{PATH_INFO}")(
            gateway, environ, start_response
        )
    start_response("200 OK", [("Content-Type", "text/javascript"), ("Cache-Control", "no-cache")])
    return [gateway.last_worker.encode()]


OTHERS: dict[str, Other] = {
    "500": _says("500 Internal Server Error", "<h1>Oops</h1>"),
    "502": _says("502 Bad Gateway", "<h1>Bad Gateway</h1>"),
    "503": _says("503 Service Unavailable", "<h1>Overload</h1>", Retry_After="2"),
    "504": _says("504 Gateway Timeout", "<h1>Gateway Timeout</h1>"),
    "403": _says("403 Forbidden", "<h1>Not from here</h1>"),
    "404": _says("404 Not Found", "<h1>Nothing here</h1>"),
    "429": _says("429 Too Many Requests", "<h1>Slow down</h1>", Retry_After="60"),
    "login": _says("200 OK", LOGIN),
    "login-elsewhere": _leads_to_login("302 Found", "http://play.test:{SERVER_PORT}/login"),
    "login-here": _leads_to_login("307 Temporary Redirect", "/login"),
    "never": _never,
    "half": _half,
    "cut": _cut,
    "broken": _broken,
}
