"""Watching a match: its replay, and the picture of a chain at every moment."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from moves import (
    LONG_CHAIN,
    PHONE,
    STILL,
    Picture,
    expect_match,
    expect_seen,
    expect_shown,
    expect_url,
    link_of,
    picture,
    play,
    seen,
    skip,
    spot,
    until,
)
from playwright.sync_api import BrowserContext, Page, Route, expect

from critmass.engine import Ply, cells_of
from critmass.engine.cascade import spread
from critmass.links import Link

ONE_DEVICE = True

Contexts = Callable[..., BrowserContext]

VECTORS = Path(__file__).parents[1] / "conformance"


def vector(file: str, line: int, at: int) -> str:
    """The link to a ply of one of the referee's matches."""
    match = json.loads((VECTORS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()[line])
    return f"{match['path']}?at={at}"


TEN_RINGS = vector("critical-mass", 0, 64)
SURPLUS_LOST = vector("codingame", 0, 63)
LONGEST = vector("classic", 17, 298)  # 94 rings on 10×15


def still(new_context: Contexts, **options: Any) -> Page:
    """A page on which nothing moves, so that it need not be waited for."""
    return new_context(**STILL, **options).new_page()


# --- Step by step -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False])
def test_stepping_through_a_match(new_context: Contexts, scripts: bool) -> None:
    page = still(new_context, java_script_enabled=scripts)
    page.goto(LONG_CHAIN)
    for control, at in [("First", 0), ("Forward", 1), ("Forward", 2), ("Last", 12), ("Back", 11), ("Again", 11)]:
        page.get_by_role("navigation", name="Replay").get_by_role("link", name=control, exact=True).click()
        expect_match(page, f"{LONG_CHAIN}?at={at}")
    page.get_by_role("link", name="To the last move").click()
    expect_match(page, LONG_CHAIN)
    page.locator(".list a").nth(8).click()
    expect_match(page, f"{LONG_CHAIN}?at=9")
    expect(page.locator(".list [aria-current]")).to_have_accessible_name("a3 3 rings")
    page.get_by_role("link", name="Play on from here").click()
    expect_match(page, LONG_CHAIN[:-3])
    play(page, "a1")
    expect_match(page, LONG_CHAIN[:-3] + "0")


@pytest.mark.parametrize("scripts", [True, False])
def test_rings_are_stepped_through_where_nothing_moves(new_context: Contexts, scripts: bool) -> None:
    page = still(new_context, java_script_enabled=scripts)
    page.goto(LONG_CHAIN[:-3])
    link = link_of(LONG_CHAIN[:-3])
    assert link.ply
    expect_seen(page, link.position.board)
    moving = page.evaluate("document.getAnimations().filter((it) => !it.effect.target.matches('.shield')).length")
    assert moving == 0
    page.get_by_role("link", name="Step through the 3 rings").click()
    for ring, board in enumerate(link.ply.frames):
        expect_shown(page, f"{link.url()}?at=9&ring={ring}")
        expect_seen(page, board)
        expect(page.locator(".told")).to_contain_text(f"Ring {ring} of 3" if ring else "The orb is placed")
        if ring < 3:
            page.get_by_role("link", name="Next ring").click()
    page.get_by_role("link", name="Ring back").click()
    expect_seen(page, link.ply.frames[2])
    page.get_by_role("link", name="Board at rest").click()
    expect_match(page, f"{link.url()}?at=9")
    play(page, "a1")
    expect_match(page, link.url() + "0")


# --- By itself ----------------------------------------------------------------------------------------------------

REMEMBER_PAGES = """
  window.pages = [];
  window.early = [];
  addEventListener("DOMContentLoaded", () => pages.push(document.getElementById("match")?.dataset.page));
  document.addEventListener("htmx:before:swap", () => {
    const rest = document.querySelector(".rest:not(.halo)");
    if (rest && !rest.checkVisibility({ visibilityProperty: true })) early.push(pages.at(-1));
  });
  document.addEventListener("htmx:after:swap", () => pages.push(document.getElementById("match").dataset.page));
"""


def test_the_replay_plays_to_the_end(new_context: Contexts) -> None:
    context = new_context(**STILL)
    context.add_init_script(REMEMBER_PAGES)
    page = context.new_page()
    page.goto(LONG_CHAIN)
    entries = page.evaluate("history.length")
    page.get_by_role("link", name="Replay from the start").click()
    expect_url(page, f"{LONG_CHAIN}?at=12&play=1")
    assert page.evaluate("pages") == [LONG_CHAIN, *(f"{LONG_CHAIN}?at={at}&play=1" for at in range(1, 13))]
    page.wait_for_timeout(800)
    expect_match(page, f"{LONG_CHAIN}?at=12&play=1")
    assert page.evaluate("history.length") == entries + 1
    page.go_back(wait_until="commit")
    expect_match(page, LONG_CHAIN)


def test_the_replay_shows_every_chain_to_its_end(new_context: Contexts) -> None:
    context = new_context()
    context.add_init_script(REMEMBER_PAGES)
    page = context.new_page()
    match = LONG_CHAIN[:-3]
    page.goto(f"{match}?at=7")
    skip(page)
    page.get_by_role("link", name="Play", exact=True).click()
    expect_url(page, f"{match}?at=9&play=1")
    link = link_of(f"{match}?at=9")
    expect_seen(page, link.position.board)
    assert page.evaluate("pages") == [f"{match}?at=7", f"{match}?at=8&play=1", f"{match}?at=9&play=1"]
    assert page.evaluate("early.filter((page) => page.includes('play'))") == []


def test_the_replay_pauses(new_context: Contexts) -> None:
    page = new_context().new_page()
    page.goto(f"{LONG_CHAIN}?at=6")
    page.get_by_role("link", name="Play", exact=True).click()
    expect_url(page, f"{LONG_CHAIN}?at=7&play=1")
    page.get_by_role("link", name="Pause").click()
    expect_match(page, f"{LONG_CHAIN}?at=7")
    expect_seen(page, link_of(f"{LONG_CHAIN}?at=7").position.board)
    page.wait_for_timeout(800)
    expect_match(page, f"{LONG_CHAIN}?at=7")
    page.get_by_role("link", name="Play", exact=True).click()
    expect_url(page, f"{LONG_CHAIN}?at=9&play=1")
    page.get_by_role("link", name="Pause").click()
    page.go_back(wait_until="commit")
    expect_match(page, f"{LONG_CHAIN}?at=7")
    page.go_back(wait_until="commit")
    expect_match(page, f"{LONG_CHAIN}?at=6")


HELD = """
const real = window.fetch;
addEventListener("popstate", () => window.letGo && window.letGo());
window.fetch = async (...asked) => {
  const answer = await real(...asked);
  const text = await answer.text();
  if (String(asked[0]).includes("at=8")) await new Promise((done) => { window.letGo = done; });
  return new Response(text, answer);
};
"""


def test_an_answer_that_comes_just_as_one_goes_back_is_too_late(new_context: Contexts) -> None:
    page = still(new_context)
    page.add_init_script(HELD)
    page.goto(f"{LONG_CHAIN}?at=6")
    page.get_by_role("link", name="Forward").click()
    expect_match(page, f"{LONG_CHAIN}?at=7")
    page.get_by_role("link", name="Forward").click()
    while not page.evaluate("'letGo' in window"):
        page.wait_for_timeout(50)
    page.go_back(wait_until="commit")
    expect_match(page, f"{LONG_CHAIN}?at=6")
    page.wait_for_timeout(300)
    expect_match(page, f"{LONG_CHAIN}?at=6")


def test_pausing_on_a_slow_network(new_context: Contexts) -> None:
    page = still(new_context)
    held: list[Route] = []
    page.route("**/*part=1*", lambda route: held.append(route))
    page.goto(f"{LONG_CHAIN}?at=6&play=1")
    while not held:
        page.wait_for_timeout(50)
    page.get_by_role("link", name="Pause").click()
    page.wait_for_timeout(100)
    assert ["play=1" in route.request.url for route in held] == [True, False]
    for route in held:
        route.continue_()
        page.wait_for_timeout(200)
    page.unroute("**/*part=1*")
    expect_match(page, f"{LONG_CHAIN}?at=6")
    page.wait_for_timeout(800)
    expect_match(page, f"{LONG_CHAIN}?at=6")


def test_leaving_a_replay_ends_it(new_context: Contexts) -> None:
    page = still(new_context)
    page.goto(f"{LONG_CHAIN}?at=0")
    page.get_by_role("link", name="Play", exact=True).click()
    until(page, "document.getElementById('match').dataset.page.includes('at=2&play=1')")
    page.go_back(wait_until="commit")
    expect_match(page, f"{LONG_CHAIN}?at=0")
    page.wait_for_timeout(1000)
    expect_match(page, f"{LONG_CHAIN}?at=0")


def test_the_replay_plays_without_scripts(new_context: Contexts) -> None:
    page = still(new_context, java_script_enabled=False)
    page.goto("/m/0z7")
    page.get_by_role("link", name="Play", exact=True).click()
    for at in (1, 2, 3):
        expect_url(page, f"/m/0z7?at={at}&play=1")
    expect_match(page, "/m/0z7?at=3&play=1")
    page.wait_for_timeout(2500)
    expect_match(page, "/m/0z7?at=3&play=1")
    play(page, "c3")


# --- The picture, moment by moment --------------------------------------------------------------------------------

FREEZE = """
  addEventListener("DOMContentLoaded", () => {
    window.frozen = document.getAnimations();
    for (const it of frozen) it.pause();
  });
"""


def freeze(new_context: Contexts, address: str) -> tuple[Page, Link, Ply, float, float]:
    """Stop a match at the beginning of its chain; return also when the first ring goes off and how long one takes."""
    context = new_context()
    context.add_init_script(FREEZE)
    page = context.new_page()
    page.goto(address)
    link = link_of(address)
    assert link.ply
    lead, ring = page.evaluate("""() => {
      const [flash] = document.querySelector(".flash")?.getAnimations() ?? [];
      return flash ? [flash.effect.getTiming().delay, flash.effect.getTiming().duration] : [850, 440];
    }""")
    return page, link, link.ply, lead, ring


def seek(page: Page, ms: float) -> None:
    page.evaluate("ms => { for (const it of frozen) it.currentTime = ms; }", ms)


@pytest.mark.parametrize("address", ["/m/0z7s", LONG_CHAIN[:-3], LONG_CHAIN, TEN_RINGS, SURPLUS_LOST, LONGEST])
def test_the_picture_is_right_at_every_moment(new_context: Contexts, address: str) -> None:
    page, link, ply, lead, ring = freeze(new_context, address)
    seek(page, 0)
    assert seen(page) == picture(ply.before.board)
    seek(page, lead - 0.3 * ring - 350)
    assert seen(page) == picture(ply.before.board)
    seek(page, lead - 0.26 * ring)
    assert seen(page) == picture(ply.before.board)
    falling = {(*spot(link.rules.grid, ply.cell), f"fly{ply.player}"): 1}
    assert seen(page, ".d path", "fly") == falling, "the orb that falls"

    rings = len(ply.rings)
    for number in range(0, rings + 1, max(1, rings // 12)):
        seek(page, lead + (number - 0.125) * ring)
        assert seen(page) == picture(ply.frames[number]), f"after ring {number}"
        assert not seen(page, ".stage path", "fly")
        if number < rings:
            seek(page, lead + (number + 0.4) * ring)
            expect_in_flight(page, ply, number)

    for later in (1, ring):
        seek(page, lead + rings * ring + later)
        assert seen(page, ".rest path") == picture(link.position.board)
        assert set(seen(page)) == set(picture(link.position.board)), "the last frame may cover the board at rest"
        assert not seen(page, ".stage path", "fly")
    assert not seen(page, ".chain path")


def expect_in_flight(page: Page, ply: Ply, number: int) -> None:
    """See the cells of a ring as they have just handed out their orbs, and the orbs flying to their neighbours."""
    grid, (detonated, *_) = ply.before.rules.grid, ply.steps[number + 1]
    assert seen(page) == picture(ply.frames[number]) + picture(ply.in_flight[number], detonated)
    assert seen(page, ".chain .e path") == picture(ply.in_flight[number], detonated)
    arriving: Picture = Counter(
        (*spot(grid, cell), f"fly{ply.player}") for cells in spread(grid, detonated) for cell in cells_of(cells)
    )
    assert seen(page, ".fly path", "fly") == arriving, f"in flight in ring {number + 1}"


def test_orbs_fly_from_the_cell_that_detonates(new_context: Contexts) -> None:
    page, _, ply, lead, ring = freeze(new_context, TEN_RINGS)
    away = """() => {
      const at = (it) => it.getBoundingClientRect(), ground = at(document.querySelector(".ground"));
      const cell = ground.width / 6;
      return Object.fromEntries([...document.querySelectorAll(".fly")].map((it) => [it.classList[2],
        [(at(it).x - ground.x) / cell, (at(it).y - ground.y) / cell].map(Math.round)]));
    }"""
    for number in (0, len(ply.rings) // 2, len(ply.rings) - 1):
        seek(page, lead + number * ring + 1)
        assert page.evaluate(away) == {"north": [0, 1], "south": [0, -1], "east": [-1, 0], "west": [1, 0]}
        seek(page, lead + (number + 0.74) * ring)
        assert page.evaluate(away) == {way: [0, 0] for way in ("north", "south", "east", "west")}


@pytest.mark.parametrize(("address", "shortest", "longest"), [(LONG_CHAIN, 200, 700), (LONGEST, 40, 200)])
def test_a_chain_takes_its_time(new_context: Contexts, address: str, shortest: float, longest: float) -> None:
    page, _, ply, lead, ring = freeze(new_context, address)
    assert 300 < lead < 1500
    assert shortest < ring < longest
    ends = page.evaluate("frozen.map((it) => it.effect.getComputedTiming().endTime).filter(Number.isFinite)")
    end = page.evaluate("document.querySelector('.clock').getAnimations()[0].effect.getComputedTiming().endTime")
    assert end == pytest.approx(lead + len(ply.rings) * ring)
    assert max(ends) < 8000


def test_the_longest_chain_plays_to_its_end(new_context: Contexts) -> None:
    context = new_context()
    context.add_init_script("""
      addEventListener("DOMContentLoaded", () => {
        const [clock] = document.querySelector(".clock").getAnimations();
        clock.finished.then(() => { window.took = document.timeline.currentTime - clock.startTime; });
      });
    """)
    page = context.new_page()
    page.goto(LONGEST)
    assert seen(page, ".rest path") == Counter()
    until(page, "window.took")
    assert page.evaluate("took") < 9000
    expect_seen(page, link_of(LONGEST).position.board)


def test_skipping_in_the_middle_of_a_chain(new_context: Contexts) -> None:
    page, link, _, lead, ring = freeze(new_context, TEN_RINGS)
    seek(page, lead + 4.5 * ring)
    skip(page)
    assert seen(page) == picture(link.position.board)
    assert not seen(page, ".stage path", "fly")


# --- Smoothness ---------------------------------------------------------------------------------------------------

WATCH_FRAMES = """
  window.frames = [];
  addEventListener("DOMContentLoaded", () => {
    const [clock] = document.querySelector(".clock").getAnimations();
    const next = (now) => {
      frames.push(now);
      if (clock.playState === "running") requestAnimationFrame(next);
      else window.done = true;
    };
    requestAnimationFrame(next);
  });
"""


def test_a_slow_phone_keeps_up(new_context: Contexts) -> None:
    context = new_context(**PHONE)
    context.add_init_script(WATCH_FRAMES)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for _ in range(3):  # the machine may be busy with something else
        page.goto(TEN_RINGS)
        until(page, "window.done")
        times = page.evaluate("frames")
        gaps = [later - earlier for earlier, later in pairwise(times) if earlier > times[0] + 300]
        if smooth := median(gaps) < 40 and max(gaps) < 400:
            break
    assert smooth, sorted(gaps)
