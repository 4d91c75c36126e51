"""Links that are no match: what is wrong with them, said in whatever they ask for, and what is offered instead."""

import re
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from .html import page_at, parse
from .samples import BAD_LINKS, named, url

BAD_OPTIONS = [
    # The match has four plies, the last of them without a ring.
    ("at=5", "bad-at"),
    ("at=99999999999", "bad-at"),
    ("at=02", "bad-at"),
    ("at=-1", "bad-at"),
    ("at=1.0", "bad-at"),
    ("at=%EF%BC%91", "bad-at"),
    ("at=", "bad-at"),
    ("at=last", "bad-at"),
    ("colours=r", "bad-colours"),
    ("colours=rr", "bad-colours"),
    ("colours=rbg", "bad-colours"),
    ("colours=rz", "bad-colours"),
    ("colours=r%C3%A9", "bad-colours"),
    ("colours=", "bad-colours"),
    ("names=Ada,Bo,Cy", "bad-option"),
    ("names=,,Cy", "bad-option"),
    ("names=" + 17 * "a", "bad-option"),
    ("names=Ada," + 17 * "b", "bad-option"),
    ("ring=1", "bad-option"),
    ("ring=00", "bad-option"),
    ("ring=x", "bad-option"),
    ("at=0&ring=0", "bad-option"),
    ("play=2", "bad-option"),
    ("play=", "bad-option"),
    ("part=yes", "bad-option"),
]


def error_of(client: FlaskClient, link: str) -> tuple[str, int | None]:
    """The code and the ply that the JSON of a link reports."""
    path, _, query = link.partition("?")
    response = client.get(f"{path}.json?{query}")
    assert response.status_code == 404
    error = response.get_json()["error"]
    assert list(error) == ["code", "ply", "message"]
    return error["code"], error["ply"]


@pytest.mark.parametrize("link", BAD_LINKS, ids=lambda link: link["path"][:40])
def test_a_bad_link_is_told_in_every_representation(client: FlaskClient, link: dict[str, Any]) -> None:
    path, ply = link["path"], link["ply"]
    response = client.get(path + ".json")
    assert (response.status_code, response.mimetype) == (404, "application/json")
    error = response.get_json()["error"]
    assert (list(error), error["code"], error["ply"]) == (["code", "ply", "message"], link["code"], ply)
    assert error["message"]
    for suffix in (".txt", ".svg", ".png", ".gif"):
        response = client.get(path + suffix)
        assert (response.status_code, response.mimetype) == (404, "text/plain")
        assert error["message"] in response.text
    article = page_at(client, path, 404).one("article")
    assert error["message"] in article.text
    if ply:
        assert f"Move {ply}" in article.text


@pytest.mark.parametrize("link", BAD_LINKS, ids=lambda link: link["path"][:40])
def test_the_match_as_it_stood_is_offered(client: FlaskClient, link: dict[str, Any]) -> None:
    offered = page_at(client, link["path"], 404).one("article").all("a")[0]["href"]
    base, moves = unquote(link["path"]).rsplit("/", 1)
    if link["ply"] is None:
        expected = "/classic/6x9/2/"
    else:
        width = 2 if "/6x9/" in base else 1
        expected = f"{base}/{moves[: (link['ply'] - 1) * width]}"
    assert offered == expected
    page_at(client, offered)
    assert expected in client.get(link["path"] + ".txt").text.split()


@pytest.mark.parametrize(("query", "code"), BAD_OPTIONS)
def test_a_bad_option_is_told_and_left_out_of_what_is_offered(client: FlaskClient, query: str, code: str) -> None:
    assert error_of(client, f"/m/0z7c?{query}") == (code, None)
    for suffix in (".txt", ".svg"):
        response = client.get(f"/m/0z7c{suffix}?{query}")
        assert (response.status_code, response.mimetype) == (404, "text/plain")
    kept = "" if "colours" in query else "colours=gy"
    page = page_at(client, f"/m/0z7c?{query}&{kept}", 404)
    offered = page.one("article").all("a")[0]["href"]
    # A name that is too long is cut, all else that is wrong is left out.
    too_long = re.fullmatch("(names=(?:Ada,)?)(.{17})", query)
    options = list(filter(None, [too_long and too_long[1] + too_long[2][:16], kept]))
    assert offered == "/m/0z7c" + "?" * bool(options) + "&".join(options)
    page_at(client, offered)


