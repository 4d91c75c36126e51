"""Firefox and WebKit play a match like Chromium, with and without scripts, and all three really draw it."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from engines import Engine, Firefox
from gateway import Gateway
from hosts import KINDS, SCRIPTLESS, Host, Kind
from matches import EIGHT, FINISHED, RUNNING
from moves import GUARD, STOP, link_of
from PIL import Image
from playwright.sync_api import Page

from critmass.drawing.colours import COLOURS, SURFACES
from critmass.drawing.geometry import CELL, PLACES
from critmass.engine import Board, cell_name, parse_cell
from critmass.links import Link

AT_REST = "getComputedStyle(document.querySelector('.shield')).visibility === 'hidden'"
TOLD = "document.querySelector('.told').textContent"
REST_SHOWN = """(() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  return style(".chain").display === "none" && style(".rest").visibility === "visible" && style("h1").opacity === "1";
})()"""


def rest(engine: Engine) -> None:
    """Wait until the chain has played to its end and a tap counts."""
    engine.wait_until(AT_REST, timeout=20)
    time.sleep(GUARD / 1000)


def expect_page(engine: Engine, url: str) -> None:
    """Wait until this address is loaded, and its match shown."""
    engine.wait_until(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")
    page = link_of(url).page
    engine.wait_until(f"document.getElementById('match')?.dataset.page === {json.dumps(page)}")


# --- Playing ------------------------------------------------------------------------------------------------------


def play_and_replay(engine: Engine, base_url: str) -> None:
    """Watch a chain, answer it, go back, replay it, and skip a long one."""
    match = base_url + RUNNING
    engine.goto(match)
    rest(engine)
    assert engine.evaluate("[...document.querySelectorAll('.clock')].flatMap((it) => it.getAnimations()).length") == 0
    engine.click("#a1")
    expect_page(engine, match + "0")
    assert engine.evaluate(TOLD) == "Red played a1"
    engine.back()
    expect_page(engine, match)
    assert engine.evaluate(TOLD) == "Blue played e6: 3 rings, 0 cells captured"

    engine.click('[data-step="Back"]')
    expect_page(engine, f"{match}?at=45")
    engine.click('[data-step="Forward"]')
    expect_page(engine, f"{match}?at=46")

    engine.goto(base_url + FINISHED)
    assert not engine.evaluate(REST_SHOWN)
    engine.click(".veil")
    engine.wait_until(REST_SHOWN, timeout=3)
    if isinstance(engine, Firefox):
        assert engine.errors == []


def play_the_computer(engine: Engine, base_url: str) -> None:
    """Play a move, have it answered, and go back to before it."""
    match = base_url + "/m/?computer=22"
    engine.goto(match)
    expect_page(engine, match)
    time.sleep(GUARD / 1000)
    engine.click("#c4")
    engine.wait_until("document.querySelector('.told')?.textContent.startsWith('Computer played')", timeout=20)
    link = link_of(engine.evaluate("document.getElementById('match').dataset.page"))
    assert (link.length, link.levels) == (2, (None, 2))
    expect_page(engine, base_url + link.page)
    engine.back()
    expect_page(engine, match)


def test_it_plays_the_computer(other_browser: Engine, base_url: str) -> None:
    play_the_computer(other_browser, base_url)


def test_it_plays_the_computer_without_scripts(other_browser_without_scripts: Engine, base_url: str) -> None:
    play_the_computer(other_browser_without_scripts, base_url)


def test_it_plays(other_browser: Engine, base_url: str) -> None:
    other_browser.resize(1000, 800)
    play_and_replay(other_browser, base_url)


def test_it_plays_without_scripts(other_browser_without_scripts: Engine, base_url: str) -> None:
    other_browser_without_scripts.resize(1000, 800)
    play_and_replay(other_browser_without_scripts, base_url)


# --- The picture --------------------------------------------------------------------------------------------------

CELLS = """(() => {
  const all = [...document.querySelectorAll('[role="gridcell"]')].map((cell) => [cell, cell.getBoundingClientRect()]);
  return all.map(([cell, { x, y, width }]) => [cell.id || cell.firstElementChild.id, x, y, width]);
})()"""


class Browser(Protocol):
    """What all three engines can do."""

    def evaluate(self, expression: str, /) -> Any: ...

    def screenshot(self, *, path: Path) -> Any: ...


Colour = tuple[int, ...]


def rgb(colour: str) -> Colour:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def nearest(colour: Colour, known: dict[Colour, str]) -> str:
    """What the known colour is that comes closest."""
    return known[min(known, key=lambda other: sum((a - b) ** 2 for a, b in zip(colour, other, strict=True)))]


def spot(board: Board, cell: int) -> tuple[float, float]:
    """How far off a cell's middle to look: at the body of its first orb beside the mark, or at the tile."""
    if not board.occupied >> cell & 1:
        return 0, 0
    x, y = PLACES[board.orbs_at(cell)][0]
    return (x - 7) / CELL, (y + 12) / CELL


