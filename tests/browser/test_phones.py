"""What phones do on their own: zoom in on taps and on fields, cut corners off, interrupt the sound."""

import re
from collections.abc import Callable, Iterator

import pytest
from fingers import small_fields, zooming
from matches import EIGHT, FINISHED, GAME, GRACED, HUGE, NAMES, RUNNING, START
from moves import PHONE, STILL, until
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

PAGES = [
    *("/", "/new", "/new?game=classic&board=own", "/how-to-play", "/api", "/import", "/open", "/offline", "/puzzles"),
    *(START, GRACED, RUNNING, f"{RUNNING}?at=12", f"{RUNNING}?ring=1", FINISHED, EIGHT + NAMES, HUGE, f"{GAME}?at=9"),
    *(f"{RUNNING}?computer=25", f"{RUNNING}?computer=13,26", f"{FINISHED}?embed=1", "/m/00?embed=1", "/puzzle/1"),
    *(f"/{name}?link={GRACED}" for name in ("share", "players", "sheet", "analysis", "hint")),
    *("/nowhere", "/m/00", "/open?link=nothing", f"{RUNNING}?at=99"),
]
SIDEWAYS = {"width": 844, "height": 390}
UPRIGHT = {"width": 390, "height": 844}
INSETS = {
    "upright": {"top": 59, "bottom": 34, "left": 0, "right": 0},
    "sideways": {"top": 0, "bottom": 21, "left": 59, "right": 59},
}


@pytest.fixture
def page(new_context: Contexts, watch: Watch) -> Iterator[Page]:
    """A phone on which nothing moves; its browser reports answers that are no success, a busy computer's among them."""
    page = new_context(**PHONE, **STILL).new_page()
    yield page
    watch.seen = [line for line in watch.seen if not re.search("status of (404|422|503)|answer 503", line)]


def opened(page: Page, path: str) -> None:
    """Open a page, its settings, and whatever else can be unfolded on it."""
    page.goto(path)
    expect(page.locator("#settings:not([hidden])")).to_have_count(0 if "embed" in path else 1)
    more = page.get_by_role("link", name="More ways to share")
    if more.count():
        more.click()
        expect(page.locator("#sharing")).to_be_visible()
    page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
    page.evaluate("for (const it of document.querySelectorAll('[hidden]')) it.hidden = false")


# --- Zoom ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_neither_quick_taps_nor_fields_zoom(page: Page, path: str) -> None:
    opened(page, path)
    assert zooming(page) == []
    assert small_fields(page) == []
    # Two fingers zoom as far as they like.
    viewport = page.locator("meta[name=viewport]").get_attribute("content") or ""
    assert not re.search("user-scalable|maximum-scale", viewport)


def test_between_the_controls_of_a_replay_nothing_zooms_either(page: Page) -> None:
    page.goto(RUNNING)
    for gap in (".replay", ".rings", ".list", ".share", ".status", ".beside"):
        assert page.locator(gap).first.evaluate("it => getComputedStyle(it).touchAction") == "manipulation", gap


# --- Edges --------------------------------------------------------------------------------------------------------

# What of a page is under a notch, a corner or the bar to swipe: the edges are sampled all along.
COVERED = """([top, right, bottom, left]) => {
  const places = [];
  for (let y = 1; y < innerHeight; y += 6) for (const [from, to] of [[0, left], [innerWidth - right, innerWidth]])
    for (let x = from + 2; x < to; x += 12) places.push([x, y]);
  for (let x = 1; x < innerWidth; x += 6) for (const [from, to] of [[0, top], [innerHeight - bottom, innerHeight]])
    for (let y = from + 2; y < to; y += 8) places.push([x, y]);
  const what = "a, button, input, select, textarea, label, summary, p, li, h1, h2, dt, dd, td, th, pre, img, svg,"
    + ".board, .card, #trouble, .sheet";
  const found = places.map(([x, y]) => document.elementFromPoint(x, y)?.closest(what)).filter(Boolean);
  return [places.length, [...new Set(found)].map((it) => it.outerHTML.slice(0, 120))];
}"""


