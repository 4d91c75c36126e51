"""What is costly is limited: so much a minute for each client, and so much at the same time."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.web import create_app
from critmass.web.http.rate_limit import FILM, PLACES, SEARCH, Buckets, client_of

STRANGER = {"REMOTE_ADDR": "203.0.113.7"}


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_empty_after_so_many_and_fills_in_a_minute() -> None:
    clock = Clock()
    buckets = Buckets(60, clock)
    assert [buckets.take("a", 1) for _ in range(60)] == [0] * 60
    assert buckets.take("a", 1) == 1
    assert buckets.take("a", 5) == 5
    assert buckets.take("b", 60) == 0  # everybody has a bucket of their own
    clock.now += 4.5
    assert buckets.take("a", 5) == pytest.approx(0.5)
    clock.now += 0.5
    assert buckets.take("a", 5) == 0
    clock.now += 3600
    assert buckets.take("a", 60) == 0  # and no more than full
    assert buckets.take("a", 1) > 0


def test_what_costs_more_than_a_bucket_holds_is_never_there() -> None:
    assert Buckets(3).take("a", 5) > 0


def test_a_flood_of_clients_takes_no_more_memory_than_so_many() -> None:
    buckets = Buckets(10)
    for number in range(30_000):
        buckets.take(str(number), 1)
    assert len(buckets) == 10_000


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("203.0.113.7", "::ffff:203.0.113.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        *[(loopback, None) for loopback in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "", "unix:", None)],
    ],
)
def test_a_client_is_an_address_or_a_network(address: str | None, same: str | None) -> None:
    assert client_of(address) == client_of(same)
    assert (client_of(address) is None) == (same is None)


def test_other_clients_are_others() -> None:
    addresses = ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::1", "2001:db8:1:3::1"]
    assert len({client_of(address) for address in addresses}) == 4


@pytest.fixture
def app() -> Flask:
    return create_app({"RATE_LIMIT": 12})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


def small(number: int, suffix: str = ".png") -> str:
    """One of many small pictures, none of them in the cache."""
    return f"/m/0z7c{suffix}?size={128 + number}"


def test_pictures_run_out_and_everything_else_does_not(client: FlaskClient) -> None:
    statuses = [client.get(small(number), environ_overrides=STRANGER).status_code for number in range(14)]
    assert statuses == [200] * 12 + [429] * 2
    refused = client.get(small(99), environ_overrides=STRANGER)
    assert 1 <= int(refused.headers["Retry-After"]) <= 5
    assert refused.mimetype == "text/plain"
    assert "limit" in refused.text
    assert refused.headers["Cache-Control"] == "no-store"
    assert client.get(small(99, ".gif"), environ_overrides=STRANGER).status_code == 429
    for path in (small(0), "/m/0z7c", "/m/0z7c.svg", "/m/0z7c.json", "/m/00.png", "/m/0!.png", "/"):
        assert client.get(path, environ_overrides=STRANGER).status_code in (200, 404, 308), path
    assert client.get(small(99), environ_overrides={"REMOTE_ADDR": "203.0.113.8"}).status_code == 200


def test_a_film_costs_as_much_as_some_pictures(client: FlaskClient) -> None:
    statuses = [client.get(small(number, ".gif"), environ_overrides=STRANGER).status_code for number in range(4)]
    assert statuses == [200] * (12 // FILM) + [429] * (4 - 12 // FILM)


def test_this_machine_is_not_limited(client: FlaskClient) -> None:
    assert {client.get(small(number)).status_code for number in range(20)} == {200}


def test_without_a_limit_nobody_is() -> None:
    client = create_app({"RATE_LIMIT": 0}).test_client()
    assert {client.get(small(number), environ_overrides=STRANGER).status_code for number in range(20)} == {200}


@pytest.mark.parametrize(("suffix", "other"), [(".png", ".gif"), (".gif", ".png")])
def test_only_so_many_are_drawn_at_once(app: Flask, client: FlaskClient, suffix: str, other: str) -> None:
    places = app.extensions["places"][suffix]
    for _ in range(PLACES[suffix]):
        assert places.acquire(blocking=False)
    refused = client.get(small(0, suffix), environ_overrides=STRANGER)
    assert (refused.status_code, refused.mimetype, refused.headers["Retry-After"]) == (503, "text/plain", "2")
    assert "Too many" in refused.text
    assert refused.headers["Cache-Control"] == "no-store"
    for path in (small(0, other), "/m/0z7c", "/m/0z7c.json", "/m/0z7c.svg"):
        assert client.get(path).status_code == 200, path
    places.release()
    assert [client.get(small(number, suffix)).status_code for number in range(3)] == [200] * 3
    for path in (f"/m/00{suffix}", f"/m/0z7c{suffix}?size=9"):  # what goes wrong gives its place back
        assert client.get(path).status_code == 404
    # A refusal cost nothing: there is enough left for all that a client has in a minute.
    cost = FILM if suffix == ".gif" else 1
    left = [
        client.get(small(number, suffix), environ_overrides=STRANGER).status_code for number in range(9, 9 + 12 // cost)
    ]
    assert left == [200] * (12 // cost)


@pytest.mark.parametrize(
    ("path", "media"), [("/m/0.json", "application/json"), ("/m/0.png", "text/plain"), ("/m/0", "text/html")]
)
def test_a_refusal_is_of_the_kind_that_was_asked_for(client: FlaskClient, path: str, media: str) -> None:
    refused = client.delete(path)
    assert (refused.status_code, refused.mimetype) == (405, media)
    assert "GET" in refused.headers["Allow"]
    if media == "application/json":
        error = refused.get_json()["error"]
        assert (error["code"], error["ply"]) == ("method-not-allowed", None)
        assert error["message"]


def test_moves_of_the_computer_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app({"RATE_LIMIT": 2 * SEARCH})
    thought = {"cell": 5, "score": 0.0, "end": None, "line": [5], "depth": 1, "nodes": 1}
    monkeypatch.setattr(app.extensions["thinking"], "ask", lambda _: thought)
    client = app.test_client()
    asked = [client.get(f"/computer?link=/m/{cell}?computer=22", environ_overrides=STRANGER) for cell in "012"]
    assert [answer.status_code for answer in asked] == [303, 303, 429]
    assert 1 <= int(asked[2].headers["Retry-After"]) <= 60
    assert asked[2].headers["Cache-Control"] == "no-store"
    assert "busy" in asked[2].text
