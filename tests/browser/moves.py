"""A player at a browser: cells tapped as a hand would tap them, and the page read back in the engine's terms."""

import re
import time
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from critmass.drawing.geometry import CELL
from critmass.engine import Board, Grid, cell_name, cells_of, parse_cell
from critmass.formats.wording import cells_told, standing
from critmass.links import Link, read, split_url

CHAIN = 20_000  # ms: longer than any chain plays, on the slowest machine
GUARD = 500  # ms on a new page before a tap is sure to count
PHONE: dict[str, Any] = {
    "viewport": {"width": 412, "height": 839},
    "device_scale_factor": 2.625,
    "is_mobile": True,
    "has_touch": True,
}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}

# Whole matches: where they are played, and their moves as the link has them.
CRITICAL = ("/m/", "buvupvjuuvu")  # Red wins by a cut chain on ply 11
THREE = ("/classic/3x3/3/", "47825827842")  # one after another is out, and no cell is critical at the end
LONG_CHAIN = "/classic/3x3/2/160602626070"  # six rings on the last ply

# Every layer of the board with orbs that somebody looking at the page can see now; `within` narrows it down.
SEEN = """within => [...document.querySelectorAll(within)]
  .filter((path) => path.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((path) => [path.getAttribute("marker-mid"), path.getAttribute("d")])"""
DRAWN = SEEN.replace("path.checkVisibility({ visibilityProperty: true, opacityProperty: true })", "true")
# Starts the chain anew and stops it where only the board after a ring is to be seen, nothing in flight.
STOP = """(() => {
  const stage = document.querySelector(".stage");
  stage.style.display = "none";
  stage.getBoundingClientRect();
  stage.style.display = "";
  const timing = document.querySelectorAll(".f")[%d].getAnimations()[0].effect.getComputedTiming();
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = timing.delay + 0.13 * timing.duration;
  }
  return true;
})()"""
LABELS = """() => [...document.querySelectorAll('[role="gridcell"]')]
  .map((cell) => (cell.firstElementChild ?? cell).getAttribute("aria-label"))"""
REMEMBER_SAID = """
  window.heard = [];
  new MutationObserver(() => {
    const text = document.getElementById("said")?.textContent ?? "";
    if (text !== (heard.at(-1) ?? "")) heard.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def link_of(address: str) -> Link:
    """Read the match of an address, with or without the host."""
    found = split_url(address)
    assert found, address
    return read(found)


# --- Playing ------------------------------------------------------------------------------------------------------


def wait_at_rest(page: Page) -> None:
    """Wait until the chain has played to its end and a tap counts."""
    shield = page.locator(".shield")  # which keeps early taps away, scripts or not
    expect(shield).to_be_hidden(timeout=CHAIN)
    page.wait_for_timeout(GUARD / 2 if shield.count() else GUARD)


def middle(page: Page, cell: str) -> tuple[float, float]:
    """Where to tap a cell."""
    place = page.locator(f"#{cell}")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box, cell
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, cell: str, times: int = 1) -> None:
    """Tap a cell as quickly as it goes, with a finger where there is a touch screen; it may well do nothing."""
    at = middle(page, cell)
    click = page.touchscreen.tap if page.evaluate("navigator.maxTouchPoints") else page.mouse.click
    for _ in range(times):
        click(*at)


def play(page: Page, cell: str) -> None:
    """Play a cell of the match shown, once the board is at rest, and see the address change."""
    wait_at_rest(page)
    link = link_of(page.url) if urlsplit(page.url).path != "/" else link_of("/m/")
    tap(page, cell)
    expect_url(page, link.next_url(parse_cell(link.rules.grid, cell)))


def skip(page: Page) -> None:
    """Skip the chain that is playing."""
    page.get_by_text("Skip", exact=True).click()


def until(page: Page, expression: str, timeout: float = CHAIN / 1000) -> None:
    """Wait for a JavaScript expression to be true in the page, whose policy forbids Playwright's own way."""
    end = time.monotonic() + timeout
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not true within {timeout:g} s: {expression}"
        page.wait_for_timeout(50)


# --- Looking ------------------------------------------------------------------------------------------------------