def covered(page: Page, insets: dict[str, int]) -> list[str]:
    count, found = page.evaluate(COVERED, [insets[side] for side in ("top", "right", "bottom", "left")])
    assert count > 100
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize("way", INSETS)
def test_nothing_is_under_the_edges(new_context: Contexts, watch: Watch, way: str) -> None:
    insets = INSETS[way]
    context = new_context(**{**PHONE, **STILL, "viewport": UPRIGHT if way == "upright" else SIDEWAYS})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    for path in PAGES:
        if "embed" in path:  # a frame has no such edges
            continue
        page.goto(path)
        for end, sides in (
            ("0", ("top", "left", "right")),
            ("document.body.scrollHeight", ("bottom", "left", "right")),
        ):
            page.evaluate(f"scrollTo(0, {end})")
            looked_at = {side: insets[side] if side in sides else 0 for side in insets}
            assert covered(page, looked_at) == [], (path, end)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    watch.seen = [line for line in watch.seen if not re.search("status of (404|422|503)|answer 503", line)]


@pytest.mark.parametrize("way", INSETS)
def test_what_is_fixed_to_an_edge_keeps_off_it(new_context: Contexts, way: str) -> None:
    insets = INSETS[way]
    context = new_context(**{**PHONE, **STILL, "viewport": UPRIGHT if way == "upright" else SIDEWAYS})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    page.goto(RUNNING)
    page.evaluate("critmass.say(document.getElementById('trouble'), 'No connection. '.repeat(20))")
    page.locator("#settings summary").click()
    page.evaluate("document.querySelector('.jump').focus()")
    for selector in ("#trouble", ".sheet", ".jump"):
        x, y, right, bottom = page.locator(selector).evaluate(
            "it => [it.getBoundingClientRect()]"
            ".flatMap((at) => [at.x, at.y, innerWidth - at.right, innerHeight - at.bottom])"
        )
        assert x >= insets["left"], selector
        assert y >= insets["top"], selector
        assert right >= insets["right"], selector
        assert bottom >= insets["bottom"], selector


def test_a_board_is_as_large_as_the_edges_leave_it(new_context: Contexts) -> None:
    context = new_context(**{**PHONE, **STILL, "viewport": UPRIGHT})
    page = context.new_page()
    session = context.new_cdp_session(page)
    for insets in (INSETS["upright"], dict.fromkeys(INSETS["upright"], 0)):
        session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        page.goto("/classic/6x9/2/a1b2")
        bottom = page.locator(".board").evaluate("it => it.getBoundingClientRect().bottom")
        assert 0.9 * (UPRIGHT["height"] - insets["bottom"]) < bottom <= UPRIGHT["height"] - insets["bottom"]


# --- Sound --------------------------------------------------------------------------------------------------------

# An AudioContext as phones have it: it begins after a tap only, a call interrupts it and refuses all attempts, and what
# comes back by `resume` may have a clock that stands still.
PHONE_AUDIO = """
window.contexts = [];
window.heard = [];
window.call = false;
window.strict = false; // sound begins with a gesture alone
window.gesture = false;
for (const kind of ["touchend", "click", "keydown"])
  addEventListener(kind, () => { window.gesture = true; setTimeout(() => { window.gesture = false; }); }, true);
class Node { connect(to) { this.to = to; return to; } disconnect() { this.to = null; } }
class Param { setValueAtTime() {} exponentialRampToValueAtTime() {} }
class Gain extends Node { gain = new Param(); }
class Tone extends Node {
  frequency = new Param();
  constructor(context) { super(); this.context = context; }
  start(at) {
    const { context } = this;
    if (context.state === "running" && context.ticks) window.heard.push(at - context.currentTime);
  }
  stop() {}
}
window.AudioContext = class {
  destination = new Node();
  ticks = true;
  waiting = [];
  constructor() {
    this.state = window.call ? "interrupted" : "suspended";
    window.contexts.push(this);
  }
  get currentTime() { return performance.now() / 1000; }
  createOscillator() { return new Tone(this); }
  createGain() { return new Gain(); }
  change(state) { this.state = state; if (this.onstatechange) this.onstatechange({ target: this }); }
  resume() {
    if (this.state === "closed" || window.call) return Promise.reject(new DOMException("no", "InvalidStateError"));
    if (window.strict && !window.gesture) return new Promise((done) => this.waiting.push(done));
    if (this.state === "interrupted") this.ticks = false;
    this.change("running");
    for (const done of this.waiting.splice(0)) done();
    return Promise.resolve();
  }
  close() { this.change("closed"); return Promise.resolve(); }
};
window.ring = () => {
  window.call = true;
  for (const it of window.contexts) if (it.state !== "closed") it.change("interrupted");
};
window.hangUp = (state) => {
  window.call = false;
  for (const it of window.contexts) if (it.state === "interrupted") it.change(state);
};
"""
LOUD = "localStorage.setItem('critmass.settings', JSON.stringify({ sound: 'on' }))"
CHAIN = "/m/vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw"  # its last move has 5 rings


