"""The server gives an answer again only where it would make the same one anew, and keeps no more than it may."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, EnvironBuilder, TestResponse

from critmass.web import create_app
from critmass.web.http.cache import Cache


def told(response: TestResponse) -> tuple[str, bytes, list[tuple[str, str]]]:
    """All that an answer says, but for the date, which a server adds, and which gzip puts into its head."""
    body = response.data if response.content_encoding != "gzip" else response.data[10:]
    return response.status, body, [(name, value) for name, value in response.headers if name != "Date"]


PATHS = ("/m/0z7c", "/m/0z7c?part=1", "/m/0z7c?names=Ada", "/m/0z7c.json", "/m/0z7c.png?size=128", "/m/00", "/")
WHOLE = [{}, *({"Accept-Encoding": accepted} for accepted in ("br", "zstd", "gzip", "br;q=0"))]
HOSTS = ["localhost", "chain.example", "forged.example"]
HTMX = [{}, {"HX-Request": "true"}]
SCHEMES = ["http", "https"]


@pytest.fixture(scope="module")
def fresh() -> Flask:
    return create_app({"CACHE_BYTES": 0, "ALLOWED_HOSTS": ("chain.example",)})


@pytest.fixture(scope="module")
def keeping() -> Flask:
    return create_app({"ALLOWED_HOSTS": ("chain.example",)})


def test_an_answer_given_again_is_the_one_that_would_be_made(fresh: Flask, keeping: Flask) -> None:
    asked = list(product(PATHS, WHOLE, HTMX, HOSTS, SCHEMES))
    for _ in range(2):
        for path, encoding, htmx, host, scheme in asked:
            how = {"headers": {**encoding, **htmx}, "base_url": f"{scheme}://{host}/"}
            for method in ("GET", "HEAD"):
                mine, theirs = (app.test_client().open(path, method=method, **how) for app in (keeping, fresh))
                assert told(mine) == told(theirs)


def test_what_is_kept_is_asked_for_by_its_tag(fresh: Flask, keeping: Flask) -> None:
    first = keeping.test_client().get("/m/0z7c")
    for tag, status in ((first.headers["ETag"], 304), (f"W/{first.headers['ETag']}", 304), ("*", 304), ('"x"', 200)):
        mine, theirs = (app.test_client().get("/m/0z7c", headers={"If-None-Match": tag}) for app in (keeping, fresh))
        assert mine.status_code == theirs.status_code == status
        assert told(mine) == told(theirs)


class Counted:
    """An application that says how often it was asked, and answers as the query string wants it to."""

    def __init__(self) -> None:
        self.asked = 0
        self.open = 0

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        self.asked += 1
        self.open += 1
        status, _, cached = environ["QUERY_STRING"].partition(",")
        headers = [("Content-Type", "text/plain"), ("Cache-Control", cached or "public"), ("ETag", '"t"')]
        start_response(f"{status or 200} X", headers)
        return Body(self)


class Body:
    """Ten kilobytes that want to be closed."""

    def __init__(self, app: Counted) -> None:
        self._app = app

    def __iter__(self) -> Iterator[bytes]:
        return iter([b"x" * 5_000] * 2)

    def close(self) -> None:
        self._app.open -= 1


def ask(cache: Cache, path: str, method: str = "GET", **headers: str) -> bytes:
    with Client(cache).open(EnvironBuilder(path, method=method, headers=headers)) as response:
        return response.data


def test_an_answer_is_made_once() -> None:
    app = Counted()
    cache = Cache(app, 100_000)
    assert {ask(cache, "/a") for _ in range(3)} == {b"x" * 10_000}
    assert (app.asked, app.open) == (1, 0)


@pytest.mark.parametrize("query", ["404", "308", "200,no-store", "200,private", "500"])
def test_what_may_not_be_kept_is_made_anew(query: str) -> None:
    app = Counted()
    cache = Cache(app, 100_000)
    for _ in range(3):
        ask(cache, f"/a?{query}")
    assert (app.asked, app.open) == (3, 0)


def test_only_whole_answers_to_get_are_kept() -> None:
    app = Counted()
    cache = Cache(app, 100_000)
    for _ in range(2):
        ask(cache, "/a", "POST")
        ask(cache, "/a", "HEAD")
        ask(cache, "/a", Range="bytes=0-1")
    assert (app.asked, app.open) == (6, 0)


def test_the_longest_unused_goes_when_there_is_no_room() -> None:
    app = Counted()
    cache = Cache(app, 50_000)  # three answers and a half
    for path in ("/a", "/b", "/c", "/a", "/d"):
        ask(cache, path)
    assert app.asked == 4
    ask(cache, "/a")
    ask(cache, "/d")
    assert app.asked == 4
    ask(cache, "/b")
    assert app.asked == 5
    for number in range(500):
        ask(cache, f"/{number}")
    assert len(cache) == 3


def test_without_room_nothing_is_kept() -> None:
    app = Counted()
    cache = Cache(app, 0)
    ask(cache, "/a")
    ask(cache, "/a")
    assert (app.asked, app.open, len(cache)) == (2, 0, 0)


def test_what_was_asked_takes_room_too() -> None:
    """A client that asks at such length as it may would otherwise have many times the memory of the cache."""
    cache = Cache(Counted(), 500_000)
    long = 8_000 * "x"
    for number in range(100):
        ask(cache, f"/{number}{long}?200,public", Host=long, **{"Accept-Encoding": long, "HX-Request": long})
    assert 0 < len(cache) * (10_000 + 4 * len(long)) <= 500_000