def test_two_bad_options_are_both_left_out_of_what_is_offered(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z00?colours=rr&names=a,b,c&at=9", 404)
    assert page.one("article").all("a")[0]["href"] == "/m/0z00"


@pytest.mark.parametrize(
    "query",
    ["at=0", "at=4", "colours=sn", "names=", "names=,", "names=,Bo", "names=" + 16 * "a", "ring=0", "at=3&ring=0"],
)
def test_options_are_good_to_their_limits(client: FlaskClient, query: str) -> None:
    assert client.get(f"/m/0z7c?{query}", follow_redirects=True).status_code == 200


def test_a_name_is_measured_without_what_nobody_sees(client: FlaskClient) -> None:
    seen = client.get(url("/m/0.txt", [("names", named("  Ada\u200b\u202e" + 13 * "a" + " \u2066 ", "Bo"))]))
    assert seen.status_code == 200
    assert "Ada" + 13 * "a" + ":" in seen.text
    assert not {*"\u200b\u202e\u2066"} & {*seen.text.splitlines()[-3]}


def test_a_name_of_sixteen_characters_beyond_ascii_is_no_longer_than_that(client: FlaskClient) -> None:
    assert client.get(url("/m/0", [("names", named(16 * "漢"))])).status_code == 200
    assert client.get(url("/m/0", [("names", named(17 * "漢"))])).status_code == 404


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/classic/2x2/9/zz?at=x&colours=x", ("bad-board", None)),
        ("/classic/6x9/9/zz?at=x&colours=x", ("bad-players", None)),
        ("/classic/6x9", ("bad-players", None)),
        ("/classic/6x9//a1", ("bad-players", None)),
        ("/classic//2/a1", ("bad-board", None)),
        ("/m/00?at=9&colours=x&names=a,b,c&ring=9", ("owned", 2)),
        ("/m/0z?ring=9&names=a,b,c&colours=x&at=9", ("bad-at", None)),
        ("/m/0z?ring=9&names=a,b,c&colours=x", ("bad-colours", None)),
        ("/m/0z?ring=9&names=a,b,c", ("bad-option", None)),
        ("/m/26710171!0", ("over", 9)),
        ("/classic/6x9/2/a1!", ("bad-character", 2)),
    ],
)
def test_the_first_fault_in_the_contracts_order_is_told(
    client: FlaskClient, link: str, expected: tuple[str, int | None]
) -> None:
    # The last link has its mark at the end, where it is only kept apart from the suffix by another move.
    assert error_of(client, link.replace("a1!", "a1!b")) == expected


@pytest.mark.parametrize(
    ("path", "ply"),
    [
        ("/m/.exe", 1),
        ("/m/0z.jpeg", 3),
        ("/m/0z.jsonx", 3),
        ("/m/0z.svg.html", 3),
        ("/classic/6x9/2/a1.webp", 2),
        ("/classic/6x9/2/a1b.md", 2),
        ("/codingame/0z.json.json", 3),
    ],
)
def test_an_unknown_suffix_is_a_bad_character_at_its_dot(client: FlaskClient, path: str, ply: int) -> None:
    assert error_of(client, path) == ("bad-character", ply)
    assert f"Move {ply}" in page_at(client, path.removesuffix(".json") + "x", 404).text


@pytest.mark.parametrize(
    ("mangled", "clean", "code"),
    [
        ("/M/00", "/m/00", "owned"),
        ("/m/00.JSON!", "/m/00.json", "owned"),
        ("/m/0z.EXE", "/m/0z.exe", "bad-character"),
        ("/Classic/2X9/2/", "/classic/2x9/2/", "bad-board"),
        ("/classic/6x9/9", "/classic/6x9/9/", "bad-players"),
        ("/m/0z?AT=9!", "/m/0z?at=9", "bad-at"),
        ("/m/0z?at=!", "/m/0z?at=", "bad-at"),
        ("/m/0z?colours=RR", "/m/0z?colours=rr", "bad-colours"),
        ("/m/0z?ring=x%E2%80%8B", "/m/0z?ring=x", "bad-option"),
    ],
)
def test_a_link_that_is_unclean_and_wrong_is_first_sent_on(
    client: FlaskClient, mangled: str, clean: str, code: str
) -> None:
    response = client.get(mangled)
    assert (response.status_code, response.headers["Location"]) == (308, clean)
    assert error_of(client, clean.removesuffix(".json"))[0] == code


@pytest.mark.parametrize("name", ["<b>x</b>", '"><script>', "&lt;i&gt;"])
def test_what_is_wrong_with_a_link_is_quoted_as_text(client: FlaskClient, name: str) -> None:
    page = client.get(url("/m/0", [("names", named(f"{name}{17 * 'a'}"))]))
    assert page.status_code == 404
    assert f"{name}{17 * 'a'}" in parse(page.text).one("article").text
    assert not {"b", "i"} & {it.tag for it in parse(page.text)}


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\u202e", "\u200b"])
def test_an_invisible_bad_character_is_put_on_the_page_raw(client: FlaskClient, character: str) -> None:
    """What nobody can see has to be named (U+200B, say), and NUL or a bidi override is no part of a good page."""
    for suffix in ("", ".txt"):
        assert character not in client.get(url(f"/m/0{character}0{suffix}")).text