def expect_drawn(browser: Browser, link: Link, board: Board, path: Path, scheme: str | None = None) -> None:
    """See that each cell of a board has its owner's colour, or the tile's; give the browser a while to paint it."""
    dark = browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    scheme = scheme or ("dark" if dark else "light")
    shades = {letter: getattr(COLOURS[letter], scheme) for letter in link.colours}
    known = {rgb(colour): letter for letter, shade in shades.items() for colour in (shade.fill, shade.deep)}
    known[rgb(SURFACES[scheme].tile)] = ""
    cells = {parse_cell(board.grid, name): at for name, *at in browser.evaluate(CELLS)}
    owners = {cell: board.owner(cell) for cell in cells}
    wanted = {cell: link.colours[owner - 1] if owner else "" for cell, owner in owners.items()}
    end = time.monotonic() + 10
    while True:
        browser.screenshot(path=path)
        with Image.open(path) as picture:
            pixels = picture.convert("RGB")
        found = {}
        for cell, (x, y, width) in cells.items():
            across, down = spot(board, cell)
            place = round(x + width * (0.5 + across)), round(y + width * (0.5 + down))
            found[cell] = nearest(pixels.getpixel(place), known)
        if found == wanted:
            return
        wrong = {cell_name(board.grid, cell): found[cell] for cell in cells if found[cell] != wanted[cell]}
        assert time.monotonic() < end, f"drawn otherwise: {wrong} ({path})"


def expect_pictures(browser: Browser, open_url: Callable[[str], Any], base_url: str, folder: Path) -> None:
    """See boards at rest, and two in the middle of a chain of twelve rings."""
    for path in (RUNNING, EIGHT):
        open_url(base_url + path)
        link = link_of(path)
        deadline = time.monotonic() + 20
        while not browser.evaluate(AT_REST):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        expect_drawn(browser, link, link.position.board, folder / "rest.png")
    open_url(base_url + FINISHED)
    link = link_of(FINISHED)
    assert link.ply
    for ring in (2, 7):
        assert browser.evaluate(STOP % ring)
        expect_drawn(browser, link, link.ply.frames[ring], folder / f"ring-{ring}.png")


def test_it_is_drawn(other_browser: Engine, base_url: str, tmp_path: Path) -> None:
    other_browser.resize(1280, 800)
    expect_pictures(other_browser, other_browser.goto, base_url, tmp_path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_drawn_in_chromium(page: Page, base_url: str, tmp_path: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    expect_pictures(page, page.goto, base_url, tmp_path)


# --- In a frame ---------------------------------------------------------------------------------------------------


def step(engine: Engine, selector: str, base_url: str, path: str) -> None:
    """Follow a link of the frame, and see it lead there."""
    engine.evaluate(f"document.querySelector({json.dumps(selector)}).click()")
    expect_page(engine, base_url + path)


@pytest.mark.parametrize("kind", {**KINDS, **SCRIPTLESS}.values(), ids={**KINDS, **SCRIPTLESS}.keys())
def test_it_is_drawn_and_replays_in_a_frame(
    other_browser: Engine, host: Host, kind: Kind, base_url: str, tmp_path: Path
) -> None:
    other_browser.resize(520, 720)
    other_browser.goto(host.put(f"{base_url}{RUNNING}?embed=1&scheme=dark", kind=kind))
    other_browser.enter_frame()
    assert (other_browser.evaluate("window.origin") == "null") == (kind.sandbox is not None)
    rest(other_browser)
    link = link_of(RUNNING)
    expect_drawn(other_browser, link, link.position.board, tmp_path / "framed.png", "dark")
    other_browser.evaluate("window.same = true")
    step(other_browser, '[data-step="Back"]', base_url, f"{RUNNING}?at=45&embed=1&scheme=dark")
    step(other_browser, '[data-step="Forward"]', base_url, f"{RUNNING}?at=46&embed=1&scheme=dark")
    assert bool(other_browser.evaluate("window.same")) == (kind.sandbox != "")  # in parts, where scripts run
    assert other_browser.evaluate("document.getElementById('trouble').textContent") == ""
    if isinstance(other_browser, Firefox):
        assert other_browser.errors == []


# --- Without the app ----------------------------------------------------------------------------------------------

# How many pages the worker keeps of this kind; it is asked for until it is known.
KEPT = """(() => {
  caches.keys().then(async (names) => {
    const name = names.find((it) => it.startsWith("critmass-steps-"));
    if (name) window.kept = (await (await caches.open(name)).keys()).length;
  });
  return window.kept;
})()"""


@pytest.mark.parametrize("other", ["502", "login", "login-here", "cut"])
def test_it_shows_what_it_keeps_whoever_else_answers(other_browser: Engine, gateway: Gateway, other: str) -> None:
    match = f"{gateway.url}/m/0z7sy1"
    other_browser.goto(match)
    other_browser.wait_until(f"({KEPT}) === 7", timeout=30)
    gateway.other = other
    other_browser.goto(f"{match}?at=3")
    expect_page(other_browser, f"{match}?at=3")
    other_browser.goto(f"{gateway.url}/M/0Z7SY1.?fbclid=x&AT=2")
    expect_page(other_browser, f"{match}?at=2")
    assert {"/m/0z7sy1", "/M/0Z7SY1."} <= {*gateway.asked}
    other_browser.goto(f"{gateway.url}/")
    assert "Chain Reaction" in other_browser.evaluate("document.querySelector('h1').textContent")
