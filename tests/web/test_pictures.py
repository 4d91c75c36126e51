"""Pictures as the app answers them."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageSequence

from critmass.bench import links
from critmass.links import FILM_SIZES, SIZES, read, split_url
from critmass.web import create_app

SIXTY = links(1)[0]
CONFORMANCE = [
    json.loads(line)
    for file in sorted((Path(__file__).parents[1] / "conformance").glob("c*.jsonl"))
    for line in file.read_text().splitlines()
]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app({"TESTING": True}).test_client(use_cookies=False)


def opened(client: FlaskClient, url: str) -> Image.Image:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return Image.open(BytesIO(response.data))


def frames(client: FlaskClient, url: str) -> list[bytes]:
    return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(opened(client, url))]


def rings(url: str, start: int = 0, end: int | None = None) -> int:
    """How many frames a film has: one for the start, then one for every orb placed and every ring."""
    address = split_url(url)
    assert address is not None
    return 1 + sum(1 + len(ply.rings) for ply in read(address).match.plies[start:end])


@pytest.mark.parametrize("match", CONFORMANCE, ids=lambda match: f"{match['rules']}-{len(match['plies'])}")
def test_every_match_has_its_pictures(client: FlaskClient, match: dict[str, object]) -> None:
    path = str(match["path"])
    assert opened(client, f"{path}.png?size=300").size == expected(match, 300)
    assert opened(client, f"{path}.png?card=1").size == (1200, 630)
    film = opened(client, f"{path}.gif?size=128")
    assert max(film.size) == 128
    assert film.n_frames == min(rings(path), 1500)  # type: ignore[attr-defined]
    if match["plies"]:
        last = opened(client, f"{path}.gif?last=1&size=200")
        assert last.n_frames == rings(path, len(match["plies"]) - 1)  # type: ignore[attr-defined, arg-type]


def expected(match: dict[str, object], size: int) -> tuple[int, int]:
    columns, rows = int(str(match["columns"])), int(str(match["rows"]))
    pitch = size * 100 // (max(columns, rows) * 100 + 24)
    rest = size - max(columns, rows) * pitch
    return columns * pitch + rest, rows * pitch + rest


@pytest.mark.parametrize("path", ["/m/", "/codingame/0z", "/classic/6x9/3/a1b2", "/classic/16x3/8/"])
def test_every_game_has_pictures(client: FlaskClient, path: str) -> None:
    assert client.get(f"{path}.png").mimetype == "image/png"
    assert client.get(f"{path}.png?card=1").mimetype == "image/png"
    assert client.get(f"{path}.gif").mimetype == "image/gif"


def test_sizes(client: FlaskClient) -> None:
    assert opened(client, "/m/0z.png").size == (1024, 1024)
    assert opened(client, "/m/0z.gif").size == (480, 480)
    for size in (SIZES[0], 500, SIZES[-1]):
        assert opened(client, f"/m/0z.png?size={size}").size == (size, size)
    for size in (FILM_SIZES[0], 500, FILM_SIZES[-1]):
        assert opened(client, f"/m/0z.gif?size={size}").size == (size, size)
    assert opened(client, "/m/0z.png?size=300&card=1").size == (1200, 630)
    assert opened(client, "/classic/6x9/2/.png?size=300").height == 300


@pytest.mark.parametrize(
    "option",
    [
        *("size=127", "size=2049", "size=0", "size=", "size=1e3", "size=0512", "size=99999", "size=-1", "size=５００"),
        *("card=0", "card=2", "card=", "last=0", "last=yes", "from=3", "from=-1", "from=x", "from=00", "scheme=blue"),
    ],
)
@pytest.mark.parametrize("suffix", [".png", ".gif", ".svg", ".txt", ".json", ""])
def test_options_out_of_range(client: FlaskClient, option: str, suffix: str) -> None:
    response = client.get(f"/m/0z{suffix}?{option}", follow_redirects=True)
    assert response.status_code == 404
    if suffix == ".json":
        assert response.json
        assert response.json["error"]["code"] == "bad-option"
    elif suffix:
        assert response.mimetype == "text/plain"
        assert response.text.endswith("The match without it: /m/0z\n")


def test_a_film_is_smaller_than_a_picture_may_be(client: FlaskClient) -> None:
    assert client.get("/m/0z.gif?size=1025").status_code == 404
    assert client.get("/m/0z.png?size=1025").status_code == 200


def test_moves_are_at_fault_before_options(client: FlaskClient) -> None:
    response = client.get("/m/00.png?size=1")
    assert response.status_code == 404
    assert response.text.startswith("Move 2")
    assert response.text.endswith(": /m/0\n")
    error = client.get("/m/0z.json?at=9&size=1&from=99").json
    assert error
    assert error["error"]["code"] == "bad-at"


def test_the_start_of_a_film_is_no_later_than_its_end(client: FlaskClient) -> None:
    assert client.get("/m/0z7.gif?from=3").status_code == 200
    assert client.get("/m/0z7.gif?from=3&at=2").status_code == 404
    assert client.get("/m/0z7.gif?from=2&at=2").status_code == 200
    assert len(frames(client, "/m/.gif?last=1")) == 1
    assert len(frames(client, "/m/0.gif?last=1")) == 2


def test_parts_of_a_film(client: FlaskClient) -> None:
    whole = frames(client, f"{SIXTY}.gif?size=200")
    assert len(whole) == rings(SIXTY)
    part = frames(client, f"{SIXTY}.gif?size=200&from=40")
    assert part == whole[-rings(SIXTY, 40) :]
    last = frames(client, f"{SIXTY}.gif?size=200&last=1")
    assert last == whole[-rings(SIXTY, 59) :]
    assert frames(client, f"{SIXTY}.gif?size=200&last=1&from=3") == last
    until = frames(client, f"{SIXTY}.gif?size=200&at=40")
    assert until == whole[: rings(SIXTY, 0, 40)]
    assert frames(client, f"{SIXTY}.gif?size=200&at=40&last=1") == until[-rings(SIXTY, 39, 40) :]


def test_colours_names_scheme_and_ply_are_seen(client: FlaskClient) -> None:
    for kind in (".png?size=200", ".png?card=1", ".gif?size=128"):
        queries = ["", "&colours=gv", "&scheme=dark", "&at=30"] + (["&names=Ada,Bo"] if "card" in kind else [])
        assert len({client.get(SIXTY + kind + query).data for query in queries}) == len(queries)
    assert client.get("/m/0z.png?at=1&size=200").data == client.get("/m/0.png?size=200").data
    assert client.get("/m/0z.png?at=1&card=1").data != client.get("/m/0.png?card=1").data  # move 1 of 2


def test_other_sites_may_use_all_but_the_page(client: FlaskClient) -> None:
    for suffix in (".png", ".gif", ".svg", ".json", ".txt"):
        for path in (f"/m/0z{suffix}", f"/m/0Z{suffix}", f"/m/00{suffix}"):
            response = client.get(path)
            assert response.status_code in (200, 308, 404)
            assert response.headers["Access-Control-Allow-Origin"] == "*"
            assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for path in ("/m/0z", "/m/00", "/", "/m/0Z"):
        response = client.get(path)
        assert "Access-Control-Allow-Origin" not in response.headers
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("url", ["/m/0z.png", "/m/0z.png?card=1", "/m/0z.gif"])
def test_pictures_are_kept_like_pages_and_not_compressed(client: FlaskClient, url: str) -> None:
    response = client.get(url, headers={"Accept-Encoding": "br, gzip"})
    assert response.headers["Cache-Control"] == client.get("/m/0z").headers["Cache-Control"]
    assert "Content-Encoding" not in response.headers
    assert int(response.headers["Content-Length"]) == len(response.data)
    tag = response.headers["ETag"]
    again = client.get(url, headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert not again.data
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    head = client.head(url)
    assert head.status_code == 200
    assert head.headers["ETag"] == tag
    assert not head.data


def test_no_link_carries_the_options_of_pictures_on(client: FlaskClient) -> None:
    page = client.get("/m/0z?size=300&card=1&from=1&last=1&colours=gv").text
    for href in re.findall(r'(?:href|hx-get)="([^"]*)"', page):
        assert not re.search(r"[?&;](size|card|from|last)=", href), href
