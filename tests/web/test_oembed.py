"""oEmbed: the frame of a match, for sites that only have its link."""

from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from critmass.web import create_app

from .html import page_at, parse

SITE = "http://localhost"
LINK = f"{SITE}/m/buvupvjuuvu"


def ask(client: FlaskClient, url: str, **more: object) -> TestResponse:
    return client.get("/oembed", query_string={"url": url, **more})


def told(client: FlaskClient, url: str, **more: object) -> dict[str, Any]:
    response = ask(client, url, **more)
    assert (response.status_code, response.mimetype) == (200, "application/json"), response.text
    return response.get_json()


def source(answer: dict[str, Any]) -> str:
    frame = parse(answer["html"]).one("iframe")
    assert (int(frame["width"]), int(frame["height"])) == (answer["width"], answer["height"])
    return frame["src"]


def test_it_says_how_a_match_is_put_into_a_page(client: FlaskClient) -> None:
    answer = told(client, LINK)
    assert (answer["version"], answer["type"]) == ("1.0", "rich")
    assert answer["title"] == "Critical Mass: Red wins, move 11"
    assert (answer["provider_name"], answer["provider_url"]) == ("Critical Mass", f"{SITE}/")
    assert answer["cache_age"] > 0
    assert source(answer) == f"{LINK}?embed=1"
    assert answer["thumbnail_url"] == f"{LINK}.png?card=1"
    assert (answer["thumbnail_width"], answer["thumbnail_height"]) == (1200, 630)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ("at=3&colours=gy&names=Ada,%22B%3Eo", "at=3&colours=gy&names=Ada,%22B%3Eo"),
        ("scheme=dark&size=300&play=1&utm_source=x", "scheme=dark"),
        ("embed=1&at=3", "at=3"),
        ("card=1&last=1", ""),
    ],
)
def test_it_keeps_what_the_link_asks_for(client: FlaskClient, options: str, kept: str) -> None:
    answer = told(client, f"{LINK}?{options}")
    assert source(answer) == f"{LINK}?{kept}{'&' if kept else ''}embed=1"
    assert client.get(unescape(source(answer)).removeprefix(SITE)).status_code == 200
    assert client.get(answer["thumbnail_url"].removeprefix(SITE)).mimetype == "image/png"


@pytest.mark.parametrize("path", ["/m/", "/codingame/0", "/classic/6x9/3/a1b2", "/classic/16x3/2/", "/classic/3x16/8/"])
@pytest.mark.parametrize("most", [{}, {"maxwidth": 320}, {"maxheight": 300}, {"maxwidth": 900, "maxheight": 500}])
def test_the_frame_fits(client: FlaskClient, path: str, most: dict[str, int]) -> None:
    answer = told(client, SITE + path, **most)
    assert 0 < answer["width"] <= most.get("maxwidth", 480)
    assert 0 < answer["height"] <= most.get("maxheight", 10_000)


def test_a_size_is_kept(client: FlaskClient) -> None:
    assert told(client, f"{LINK}?size=300")["width"] == 300
    assert told(client, f"{LINK}?size=300", maxwidth=200)["width"] == 200
    assert told(client, f"{LINK}", maxwidth=1, maxheight=1)["width"] == 1


@pytest.mark.parametrize(
    "url",
    [
        *("", "/m/0", "//localhost/m/0", "http://evil.example/m/0", "ftp://localhost/m/0", "http://localhost:81/m/0"),
        *("http://localhost@evil.example/m/0", "http://localhost.evil.example/m/0", "javascript:alert(1)//m/0"),
        *(SITE, f"{SITE}/", f"{SITE}/how-to-play", f"{SITE}/m.exe", "http://[", "http://[::1/m/0", "x" * 5000),
    ],
)
def test_a_url_that_is_no_match_of_this_site(client: FlaskClient, url: str) -> None:
    response = ask(client, url)
    assert (response.status_code, response.mimetype) == (404, "application/json")
    assert response.get_json()["error"]["code"] == "no-match"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("path", "code", "ply"),
    [("/m/00", "owned", 2), ("/classic/2x2/2/", "bad-board", None), ("/m/0?at=4", "bad-at", None)],
)
def test_a_link_that_is_no_match_is_told_as_ever(client: FlaskClient, path: str, code: str, ply: int | None) -> None:
    response = ask(client, SITE + path)
    assert response.status_code == 404
    error = response.get_json()["error"]
    assert (error["code"], error["ply"]) == (code, ply)
    assert error["message"]


@pytest.mark.parametrize(
    "query", ["format=xml", "format=", "maxwidth=0", "maxwidth=x", "maxheight=-1", "maxheight=1e3", "maxwidth=123456"]
)
def test_what_it_cannot_do(client: FlaskClient, query: str) -> None:
    response = client.get(f"/oembed?url={LINK}&{query}")
    assert (response.status_code, response.mimetype) == (400, "application/json")
    assert response.get_json()["error"]["code"] == "bad-option"


def test_a_page_names_it(client: FlaskClient) -> None:
    for path in ("/m/0z7c", "/m/0z7c?at=2&colours=gy&names=Ada,Bo", "/classic/6x9/3/"):
        link = page_at(client, path).one("link", rel="alternate", type="application/json+oembed")
        parts = urlsplit(link["href"])
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{SITE}/oembed"
        assert parse_qs(parts.query)["url"] == [SITE + path]
        assert client.get(f"{parts.path}?{parts.query}").status_code == 200


def test_a_forged_host_gets_nothing() -> None:
    client = create_app({"TESTING": True, "ALLOWED_HOSTS": ("play.example",)}).test_client()
    url = "http://evil.example/m/0"
    response = client.get("/oembed", query_string={"url": url}, headers={"Host": "evil.example"})
    assert response.status_code == 404
    assert "evil" not in response.text
    page = client.get("/m/0", headers={"Host": "evil.example"}).text
    assert "oembed" not in page
    answer = client.get(
        "/oembed", query_string={"url": "https://play.example/m/0"}, headers={"Host": "play.example"}
    ).get_json()
    assert source(answer) == "http://play.example/m/0?embed=1"


def test_the_configured_address_wins() -> None:
    client = create_app({"TESTING": True, "BASE_URL": "https://chain.example/"}).test_client()
    answer = told(client, "https://chain.example/m/0")
    assert source(answer) == "https://chain.example/m/0?embed=1"
    assert ask(client, LINK).status_code == 404
