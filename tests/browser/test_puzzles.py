"""Puzzles in a browser: solved and refuted by playing, with and without scripts, and remembered."""

import json
from collections.abc import Callable

import pytest
from audit import axe, html_validate
from moves import CHAIN, STILL, expect_url, tap, wait_at_rest
from playwright.sync_api import BrowserContext, Page, expect

from critmass.engine import cell_name, cells_of, parse_cell
from critmass.engine.codec import encode_move
from critmass.links import Link, read, split_url
from critmass.puzzles import collection as puzzles

PUZZLE = puzzles.puzzle(1)
URL = "/puzzle/1"


def start() -> Link:
    address = split_url(PUZZLE.path)
    assert address
    return read(address)


GRID = start().rules.grid


def moves(line: list[str] | tuple[str, ...]) -> str:
    """Cells as they stand in an address."""
    return "".join(encode_move(GRID, parse_cell(GRID, name)) for name in line)


def wrong() -> str:
    """Return a cell that can be played, and is not the solution."""
    return next(name for cell in cells_of(start().position.legal) if (name := cell_name(GRID, cell)) != PUZZLE.solution)


def solved(page: Page) -> list[int]:
    """The puzzles that the browser remembers as solved."""
    return json.loads(page.evaluate("localStorage.getItem('critmass.solved') ?? '[]'"))  # type: ignore[no-any-return]


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], awake: None) -> Page:
    return new_context(**STILL).new_page()


def solve(page: Page) -> None:
    """Play the line of the puzzle that is shown."""
    for played in range(0, PUZZLE.plies, 2):
        wait_at_rest(page)
        tap(page, PUZZLE.line[played])
        answered = played + 2 < PUZZLE.plies
        expect_url(page, f"{URL}/{moves(PUZZLE.line[: played + 1])}{'?answer=1' if answered else ''}")
        if answered:
            expect(page.locator(".standing")).to_have_text(f"{PUZZLE.line[played]} is right", timeout=CHAIN)


def test_a_puzzle_is_solved_and_remembered(page: Page) -> None:
    page.goto(URL)
    expect(page.locator(".standing")).to_contain_text("to move: win in")
    assert solved(page) == []
    solve(page)
    expect(page.locator(".standing")).to_contain_text("Solved:")
    assert solved(page) == [1]
    expect(page.get_by_role("link", name="Next puzzle")).to_have_attribute("href", "/puzzle/2")
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("link", name="1 ✓ solved", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="2", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Next unsolved")).to_have_attribute("href", "/puzzle/2")
    expect(page.get_by_text(f"Solved in this browser: 1 of {puzzles.count()}.")).to_be_visible()
    page.goto(URL)
    expect(page.get_by_text("You have solved this one.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('critmass.matches')") is None


def test_a_wrong_try_is_refuted_and_can_be_taken_back(page: Page) -> None:
    page.goto(URL)
    cell = wrong()
    wait_at_rest(page)
    tap(page, cell)
    expect(page.locator(".standing")).to_have_text(f"{cell}…")
    expect(page.locator('[role="grid"] a')).to_have_count(0)
    again = page.get_by_role("link", name="Try again")
    expect(again).to_be_visible(timeout=CHAIN)
    expect_url(page, f"{URL}/{moves([cell])}?answer=1")
    expect(page.locator(".told")).to_contain_text("played")
    again.click()
    expect_url(page, URL)
    expect(page.locator(".standing")).to_contain_text("to move: win in")
    page.go_back(wait_until="commit")
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    assert solved(page) == []


def test_every_stage_can_be_listened_to(page: Page) -> None:
    served = []
    for path in ("/1", f"/1/{moves([wrong()])}?answer=1", f"/1/{moves(PUZZLE.line)}"):
        answer = page.goto(f"/puzzle{path}")
        assert answer
        served.append(answer.text())
        assert axe(page) == []
    assert html_validate(*served) == []


def test_back_leads_to_where_the_last_move_was_tried(page: Page) -> None:
    page.goto(URL)
    solve(page)
    page.go_back(wait_until="commit")
    expect(page.locator(".standing")).to_contain_text("is right")
    page.go_back(wait_until="commit")
    expect_url(page, URL)
    expect(page.locator(".standing")).to_contain_text("to move: win in")


def test_without_a_script_a_puzzle_is_solved_and_a_try_refuted(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    plain = new_context(java_script_enabled=False, **STILL).new_page()
    plain.goto(URL)
    solve(plain)
    expect(plain.locator(".standing")).to_contain_text("Solved:")
    plain.goto(URL)
    tap(plain, wrong())
    expect(plain.get_by_role("link", name="Try again")).to_be_visible(timeout=CHAIN)


def test_the_puzzle_of_the_day_is_one_of_them(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator(".standing")).to_contain_text("to move: win in")
    assert 1 <= int(page.url.rpartition("/")[2]) <= puzzles.count()


@pytest.mark.parametrize("kept", ["{", "5", '["x", null, 2]'])
def test_what_is_no_memory_of_solved_ones_does_no_harm(page: Page, kept: str) -> None:
    page.goto("/how-to-play")
    page.evaluate("kept => localStorage.setItem('critmass.solved', kept)", kept)
    page.goto("/puzzles")
    expect(page.locator("[data-done]:visible")).to_have_count(kept.count("2"))
    expect(page.get_by_role("link", name="Next unsolved")).to_have_attribute("href", URL)
