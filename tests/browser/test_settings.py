"""The viewer's own settings: kept in the browser, in force on every page, without a flash of the wrong one."""

import json
import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

CHAIN = "/m/vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw"  # its last move has 5 rings


def choose(page: Page, name: str, value: str) -> None:
    settings = page.locator("#settings")
    if settings.get_attribute("open") is None:
        settings.locator("summary").click()
    settings.locator(f'input[name="{name}"][value="{value}"]').check(force=True)


def until(page: Page, expression: str) -> None:
    """Wait for an expression to be true; `wait_for_function` would have to break the page's policy."""
    end = time.monotonic() + 10
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not in 10 s: {expression}"
        page.wait_for_timeout(30)


def keep(**settings: str) -> str:
    return f"localStorage.setItem('critmass.settings', {json.dumps(json.dumps(settings))})"


def test_settings_are_kept_and_hold_on_every_page(page: Page) -> None:
    page.goto("/")
    for name, value in {"skin": "faces", "scheme": "dark", "coordinates": "off", "speed": "fast"}.items():
        choose(page, name, value)
    for path in ("/how-to-play", "/m/0z7c", "/new", "/open"):
        page.goto(path)
        root = page.locator("html")
        for name, value in {"skin": "faces", "scheme": "dark", "coordinates": "off", "speed": "fast"}.items():
            expect(root).to_have_attribute(f"data-{name}", value)
    page.goto("/m/0z7c")
    expect(page.locator(".coordinates")).to_be_hidden()


