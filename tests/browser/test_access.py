"""Every kind of page for those who listen to it, enlarge it, or go by its markup."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from audit import axe, html_validate
from matches import EIGHT, FINISHED, GRACED, LONGEST, NAMES, RUNNING, START
from moves import GUARD, STILL, play, until
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

from critmass.engine import CODINGAME
from critmass.links import GAMES
from critmass.web import create_app

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

DRAW = "/codingame/0z1y"
PAGES = {
    "front": "/",
    "how to play": "/how-to-play",
    "open, nothing found": "/open?link=no link in here",
    "no such page": "/nowhere",
    "bad link": "/m/00",
    "bad option": f"{RUNNING}?at=99",
    "start": START,
    "graced": GRACED,
    "running": RUNNING,
    "at": f"{RUNNING}?at=12",
    "ring": f"{RUNNING}?ring=1",
    "playing": f"{RUNNING}?at=3&play=1",
    "against the computer": f"{RUNNING}?computer=25",
    "computers at rest": f"{RUNNING}?computer=13,26",
    "a seat for the computer": "/new?l2=5",
    "puzzles": "/puzzles",
    "puzzle": "/puzzle/1",
    "share": f"/share?link={RUNNING}",
    "QR code": f"/qr?link={RUNNING}",
    "a QR code too fine for a phone": f"/qr?link={LONGEST}",
    "finished": FINISHED,
    "eight players": EIGHT + NAMES,
    "the other colours": f"{EIGHT}?colours=clnsotvp",
    "draw": DRAW,
}
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 664}


@pytest.fixture
def page(new_context: Contexts, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page that stands still, for which a match of four plies is a draw."""
    short = replace(GAMES["codingame"], rules=replace(CODINGAME, turn_limit=4))
    monkeypatch.setitem(GAMES, "codingame", short)
    drawn = create_app().test_client().get(DRAW).text
    page = new_context(**STILL).new_page()
    page.route(f"**{DRAW}", lambda route: route.fulfill(content_type="text/html", body=drawn))
    return page


def expect_refusals(watch: Watch, path: str) -> None:
    """Chromium reports answers that are no success on its console."""
    if "open" in path or "nowhere" in path or path in (PAGES["bad link"], PAGES["bad option"]):
        watch.expect("status of 4(04|22)")


@pytest.mark.parametrize("kind", PAGES)
def test_axe_finds_nothing(page: Page, watch: Watch, kind: str) -> None:
    expect_refusals(watch, PAGES[kind])
    page.goto(PAGES[kind])
    found = []
    for scheme, screen in (("light", DESKTOP), ("dark", PHONE)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(screen)
        found += [f"{scheme}: {line}" for line in axe(page)]
    assert found == []


def test_axe_finds_nothing_after_a_move(page: Page) -> None:
    page.goto(RUNNING)
    play(page, "a1")
    assert axe(page) == []


def test_the_markup_is_valid(page: Page, watch: Watch) -> None:
    watch.expect("status of 4(04|22)")
    served = []
    for path in PAGES.values():
        answer = page.goto(path)
        assert answer
        served.append(answer.text())
    kinds = list(PAGES)
    found = [line.split(":", 1) for line in html_validate(*served)]
    assert [f"{kinds[int(number)]}: {line}" for number, line in found] == []


def test_every_page_has_its_landmarks_one_heading_and_labelled_pictures(page: Page, watch: Watch) -> None:
    watch.expect("status of 4(04|22)")
    titles = set()
    for path in PAGES.values():
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        for landmark in ("banner", "main", "contentinfo"):
            expect(page.get_by_role(landmark)).to_have_count(1)
        expect(page.get_by_role("navigation", name="Site")).to_have_count(1)
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator("svg:not([aria-hidden='true'], [role='img'][aria-label])")).to_have_count(0)
        expect(page.locator("img")).to_have_count(0)
        titles.add(page.title())
    assert len(titles) >= len(PAGES) - 4  # one match in several views may well be called the same
    assert all(title.endswith(" · Critical Mass") for title in titles)


def test_the_board_is_a_labelled_grid(page: Page) -> None:
    page.goto(GRACED)
    board = page.get_by_role("grid", name="Board, 6 columns, 6 rows", exact=True)
    expect(board.get_by_role("row")).to_have_count(6)
    expect(board.get_by_role("gridcell")).to_have_count(36)
    for playable in ("c4, empty", "f6, yours, 1 of 2 orbs"):
        expect(board.get_by_role("link", name=playable, exact=True)).to_be_visible()
    for not_playable in ("b3, Red's, 1 of 4 orbs", "f2, Red's, 1 of 3 orbs, just played"):
        expect(board.get_by_role("gridcell", name=not_playable, exact=True)).to_be_visible()


