"""Back, Forward, reload, closed tabs: wherever an address leads, the page shows its match, whole and ready to play."""

from collections.abc import Callable

import pytest
from conftest import Profile
from moves import STILL, expect_match, expect_url, link_of, play, tap, wait_at_rest
from playwright.sync_api import BrowserContext, Page, Route, expect
from watch import Watch

ONE_DEVICE = True

REMEMBER_CACHE = "addEventListener('pageshow', (event) => { window.fromCache = event.persisted; });"
MOVES = "0z7sy1"
AT = [f"/m/{MOVES[:ply]}" for ply in range(len(MOVES) + 1)]


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page on which nothing moves, so that it need not be waited for."""
    context = new_context(**STILL)
    context.add_init_script(REMEMBER_CACHE)
    return context.new_page()


def play_on(page: Page, plies: int = len(MOVES)) -> None:
    """Play that many of the moves, from the start, each put into the page that is open."""
    page.goto(AT[0])
    page.evaluate("window.same = true")
    for ply in link_of(AT[plies]).match.plies:
        play(page, ply.name)
    expect_match(page, AT[plies])
    assert page.evaluate("same")


def back(page: Page) -> None:
    page.go_back(wait_until="commit")


def forward(page: Page) -> None:
    page.go_forward(wait_until="commit")


def test_back_and_forward_from_move_to_move(page: Page) -> None:
    play_on(page)
    for ply in reversed(range(len(MOVES))):
        back(page)
        expect_match(page, AT[ply])
    for ply in range(1, len(MOVES)):
        forward(page)
        expect_match(page, AT[ply])
    assert page.evaluate("same"), "the page was loaded again"
    play(page, "f1")
    expect_match(page, AT[-2] + "5")
    back(page)
    expect_match(page, AT[-2])


def test_back_and_forward_without_scripts(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**STILL, java_script_enabled=False).new_page()
    page.goto("/")
    for ply in link_of(AT[3]).match.plies:
        play(page, ply.name)
    back(page)
    expect_match(page, AT[2])
    back(page)
    expect_match(page, AT[1])
    forward(page)
    expect_match(page, AT[2])
    play(page, "f1")
    expect_match(page, AT[2] + "5")


def test_several_steps_back_at_once(page: Page) -> None:
    play_on(page)
    for _ in range(4):
        page.evaluate("history.back()")
    expect_match(page, AT[2])
    page.evaluate("history.go(3)")
    expect_match(page, AT[5])
    page.evaluate("history.back(), history.forward(), history.back()")
    expect_match(page, AT[4])


def test_reload_and_a_cold_start_at_any_move(page: Page) -> None:
    play_on(page)
    page.reload()
    expect_match(page, AT[6])
    back(page)
    expect_match(page, AT[5])
    page.reload()
    expect_match(page, AT[5])
    forward(page)
    expect_match(page, AT[6])
    for address in (AT[3], AT[6] + "?at=2", AT[0], "/classic/6x9/4/a1b2c3d4", "/codingame/0z?names=Ada,Bo"):
        page.goto(address)
        expect_match(page, address)


def test_a_part_is_never_a_page(page: Page) -> None:
    page.goto("/m/0?part=1")
    expect_match(page, "/m/0")
    play(page, "f6")
    page.goto("/how-to-play")
    page.goto("/m/0z")
    expect_match(page, "/m/0z")
    page.goto("/m/0z?part=1")
    expect_match(page, "/m/0z")


def test_another_move_after_back(page: Page) -> None:
    play_on(page, 3)
    back(page)
    expect_match(page, AT[2])
    play(page, "c3")
    expect_match(page, AT[2] + "e")
    back(page)
    expect_match(page, AT[2])
    forward(page)
    expect_match(page, AT[2] + "e")


def test_back_from_another_page(page: Page) -> None:
    play_on(page, 4)
    page.get_by_role("link", name="How to play").click()
    expect_url(page, "/how-to-play")
    back(page)
    expect_match(page, AT[4])
    assert page.evaluate("fromCache")
    play(page, "e6")
    expect_match(page, AT[5])


def test_back_over_several_entries_into_a_page_that_has_changed(page: Page) -> None:
    play_on(page, 4)
    page.get_by_role("link", name="How to play").click()
    expect_url(page, "/how-to-play")
    for entries, ply in [(-2, 3), (2, None), (-4, 1), (1, 2)]:
        page.evaluate(f"setTimeout(() => history.go({entries}))")
        if ply is None:
            expect_url(page, "/how-to-play")
        else:
            expect_match(page, AT[ply])
    play(page, "b2")
    expect_match(page, AT[3])


def test_back_to_the_front_page_and_begin_anew(page: Page) -> None:
    page.goto("/")
    play(page, "a1")
    back(page)
    expect_url(page, "/")
    assert page.evaluate("fromCache")
    play(page, "c3")
    expect_match(page, "/m/e")


@pytest.mark.parametrize("answered", [("move", "back"), ("back", "move")])
def test_back_while_a_move_is_under_way(page: Page, answered: tuple[str, str]) -> None:
    play_on(page, 3)
    wait_at_rest(page)
    held: dict[str, Route] = {}
    page.route("**/m/*", lambda route: held.update({"move" if "part" in route.request.url else "back": route}))
    tap(page, "e6")
    back(page)
    expect_url(page, AT[2])
    page.wait_for_timeout(300)
    for request in answered:
        held.pop(request).continue_()
        page.wait_for_timeout(300)
    page.unroute("**/m/*")
    expect_match(page, AT[2])
    play(page, "c3")


def test_back_without_a_network(page: Page, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    watch.expect("htmx:error: Failed to fetch")
    play_on(page, 2)
    page.context.set_offline(True)
    back(page)
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect_match(page, AT[1])
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_closed_tab_is_restored(profile: Profile) -> None:
    page = profile.page
    play_on(page, 3)
    back(page)
    expect_match(page, AT[2])
    page = profile.restart()
    expect_match(page, AT[2])
    play(page, "b2")
    expect_match(page, AT[3])
    back(page)
    expect_match(page, AT[2])
    back(page)
    expect_match(page, AT[1])
    page.get_by_role("link", name="How to play").click()
    expect_url(page, "/how-to-play")
    page = profile.restart()
    back(page)
    expect_match(page, AT[1])
    play(page, "c3")
    expect_match(page, AT[1] + "e")
