"""What this browser remembers of matches, and which side is whose."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

QUICK = "localStorage.setItem('critmass.settings', JSON.stringify({speed: 'off'}))"
TEN = "/m/0z1y6t7s2x"  # ten quiet moves


@pytest.fixture
def page(page: Page) -> Page:
    page.add_init_script(QUICK)
    return page


def tap(page: Page, cell: str) -> None:
    page.wait_for_timeout(450)
    page.locator(f"#{cell}").click()


def note(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.locator(f'[data-memory="{name}"]')


def remembered(page: Page) -> list[dict[str, object]]:
    return json.loads(page.evaluate("localStorage.getItem('critmass.matches') || '[]'"))  # type: ignore[no-any-return]


def test_the_front_page_lists_matches_newest_first_and_forgets_them(page: Page) -> None:
    page.goto("/m/0z7c")
    page.goto("/classic/5x5/3/0?colours=tpn&names=Ada,Bo")
    page.goto("/")
    rows = page.locator("#remembered li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Bo to move · move 1")
    expect(rows.last).to_contain_text("Red to move · move 4")
    for picture in rows.locator("img").all():
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0
    rows.first.get_by_role("button").click()
    expect(rows).to_have_count(1)
    page.reload()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/m/0z7c$"))
    page.goto("/")
    page.get_by_role("button", name="Forget them all").click()
    expect(page.locator("#remembered")).to_be_hidden()
    assert remembered(page) == []


def test_a_player_waits_for_the_other_side(page: Page) -> None:
    page.goto("/?")
    tap(page, "c4")
    expect(page).to_have_url(re.compile("/m/k$"))
    expect(note(page, "waiting")).to_contain_text("Waiting for Blue")
    tap(page, "a1")
    page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("/m/k$"))
    page.goto("/m/k0")  # the answer comes
    expect(note(page, "waiting")).to_be_hidden()
    expect(note(page, "who")).to_be_hidden()
    tap(page, "c4")
    expect(page).to_have_url(re.compile("/m/k0k$"))
    expect(note(page, "waiting")).to_contain_text("Waiting for Blue")
    page.get_by_role("button", name="Play both sides here").click()
    tap(page, "a1")
    expect(page).to_have_url(re.compile("/m/k0k0$"))
    tap(page, "f6")  # remembered for this match
    expect(page).to_have_url(re.compile("/m/k0k0z$"))


def test_names_are_waited_for(page: Page) -> None:
    page.goto("/m/?names=Ada,Bo")
    tap(page, "c4")
    expect(note(page, "waiting")).to_contain_text("Waiting for Bo")


def test_a_browser_that_does_not_know_asks_without_standing_in_the_way(page: Page) -> None:
    page.goto("/m/k")
    expect(note(page, "who")).to_contain_text("Are you Blue?")
    tap(page, "a1")  # playing is answer enough
    expect(page).to_have_url(re.compile("/m/k0$"))
    expect(note(page, "waiting")).to_contain_text("Waiting for Red")
    page.goto("/classic/3x3/2/0")
    expect(note(page, "who")).to_contain_text("Are you Blue?")
    note(page, "no").click()
    expect(note(page, "waiting")).to_contain_text("Waiting for Blue")
    page.goto("/codingame/0")
    note(page, "yes").click()
    expect(note(page, "who")).to_be_hidden()
    expect(note(page, "waiting")).to_be_hidden()
    page.reload()
    expect(note(page, "who")).to_be_hidden()


def test_an_older_link_offers_the_newest(page: Page) -> None:
    page.goto(TEN)
    page.goto(TEN[:-3])
    expect(note(page, "older")).to_contain_text("Go to move 10")
    note(page, "older").get_by_role("link").click()
    expect(page).to_have_url(re.compile(TEN + "$"))
    expect(note(page, "older")).to_be_hidden()
    assert [it["moves"] for it in remembered(page)] == [TEN[3:]]


def test_a_continuing_link_is_the_same_match(page: Page) -> None:
    page.goto(TEN[:-2])
    page.goto(TEN)
    assert [it["moves"] for it in remembered(page)] == [TEN[3:]]
    expect(note(page, "which")).to_be_hidden()


@pytest.fixture
def parted(page: Page) -> Page:
    """A page whose link parts from a remembered match after nine plies, one of them played here."""
    page.goto(TEN[:-3])
    tap(page, "b4")
    expect(page).to_have_url(re.compile(r"/m/0z1y6t7j$"))
    page.goto("/m/0z1y6t7jax")
    page.goto("/m/0z1y6t7jbw4")
    return page


def test_a_link_that_parts_is_asked_about(parted: Page) -> None:
    box = note(parted, "which")
    expect(box).to_contain_text("Is this your match? Move 9 was e2, here it is f2.")
    for picture in box.locator("img").all():
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0
    parted.get_by_role("link", name="Keep mine").click()
    expect(parted).to_have_url(re.compile("/m/0z1y6t7jax$"))


def test_the_parted_link_can_be_taken_for_the_match(parted: Page) -> None:
    parted.get_by_role("button", name="Take this one").click()
    expect(note(parted, "which")).to_be_hidden()
    assert [it["moves"] for it in remembered(parted)] == ["0z1y6t7jbw4"]


def test_the_parted_link_can_be_another_match(parted: Page) -> None:
    parted.get_by_role("button", name="Another match").click()
    assert [it["moves"] for it in remembered(parted)] == ["0z1y6t7jbw4", "0z1y6t7jax"]
    parted.reload()
    expect(note(parted, "which")).to_be_hidden()


def test_a_link_that_parts_early_is_another_match(page: Page) -> None:
    page.goto("/m/0z1y6")
    page.goto("/m/0z1y7")
    expect(note(page, "which")).to_be_hidden()
    assert len(remembered(page)) == 2


def test_take_back_goes_to_the_link_without_the_last_move(page: Page) -> None:
    page.goto("/m/0z?names=Ada,Bo")
    tap(page, "c4")
    expect(page).to_have_url(re.compile(r"/m/0zk\?names=Ada,Bo$"))
    page.get_by_role("link", name="Take back").click()
    expect(page).to_have_url(re.compile(r"/m/0z\?names=Ada,Bo$"))
    expect(note(page, "waiting")).to_be_hidden()
    expect(note(page, "older")).to_be_hidden()
    tap(page, "d4")
    expect(page).to_have_url(re.compile(r"/m/0zl\?names=Ada,Bo$"))
    assert [it["moves"] for it in remembered(page)] == ["0zl"]


BROKEN = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "forbidden": "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name,"
    " { get() { throw new DOMException('forbidden', 'SecurityError'); } });",
}


@pytest.mark.parametrize("how", BROKEN)
def test_the_game_is_playable_where_storage_fails(new_context, how: str) -> None:  # type: ignore[no-untyped-def]
    page = new_context(reduced_motion="reduce").new_page()
    page.add_init_script(BROKEN[how])
    page.goto("/m/")
    tap(page, "c4")
    expect(page).to_have_url(re.compile("/m/k$"))
    page.get_by_role("button", name="Play both sides here").click()
    tap(page, "a1")
    expect(page).to_have_url(re.compile("/m/k0$"))
    page.locator("#settings summary").click()
    page.locator('input[value="faces"]').check(force=True)
    expect(page.locator("html")).to_have_attribute("data-skin", "faces")
    page.goto("/")
    expect(page.locator("#remembered")).to_be_hidden()


GOOD = {"game": "/m/", "moves": "0z", "query": "", "title": "Red to move", "width": 1, "mine": [], "not": [], "turn": 1}


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "5",
        json.dumps([None, 7, {"game": "javascript:alert(1)//", "moves": ""}, {**GOOD, "query": "javascript:"}, GOOD]),
        json.dumps([{**GOOD, "moves": 5}, {**GOOD, "mine": "x"}, GOOD]),
    ],
)
def test_a_corrupted_memory_leaves_the_rest(page: Page, kept: str) -> None:
    page.goto("/how-to-play")
    page.evaluate("kept => localStorage.setItem('critmass.matches', kept)", kept)
    page.goto("/")
    rows = page.locator("#remembered li")
    expect(rows).to_have_count(1 if "Red to move" in kept else 0)
    page.goto("/m/k")
    expect(note(page, "who")).to_be_visible()


def test_memory_stays_bounded(page: Page) -> None:
    page.goto("/how-to-play")
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    many = [{**GOOD, "moves": f"0{a}{b}"} for a in digits[1:16] for b in digits]
    assert len(many) > 500
    page.evaluate("kept => localStorage.setItem('critmass.matches', kept)", json.dumps(many))
    page.goto("/m/zy")
    assert len(remembered(page)) == 500
    assert remembered(page)[0]["moves"] == "zy"
