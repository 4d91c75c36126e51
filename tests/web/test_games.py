"""A game is one record: a fourth one is registered, and found wherever games are."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest

REGISTER = """
import json, re, sys
from urllib.parse import quote
from critmass.engine import Rules
from critmass.links.games import GAMES, Game

GAMES["quick"] = Game(
    name="quick",
    prefix="quick",
    title="Quick Mass",
    about="5×5, two players, three turns each are graced.",
    rules=Rules("quick", columns=5, rows=5, players=2, first_live_ply=7),
)

from critmass.web import create_app

client = create_app().test_client()
told = {
    "json": client.get("/quick/0o12.json").get_json(),
    "page": client.get("/quick/0o12").text,
    "played": client.get("/quick/0o125").status_code,
    "bare": client.get("/QUICK").headers["Location"],
    "off": client.get("/quick/z.json").get_json(),
    "new": client.get("/new").text,
    "begun": client.get("/new?game=quick&n1=Ada&go=1").headers["Location"],
    "front": client.get("/").text,
    "pasted": client.get("/open?link=" + quote("Your turn: https://chain.example/quick/0o12!")).headers["Location"],
    "wrapped": client.get("/open?link=" + quote("https://w.example/?u=https%3A%2F%2Fh%2Fquick%2F0o")).headers["Location"],
    "notation": client.get("/notation?link=/quick/0o12").text,
    "imported": client.post("/import", data={"text": "quick: a1".replace(":", "") + ", e5"}).headers.get("Location"),
    "openapi": client.get("/openapi.json").get_json(),
    "api": client.get("/api").text,
    "robots": client.get("/robots.txt").text,
    "worker": client.get("/sw.js").text,
}
told["script"] = client.get(re.search('src="([^"]+/app.js)"', told["front"])[1]).text
told["read"] = client.post("/import", data={"text": told["notation"]}).headers["Location"]
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What a site with a fourth game answers, in a process in which its record was there first."""
    done = subprocess.run(
        [sys.executable, "-c", REGISTER], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_it_is_played_by_link(told: dict[str, Any]) -> None:
    match = told["json"]
    assert (match["rules"], match["columns"], match["rows"], match["players"]) == ("quick", 5, 5, 2)
    assert match["path"] == "/quick/0o12"
    assert match["moves"] == ["a1", "e5", "b1", "c1"]
    assert told["played"] == 200
    assert told["bare"] == "/quick/"
    assert told["off"]["error"]["code"] == "outside"
    assert "Quick Mass" in told["page"]
    assert "Wipes count from move 7" in told["page"]


def test_it_is_found_where_games_are_chosen(told: dict[str, Any]) -> None:
    assert 'value="quick"' in told["new"]
    assert "Quick Mass" in told["new"]
    assert told["begun"] == "/quick/?names=Ada"
    assert 'href="/quick/"' in told["front"]


def test_it_is_found_in_what_people_paste(told: dict[str, Any]) -> None:
    assert told["pasted"] == "/quick/0o12"
    assert told["wrapped"] == "/quick/0o"


def test_it_has_notation(told: dict[str, Any]) -> None:
    assert '[Rules "quick"]' in told["notation"]
    assert told["read"] == "/quick/0o12"
    assert told["imported"] == "/quick/0o"


def test_it_is_described_for_programs_and_robots(told: dict[str, Any]) -> None:
    assert "/quick/{moves}.json" in told["openapi"]["paths"]
    assert "/quick/{moves}" in told["api"]
    assert "Disallow: /quick/" in told["robots"]


def test_it_is_kept_and_remembered_by_browsers(told: dict[str, Any]) -> None:
    assert '"/quick": "/quick/"' in told["worker"]
    for script in (told["worker"], told["script"]):
        assert re.search(r"(?<![\w])quick(?![\w])", script)
