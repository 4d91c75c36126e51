"""The analysis in a browser: it comes in batch by batch, stops when the page is left, and its moves can be played."""

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from audit import axe, html_validate
from matches import EIGHT, FINISHED
from moves import CHAIN, STILL, expect_url
from playwright.sync_api import BrowserContext, Page, Route, expect
from watch import Watch

PAGE = f"/analysis?link={FINISHED}"
PLIES = re.compile(r"/analysis/plies\?")
AWAITED = "[data-awaited]"
MINUTE = 60_000

pytestmark = pytest.mark.usefixtures("awake")


@pytest.fixture
def asked(page: Page) -> list[int]:
    """The batches that the page has asked for, by their first ply."""
    starts: list[int] = []
    page.on("request", lambda it: starts.append(int(it.url.rpartition("=")[2])) if PLIES.search(it.url) else None)
    return starts


def test_it_comes_in_batch_by_batch_from_the_end(page: Page, asked: list[int]) -> None:
    page.goto(PAGE)
    expect(page.locator(".column")).to_have_count(70)
    expect(page.locator(".progress")).to_be_visible()
    expect(page.locator("#plies68 svg")).to_have_count(2)
    expect(page.locator("#plies0 svg")).to_have_count(0)
    expect(page.locator(AWAITED)).to_have_count(0, timeout=MINUTE)
    assert asked == list(range(68, -1, -4))
    expect(page.locator(".progress")).to_be_hidden()
    expect(page.locator(".remark").filter(has_text="Move 62, Blue: c4 throws a win away")).to_be_visible()
    expect(page.locator('.list [data-ply="62"] .thrown')).to_be_visible()


@pytest.mark.parametrize("path", [f"{PAGE}{quote('?at=62')}", f"/analysis?link={EIGHT[:41]}"])
def test_it_can_be_listened_to(page: Page, path: str) -> None:
    answer = page.goto(path)
    assert answer
    for scheme, size in (("light", (1280, 800)), ("dark", (390, 664))):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator(f".thought, {AWAITED}")).to_have_count(1, timeout=MINUTE)
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    parts = [
        page.request.get(part, headers={"HX-Request": "true"}).text()
        for part in page.locator("[hx-get*='/analysis/'], [data-awaited]").evaluate_all(
            "all => all.slice(0, 3).map((it) => it.dataset.awaited ?? it.getAttribute('hx-get'))"
        )
    ]
    assert html_validate(answer.text(), *(f"<!doctype html><html lang='en'><title>x</title>{it}" for it in parts)) == []


def test_it_stops_when_the_page_is_left(page: Page, asked: list[int]) -> None:
    page.goto(f"/analysis?link={FINISHED[:-1]}")
    expect(page.locator(".plies:not([data-awaited])")).not_to_have_count(0)
    page.get_by_role("link", name="How to play").click()
    expect(page.locator("h1")).to_have_text("How to play")
    page.wait_for_timeout(200)
    so_far = len(asked)
    assert so_far < 18
    page.wait_for_timeout(2000)
    assert len(asked) == so_far


def test_steps_move_the_board_and_where_one_is(page: Page) -> None:
    page.goto(f"{PAGE}{quote('?at=61')}")
    expect(page.locator(".advised-here")).to_contain_text("Blue wins in 2 moves. Best is d4.", timeout=CHAIN)
    expect(page.locator("#d4")).to_have_class(re.compile("hinted"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#shown .count")).to_have_text("Move 62 of 69")
    expect(page.locator('.list [aria-current="true"]')).to_have_attribute("data-ply", "62")
    expect(page.locator('.column[aria-current="true"]')).to_have_attribute("data-ply", "62")
    expect(page.locator(".advised-here")).to_contain_text("Move 62, Blue: c4 throws a win away", timeout=CHAIN)
    expect_url(page, f"/analysis?link={FINISHED}?at%3D62")
    page.locator('.list [data-ply="12"]').click()
    expect(page.locator("#shown .count")).to_have_text("Move 12 of 69")
    page.reload()
    expect(page.locator("#shown .count")).to_have_text("Move 12 of 69")


def test_steps_are_no_steps_of_the_history(page: Page) -> None:
    page.goto(FINISHED)
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator("#shown")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#shown .count")).to_have_text("Move 68 of 69")
    page.go_back(wait_until="commit")
    expect(page.locator("#match")).to_be_visible()
    expect_url(page, FINISHED)


def test_a_forced_win_is_playable_move_by_move(page: Page) -> None:
    page.goto(f"{PAGE}{quote('?at=61')}")
    line = page.locator(".advised-here .line a")
    expect(line).to_have_count(3, timeout=CHAIN)
    line.last.click()
    expect(page.locator(".standing")).to_have_text("Blue wins")
    page.go_back(wait_until="commit")
    line.first.click()
    expect(page.locator("#match .count").first).to_have_text("Move 62")
    page.go_back(wait_until="commit")
    page.locator("#d4").click()
    expect(page.locator("#match .count").first).to_have_text("Move 62")


def test_a_busy_computer_is_asked_again(page: Page, watch: Watch) -> None:
    answered = []

    def busy_once(route: Route) -> None:
        answered.append(route.request.url)
        if len(answered) > 1:
            return route.continue_()
        body = f'<div id="plies4" class="plies" data-awaited="{route.request.url}" data-delay="1"></div>'
        return route.fulfill(status=503, headers={"Retry-After": "1"}, content_type="text/html", body=body)

    watch.expect("503")
    page.route(PLIES, busy_once)
    page.goto("/analysis?link=/m/0z7c4")
    expect(page.locator(AWAITED)).to_have_count(0, timeout=CHAIN)
    assert len(answered) == 3
    assert answered[0] == answered[1]


def test_without_a_script_it_goes_on_by_itself(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False, **STILL).new_page()
    page.goto(f"/analysis?link={FINISHED[:40]}")
    expect(page.locator(".columns svg")).to_have_count(38, timeout=MINUTE)
    expect(page.locator(AWAITED)).to_have_count(0)
    expect(page.locator(".thought")).to_contain_text("Best is")
    page.locator('.list [data-ply="12"]').click()
    expect(page.locator("#shown .count")).to_have_text("Move 12 of 37")
