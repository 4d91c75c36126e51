"""Puzzles: asked, solved, refuted, and listed; what was tried is in the address."""

from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.engine import cell_name, cells_of
from critmass.links import Link, read, split_url
from critmass.puzzles import collection as puzzles
from critmass.puzzles.collection import Puzzle
from critmass.web import create_app
from critmass.web.play import searches as thinking

from .html import Element, page_at, parse, targets, title_of

HTMX = {"HX-Request": "true"}
MADE = Puzzle(1, "/m/vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw0wzw6lcmc", 2, 3, ("d4", "f2", "d4"), 2, 3)
"""Blue wins in 2 moves with d4, in 3 with a4 and others, and not at all with c4."""
OTHER = Puzzle(2, "/classic/3x3/2/47823", 1, 1, ("a1",), 1, 0)
RIGHT, SLOW, WRONG = "l", "i", "k"


@pytest.fixture(scope="module")
def visitor(app: Flask, awake: None) -> FlaskClient:
    """An app whose only puzzles are those above."""
    of_its_own = create_app({"TESTING": True})
    of_its_own.extensions["thinking"] = app.extensions["thinking"]
    return of_its_own.test_client(use_cookies=False)


@pytest.fixture(autouse=True)
def two_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "_all", lambda: (MADE, OTHER))


@pytest.fixture
def busy(visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: thinking.Question) -> None:
        raise thinking.Busy("Too many are asking.", 3)

    monkeypatch.setattr(visitor.application.extensions["thinking"], "ask", refuse)


def heading(page: Element) -> str:
    return page.one("h1").text


def playable(page: Element) -> set[str]:
    return {it["href"] for it in page.one(role="grid").all("a")}


def link_of(path: str) -> Link:
    address = split_url(path)
    assert address
    return read(address)


def test_a_puzzle_says_what_is_to_be_done(visitor: FlaskClient) -> None:
    page = page_at(visitor, "/puzzle/1")
    assert heading(page) == "Blue to move: win in 2 moves"
    assert title_of(page) == "Puzzle 1: Blue to move: win in 2 moves · Critical Mass"
    position = link_of(MADE.path).position
    assert len(playable(page)) == position.legal.bit_count()
    assert f"/puzzle/1/{RIGHT}" in playable(page)
    assert "d4" not in {it.text for it in page.all("a")}, "the solution is not given away"
    card = page.one("meta", property="og:image")["content"]
    assert visitor.get(card.removeprefix("http://localhost")).mimetype == "image/png"


def test_it_is_solved_by_playing(visitor: FlaskClient, busy: None) -> None:
    """No search is needed along the line that is proven."""
    tried = page_at(visitor, f"/puzzle/1/{RIGHT}")
    assert heading(tried) == "d4…"
    assert not playable(tried)
    answer = f"/puzzle/1/{RIGHT}?answer=1"
    (going_on,) = (it for it in tried.all("meta") if it.attributes.get("http-equiv") == "refresh")
    assert going_on["content"].endswith(f"; url={answer}")
    assert any("data-answer" in it.attributes and it["href"] == f"{answer}&part=1" for it in tried.all("a"))
    answered = page_at(visitor, answer)
    assert heading(answered) == "d4 is right"
    assert "Red played f2" in answered.text
    assert "Now win in 1 move." in answered.text
    assert f"/puzzle/1/{RIGHT}bl" in playable(answered)
    solved = page_at(visitor, f"/puzzle/1/{RIGHT}bl")
    assert heading(solved) == "Solved: Blue wins"
    assert solved.one("article")["data-solved"] == "1"
    assert solved.link("Next puzzle")["href"] == "/puzzle/2"


def test_a_wrong_try_is_refuted(visitor: FlaskClient) -> None:
    page = page_at(visitor, f"/puzzle/1/{WRONG}?answer=1")
    assert heading(page) == "c4 does not win in 2 moves"
    assert not playable(page)
    assert page.link("Try again")["href"] == "/puzzle/1"
    line = page.one("section", **{"aria-label": "What is wrong with it"}).one("ol").all("a")
    assert all(it["href"].startswith(MADE.path + WRONG) for it in line)
    end = link_of(line[-1]["href"]).match.outcome
    assert end is None or end.winner == 1
    assert "data-solved" not in page.one("article").attributes


