"""Taps: one plays one move, whatever the fingers, the chain and the network do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from moves import (
    LONG_CHAIN,
    PHONE,
    STILL,
    expect_match,
    expect_seen,
    expect_url,
    link_of,
    middle,
    path_of,
    play,
    playable,
    tap,
    until,
    wait_at_rest,
)
from playwright.sync_api import BrowserContext, Error, Page, Route, expect
from watch import Watch

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

CHAIN = LONG_CHAIN[:-3]  # three rings, and the match goes on
MODES = {"htmx": STILL, "bare": {**STILL, "java_script_enabled": False}}


@pytest.fixture
def page(new_context: Contexts) -> Page:
    """A page on which nothing moves, so that it need not be waited for."""
    return new_context(**STILL).new_page()


def alert(page: Page) -> Any:
    return page.get_by_role("alert")


# --- Double taps --------------------------------------------------------------------------------------------------


def tap_twice(page: Page) -> None:
    tap(page, "c3", times=2)


def double_click(page: Page) -> None:
    page.mouse.dblclick(*middle(page, "c3"))


@contextmanager
def late_answers(page: Page) -> Iterator[None]:
    """Let nothing that is done here be answered before all of it is done."""
    held: list[Route] = []
    page.route("**/m/*", lambda route: held.append(route))
    yield
    page.wait_for_timeout(200)
    for route in held:
        with suppress(Error):  # as the first of two navigations that the browser has given up
            route.continue_()


def tap_twice_before_the_answer(page: Page) -> None:
    with late_answers(page):
        tap_twice(page)


def double_click_before_the_answer(page: Page) -> None:
    with late_answers(page):
        double_click(page)


def tap_again_after_the_answer(page: Page) -> None:
    # However slow the machine, the second tap comes soon after the first by the clock of the animations.
    slow = page.context.new_cdp_session(page)
    slow.send("Animation.enable")
    slow.send("Animation.setPlaybackRate", {"playbackRate": 0.1})
    left = page.url
    tap(page, "c3")
    expect(page).not_to_have_url(left)
    tap(page, "d4")
    slow.send("Animation.setPlaybackRate", {"playbackRate": 1})
    slow.detach()


# A tap may fall between two pages: then Chromium does not tell its end, and Playwright waits for it for ever.
INTO_THE_PAGE = [tap_twice, double_click, tap_twice_before_the_answer]
TO_THE_NEXT_PAGE = [tap_twice_before_the_answer, double_click_before_the_answer, tap_again_after_the_answer]


@pytest.mark.parametrize(
    ("start", "mode", "ways"),
    [
        ("/m/0z7", "htmx", INTO_THE_PAGE),
        ("/m/0z7", "bare", TO_THE_NEXT_PAGE),
        ("/", "htmx", TO_THE_NEXT_PAGE),
        ("/", "bare", TO_THE_NEXT_PAGE),
    ],
)
@pytest.mark.parametrize("hand", ["mouse", "finger"])
def test_a_double_tap_is_one_move(
    new_context: Contexts, start: str, mode: str, ways: list[Callable[[Page], None]], hand: str
) -> None:
    page = new_context(**MODES[mode], **(PHONE if hand == "finger" else {})).new_page()
    after = link_of(start if start != "/" else "/m/").next_url(14)
    for twice in ways:
        if hand == "finger" and "click" in twice.__name__:
            continue
        page.goto(start)
        wait_at_rest(page)
        twice(page)
        expect_url(page, after)
        page.wait_for_timeout(500)
        expect_match(page, after)
        page.unroute_all()


def test_a_player_may_tap_the_cell_just_played_a_moment_later(page: Page) -> None:
    page.goto("/classic/3x3/2/16")
    play(page, "a1")
    play(page, "a3")
    expect_match(page, "/classic/3x3/2/1606")


# --- Too early ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False])
def test_taps_during_the_chain_play_nothing(new_context: Contexts, scripts: bool) -> None:
    page = new_context(java_script_enabled=scripts).new_page()
    page.goto(CHAIN)
    tap(page, "a1", times=3)
    expect_seen(page, link_of(CHAIN).position.board)  # the first of them skipped the chain
    page.wait_for_timeout(500)
    expect_match(page, CHAIN)
    play(page, "a1")
    tap(page, "c3", times=3)
    page.wait_for_timeout(500)
    expect_match(page, CHAIN + "0")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_taps_just_after_the_chain_play_nothing(new_context: Contexts, motion: str) -> None:
    page = new_context(reduced_motion=motion).new_page()
    # At the very moment at which it comes to rest: what lies under the finger, and the link itself.
    page.add_init_script("""
      const tap = () => {
        const { x, y, width, height } = document.getElementById("a1").getBoundingClientRect();
        document.elementFromPoint(x + width / 2, y + height / 2).click();
        document.getElementById("a1").click();
        window.tapped = true;
      };
      addEventListener("DOMContentLoaded", () => {
        const [clock] = document.querySelector(".clock").getAnimations();
        if (clock) clock.finished.then(() => setTimeout(tap, 20));
        else setTimeout(tap, 20);
      });
    """)
    page.goto(CHAIN)
    until(page, "window.tapped")
    page.wait_for_timeout(500)
    expect_match(page, CHAIN)
    play(page, "a1")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_shield_holds_taps_off_without_scripts(new_context: Contexts, motion: str) -> None:
    page = new_context(java_script_enabled=False, reduced_motion=motion).new_page()
    page.goto(CHAIN)
    hit = page.evaluate("""() => {
      const { x, y, width, height } = document.getElementById("a1").getBoundingClientRect();
      const moving = document.getAnimations();
      const [clock] = document.querySelector(".clock").getAnimations();
      const end = clock ? clock.effect.getComputedTiming().endTime : 0;
      return [0, 320, 360].map((after) => {
        for (const it of moving) { it.pause(); it.currentTime = end + after; }
        return document.elementFromPoint(x + width / 2, y + height / 2).matches("a");
      });
    }""")
    assert hit == [False, False, True]


# --- The network --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["/", "/m/0z"])
def test_a_second_tap_while_the_first_is_under_way(page: Page, start: str) -> None:
    page.goto(start)
    wait_at_rest(page)
    held: list[Route] = []
    page.route("**/m/*", lambda route: held.append(route))
    for at in [middle(page, cell) for cell in ("c3", "d4", "c3", "e5")]:
        page.mouse.click(*at)
    page.wait_for_timeout(300)
    assert path_of(page.url) == start
    assert len(held) == 1
    held[0].continue_()
    page.unroute("**/m/*")
    after = link_of(start if start != "/" else "/m/").next_url(14)
    expect_match(page, after)
    page.wait_for_timeout(300)
    expect_match(page, after)
    play(page, "d4")


def test_a_move_without_a_network(page: Page, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    watch.expect("htmx:error: Failed to fetch")
    page.goto("/m/0z")
    wait_at_rest(page)
    page.context.set_offline(True)
    for _ in range(2):
        tap(page, "c3")
        expect(alert(page)).to_have_text(
            "No connection. Your move was not played: tap the cell again when you are back online."
        )
    expect_match(page, "/m/0z")
    page.context.set_offline(False)
    play(page, "c3")
    expect_match(page, "/m/0ze")
    expect(alert(page)).to_be_hidden()
    play(page, "d4")


def test_a_connection_that_breaks(page: Page, watch: Watch) -> None:
    watch.expect("ERR_CONNECTION_RESET")
    watch.expect("htmx:error: Failed to fetch")
    page.goto("/m/0z")
    wait_at_rest(page)
    page.route("**/*part=1*", lambda route: route.abort("connectionreset"))
    tap(page, "c3")
    expect(alert(page)).to_contain_text("Your move was not played")
    expect_match(page, "/m/0z")
    page.unroute("**/*part=1*")
    play(page, "d4")
    expect_match(page, "/m/0zl")


@pytest.mark.parametrize("status", [404, 500, 503])
def test_a_server_in_trouble_leads_to_a_page(page: Page, watch: Watch, status: int) -> None:
    watch.expect(f"status of {status}")
    if status >= 500:
        watch.expect(f"answer {status}")
    page.goto("/m/0z")
    page.route("**/*part=1*", lambda route: route.fulfill(status=status, body="Bad", content_type="text/plain"))
    play(page, "c3")
    expect_match(page, "/m/0ze")
    page.unroute("**/*part=1*")
    play(page, "d4")


def test_an_answer_that_is_no_match_is_not_put_into_the_page(page: Page) -> None:
    page.goto("/m/0z")
    stranger = "<!doctype html><title>Hotel</title><h1>Welcome to our network</h1>"
    page.route("**/*part=1*", lambda route: route.fulfill(body=stranger, content_type="text/html"))
    play(page, "c3")
    expect_match(page, "/m/0ze")
    assert playable(page)