def path_of(url: str) -> str:
    """The address without the host."""
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def expect_url(page: Page, path: str) -> None:
    """Wait for an address of this site."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    expect(page).to_have_url(origin + path, timeout=10_000)


def expect_match(page: Page, path: str) -> None:
    """See that the page is the whole page of this link: address, title, words, every cell, the board at rest."""
    expect_url(page, path)
    expect_shown(page, path)


def expect_shown(page: Page, path: str) -> None:
    """The same where the address may be another."""
    link = link_of(path)
    expect(page.locator("#match")).to_have_attribute("data-page", link.page, timeout=10_000)
    said = standing(link, link.position)
    expect(page).to_have_title(f"{said} · move {link.at} · Critical Mass")
    expect(page.locator(".standing")).to_have_text(said)
    expect(page.locator("#match .game .count")).to_have_text(re.compile(rf"^Move {link.at}( of {link.length})?$"))
    for whole_page in ("header", "footer", "#said", "#match"):
        expect(page.locator(whole_page)).to_have_count(1)
    assert page.evaluate(LABELS) == labels(link)
    board = link.position.board if link.ring is None or link.ply is None else link.ply.frames[link.ring]
    assert drawn(page, ".stage .rest:not(.halo) path") == picture(board)
    assert playable(page) == legal(link)


def labels(link: Link) -> list[str]:
    """What each cell says of itself, row by row from the top."""
    grid = link.rules.grid
    cells = [grid.cell(column, row) for row in reversed(range(grid.rows)) for column in range(grid.columns)]
    just = link.ply.cell if link.ply else None
    told = cells_told(link)
    return [told[cell] + (", just played" if cell == just else "") for cell in cells]


def legal(link: Link) -> set[str]:
    """The cells that can be played from this page."""
    cells = link.position.legal if link.at_end and link.ring is None and not link.level else 0
    return {cell_name(link.rules.grid, cell) for cell in cells_of(cells)}


def playable(page: Page) -> set[str]:
    """The cells that are links."""
    return {*page.locator('[role="gridcell"] a').evaluate_all("cells => cells.map((cell) => cell.id)")}


# --- The picture --------------------------------------------------------------------------------------------------

# What is drawn where, a cell's middle and what is drawn there, with how often.
Picture = Counter[tuple[str, str, str]]


def picture(board: Board, cells: int = -1) -> Picture:
    """What a board at rest, or a set of its cells, looks like: what stands in the middle of each."""
    hot = board.hot
    return Counter(
        (*spot(board.grid, cell), f"{'hot' if hot >> cell & 1 else 'orbs'}{board.owner(cell)}-{board.orbs_at(cell)}")
        for cell in cells_of(board.occupied & (cells if cells >= 0 else board.grid.cells))
    )


def spot(grid: Grid, cell: int) -> tuple[str, str]:
    """The middle of a cell in the picture."""
    column, row = grid.column_row(cell)
    return str((2 * column + 1) * CELL // 2), str((2 * (grid.rows - row) - 1) * CELL // 2)


def seen(page: Page, within: str = ".stage path", kind: str = "(?:orbs|hot)") -> Picture:
    """What can be seen of orbs just now, those in flight apart (their kind is `fly`)."""
    return _read(page.evaluate(SEEN, within), kind)


def expect_seen(page: Page, board: Board, timeout: float = CHAIN / 1000) -> None:
    """Wait until this board, and nothing else, is to be seen."""
    end, wanted = time.monotonic() + timeout, picture(board)
    while (found := seen(page)) != wanted:
        assert time.monotonic() < end, f"{board} is not what is seen: {found}"
        page.wait_for_timeout(50)


def drawn(page: Page, within: str) -> Picture:
    """What these parts of the board have drawn, whether it can be seen or not."""
    return _read(page.evaluate(DRAWN, within), "(?:orbs|hot)")


def _read(paths: list[list[str | None]], kind: str) -> Picture:
    found: Picture = Counter()
    for marker, data in paths:
        if marker and data and (orbs := re.fullmatch(rf"url\(#({kind}\d+(?:-\d+)?)\)", marker)):
            points = data.removeprefix("M").split()[2:-2]
            found.update((x, y, orbs[1]) for x, y in zip(points[::2], points[1::2], strict=True))
    return found