def test_a_slower_win_is_told_from_none(visitor: FlaskClient) -> None:
    page = page_at(visitor, f"/puzzle/1/{SLOW}?answer=1")
    assert heading(page) == "a4 wins too, but not in 2 moves"
    assert "Blue wins in 2 moves now." in page.text


def test_a_second_move_may_be_any_that_wins_in_time(visitor: FlaskClient) -> None:
    before = f"/puzzle/1/{RIGHT}b"
    position = link_of(f"{MADE.path}{RIGHT}b").position
    for cell in cells_of(position.legal):
        move = "0123456789abcdefghijklmnopqrstuvwxyz"[cell]
        outcome = position.play(cell).after.outcome
        page = page_at(visitor, f"{before}{move}?answer=1")
        name = cell_name(position.rules.grid, cell)
        if outcome and outcome.winner == 2:
            assert heading(page) == "Solved: Blue wins"
        else:
            assert heading(page).startswith((f"{name} does not win in 1 move", f"{name} wins too, but not in 1 move"))
            assert page.link("Try again")["href"] == f"/puzzle/1/{RIGHT}?answer=1"


def test_a_busy_computer_is_asked_again(visitor: FlaskClient, busy: None) -> None:
    for headers in ({}, HTMX):
        response = visitor.get(f"/puzzle/1/{WRONG}?answer=1&part=1&now", headers=headers)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "3")
        assert response.headers["Cache-Control"] == "no-store"
    page = parse(response.text)
    assert page.link("Ask again now")["href"] == f"/puzzle/1/{WRONG}?answer=1"
    assert page.link("Try another move")["href"] == "/puzzle/1"


def test_a_part_is_the_puzzle_alone(visitor: FlaskClient) -> None:
    url = f"/puzzle/1/{RIGHT}?answer=1"
    part = visitor.get(f"{url}&part=1", headers=HTMX)
    assert part.headers["HX-Push-Url"] == url
    assert parse(part.text).one("article", id="match")["data-page"] == url
    assert "<header" not in part.text
    assert "<header" in visitor.get(f"{url}&part=1").text


def test_the_answer_is_none_of_the_tries(visitor: FlaskClient) -> None:
    response = visitor.get(f"/puzzle/1/{RIGHT}b")
    assert (response.status_code, response.headers["Location"]) == (303, f"/puzzle/1/{RIGHT}?answer=1")


@pytest.mark.parametrize(
    "path", ["/puzzle/0", "/puzzle/3", "/puzzle/x", "/puzzle/1/!", "/puzzle/1/00", "/puzzle/1/lblz"]
)
def test_what_is_no_puzzle_is_not_found(visitor: FlaskClient, path: str) -> None:
    page_at(visitor, f"/puzzle{path}", 404)


def test_every_day_has_its_puzzle(visitor: FlaskClient) -> None:
    response = visitor.get("/puzzle")
    assert response.status_code == 302
    assert response.headers["Location"] in ("/puzzle/1", "/puzzle/2")
    assert response.headers["Cache-Control"].startswith("public, max-age=")
    assert puzzles.of_the_day(date(2026, 5, 1)) != puzzles.of_the_day(date(2026, 5, 1) + timedelta(1))


def test_the_list_leads_to_every_puzzle(visitor: FlaskClient) -> None:
    page = page_at(visitor, "/puzzles")
    assert [it.text for it in page.all("h2")] == ["Easy 1", "Gentle 1"]
    assert {"/puzzle/1", "/puzzle/2", "/puzzle"} <= targets(page, "/puzzles")
    assert "/puzzle" in targets(page_at(visitor, "/"), "/")
    assert "/puzzles" in targets(page_at(visitor, "/how-to-play"), "/how-to-play")


def test_every_address_is_kept_by_its_tag(visitor: FlaskClient) -> None:
    for path in ("/puzzles", "/puzzle/1", f"/puzzle/1/{RIGHT}", f"/puzzle/1/{RIGHT}?answer=1"):
        first = visitor.get(path)
        assert first.headers["Cache-Control"].startswith("public")
        assert visitor.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
