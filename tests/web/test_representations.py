"""Every match of the referee's, as data, text, picture and page."""

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from critmass.engine import CODINGAME
from critmass.links import GAMES

from .html import cells_of, page_at, title_of
from .samples import MATCHES, Sample, path_of, quick, samples

KEYS = ["rules", "columns", "rows", "players", "colours", "path", "moves", "at", "board", "{}", "out", "rings"]
KEYS += ["frames", "plies", "names"]
ENDS = {"turn": ["turn"], "winner": ["winner", "reason"], "draw": ["draw", "reason"]}


def expected_at(match: dict[str, Any], at: int, length: int) -> dict[str, Any]:
    """What `.json` has to say of a match of the referee's, cut after `length` plies, after ply `at`."""
    start = {"turn": 1, "out": [], "rings": [], "board": "/".join(match["rows"] * [".." * match["columns"]])}
    ply = match["plies"][at - 1] if at else start
    plies = match["plies"][:length]
    expected = {key: match[key] for key in ("rules", "columns", "rows", "players")}
    expected |= {"colours": "rbgyvotp"[: match["players"]], "path": path_of(match, length)}
    expected["names"] = ["Red", "Blue", "Green", "Yellow", "Violet", "Orange", "Teal", "Pink"][: match["players"]]
    expected |= {"moves": [ply["move"] for ply in plies], "at": at, "board": ply["board"], "out": ply["out"]}
    expected |= {key: ply[key] for key in ("turn", "winner", "draw", "reason") if key in ply}
    expected["rings"] = [ring.split() for ring in ply["rings"]]
    expected["plies"] = [{"move": p["move"], "rings": len(p["rings"]), "captured": p["captured"]} for p in plies]
    return expected


def assert_says(client: FlaskClient, link: str, expected: dict[str, Any]) -> None:
    response = client.get(link)
    assert (response.status_code, response.mimetype) == (200, "application/json")
    told = response.get_json()
    (end,) = told.keys() & ENDS.keys()
    assert list(told) == [key for name in KEYS for key in (ENDS[end] if name == "{}" else [name])]
    frames = told.pop("frames")
    assert told == expected
    assert len(frames) == 1 + len(expected["rings"])
    assert frames[-1] == expected["board"]


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match["path"][:40])
def test_the_json_of_a_match_is_what_the_referee_says(client: FlaskClient, match: dict[str, Any]) -> None:
    length = len(match["plies"])
    assert_says(client, match["path"] + ".json", expected_at(match, length, length))
    for at in {0, length // 3, length - 1, length} & {*range(length + 1)}:
        assert_says(client, f"{match['path']}.json?at={at}", expected_at(match, at, length))


@quick
@given(sample=samples(options=False, suffixes=(".json",)), data=st.data())
def test_the_json_of_a_match_cut_short_says_it_at_any_ply(
    client: FlaskClient, sample: Sample, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, sample.length))
    assert_says(client, f"{sample.url}?at={at}", expected_at(sample.match, at, sample.length))


def test_a_draw_is_a_draw(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of 200 plies that nobody wins none are known yet, so here it takes four.
    short = replace(GAMES["codingame"], rules=replace(CODINGAME, turn_limit=4))
    monkeypatch.setitem(GAMES, "codingame", short)
    told = client.get("/codingame/0z1y.json").get_json()
    assert list(told)[8:12] == ["board", "draw", "reason", "out"]
    assert (told["draw"], told["reason"]) == (True, "turn-limit")
    page = page_at(client, "/codingame/0z1y")
    assert page.one("h1").text == "Draw"
    assert not any(cell.link for cell in cells_of(page).values())
    assert page.link("Rematch")["href"] == "/codingame/?colours=br"
    assert "Draw" in client.get("/codingame/0z1y.txt").text
    assert client.get("/codingame/0z1y0.json").get_json()["error"]["code"] == "over"


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match["path"][:40])
def test_text_says_who_played_what_and_how_it_stands(client: FlaskClient, match: dict[str, Any]) -> None:
    response = client.get(match["path"] + ".txt")
    assert (response.status_code, response.mimetype) == (200, "text/plain")
    text, length = response.text, len(match["plies"])
    assert text.rstrip().endswith(match["path"])
    assert f"move {length}" in text
    assert (" wins" in text) == any("winner" in ply for ply in match["plies"])
    if length > 1:
        text = client.get(f"{match['path']}.txt?at={length - 1}").text
        assert f"move {length - 1} of {length}" in text
        assert f"played {match['plies'][-2]['move']}" in text


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match["path"][:40])
def test_the_picture_needs_nothing_but_itself(client: FlaskClient, match: dict[str, Any]) -> None:
    """It is shown under a policy that allows no inline styles, and sent on without the site."""
    for query in ("", f"?at={len(match['plies']) // 2}&colours={'lcpvtoyg'[: match['players']]}&names=%3CA%26B"):
        response = client.get(f"{match['path']}.svg{query}")
        assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
        root = ET.fromstring(response.text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert not tags & {"style", "script", "image", "foreignObject", "a"}
        ids = {element.get("id") for element in root.iter()}
        for element in root.iter():
            assert not {"style", "class"} & element.attrib.keys()
            uses = [value for key, value in element.items() if key.rpartition("}")[2] == "href"]
            uses += [address for value in element.attrib.values() for address in re.findall(r"url\(([^)]*)\)", value)]
            assert {*uses} <= {f"#{name}" for name in ids}


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match["path"][:40])
def test_the_page_of_a_match_shows_its_board(client: FlaskClient, match: dict[str, Any]) -> None:
    page = page_at(client, match["path"])
    assert len(page.all("h1")) == 1
    assert f"move {len(match['plies'])}" in title_of(page)
    rows = page.one(role="grid").all(role="row")
    assert [len(row.all(role="gridcell")) for row in rows] == match["rows"] * [match["columns"]]
    assert list(cells_of(page)) == [
        f"{chr(97 + column)}{row}" for row in range(match["rows"], 0, -1) for column in range(match["columns"])
    ]
