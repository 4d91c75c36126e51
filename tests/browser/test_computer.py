"""Matches against the computer, as people play them."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from moves import (
    CRITICAL,
    LONG_CHAIN,
    STILL,
    expect_match,
    expect_url,
    labels,
    link_of,
    middle,
    path_of,
    play,
    playable,
    skip,
    tap,
    wait_at_rest,
)
from playwright.sync_api import BrowserContext, Page, Route, expect
from watch import Watch

from critmass.engine import cell_name
from critmass.links import Link

Contexts = Callable[..., BrowserContext]

ANSWER = re.compile(r"/computer\?")
WON = CRITICAL[0] + CRITICAL[1]
FIRST = "/m/?computer=21"
CHAIN = f"{LONG_CHAIN[:-3]}?computer=21"  # three rings, and then it is the computer's turn


@pytest.fixture
def page(new_context: Contexts) -> Page:
    """A page on which nothing moves, so that it need not be waited for."""
    return new_context(**STILL).new_page()


def thinking(page: Page) -> Any:
    return page.locator("h1.thinking")


def expect_answer(page: Page, plies: int) -> Link:
    """Wait until the computer has answered and that many plies are played."""
    expect(page.locator("#match .game .count")).to_have_text(f"Move {plies}", timeout=20_000)
    expect(thinking(page)).to_have_count(0)
    return link_of(path_of(page.url))


def play_any(page: Page, link: Link) -> None:
    """Play one of the cells that can be played; a corner or an edge rather than the middle."""
    wait_at_rest(page)
    board = link.position.board
    cells = [cell for cell in range(link.rules.grid.size) if link.position.legal >> cell & 1]
    best = max(cells, key=lambda cell: board.orbs_at(cell) - link.rules.grid.capacity(cell))
    tap(page, cell_name(link.rules.grid, best))


# --- The answer ---------------------------------------------------------------------------------------------------


def test_a_match_from_the_front_page(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Level").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect_match(page, FIRST)
    for plies in (2, 4, 6):
        play_any(page, link_of(path_of(page.url)))
        expect_match(page, expect_answer(page, plies).page)
        for question in page.locator("[data-memory]").all():
            expect(question).to_be_hidden()
    page.goto("/")
    expect(page.locator("#remembered li")).to_have_count(1)
    expect(page.locator("#remembered li")).to_contain_text("Your turn")


@pytest.mark.usefixtures("awake")
def test_a_match_to_its_end(page: Page) -> None:
    page.goto(f"{WON[:-1]}?computer=25")
    play(page, "a6")
    expect(page.locator("h1")).to_have_text("Red wins")
    expect(page.get_by_role("link", name="Rematch")).to_have_attribute("href", "/m/?colours=br&computer=15")
    page.goto(f"{WON[:-1]}?computer=18")
    expect(page.locator("h1")).to_have_text("Computer wins")


def test_it_begins(page: Page) -> None:
    page.goto("/")
    page.get_by_label("It begins").check()
    page.get_by_role("button", name="Play", exact=True).click()
    link = expect_answer(page, 1)
    assert link.levels == (3, None)
    expect_match(page, link.page)
    page.go_back(wait_until="commit")
    expect_url(page, "/")


def test_a_match_without_scripts(new_context: Contexts) -> None:
    page = new_context(**STILL, java_script_enabled=False).new_page()
    page.goto("/")
    page.get_by_label("Level").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect_match(page, FIRST)
    for plies in (2, 4):
        play_any(page, link_of(path_of(page.url)))
        expect_match(page, expect_answer(page, plies).page)
    page.goto(f"{WON[:-1]}?computer=15")
    expect(page.locator("h1")).to_have_text("Computer wins", timeout=10_000)


def test_the_board_is_shown_while_it_thinks(page: Page) -> None:
    held: list[Route] = []
    page.route(ANSWER, lambda route: held.append(route))
    page.goto(FIRST)
    play(page, "c4")
    expect(thinking(page)).to_have_text("Computer is thinking…")
    link = link_of("/m/k?computer=21")
    assert page.evaluate("""() => [...document.querySelectorAll('[role="gridcell"]')]
      .map((cell) => (cell.firstElementChild ?? cell).getAttribute("aria-label"))""") == labels(link)
    assert playable(page) == set()
    page.mouse.click(*middle(page, "c4"))
    expect(page.locator("#said")).to_have_text("Red played c4. Computer to move. Wipes count from move 8.")
    held[0].continue_()
    expect_match(page, expect_answer(page, 2).page)
    assert len(held) == 1


def test_its_answer_waits_for_the_end_of_the_chain(new_context: Contexts) -> None:
    page = new_context().new_page()
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url) if ANSWER.search(request.url) else None)
    page.goto(CHAIN)
    moves = link_of(CHAIN).length
    end = page.evaluate("document.querySelector('.clock').getAnimations()[0].effect.getComputedTiming().endTime")
    assert end > 1500
    page.wait_for_timeout(end / 2)
    expect_url(page, CHAIN)
    assert len(asked) == 1  # long before it is shown
    expect_answer(page, moves + 1)


def test_skip_skips_to_its_answer(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.add_init_script("localStorage.setItem('critmass.settings', JSON.stringify({speed: 'slow'}))")
    page.goto(CHAIN)
    skip(page)
    expect(page.locator("#match .game .count")).to_have_text(f"Move {link_of(CHAIN).length + 1}", timeout=1500)


def test_a_double_tap_is_one_move(page: Page) -> None:
    page.goto(FIRST)
    wait_at_rest(page)
    tap(page, "c3", times=2)
    link = expect_answer(page, 2)
    page.wait_for_timeout(500)
    expect_match(page, link.page)


# --- The way back -------------------------------------------------------------------------------------------------


def test_back_leads_to_before_ones_own_move(page: Page) -> None:
    page.goto(FIRST)
    play_any(page, link_of(FIRST))
    second = expect_answer(page, 2)
    play_any(page, second)
    expect_answer(page, 4)
    page.go_back(wait_until="commit")
    expect_match(page, second.page)
    page.wait_for_timeout(700)
    expect_match(page, second.page)
    page.go_forward(wait_until="commit")
    expect_answer(page, 4)
    page.go_back(wait_until="commit")
    page.go_back(wait_until="commit")
    expect_match(page, FIRST)
    play(page, "c3")
    expect_answer(page, 2)


def test_back_while_it_thinks(page: Page) -> None:
    held: list[Route] = []
    page.route(ANSWER, lambda route: held.append(route))
    page.goto(FIRST)
    play(page, "c4")
    expect(thinking(page)).to_be_visible()
    page.go_back(wait_until="commit")
    expect_match(page, FIRST)
    held[0].continue_()
    page.unroute(ANSWER)
    page.wait_for_timeout(700)
    expect_match(page, FIRST)
    play(page, "d3")
    expect_match(page, expect_answer(page, 2).page)


def test_back_without_scripts(new_context: Contexts) -> None:
    page = new_context(**STILL, java_script_enabled=False).new_page()
    page.goto(FIRST)
    wait_at_rest(page)
    tap(page, "c4")
    expect_answer(page, 2)
    page.go_back(wait_until="commit")
    expect_match(page, FIRST)


def test_take_back(page: Page) -> None:
    page.goto(FIRST)
    play(page, "c4")
    expect_answer(page, 2)
    page.get_by_role("link", name="Take back").click()
    expect_match(page, FIRST)
    page.wait_for_timeout(700)
    expect_match(page, FIRST)
    play(page, "d3")
    expect_answer(page, 2)
    for question in page.locator("[data-memory]").all():
        expect(question).to_be_hidden()


def test_take_back_while_it_thinks(page: Page) -> None:
    held: list[Route] = []
    page.route(ANSWER, lambda route: held.append(route))
    page.goto(FIRST)
    play(page, "c4")
    page.get_by_role("link", name="Take back").click()
    expect_match(page, FIRST)
    held[0].continue_()
    page.wait_for_timeout(700)
    expect_match(page, FIRST)


# --- Trouble ------------------------------------------------------------------------------------------------------


def test_a_busy_computer_is_asked_again(page: Page, watch: Watch) -> None:
    watch.expect("status of 503")
    watch.expect("answer 503")
    answers = [{"status": 503, "headers": {"Retry-After": "1"}, "body": "busy"}] * 2
    page.route(ANSWER, lambda route: route.fulfill(**answers.pop()) if answers else route.continue_())
    page.goto(FIRST)
    play(page, "c4")
    expect(page.get_by_role("alert")).to_have_text("The computer is busy. It is asked again in 1 s.")
    expect(thinking(page)).to_be_visible()
    expect_match(page, expect_answer(page, 2).page)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert answers == []


def test_a_busy_computer_is_asked_again_without_scripts(new_context: Contexts, watch: Watch) -> None:
    watch.expect("status of 503")
    watch.expect("answer 503")
    page = new_context(**STILL, java_script_enabled=False).new_page()
    body = '<meta http-equiv="refresh" content="1"><title>Busy</title><h1>The computer is busy</h1>'
    answers = [{"status": 503, "content_type": "text/html", "body": body}]
    page.route(ANSWER, lambda route: route.fulfill(**answers.pop()) if answers else route.continue_())
    page.goto("/m/k?computer=21")
    expect(page).to_have_title("Busy", timeout=10_000)
    expect_answer(page, 2)


def test_an_answer_without_a_network(page: Page, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    watch.expect("htmx:error: Failed to fetch")
    page.goto(FIRST)
    page.route(ANSWER, lambda route: route.abort("internetdisconnected"))
    play(page, "c4")
    expect(page.get_by_role("alert")).to_contain_text("No connection. Your move stands")
    expect(thinking(page)).to_be_visible()
    expect_url(page, "/m/k?computer=21")
    page.unroute(ANSWER)
    expect_match(page, expect_answer(page, 2).page)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_the_whole_page_can_be_tried_again(page: Page, watch: Watch) -> None:
    watch.expect("ERR_CONNECTION_RESET")
    watch.expect("htmx:error: Failed to fetch")
    page.route(ANSWER, lambda route: route.abort("connectionreset"))
    page.goto("/m/k?computer=21")
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    page.unroute(ANSWER)
    page.get_by_role("link", name="Try again").click()
    expect_answer(page, 2)


# --- Hints --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("awake")
def test_a_hint_is_marked_on_the_board(page: Page) -> None:
    page.goto("/m/buvupvjuuv")
    wait_at_rest(page)
    page.get_by_role("link", name="Hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: a6, Red wins in 1 move")
    expect(page.locator(".hinted")).to_have_id("a6")
    expect_url(page, "/m/buvupvjuuv")
    play(page, "a6")
    expect(page.locator("h1")).to_have_text("Red wins")
    expect(page.locator(".hinted")).to_have_count(0)


@pytest.mark.usefixtures("awake")
def test_a_hint_without_scripts(new_context: Contexts) -> None:
    page = new_context(**STILL, java_script_enabled=False).new_page()
    page.goto("/m/buvupvjuuv")
    page.get_by_role("link", name="Hint").click()
    expect(page.locator("h1")).to_have_text("Hint: a6, Red wins in 1 move")
    page.get_by_role("link", name="Play a6").click()
    expect(page.locator("h1")).to_have_text("Red wins")


@pytest.mark.usefixtures("awake")
def test_a_hint_of_a_busy_computer_comes_by_itself(page: Page, watch: Watch) -> None:
    watch.expect("status of 503")
    watch.expect("answer 503")
    busy = (
        '<span hx-get="/hint?link=/m/0z" hx-trigger="load delay:1s" hx-target="#hint" hx-swap="innerHTML">Busy</span>'
    )
    answers = [{"status": 503, "content_type": "text/html", "body": busy}]
    page.route(re.compile("/hint"), lambda route: route.fulfill(**answers.pop()) if answers else route.continue_())
    page.goto("/m/0z")
    wait_at_rest(page)
    page.get_by_role("link", name="Hint").click()
    expect(page.locator("#hint")).to_have_text("Busy")
    expect(page.locator("#hint")).to_contain_text("Hint: ")
    expect(page.locator(".hinted")).to_have_count(1)


# --- Watching -----------------------------------------------------------------------------------------------------


@pytest.fixture
def watched(page: Page) -> Page:
    """Two computers that play each other."""
    page.goto("/new?game=classic&board=own&columns=3&rows=3&l1=1&l2=2")
    page.get_by_role("button", name="Begin the match").click()
    return page


def test_two_of_them_play_to_the_end(watched: Page) -> None:
    expect(watched.locator(".over h1")).to_contain_text("wins", timeout=60_000)
    link = link_of(path_of(watched.url))
    assert link.match.outcome
    assert not link.play
    watched.go_back(wait_until="commit")
    expect_url(watched, "/new?game=classic&board=own&columns=3&rows=3&l1=1&l2=2")


def test_they_are_paused_and_stepped(watched: Page) -> None:
    expect(watched.locator("#match .game .count")).to_have_text("Move 2", timeout=20_000)
    watched.get_by_role("link", name="Pause").click()
    expect(watched.locator("h1.thinking")).to_have_count(0)
    paused = path_of(watched.url)
    watched.wait_for_timeout(1200)
    assert path_of(watched.url) == paused
    length = link_of(paused).length
    watched.get_by_role("link", name="Next move").click()
    expect(watched.locator("#match .game .count")).to_have_text(f"Move {length + 1}")
    watched.wait_for_timeout(1000)
    assert link_of(path_of(watched.url)).length == length + 1
    watched.get_by_role("link", name="Play", exact=True).click()
    expect(watched.locator(".over h1")).to_contain_text("wins", timeout=60_000)


def test_they_go_on_without_scripts(new_context: Contexts) -> None:
    page = new_context(**STILL, java_script_enabled=False).new_page()
    page.goto("/classic/3x3/2/?computer=11,22&play=1")
    expect(page.locator("#match .game .count")).to_have_text("Move 3", timeout=20_000)
    page.get_by_role("link", name="Pause").click()
    page.wait_for_timeout(2500)
    assert not link_of(path_of(page.url)).play