@pytest.fixture
def loud(new_context: Contexts) -> Page:
    """A phone with the sound on, at a match that was heard once."""
    page = new_context(**PHONE).new_page()
    page.add_init_script(PHONE_AUDIO)
    page.add_init_script(LOUD)
    page.goto(CHAIN)
    again(page)
    return page


def again(page: Page) -> None:
    """Tap *Again*, and hear the chain."""
    page.evaluate("heard.length = 0")
    page.get_by_role("link", name="Again", exact=True).tap()
    until(page, "heard.length === 6")


@pytest.mark.parametrize("after", ["interrupted", "suspended", "running", "closed"])
def test_sound_comes_back_after_a_call(loud: Page, after: str) -> None:
    loud.evaluate("ring()")
    loud.get_by_role("link", name="Again", exact=True).tap()  # nothing is heard meanwhile, and nothing breaks
    loud.evaluate("state => hangUp(state)", after)
    again(loud)
    assert loud.evaluate("contexts.filter((it) => it.state !== 'closed').length") == 1


def test_a_call_with_many_taps_leaves_one_context(loud: Page) -> None:
    loud.evaluate("ring()")
    for _ in range(8):
        loud.locator(".status").tap(position={"x": 2, "y": 2})
    assert loud.evaluate("contexts.length") <= 9
    assert loud.evaluate("contexts.filter((it) => it.state !== 'closed').length") == 1


def test_a_context_that_was_closed_is_made_anew(loud: Page) -> None:
    loud.evaluate("contexts[0].close()")
    again(loud)


def test_a_context_that_was_suspended_goes_on_when_the_page_is_seen_again(loud: Page) -> None:
    loud.evaluate("contexts[0].change('suspended')")
    loud.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert loud.evaluate("contexts.map((it) => it.state)") == ["running"]


def test_what_begins_late_is_in_step_with_what_is_seen(loud: Page) -> None:
    """A browser that lets the sound begin with the next tap only: what was due before it is left out."""
    loud.goto(f"{CHAIN}?at=51")
    loud.get_by_role("link", name="Forward").tap()
    until(loud, "heard.length === 6")
    loud.evaluate("heard.length = 0; strict = true; contexts[0].change('suspended')")
    step = loud.locator('[data-step="Again"]').get_attribute("hx-get")
    loud.evaluate("step => { htmx.ajax('GET', step, { target: '#match', swap: 'outerHTML' }); }", step)
    until(loud, "contexts[0].waiting.length > 0")
    loud.wait_for_timeout(1500)
    assert loud.evaluate("heard") == []
    loud.locator(".status").tap(position={"x": 2, "y": 2})
    until(loud, "heard.length > 0")
    assert loud.evaluate("heard.length") < 6
    assert min(loud.evaluate("heard")) > -0.1


def test_nothing_of_sound_is_loaded_where_it_is_off(page: Page) -> None:
    page.goto(CHAIN)
    page.get_by_role("link", name="Again", exact=True).tap()
    expect(page.locator("#match")).to_have_attribute("data-page", f"{CHAIN}?at=52")
    assert page.locator("script[src*='sound.js']").count() == 0
    page.locator("#settings summary").tap()
    page.locator('[name="sound"][value="on"]').check(force=True)
    expect(page.locator("script[src*='sound.js']")).to_have_count(1)
