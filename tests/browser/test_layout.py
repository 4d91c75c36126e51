"""The board and what matters about it are in view, as large as the screen allows, on any screen and in any colours."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from coloraide import Color
from matches import CLASSIC, CROWDED, EIGHT, FINISHED, GAME, GRACED, HUGE, LATE, NAMES, RUNNING, START
from moves import STILL, play
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

UPRIGHT = {"width": 390, "height": 664}  # a phone with its browser's bars in place
SIDEWAYS = {"width": 844, "height": 340}
DESKTOP = {"width": 1280, "height": 800}
ZOOMED = {"width": 320, "height": 256}  # a window of 1280 × 1024 at 400 %


class Box(NamedTuple):
    """Where something is in the window."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


def box(page: Page, selector: str) -> Box:
    found = page.locator(selector).first.bounding_box()
    assert found, selector
    return Box(**found)


def assert_in_view(page: Page, *selectors: str) -> None:
    """See that all of these can be seen without scrolling."""
    size = page.viewport_size
    assert size
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    for selector in selectors:
        it = box(page, selector)
        seen = min(it) >= 0 and it.right <= size["width"] and it.bottom <= size["height"]
        assert seen, f"{selector} is not in view on {page.url}: {it}"


def open_page(new_context: Contexts, path: str, viewport: dict[str, int], **options: Any) -> Page:
    page = new_context(viewport=viewport, **{**STILL, **options}).new_page()
    page.goto(path)
    return page


