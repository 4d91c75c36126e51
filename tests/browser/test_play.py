"""Whole matches, and what a move does to the page."""

from collections.abc import Callable
from typing import Any

import pytest
from moves import (
    CRITICAL,
    LONG_CHAIN,
    REMEMBER_SAID,
    STILL,
    THREE,
    drawn,
    expect_match,
    expect_seen,
    expect_url,
    link_of,
    path_of,
    picture,
    play,
    wait_at_rest,
)
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

from critmass.engine import cell_name
from critmass.formats.wording import told_whole
from critmass.links import Link

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]


def sit_down(new_context: Contexts, *people: dict[str, Any]) -> list[Page]:
    """Give each of these people a browser of their own."""
    contexts = [new_context(**options) for options in people]
    for context in contexts:
        context.add_init_script(REMEMBER_SAID)
    return [context.new_page() for context in contexts]


def expect_last_move(page: Page, link: Link) -> None:
    """It can be watched, from the board before it to the board after it, and its cell says so."""
    assert link.ply
    assert drawn(page, ".chain > path, .chain > .w path") == picture(link.ply.before.board)
    assert drawn(page, ".rest:not(.halo) path") == picture(link.position.board)
    expect(page.locator(".told")).to_contain_text(f"played {link.ply.name}")


def heard(page: Page) -> list[str]:
    """What the live region has said since the page was loaded."""
    return page.evaluate("heard")


def play_whole(people: list[Page], begin: str, match: Link, *, scripts: bool) -> Page:
    """Play a match to its end, each handing the link to the next; return the page of the last to move."""
    shared = begin
    for number, ply in enumerate(match.match.plies):
        page, link = people[number % len(people)], link_of(match.url(number))
        page.goto(shared)
        if number:
            expect_match(page, link.url())
            expect_last_move(page, link)
        expect_seen(page, link.position.board)
        play(page, ply.name)

        link = link_of(match.url(number + 1))
        expect_match(page, link.url())
        expect_last_move(page, link)
        title = page.locator("#share-title")
        expect(title).to_contain_text("The link of this match" if link.position.outcome else "Send this link to")
        expect(title).to_contain_text(f"move {number + 1}")
        if scripts:
            before = [told_whole(link_of(match.url(number)))] if number else []  # the front page says nothing
            assert heard(page) == [*before, told_whole(link)]
        shared = page.locator("#link").input_value()
        assert shared == page.url
    return page


def test_two_people_play_by_sending_the_link(new_context: Contexts) -> None:
    match = link_of("".join(CRITICAL))
    page = play_whole(sit_down(new_context, {}, STILL), "/", match, scripts=True)

    expect(page.locator("h1")).to_have_text("Red wins")
    expect(page.locator(".because")).to_contain_text("Red's chain took every orb on the board and was stopped there")
    expect(page.locator("#said")).to_contain_text("Red played a6: 2 rings, 4 cells captured. Blue is out. Red wins.")
    expect(page.locator('[role="grid"] a')).to_have_count(0)

    page.get_by_role("link", name="The winning chain, ring by ring").click()
    expect_match(page, match.url() + "?at=11&ring=0")
    page.get_by_role("link", name="Board at rest").click()
    expect_match(page, match.url() + "?at=11")
    page.get_by_role("link", name="Rematch").click()
    expect_match(page, "/m/?colours=br")
    expect(page.locator("h1")).to_have_text("Blue to move")
    play(page, "c3")
    expect_match(page, "/m/e?colours=br")
    expect(page.locator("h1")).to_have_text("Red to move")


