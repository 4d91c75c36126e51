"""Classic games of several players, played to their end by tapping."""

import re

import pytest
from playwright.sync_api import Page, expect
from watch import Watch

from critmass.engine import Match, cell_name
from critmass.formats.wording import name_of
from critmass.links import read, split_url

QUICK = "localStorage.setItem('critmass.settings', JSON.stringify({speed: 'off'}))"
THREE = "/classic/4x4/3/c8bcc9c?colours=tpn&names=Ada,Bo,Cy"
EIGHT = "/classic/4x4/8/8195abcd6f47e0ccff5a0d"


def tap(page: Page, cell: str) -> None:
    """Tap a cell of a board that has been at rest long enough to take it."""
    page.wait_for_timeout(450)
    page.locator(f"#{cell}").click()


@pytest.mark.parametrize("url", [THREE, EIGHT])
def test_a_party_plays_on_one_device_until_one_is_left(page: Page, url: str) -> None:
    address = split_url(url)
    assert address
    link = read(address)
    match: Match = link.match
    page.add_init_script(QUICK)
    page.goto(link.url(0))
    for ply in match.plies:
        tap(page, ply.name)
        expect(page).to_have_url(re.compile(re.escape(link.url(ply.number)) + "$"))
        for player in ply.eliminated:
            expect(page.locator(".told")).to_contain_text(name_of(link, player))
            expect(page.locator("#said")).to_contain_text(name_of(link, player))
        shown = page.locator(".players li")
        expect(shown).to_have_count(link.rules.players)
        out = [
            number for number in range(link.rules.players) if "out" in (shown.nth(number).get_attribute("class") or "")
        ]
        assert [number + 1 for number in out] == list(ply.after.out)
        if ply.after.turn:
            expect(shown.nth(ply.after.turn - 1)).to_have_attribute("aria-current", "true")
        if ply.number == 1:
            page.get_by_role("button", name="Play both sides here").click()
    winner = match.outcome.winner if match.outcome else None
    assert winner
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{name_of(link, winner)} wins")
    standings = page.get_by_role("list", name="Standings").get_by_role("listitem")
    expect(standings).to_have_count(link.rules.players)
    expect(standings.first).to_contain_text(f"{name_of(link, winner)} wins")
    last = match.plies[-1]
    expect(standings.nth(1)).to_contain_text(f"out on move {last.number}")
    assert page.locator('[role="grid"] a').count() == 0


def test_colours_and_names_travel_through_every_link(page: Page) -> None:
    page.goto("/new")
    page.get_by_text("Classic").first.click()
    page.select_option("#players", "3")
    expect(page.locator("#c3")).to_be_visible()
    page.select_option("#c1", "s")
    page.fill("#n2", "Bo Ye")
    page.get_by_role("button", name="Begin the match").click()
    dressed = re.compile(r"\?colours=sbg&names=,Bo%20Ye$")
    expect(page).to_have_url(dressed)
    tap(page, "c4")
    expect(page).to_have_url(re.compile(r"/classic/6x9/3/c4\?colours=sbg&names=,Bo%20Ye$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Bo Ye to move")
    hrefs = page.eval_on_selector_all(
        "#match a[href]", "links => links.map(link => decodeURIComponent(decodeURIComponent(link.href)))"
    )
    assert len(hrefs) > 50
    assert all("colours=sbg" in href and "names=,Bo Ye" in href for href in hrefs)
    assert "colours=sbg" in page.locator("#link").input_value()
    expect(page.locator(".list a")).to_have_count(1)
    for suffix in (".json", ".svg", ".txt"):
        assert page.request.get(f"/classic/6x9/3/c4{suffix}?colours=sbg&names=,Bo%20Ye").ok
    mangled = page.request.get("/Classic/6X9/3/C4).json?Colours=SBG”&names=,Bo%20Ye!")
    assert mangled.json()["colours"] == "sbg"


def test_a_player_changes_colour_and_name_of_a_running_match(page: Page, watch: Watch) -> None:
    watch.expect(r"422")
    page.goto("/m/0z7c")
    page.get_by_role("link", name="Who plays").click()
    page.select_option("#c2", "r")
    page.get_by_role("button", name="Back to the match").click()
    expect(page.get_by_role("alert").filter(has_text="taken")).to_have_text(
        "Red is taken: player 2 needs a colour of their own."
    )
    page.select_option("#c2", "l")
    page.fill("#n1", "Ada")
    page.get_by_role("button", name="Back to the match").click()
    expect(page).to_have_url(re.compile(r"/m/0z7c\?colours=rl&names=Ada$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada to move")


def test_the_form_says_what_is_not_allowed_and_keeps_what_was_typed(page: Page, watch: Watch) -> None:
    watch.expect(r"422")
    page.goto("/new?game=classic&board=own&columns=17&rows=9&players=4&n3=Cy&go=1")
    expect(page.locator(".error")).to_contain_text("17x9")
    assert page.locator("#columns").input_value() == "17"
    assert page.locator("#n3").input_value() == "Cy"
    page.fill("#columns", "7")
    page.locator("#columns").dispatch_event("change")
    expect(page.locator(".error")).to_have_count(0)
    expect(page.locator(".preview")).to_have_class(re.compile("columns7 rows9"))
    assert page.locator("#n3").input_value() == "Cy"


def test_a_game_is_set_up_without_a_script(new_context) -> None:  # type: ignore[no-untyped-def]
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/new")
    page.get_by_label("Classic").check()
    page.get_by_label("Huge").check()
    page.select_option("#players", "8")
    page.get_by_role("button", name="Show the board and the seats").click()
    expect(page.locator(".seat")).to_have_count(8)
    page.fill("#n8", "Hal")
    page.get_by_role("button", name="Begin the match").click()
    expect(page).to_have_url(re.compile(r"/classic/10x15/8/\?names=,,,,,,,Hal$"))
    cell = page.locator(f"#{cell_name(read(split_url('/classic/10x15/8/')).rules.grid, 77)}")  # type: ignore[arg-type]
    cell.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Blue to move")


@pytest.mark.parametrize("size", [(390, 664), (844, 340)])
def test_a_huge_board_of_eight_fits_a_phone(new_context, size: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto("/classic/10x15/8/a1b1c1d1e1f1g1h1i1")
    boxes = page.eval_on_selector_all(
        "[role=gridcell]", "cells => cells.map(cell => cell.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 150
    assert max(box["bottom"] for box in boxes) <= size[1]
    assert max(box["right"] for box in boxes) <= size[0]
    if size[0] < size[1]:
        assert min(box["width"] for box in boxes) >= 24
    for seen in (page.get_by_role("heading", level=1), page.locator(".players li").last):
        expect(seen).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_largest_board_scrolls_in_its_own_frame_with_the_last_move_in_view(new_context) -> None:  # type: ignore[no-untyped-def]
    page = new_context(viewport={"width": 390, "height": 664}).new_page()
    for cell in ("p9", "a9", "h16"):
        page.goto(f"/classic/16x16/2/{cell.replace('16', 'g')}")
        expect(page.locator("[data-just]")).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
