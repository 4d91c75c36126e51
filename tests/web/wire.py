"""Requests as a server hands them on, with any bytes at all."""

from collections.abc import Iterable
from typing import NamedTuple

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


def answer(
    app: Flask, path: bytes, query: bytes = b"", method: str = "GET", variables: Iterable[tuple[str, bytes]] = ()
) -> Answer:
    """Call the app with that path, not percent-encoded, and these variables of the environment."""
    environ = EnvironBuilder(method=method).get_environ()
    environ |= {"PATH_INFO": path.decode("latin-1"), "QUERY_STRING": query.decode("latin-1")}
    environ |= {name: value.decode("latin-1") for name, value in variables}
    body, status, headers = run_wsgi_app(app.wsgi_app, environ)
    return Answer(int(status[:3]), dict(headers), b"".join(body))


def on_this_site(location: str) -> bool:
    """Whether no browser would leave the site for a redirect to there."""
    return (
        location.startswith("/")
        and not location.startswith(("//", "/\\"))
        and all("!" <= character <= "~" for character in location)
    )