def test_three_people_play_without_scripts(new_context: Contexts) -> None:
    match = link_of("".join(THREE))
    bare: dict[str, Any] = {"java_script_enabled": False}
    people = sit_down(new_context, bare, bare | STILL, bare | STILL)
    page = play_whole(people, THREE[0], match, scripts=False)

    expect(page.locator("h1")).to_have_text("Red wins")
    expect(page.locator(".told")).to_have_text("Red played c1: 5 rings, 5 cells captured. Green is out")
    expect(page.locator(".because")).to_have_text("Blue and Green have no orbs left.")
    expect(page.locator('[role="grid"] a')).to_have_count(0)

    page.get_by_role("link", name="The winning chain, ring by ring").click()
    for ring in range(5):
        expect_match(page, match.url() + f"?at=11&ring={ring}")
        page.get_by_role("link", name="Next ring").click()
    expect_match(page, match.url() + "?at=11&ring=5")
    page.get_by_role("link", name="Ring back").click()
    expect_match(page, match.url() + "?at=11&ring=4")
    page.get_by_role("link", name="Board at rest").click()
    expect_match(page, match.url() + "?at=11")
    page.get_by_role("link", name="Rematch").click()
    expect_match(page, THREE[0] + "?colours=bgr")
    page.go_back(wait_until="commit")
    page.get_by_role("link", name="New match").click()
    expect_match(page, THREE[0])


@pytest.mark.parametrize("scripts", [True, False])
def test_the_chain_can_be_skipped(new_context: Contexts, scripts: bool) -> None:
    page = new_context(java_script_enabled=scripts).new_page()
    link = link_of(LONG_CHAIN[:-1])
    page.goto(link.url())
    page.get_by_text("Skip", exact=True).click()
    expect(page.locator(".clock")).to_have_css("animation-name", "none")
    expect_seen(page, link.position.board)
    expect(page.get_by_text("Skip", exact=True)).to_be_hidden()
    play(page, "a1")
    expect_match(page, LONG_CHAIN)
    page.get_by_label("Skip the animation").press(" ")
    expect_seen(page, link_of(LONG_CHAIN).position.board)
    expect(page.get_by_role("heading", name="Blue wins")).to_be_visible()


def test_a_tap_on_the_moving_board_skips(page: Page) -> None:
    page.goto(LONG_CHAIN)
    page.locator(".stage").click()
    expect_seen(page, link_of(LONG_CHAIN).position.board)


def test_a_move_fetches_and_changes_the_match_alone(new_context: Contexts) -> None:
    page = new_context(**STILL).new_page()
    page.goto("/m/e")
    wait_at_rest(page)
    page.evaluate(
        "for (const part of ['header', 'footer', '#said', '#trouble', 'main', 'html']) "
        "document.querySelector(part).mine = true"
    )
    asked: list[str] = []
    page.on("request", lambda request: request.url.endswith("/icon.svg") or asked.append(path_of(request.url)))
    entries = page.evaluate("history.length")
    link = link_of("/m/e")
    for number, cell in enumerate(["c4", "d3", "d4", "c3"], 1):
        play(page, cell)
        link = link_of(link.next_url(next(c for c in range(36) if cell_name(link.rules.grid, c) == cell)))
        expect_match(page, link.url())
        assert asked == [f"{link.url()}?part=1"]
        assert page.evaluate("history.length") == entries + number
        asked.clear()
    survived = (
        "['header', 'footer', '#said', '#trouble', 'main', 'html'].every((part) => document.querySelector(part).mine)"
    )
    assert page.evaluate(survived)


def test_a_match_in_other_clothes_keeps_them(new_context: Contexts) -> None:
    page = new_context(**STILL).new_page()
    page.goto("/m/?colours=gv&names=Ada,Bo")
    play(page, "a1")
    expect_match(page, "/m/0?colours=gv&names=Ada,Bo")
    expect(page.locator("h1")).to_have_text("Bo to move")
    play(page, "b2")
    expect_match(page, "/m/07?colours=gv&names=Ada,Bo")
    page.get_by_role("link", name="Back", exact=True).click()
    expect_match(page, "/m/07?at=1&colours=gv&names=Ada,Bo")
    page.get_by_role("link", name="Play on from here").click()
    expect_match(page, "/m/0?colours=gv&names=Ada,Bo")


def test_playing_needs_no_secure_context(new_context: Contexts, insecure_url: str, watch: Watch) -> None:
    page = new_context(**STILL).new_page()
    page.goto(insecure_url)
    assert page.evaluate("isSecureContext") is False
    play(page, "d4")
    play(page, "d3")
    expect_url(page, "/m/lf")
