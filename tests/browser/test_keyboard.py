"""The whole game without a mouse."""

import time
from collections.abc import Callable

import pytest
from engines import Engine
from moves import GUARD, LONG_CHAIN, STILL, expect_match, expect_seen, link_of, play, skip, until, wait_at_rest
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

ONE_DEVICE = True

CHAIN = LONG_CHAIN[:-3]  # three rings, and the match goes on
REPLAY = "/classic/3x3/2/1606026260"

FOCUSED = """() => {
  const it = document.activeElement;
  return it.id || it.getAttribute("aria-label") || it.textContent.trim();
}"""


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page on which nothing moves, so that it need not be waited for."""
    return new_context(**STILL).new_page()


def focused(page: Page) -> str:
    return page.evaluate(FOCUSED)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to_the_board(page: Page) -> None:
    for _ in range(10):
        press(page, "Tab")
        if page.evaluate("document.activeElement.closest('[role=grid]') !== null"):
            return
    raise AssertionError("the board was not reached")


def test_a_match_is_played_with_the_keyboard(page: Page) -> None:
    page.goto("/m/")
    wait_at_rest(page)
    tab_to_the_board(page)
    assert focused(page) == "a6"
    press(page, "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight")
    assert focused(page) == "b5"
    press(page, "Enter")
    expect_match(page, "/m/p")
    assert focused(page) == "b5"
    wait_at_rest(page)
    press(page, "Enter")  # an opponent's cell
    press(page, "ArrowRight", " ")
    expect_match(page, "/m/pq")
    assert focused(page) == "c5"
    press(page, "ArrowLeft")
    wait_at_rest(page)
    press(page, "Enter")
    expect_match(page, "/m/pqp")
    assert focused(page) == "b5"


def test_home_and_end_go_along_the_row(page: Page) -> None:
    page.goto("/classic/5x4/2/")
    tab_to_the_board(page)
    press(page, "ArrowDown", "End")
    assert focused(page) == "e3"
    press(page, "ArrowRight")
    assert focused(page) == "e3"
    press(page, "Home")
    assert focused(page) == "a3"
    press(page, "ArrowLeft", "ArrowUp", "ArrowUp")
    assert focused(page) == "a4"
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    assert focused(page) == "a1"
    expect_match(page, "/classic/5x4/2/")


def test_the_board_is_one_stop_of_the_tab_key(page: Page) -> None:
    page.goto("/m/0z7")
    tab_to_the_board(page)
    press(page, "ArrowDown", "ArrowRight")
    press(page, "Tab")
    assert page.evaluate("document.activeElement.closest('[role=grid]')") is None
    press(page, "Shift+Tab")
    assert focused(page) == "b5"


def test_keys_during_the_chain_play_nothing(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto(CHAIN)
    page.locator("#a1").focus()
    for key in ("Enter", " ", "Enter"):
        press(page, key)
    board = link_of(CHAIN).position.board
    expect_seen(page, board)
    page.wait_for_timeout(300)
    expect_match(page, CHAIN)
    wait_at_rest(page)
    press(page, "Enter")
    expect_match(page, CHAIN + "0")
    press(page, "ArrowUp", "Enter", " ")
    wait_at_rest(page)
    expect_match(page, CHAIN + "0")
    assert focused(page) == "a2"


def test_keys_during_a_chain_that_back_began_play_nothing(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto(CHAIN)
    skip(page)
    play(page, "a1")
    page.go_back(wait_until="commit")  # while the chain of the last move plays
    expect_match(page, CHAIN)
    page.locator("#a1").focus()
    page.wait_for_timeout(400)
    press(page, "Enter", "Enter")
    expect_seen(page, link_of(CHAIN).position.board)
    expect_match(page, CHAIN)


def test_the_chain_is_skipped_with_the_keyboard(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto(LONG_CHAIN)
    press(page, "Tab", "Enter", "Tab")
    assert focused(page) == "skip"
    press(page, " ")
    expect_seen(page, link_of(LONG_CHAIN).position.board)


def test_the_replay_is_driven_from_anywhere_else(page: Page) -> None:
    page.goto(REPLAY)
    press(page, "ArrowLeft")
    expect_match(page, REPLAY + "?at=9")
    press(page, "ArrowLeft")
    expect_match(page, REPLAY + "?at=8")
    press(page, "ArrowRight")
    expect_match(page, REPLAY + "?at=9")
    press(page, "Home")
    expect_match(page, REPLAY + "?at=0")
    press(page, "ArrowLeft")
    press(page, "End")
    expect_match(page, REPLAY + "?at=10")
    press(page, "Home")
    expect_match(page, REPLAY + "?at=0")
    press(page, " ")
    until(page, "document.querySelector('#match').dataset.page.includes('at=2&play=1')")
    press(page, " ")
    until(page, "!document.querySelector('#match').dataset.page.includes('play=1')")
    stopped = page.locator("#match").get_attribute("data-page")
    page.wait_for_timeout(1000)
    expect(page.locator("#match")).to_have_attribute("data-page", stopped or "")


def test_the_keys_of_the_board_and_of_fields_are_their_own(page: Page) -> None:
    page.goto("/m/0z7")
    press(page, "Alt+ArrowLeft", "Control+Home", "Shift+ArrowLeft")
    page.locator("#link").focus()
    press(page, "ArrowLeft", "Home", "End", " ")
    page.locator("#c3").focus()
    press(page, "ArrowLeft", "Home", "End")
    page.wait_for_timeout(300)
    expect_match(page, "/m/0z7")


@pytest.mark.parametrize("control", ["Back", "Forward", "First", "Last", "Again"])
def test_a_step_keeps_the_focus_near(page: Page, control: str) -> None:
    page.goto(REPLAY + "?at=5")
    page.get_by_role("link", name=control, exact=True).focus()
    press(page, "Enter")
    at = {"Back": 4, "Forward": 6, "First": 0, "Last": 10, "Again": 5}[control]
    expect_match(page, f"{REPLAY}?at={at}")
    assert focused(page) == (control if at not in (0, 10) else "Play")


def test_moves_and_rings_keep_the_focus(page: Page) -> None:
    page.goto(REPLAY)
    page.locator(".list a").nth(7).focus()
    press(page, "Enter")
    expect_match(page, REPLAY + "?at=8")
    assert page.evaluate("document.activeElement.matches('.list [aria-current]')")
    page.get_by_role("link", name="Step through the 2 rings").focus()
    press(page, "Enter")
    expect_match(page, REPLAY + "?at=8&ring=0")
    press(page, "Enter")
    expect_match(page, REPLAY + "?at=8&ring=1")
    press(page, "Enter")
    expect_match(page, REPLAY + "?at=8&ring=2")


def test_the_skip_link(page: Page) -> None:
    page.goto("/m/0z7")
    press(page, "Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    press(page, "Enter")
    press(page, "Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("address", ["/", "/m/0z7", "/m/0z7?at=1", LONG_CHAIN, "/how-to-play", "/m/00"])
def test_every_control_is_reached_and_shows_it(page: Page, address: str, watch: Watch) -> None:
    if address == "/m/00":
        watch.expect("status of 404")
    page.goto(address)
    wait_at_rest(page)
    page.evaluate("""() => {
      const controls = "a[href], button, input, textarea, select, summary, [tabindex='0']";
      window.left = new Set([...document.querySelectorAll(controls)].filter(
        (it) => it.tabIndex >= 0 && it.checkVisibility({ visibilityProperty: true })
          && (it.type !== "radio" || it.checked)));  // the others of its kind are reached from it by the arrow keys
      window.dull = [];
    }""")
    for _ in range(80):
        press(page, "Tab")
        done = page.evaluate("""() => {
          const it = document.activeElement;
          if (it === document.body) return true;
          left.delete(it);
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(it);
          const seen = it.getBoundingClientRect();
          const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor);
          if (!outlined || seen.width < 8 || seen.bottom < 0 || seen.top > innerHeight)
            dull.push(it.outerHTML.slice(0, 100));
          return left.size === 0;
        }""")
        if done:
            break
    assert page.evaluate("[...left].map((it) => it.outerHTML.slice(0, 100))") == []
    assert page.evaluate("dull") == []


# --- Where the focus is ---------------------------------------------------------------------------------------------

OUTLINED = """(() => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
  return outlineStyle === "solid" && parseFloat(outlineWidth) >= 3 && !/, 0\\)$/.test(outlineColor);
})()"""


def test_the_focus_shows_as_soon_as_keys_are_used(page: Page) -> None:
    page.goto("/m/0z7")
    play(page, "c3")
    cell = focused(page)
    assert not page.evaluate(OUTLINED)  # a finger needs none
    press(page, "x")  # be it a key that does nothing
    assert page.evaluate(OUTLINED)
    assert focused(page) == cell
    page.locator('[data-step="Back"]').click()
    expect(page.locator("#match")).to_have_attribute("data-page", "/m/0z7e?at=3")
    assert not page.evaluate(OUTLINED)
    press(page, "ArrowLeft")
    expect(page.locator("#match")).to_have_attribute("data-page", "/m/0z7e?at=2")
    assert page.evaluate(OUTLINED)


def show_the_focus_after_a_click(engine: Engine, base_url: str) -> None:
    """Click a cell, which nothing marks then; the first arrow key moves on from it, and shows where to."""
    engine.resize(1000, 800)
    engine.goto(f"{base_url}/m/0z7c")
    engine.wait_until("getComputedStyle(document.querySelector('.shield')).visibility === 'hidden'", timeout=20)
    time.sleep(GUARD / 1000)
    engine.click("#a4")
    engine.wait_until("document.getElementById('match').dataset.page === '/m/0z7ci'")
    engine.wait_until("document.activeElement.id === 'a4'")
    assert not engine.evaluate(OUTLINED)
    engine.press("ArrowLeft")  # there is nothing to the left
    engine.wait_until(OUTLINED)
    assert engine.evaluate("document.activeElement.id") == "a4"
    engine.click("#c4")
    engine.wait_until("document.activeElement.id === 'c4'")
    assert not engine.evaluate(OUTLINED)
    engine.press("ArrowRight")
    engine.wait_until("document.activeElement.id === 'd4'")
    assert engine.evaluate(OUTLINED)
    engine.press(",")
    engine.wait_until("document.getElementById('match').dataset.page === '/m/0z7ci?at=4'")
    assert engine.evaluate("document.activeElement.id") == "d4"
    engine.press(".")
    engine.wait_until("document.getElementById('match').dataset.page === '/m/0z7ci?at=5'")


def test_the_focus_shows_after_a_click_in_other_browsers(other_browser: Engine, base_url: str) -> None:
    show_the_focus_after_a_click(other_browser, base_url)


# --- Steps from anywhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["body", "#c3", "#a1", ".list", '[data-step="Play"]', "#settings summary", ".more a"])
def test_comma_and_full_stop_step_from_anywhere(page: Page, where: str) -> None:
    page.goto(REPLAY)
    if where != "body":
        page.locator(where).first.focus()
    for key, at in ((",", 9), (",", 8), (".", 9), (".", 10)):
        press(page, key)
        expect_match(page, f"{REPLAY}?at={at}")
    if where.startswith("#"):
        assert page.evaluate(f"document.activeElement === document.querySelector({where!r})")


def test_comma_and_full_stop_step_through_an_analysis(page: Page, awake: None) -> None:
    page.goto("/analysis?link=/m/0z1y")
    shown = page.locator("#shown")
    page.locator('#shown [role="gridcell"]').first.focus()
    press(page, ",")
    expect(shown).to_have_attribute("data-at", "3")
    press(page, ".")
    expect(shown).to_have_attribute("data-at", "4")


def test_a_step_is_left_alone_while_somebody_types_or_uses_other_keys(page: Page) -> None:
    page.goto("/m/0z7")
    page.evaluate(
        "document.querySelector('.more').insertAdjacentHTML('beforebegin',"
        " '<textarea></textarea><select><option>1<option>.5</select><div contenteditable></div>')"
    )
    for field in ("#link", "textarea", "select", "[contenteditable]"):
        page.locator(f"#match {field}").focus()
        press(page, ",", ".", ",")
    page.locator("#c3").focus()
    press(page, "Control+,", "Alt+,", "Meta+.")
    page.wait_for_timeout(300)
    expect_match(page, "/m/0z7")
    assert page.locator("textarea").input_value() == ",.,"


def test_a_step_by_a_single_character_can_be_switched_off(page: Page) -> None:
    page.goto(REPLAY)
    page.locator("#settings summary").click()
    page.locator('[name="keys"][value="off"]').check(force=True)
    press(page, "Escape", ",")
    page.locator("#c3").focus()
    press(page, ",", ".")
    page.wait_for_timeout(300)
    expect_match(page, REPLAY)
    page.reload()
    press(page, ",")
    page.wait_for_timeout(300)
    expect_match(page, REPLAY)
    press(page, "ArrowLeft")  # keys that type nothing are not meant
    expect_match(page, f"{REPLAY}?at=9")


def test_in_a_frame_single_characters_are_the_board_s_alone(page: Page) -> None:
    page.goto(f"{REPLAY}?embed=1")
    shown = page.locator("#match")
    before = shown.get_attribute("data-page")
    page.locator('[data-step="Back"]').focus()
    press(page, ",")
    page.wait_for_timeout(300)
    expect(shown).to_have_attribute("data-page", before or "")
    page.locator('[role="gridcell"]').first.focus()
    press(page, ",")
    expect(shown).to_have_attribute("data-page", f"{REPLAY}?at=9&embed=1")


def test_the_keys_are_told(page: Page) -> None:
    page.goto("/how-to-play")
    keys = page.locator(".keys kbd").all_inner_texts()
    assert keys == [",", ".", "Home", "End", "Enter", "Space"]
