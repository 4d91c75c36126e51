"""The page that reads a match in whatever form it was written down."""

import json
import re
from html import unescape
from io import BytesIO

import pytest
from flask.testing import FlaskClient

from critmass.formats.notation import format_match, parse
from critmass.web import create_app

from .html import parse as parse_page

NOTATION = '[Rules "classic"]\n[Board "6x9"]\n[Players "3"]\n[Player2 "Bo" "pink"]\n\n1. a1 {<b>} b2\n'


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app({"TESTING": True}).test_client(use_cookies=False)


def kept(page: str) -> str:
    """What is in the box, as a browser reads it: without the line break after the tag."""
    found = re.search(r"<textarea[^>]*>(.*)</textarea>", page, re.DOTALL)
    assert found
    return unescape(found[1].removeprefix("\n"))


def test_the_page_asks_for_a_text(client: FlaskClient) -> None:
    response = client.get("/import")
    assert response.status_code == 200
    assert re.search(r'<form[^>]* action="/import" method="post"', response.text)
    assert '<textarea id="text" name="text"' in response.text
    assert kept(response.text) == ""
    assert "role=alert" not in response.text
    assert "public" in response.headers["Cache-Control"]
    again = client.get("/import", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_the_page_is_linked(client: FlaskClient) -> None:
    assert 'href="/import"' in client.get("/open").text


def test_the_example_on_the_page_is_notation(client: FlaskClient) -> None:
    found = re.search(r'<pre id="example">(.*?)</pre>', client.get("/import").text, re.DOTALL)
    assert found
    example = unescape(found[1])
    assert format_match(parse(example)) == example


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (NOTATION, "/classic/6x9/3/a1b2?colours=rpb&names=,Bo"),
        (NOTATION.replace("\n", "\r\n"), "/classic/6x9/3/a1b2?colours=rpb&names=,Bo"),
        ("c4, f6", "/m/kz"),
        ("classic 6x9 3\r\na1 b2", "/classic/6x9/3/a1b2"),
        ("https://chain.example/m/kz?names=Ada,Bo&at=1&utm_source=x", "/m/kz?names=Ada,Bo&at=1"),
        ("/m/kz.svg?part=1", "/m/kz"),
        ('[Player1 "Zoë \\"Z\\" \\\\"] [Player2 "x"]', "/m/?names=Zo%C3%AB%20%22Z%22%20%5C,x"),
    ],
)
def test_a_text_leads_to_its_match(client: FlaskClient, text: str, url: str) -> None:
    response = client.post("/import", data={"text": text})
    assert (response.status_code, response.headers["Location"]) == (303, url)
    assert response.headers["Cache-Control"] == "no-store"
    assert client.get(url).status_code == 200


@pytest.mark.parametrize("path", ["/m/0z7c", "/classic/6x9/3/a1b2c3?colours=gyr", "/codingame/0z?at=1"])
def test_what_json_answers_leads_to_its_match(client: FlaskClient, path: str) -> None:
    told = client.get(path.replace("?", ".json?") if "?" in path else f"{path}.json").text
    for text in (told, json.dumps(json.loads(told), indent=2)):
        assert client.post("/import", data={"text": text}).headers["Location"] == path


@pytest.mark.parametrize(
    ("text", "told", "marked"),
    [
        ("c4 <z9> f6", "Line 1, column 4: “<z9>” is no move", "c4 <mark>&lt;z9&gt;</mark> f6"),
        ("\n\nc4\r\nf6 c99 & {x}", "Line 4, column 4: Move 3, “c99”, is not", "f6 <mark>c99</mark> &amp; {x}"),
        ('[Rules "chess"]', "“chess” are no rules", "[Rules <mark>&#34;chess&#34;</mark>]"),
        ("[Rules ", "Line 1, column 8", "[Rules <mark> </mark>"),
        ("http://h/m/00", "Line 1, column 13: Move 2: Blue cannot play a1", "/m/0<mark>0</mark>"),
        ("", "no match in this", "<mark> </mark>"),
        ("</textarea><script>", "neither a move", "<mark>&lt;/textarea&gt;&lt;script&gt;</mark>"),
    ],
)
def test_a_mistake_is_shown_and_nothing_is_lost(client: FlaskClient, text: str, told: str, marked: str) -> None:
    response = client.post("/import", data={"text": text})
    assert (response.status_code, response.mimetype) == (422, "text/html")
    assert response.headers["Cache-Control"] == "no-store"
    assert told in unescape(response.text)
    assert marked in response.text
    assert kept(response.text) == text
    assert 'aria-invalid="true" aria-describedby="mistake"' in response.text


def test_a_form_without_a_text_is_an_empty_one(client: FlaskClient) -> None:
    for response in (client.post("/import"), client.post("/import", data={"link": "/m/"})):
        assert response.status_code == 422
    assert client.post("/import", json={"text": "c4"}).status_code == 422


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_text_that_is_too_long_is_refused_on_the_same_page(client: FlaskClient, content_type: str) -> None:
    response = client.post("/import", data={"text": "c4 " * 30_000}, content_type=content_type)
    assert response.status_code == 413
    assert "64 kB" in response.text
    assert '<textarea id="text" name="text"' in response.text


@pytest.mark.parametrize(("moves", "status"), [(1, 303), (30_000, 413)])
def test_a_body_that_does_not_say_how_long_it_is_is_not_cut(client: FlaskClient, moves: int, status: int) -> None:
    response = client.post(
        "/import",
        input_stream=BytesIO(b"text=" + b"c4 " * moves),
        content_type="application/x-www-form-urlencoded",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert response.status_code == status


def test_browsers_may_fill_the_box_again_on_going_back(client: FlaskClient) -> None:
    assert "autocomplete" not in client.get("/import").text


def test_a_long_comment_is_no_trouble(client: FlaskClient) -> None:
    text = f"c4 {{{'x' * 60_000}}}"
    assert client.post("/import", data={"text": text}).headers["Location"] == "/m/k"


def test_other_methods_are_refused(client: FlaskClient) -> None:
    assert client.put("/import").status_code == 405


def test_a_link_is_told_in_notation(client: FlaskClient) -> None:
    response = client.get("/notation", query_string={"link": "http://h/classic/6x9/3/a1b2?colours=rpb&names=,Bo"})
    assert (response.status_code, response.mimetype) == (200, "text/plain")
    assert parse(response.text).link.url() == "/classic/6x9/3/a1b2?colours=rpb&names=,Bo"
    assert "ETag" in response.headers


@pytest.mark.parametrize(("link", "told"), [("/m/00", "Move 2: Blue cannot play a1"), ("hello", ""), ("", "")])
def test_a_link_that_is_no_match_has_no_notation(client: FlaskClient, link: str, told: str) -> None:
    response = client.get("/notation", query_string={"link": link})
    assert response.status_code == 404
    assert told in response.text


def test_of_a_link_that_may_go_on_both_readings_are_shown(client: FlaskClient) -> None:
    text = "Here it is, and it is your turn again: https://chain.example/m/0123456789\nabc"
    response = client.post("/import", data={"text": text})
    assert response.status_code == 200
    page = parse_page(response.text)
    assert [link["href"] for link in page.one("ul", **{"class": "which-match"}).all("a")] == [
        "/m/0123456789abc",
        "/m/0123456789",
    ]
    assert page.one("textarea").text == " ".join(text.split())