def test_the_scheme_is_right_from_the_first_paint(new_context) -> None:  # type: ignore[no-untyped-def]
    page = new_context(color_scheme="light").new_page()
    page.add_init_script(keep(scheme="dark"))
    page.add_init_script(
        "const look = () => { if (document.body) window.first = getComputedStyle(document.body).backgroundColor;"
        " else requestAnimationFrame(look); }; requestAnimationFrame(look)"
    )
    page.goto("/m/0z7c")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.evaluate("window.first") == dark
    choose(page, "scheme", "light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_skins_draw_the_same_board_three_ways(page: Page) -> None:
    page.goto("/m/0z7c")
    page.wait_for_timeout(1500)
    pictures = set()
    for skin in ("orbs", "faces", "numbers"):
        choose(page, "skin", skin)
        page.keyboard.press("Escape")
        pictures.add(page.locator(".stage").screenshot(animations="disabled"))
    assert len(pictures) == 3


@pytest.mark.parametrize(
    ("speed", "least", "most"), [("slow", 1.5, 2.2), ("normal", 1, 1), ("fast", 0.4, 0.7), ("off", 0, 0)]
)
def test_the_speed_is_the_viewers(page: Page, speed: str, least: float, most: float) -> None:
    planned = "(document.querySelector('.clock').getAnimations()[0]?.effect.getTiming().duration || 0)"
    page.goto(CHAIN)
    normal = page.evaluate(planned)
    page.add_init_script(keep(speed=speed))
    page.goto(CHAIN)
    assert least * normal <= page.evaluate(planned) <= most * normal


def test_an_animation_that_is_off_shows_the_resting_board_at_once(page: Page) -> None:
    page.add_init_script(keep(speed="off"))
    page.goto(CHAIN)
    expect(page.locator(".stage > .rest").last).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.stage > .chain')).visibility") == "hidden"


AUDIO = """
window.tones = [];
class Node { connect(to) { return to; } disconnect() { window.silenced = true; } }
class Param { setValueAtTime(value) { this.value = value; } exponentialRampToValueAtTime() {} }
class Tone extends Node {
  constructor() { super(); this.frequency = new Param(); }
  start(at) { window.tones.push([at, this.frequency.value]); }
  stop() {}
}
class Gain extends Node { constructor() { super(); this.gain = new Param(); } }
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.state = 'running'; this.destination = new Node(); }
  createOscillator() { return new Tone(); }
  createGain() { return new Gain(); }
};
window.shaken = [];
navigator.vibrate = (pattern) => { window.shaken.push(pattern); return true; };
"""


def test_sounds_are_in_step_with_the_rings_and_rise(page: Page) -> None:
    page.add_init_script(AUDIO)
    page.add_init_script(keep(sound="on", vibration="on"))
    page.goto(CHAIN)
    page.mouse.click(5, 5)  # a browser is silent before a first tap
    page.evaluate("window.tones.length = 0")
    page.get_by_role("link", name="Again").click()
    until(page, "window.tones.length > 1")
    tones = page.evaluate("window.tones")
    clock = page.evaluate(
        "[...document.querySelectorAll('.flash .e')].map(ring => ring.getAnimations()[0].effect.getTiming().delay)"
    )
    orb, *rings = tones
    assert len(rings) == len(clock) == 5
    steps = [later[0] - earlier[0] for earlier, later in pairwise(rings)]
    planned = [(later - earlier) / 1000 for earlier, later in pairwise(clock)]
    assert steps == pytest.approx(planned, abs=0.002)
    assert orb[0] < rings[0][0]
    assert orb[1] > rings[0][1]
    pitches = [pitch for _, pitch in rings]
    assert pitches == sorted(set(pitches))
    assert any(isinstance(pattern, list) and len(pattern) >= 7 for pattern in page.evaluate("window.shaken"))
    page.locator("#skip").evaluate("box => box.click()")
    assert page.evaluate("window.silenced")


def test_it_is_silent_until_sound_is_switched_on(page: Page) -> None:
    page.add_init_script(AUDIO)
    page.goto(CHAIN)
    page.get_by_role("link", name="Again").click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.tones") == []
    assert page.evaluate("window.shaken.filter(pattern => pattern !== 0)") == []
    choose(page, "sound", "on")
    until(page, "window.tones.length > 0")


def test_a_win_ends_in_a_chord(page: Page) -> None:
    page.add_init_script(AUDIO)
    page.add_init_script(keep(sound="on"))
    page.goto("/classic/3x3/3/643663?at=5")
    page.get_by_role("link", name="Forward").click()
    until(page, "window.tones.length > 4")
    last = page.evaluate("Math.max(...window.tones.map(tone => tone[0]))")
    assert page.evaluate(f"window.tones.filter(tone => tone[0] === {last}).length") == 4


def test_a_confirmed_move_shows_what_it_sets_off_before_it_is_played(page: Page) -> None:
    page.add_init_script(keep(confirm="on", speed="off"))
    page.goto("/m/0z0?at=2")
    page.goto("/m/0z")
    page.wait_for_timeout(500)
    page.locator("#a1").click()
    expect(page.locator(".foresight")).to_have_text("a1 sets off 1 ring and captures 0 cells. Tap again to play.")
    expect(page).to_have_url(re.compile(r"/m/0z$"))
    expect(page.locator("#a1")).to_have_class(re.compile("picked"))
    page.locator("#b1").click()
    expect(page.locator(".foresight")).to_have_text("b1 sets nothing off. Tap again to play.")
    page.locator("#b1").click()
    expect(page).to_have_url(re.compile(r"/m/0z1$"))


@pytest.mark.parametrize("kept", ["{", "null", "[]", '{"skin": 5, "speed": "warp"}', "7"])
def test_corrupted_settings_are_the_defaults(page: Page, kept: str) -> None:
    page.add_init_script(f"localStorage.setItem('critmass.settings', {json.dumps(kept)})")
    page.goto("/m/0z7c")
    expect(page.locator("html")).to_have_attribute("data-skin", "orbs")
    expect(page.locator("html")).to_have_attribute("data-speed", "normal")


def test_settings_work_by_keyboard(page: Page) -> None:
    page.goto("/m/0z7c")
    page.locator("#settings summary").focus()
    page.keyboard.press("Enter")
    page.locator('input[name="skin"][value="orbs"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-skin", "faces")
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/m/0z7c$"))
