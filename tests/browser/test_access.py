"""Every kind of page for those who listen to it, enlarge it, or go by its markup."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from audit import axe, html_validate
from matches import EIGHT, FINISHED, GRACED, LONGEST, NAMES, RUNNING, START
from moves import STILL, play
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

from critmass import links
from critmass.engine import CODINGAME
from critmass.web import create_app

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

DRAW = "/codingame/0z1y"
PAGES = {
    "front": "/",
    "how to play": "/how-to-play",
    "open, nothing found": "/open?link=no link in here",
    "no such page": "/nowhere",
    "bad link": "/m/00",
    "bad option": f"{RUNNING}?at=99",
    "start": START,
    "graced": GRACED,
    "running": RUNNING,
    "at": f"{RUNNING}?at=12",
    "ring": f"{RUNNING}?ring=1",
    "playing": f"{RUNNING}?at=3&play=1",
    "against the computer": f"{RUNNING}?computer=25",
    "computers at rest": f"{RUNNING}?computer=13,26",
    "a seat for the computer": "/new?l2=5",
    "puzzles": "/puzzles",
    "puzzle": "/puzzle/1",
    "share": f"/share?link={RUNNING}",
    "QR code": f"/qr?link={RUNNING}",
    "a QR code too fine for a phone": f"/qr?link={LONGEST}",
    "finished": FINISHED,
    "eight players": EIGHT + NAMES,
    "the other colours": f"{EIGHT}?colours=clnsotvp",
    "draw": DRAW,
}
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 664}


@pytest.fixture
def page(new_context: Contexts, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page that stands still, for which a match of four plies is a draw."""
    monkeypatch.setitem(links._FIXED, "codingame", replace(CODINGAME, turn_limit=4))
    drawn = create_app().test_client().get(DRAW).text
    page = new_context(**STILL).new_page()
    page.route(f"**{DRAW}", lambda route: route.fulfill(content_type="text/html", body=drawn))
    return page


def expect_refusals(watch: Watch, path: str) -> None:
    """Chromium reports answers that are no success on its console."""
    if "open" in path or "nowhere" in path or path in (PAGES["bad link"], PAGES["bad option"]):
        watch.expect("status of 4(04|22)")


@pytest.mark.parametrize("kind", PAGES)
def test_axe_finds_nothing(page: Page, watch: Watch, kind: str) -> None:
    expect_refusals(watch, PAGES[kind])
    page.goto(PAGES[kind])
    found = []
    for scheme, screen in (("light", DESKTOP), ("dark", PHONE)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(screen)
        found += [f"{scheme}: {line}" for line in axe(page)]
    assert found == []


def test_axe_finds_nothing_after_a_move(page: Page) -> None:
    page.goto(RUNNING)
    play(page, "a1")
    assert axe(page) == []


def test_the_markup_is_valid(page: Page, watch: Watch) -> None:
    watch.expect("status of 4(04|22)")
    served = []
    for path in PAGES.values():
        answer = page.goto(path)
        assert answer
        served.append(answer.text())
    kinds = list(PAGES)
    found = [line.split(":", 1) for line in html_validate(*served)]
    assert [f"{kinds[int(number)]}: {line}" for number, line in found] == []


def test_every_page_has_its_landmarks_one_heading_and_labelled_pictures(page: Page, watch: Watch) -> None:
    watch.expect("status of 4(04|22)")
    titles = set()
    for path in PAGES.values():
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        for landmark in ("banner", "main", "contentinfo"):
            expect(page.get_by_role(landmark)).to_have_count(1)
        expect(page.get_by_role("navigation", name="Site")).to_have_count(1)
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator("svg:not([aria-hidden='true'], [role='img'][aria-label])")).to_have_count(0)
        expect(page.locator("img")).to_have_count(0)
        titles.add(page.title())
    assert len(titles) >= len(PAGES) - 4  # one match in several views may well be called the same
    assert all(title.endswith(" · Critical Mass") for title in titles)


def test_the_board_is_a_labelled_grid(page: Page) -> None:
    page.goto(GRACED)
    board = page.get_by_role("grid", name="Board, 6 columns, 6 rows", exact=True)
    expect(board.get_by_role("row")).to_have_count(6)
    expect(board.get_by_role("gridcell")).to_have_count(36)
    for playable in ("c4, empty", "f6, yours, 1 of 2 orbs"):
        expect(board.get_by_role("link", name=playable, exact=True)).to_be_visible()
    for not_playable in ("b3, Red's, 1 of 4 orbs", "f2, Red's, 1 of 3 orbs, just played"):
        expect(board.get_by_role("gridcell", name=not_playable, exact=True)).to_be_visible()


def test_a_move_is_told_once(page: Page) -> None:
    page.goto(GRACED)
    said = page.locator("#said")
    assert not said.evaluate("said => document.getElementById('match').contains(said)")
    expect(said).to_have_role("status")
    said.evaluate(
        """said => {
             window.told = [];
             const tell = (changes) => changes.forEach(() => told.push(said.textContent));
             new MutationObserver(tell).observe(said, { childList: true, characterData: true, subtree: true });
           }"""
    )
    play(page, "c3")
    play(page, "d4")
    expect(said).to_have_text("Red played d4. Blue to move.")
    assert page.evaluate("told") == [
        "Blue played c3. Red to move. Wipes count from move 8.",
        "Red played d4. Blue to move.",
    ]