def width_scrolled(page: Page) -> int:
    """How far the page can be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


# --- In view ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("screen", [UPRIGHT, SIDEWAYS], ids=["upright", "sideways"])
def test_a_phone_shows_it_all(new_context: Contexts, screen: dict[str, int], scripts: bool) -> None:
    page = open_page(new_context, GRACED, screen, java_script_enabled=scripts)
    assert_in_view(page, ".grace")
    for path in (GRACED, RUNNING, FINISHED, CLASSIC, EIGHT, EIGHT + NAMES):
        page.goto(path)
        assert_in_view(page, ".board", "h1", ".told", ".count", ".players")


@pytest.mark.parametrize(
    ("screen", "shares"),
    [
        (UPRIGHT, {RUNNING: (0.9, 0.5), CLASSIC: (0.7, 0.65), EIGHT: (0.7, 0.65)}),
        (SIDEWAYS, {RUNNING: (0.3, 0.9), CLASSIC: (0.2, 0.9), EIGHT: (0.2, 0.9)}),
        (DESKTOP, {RUNNING: (0.5, 0.85), CLASSIC: (0.35, 0.85), HUGE: (0.5, 0.85)}),
    ],
    ids=["upright", "sideways", "desktop"],
)
def test_the_board_is_large(
    new_context: Contexts, screen: dict[str, int], shares: dict[str, tuple[float, float]]
) -> None:
    page = open_page(new_context, START, screen)
    for path, (across, down) in shares.items():
        page.goto(path)
        board = box(page, ".board")
        assert board.width >= across * screen["width"], path
        assert board.height >= down * screen["height"], path


def test_a_tall_board_takes_all_that_the_status_leaves(new_context: Contexts) -> None:
    page = open_page(new_context, CLASSIC, UPRIGHT)
    assert box(page, ".board").bottom >= 0.97 * UPRIGHT["height"]


def test_cells_are_large_enough_to_hit(new_context: Contexts) -> None:
    page = open_page(new_context, EIGHT, UPRIGHT)
    sizes = page.locator('[role="gridcell"]').evaluate_all(
        "all => all.map((cell) => cell.firstElementChild ?? cell).flatMap((it) => [it.offsetWidth, it.offsetHeight])"
    )
    assert len(sizes) == 2 * 150
    assert min(sizes) >= 24


def test_a_desktop_shows_the_status_beside_the_board(new_context: Contexts) -> None:
    page = open_page(new_context, START, DESKTOP)
    for path in (RUNNING, FINISHED, CLASSIC, EIGHT + NAMES, HUGE):
        page.goto(path)
        assert_in_view(page, ".board", "h1", ".told", ".count", ".players", ".replay", "#link")
        assert box(page, ".status").x >= box(page, ".board").right


# --- Where it stays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("screen", [UPRIGHT, SIDEWAYS, DESKTOP], ids=["upright", "sideways", "desktop"])
def test_the_board_stays_where_it_is(new_context: Contexts, screen: dict[str, int]) -> None:
    page = open_page(new_context, START, screen)
    grace_ends, chain, players_out, end = range(10), range(44, 47), range(116, 121), range(67, 70)
    for path, plies in (
        (RUNNING, grace_ends),
        (RUNNING, chain),
        (CROWDED, players_out),
        (CROWDED + NAMES, players_out),
        (FINISHED, end),
    ):
        page.goto(f"{path}{'&' if '?' in path else '?'}at={plies[0]}")
        places = {box(page, ".board")}
        for ply in plies[1:]:
            page.get_by_role("link", name="Forward").click()
            expect(page.locator(".game .count")).to_contain_text(f"Move {ply}")
            places.add(box(page, ".board"))
        assert len(places) == 1, (path, plies)


def test_a_move_leaves_the_board_where_it_is(new_context: Contexts) -> None:
    page = open_page(new_context, START, UPRIGHT)
    places = {box(page, ".board")}
    for cell in ("a1", "f6"):
        play(page, cell)
        places.add(box(page, ".board"))
    assert len(places) == 1


def test_a_board_in_motion_does_not_scroll_in_its_frame(new_context: Contexts) -> None:
    page = open_page(new_context, FINISHED, UPRIGHT, reduced_motion="no-preference")
    size = page.locator(".board").evaluate("it => [it.scrollWidth, it.scrollHeight, it.clientWidth, it.clientHeight]")
    assert page.locator(".clock").evaluate("it => it.getAnimations().length") == 1
    assert size[:2] == size[2:]


# --- Small windows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewport", [UPRIGHT, DESKTOP], ids=["phone", "desktop"])
def test_a_page_ends_with_its_footer(new_context: Contexts, viewport: dict[str, int]) -> None:
    """What is unseen in a list that scrolls once stretched the page far below it."""
    for path in (
        LATE,
        FINISHED,
        GAME,
        f"{GAME}?at=40",
        f"{GAME}?at=57&ring=0",
        "/new",
        "/import",
        f"/share?link={GAME}",
        f"/qr?link={GAME}",
    ):
        page = open_page(new_context, path, viewport)
        height, end = page.evaluate(
            "[document.documentElement.scrollHeight, document.querySelector('.foot').getBoundingClientRect().bottom]"
        )
        assert height == pytest.approx(end, abs=1), path


@pytest.mark.parametrize("width", [320, 390, 844, 1280])
def test_no_page_scrolls_sideways(new_context: Contexts, watch: Any, width: int) -> None:
    watch.expect("404|422|503")  # a busy computer; Chromium reports the answers that are no success
    page = new_context(viewport={"width": width, "height": 664}, **STILL).new_page()
    paths = ["/", "/how-to-play", "/open?link=nothing", "/nowhere", "/m/00", f"{RUNNING}?ring=1", f"{LATE}?at=3"]
    about = [f"/{name}?link={quote(EIGHT + NAMES)}" for name in ("share", "qr", "sheet", "players", "open", "hint")]
    others = ["/new", "/import", "/api", "/puzzles", "/puzzle/7", "/offline", f"{EIGHT}?embed=1"]
    for path in [*paths, START, FINISHED, CLASSIC, EIGHT + NAMES, HUGE, *about, *others]:
        page.goto(path)
        assert width_scrolled(page) <= 0, path


@pytest.mark.parametrize("ply", [49, 56])
def test_a_huge_board_scrolls_in_its_frame_to_the_last_move(new_context: Contexts, ply: int) -> None:
    page = open_page(new_context, f"{HUGE}?at={ply}", UPRIGHT)
    board, last = box(page, ".board"), box(page, '[aria-label$="just played"]')
    assert width_scrolled(page) <= 0
    assert box(page, ".stage").width > board.width
    assert board.x <= last.x
    assert last.right <= board.right
    assert_in_view(page, "h1", ".told", '[aria-label$="just played"]')


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_it_plays_at_four_times_the_size(new_context: Contexts, scripts: bool) -> None:
    page = open_page(new_context, EIGHT, ZOOMED, java_script_enabled=scripts)
    assert width_scrolled(page) <= 0
    assert box(page, ".status").bottom <= box(page, ".board").y
    assert min(box(page, '[role="gridcell"] a')[2:]) >= 24
    play(page, "j2")
    expect(page.locator(".told")).to_have_text("Violet played j2")


# --- Colours ------------------------------------------------------------------------------------------------------


def test_light_and_dark(new_context: Contexts) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        page = open_page(new_context, RUNNING, UPRIGHT, color_scheme=scheme)
        page_colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        colours[scheme] = (page_colour, page.evaluate("getComputedStyle(document.querySelector('.tile')).fill"))
        page.context.close()
    assert all(light != dark for light, dark in zip(colours["light"], colours["dark"], strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colours", [{"forced_colors": "active"}, {"contrast": "more"}], ids=["forced", "contrast"])
def test_cells_and_focus_show_in_the_user_s_own_colours(
    new_context: Contexts, colours: dict[str, Any], scheme: str
) -> None:
    page = open_page(new_context, GRACED, DESKTOP, color_scheme=scheme, **colours)
    cell = page.locator("#c3")
    empty = cell.screenshot()
    assert contrast_within(empty) >= 3  # its edge against itself
    assert page.locator("#b3").screenshot() != empty
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.mouse.move(1, 1)
    assert cell.screenshot() != empty
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_have_text("Blue played c3")


def contrast_within(screenshot: bytes) -> float:
    """The contrast ratio of the lightest and the darkest in a picture, as WCAG measures it."""
    with Image.open(BytesIO(screenshot)) as picture:
        colours = picture.convert("RGB").getcolors(maxcolors=picture.width * picture.height)
    lights = [Color("srgb", [part / 255 for part in colour]).luminance() for _, colour in colours]
    return (max(lights) + 0.05) / (min(lights) + 0.05)