def test_a_move_is_told_once(page: Page) -> None:
    page.goto(GRACED)
    said = page.locator("#said")
    assert not said.evaluate("said => document.getElementById('match').contains(said)")
    expect(said).to_have_role("status")
    said.evaluate(
        """said => {
             window.told = [];
             const tell = (changes) => changes.forEach(() => told.push(said.textContent));
             new MutationObserver(tell).observe(said, { childList: true, characterData: true, subtree: true });
           }"""
    )
    play(page, "c3")
    play(page, "d4")
    expect(said).to_have_text("Red played d4. Blue to move.")
    assert page.evaluate("told") == [
        "Blue played c3. Red to move. Wipes count from move 8.",
        "Red played d4. Blue to move.",
    ]


# --- Told again ---------------------------------------------------------------------------------------------------

LISTEN = """region => {
  window.told = [];
  const what = { childList: true, characterData: true, subtree: true };
  new MutationObserver(() => told.push(region.textContent)).observe(region, what);
}"""


def step_again(page: Page) -> None:
    page.get_by_role("link", name="Again", exact=True).click()


def copy(page: Page) -> None:
    page.locator(".send .copy").click()


def ask_for_a_hint(page: Page) -> None:
    page.locator(".hint-button").click()
    expect(page.locator("#hint")).not_to_be_empty()


def lose_the_connection(page: Page) -> None:
    page.route("**/*part=1*", lambda route: route.abort())
    page.locator('[data-step="Back"]').click()


def pick(page: Page) -> None:
    page.locator("#c3").click()
    expect(page.locator(".foresight")).to_contain_text("Tap again to play.")
    page.locator(".picked").evaluate("cell => cell.classList.remove('picked')")


def save(page: Page) -> None:
    page.evaluate("document.getElementById('settings').open = true")
    page.locator("#settings [data-save]").click()


def tap_in_vain(page: Page) -> None:
    page.locator("#c3").click()


@pytest.mark.parametrize(
    ("path", "region", "act"),
    [
        (RUNNING, "#said", step_again),
        (RUNNING, ".share .copied", copy),
        (RUNNING, "#hint", ask_for_a_hint),
        (RUNNING, "#trouble", lose_the_connection),
        (GRACED, ".foresight", pick),
        (RUNNING, "#settings .keeping [role=status]", save),
        (f"/share?link={GRACED}", "#sharing .copied", lambda page: page.locator("#sharing .copy").first.click()),
        (GRACED, "#said", tap_in_vain),
    ],
    ids=["step", "copy", "hint", "trouble", "foresight", "save", "panel", "waiting"],
)
def test_what_is_told_twice_is_heard_twice(
    page: Page, watch: Watch, awake: None, path: str, region: str, act: Callable[[Page], None]
) -> None:
    """A live region that holds a text and is given it once more says nothing: it has to be without it in between."""
    if act is lose_the_connection:
        watch.expect("ERR_FAILED|htmx:error")
    if act is pick:
        page.add_init_script("localStorage.setItem('critmass.settings', JSON.stringify({ confirm: 'on' }))")
    page.goto(path)
    page.wait_for_timeout(GUARD)
    if act is tap_in_vain:
        page.locator("#match").evaluate("""match => {
          match.setAttribute("data-waiting", "");
          match.querySelector('[data-memory="waiting"]').hidden = false;
        }""")
    act(page)
    it = page.locator(region).first
    expect(it).not_to_be_empty()
    page.wait_for_timeout(300)  # whatever comes after it
    text = it.text_content()
    it.evaluate(LISTEN)
    act(page)
    until(page, "told.length > 1 && told.at(-1) !== ''")
    page.wait_for_timeout(300)
    *between, last = page.evaluate("told")
    assert last == text
    assert any(told != text for told in between)


def test_what_is_told_anew_while_the_same_is_due_is_told_alone(page: Page) -> None:
    page.goto(RUNNING)
    said = page.locator("#said")
    text = said.text_content()
    said.evaluate(LISTEN)
    page.evaluate(
        "for (const text of [said.textContent, said.textContent, 'Something else.']) critmass.say(said, text)"
    )
    until(page, "told.at(-1) === 'Something else.'")
    page.wait_for_timeout(200)
    assert page.evaluate("told") == ["", "Something else."]
    assert text
    page.evaluate("critmass.say(said, 'Something else.'); critmass.say(said, '')")
    page.wait_for_timeout(200)
    expect(said).to_be_empty()


def test_a_step_of_an_analysis_is_told_each_time_and_its_batches_are_not(page: Page, awake: None) -> None:
    page.goto("/analysis?link=/m/0z1y")
    expect(page.locator("[data-awaited]")).to_have_count(0, timeout=60_000)
    said = page.locator("#said")
    text = said.text_content()
    assert text
    said.evaluate(LISTEN)
    page.locator('.list [aria-current="true"]').click()
    until(page, "told.length > 1 && told.at(-1) !== ''")
    page.wait_for_timeout(300)
    assert page.evaluate("told") == ["", text]
