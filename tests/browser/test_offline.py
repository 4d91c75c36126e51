"""Without a network: what was opened before is there, what was not is said to be missing, and nothing is stale."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from matches import FINISHED
from moves import STILL, expect_match, expect_shown, expect_url, play, tap, wait_at_rest
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch
from werkzeug.serving import make_server

from critmass.web import create_app

ONE_DEVICE = True

MATCH = "/m/0z7sy1"
KEYS = """async (kind) => {
  const found = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith(`critmass-${kind}-`)) continue;
    const keys = await (await caches.open(name)).keys();
    found.push(...keys.map((key) => new URL(key.url)).map((url) => url.pathname + url.search));
  }
  return found;
}"""


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page that has its worker, and on which nothing moves."""
    return new_context(**STILL, service_workers="allow").new_page()


def kept(page: Page, kind: str) -> list[str]:
    """The addresses that the worker keeps."""
    return page.evaluate(KEYS, kind)


def wait_until(page: Page, done: Callable[[], bool]) -> None:
    """Wait for something that the page cannot wait for itself."""
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, {kind: kept(page, kind) for kind in ("shell", "opened", "steps")}
        page.wait_for_timeout(100)


def wait_until_kept(page: Page, kind: str, *addresses: str) -> None:
    """Wait until the worker has all of these."""
    wait_until(page, lambda: {*addresses} <= {*kept(page, kind)})


def open_match(page: Page, path: str, steps: int) -> None:
    """Open a match, and stay until it is kept with that many steps."""
    page.goto(path)
    wait_until_kept(page, "opened", path)
    wait_until_kept(page, "steps", *(f"{path}?at={at}" for at in range(steps + 1)))


def go_offline(page: Page) -> None:
    """Take the network away, from the worker too, and what the browser's own cache has."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)


def test_an_opened_match_is_there_and_replays(page: Page) -> None:
    open_match(page, MATCH, 6)
    go_offline(page)
    page.reload()
    expect_match(page, MATCH)
    for at in (5, 4, 3):
        page.get_by_role("link", name="Back", exact=True).click()
        expect_match(page, f"{MATCH}?at={at}")
    page.reload()
    expect_match(page, f"{MATCH}?at=3")
    page.get_by_role("link", name="First").click()
    expect_match(page, f"{MATCH}?at=0")
    page.get_by_role("link", name="Forward").click()
    expect_match(page, f"{MATCH}?at=1")
    page.go_back(wait_until="commit")
    expect_match(page, f"{MATCH}?at=0")
    page.goto("/")
    expect(page.get_by_role("heading", name="Chain Reaction")).to_be_visible()
    page.goto("/how-to-play")
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    page.goto(MATCH + "?utm_source=x")
    expect_shown(page, MATCH)


def test_it_goes_on_by_itself_too(page: Page) -> None:
    open_match(page, MATCH, 6)
    go_offline(page)
    page.reload()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator("#match")).to_have_attribute("data-page", f"{MATCH}?at=6", timeout=20_000)
    expect_match(page, f"{MATCH}?at=6")


def test_a_move_played_is_kept_as_a_page(page: Page) -> None:
    open_match(page, "/m/0z", 2)
    page.reload()  # the worker has the page now
    play(page, "c3")
    expect_match(page, "/m/0ze")
    wait_until_kept(page, "opened", "/m/0ze")
    go_offline(page)
    page.reload()
    expect_match(page, "/m/0ze")
    page.go_back(wait_until="commit")
    expect_match(page, "/m/0z")


def test_a_move_cannot_be_played_and_is_not_lost(page: Page, watch: Watch) -> None:
    watch.expect("ERR_FAILED")
    watch.expect("htmx:error: Failed to fetch")
    open_match(page, "/m/0z", 2)
    page.reload()
    wait_at_rest(page)
    go_offline(page)
    tap(page, "c3")
    expect(page.get_by_role("alert")).to_contain_text("Your move was not played")
    expect_match(page, "/m/0z")
    page.context.set_offline(False)
    play(page, "c3")
    expect_match(page, "/m/0ze")


def test_another_match_is_said_to_be_missing(page: Page) -> None:
    open_match(page, MATCH, 6)
    go_offline(page)
    page.goto("/m/5u")
    missing = page.locator(".lead:visible")
    expect(missing).to_contain_text("This match was not opened on this device before")
    (row,) = page.locator("#kept li").all()
    expect(row).to_contain_text(MATCH)
    row.get_by_role("link").click()
    expect_match(page, MATCH)
    page.goto("/m/5u?at=1")
    expect(missing).to_contain_text("This move of the match was not kept")
    page.goto("/new")
    expect(missing).to_contain_text("This page was not opened")
    page.goto("/m/5u")
    page.context.set_offline(False)  # and it opens again
    expect_match(page, "/m/5u")


def test_a_part_is_never_a_page_nor_a_page_a_part(page: Page, watch: Watch) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    open_match(page, MATCH, 6)
    page.reload()
    go_offline(page)
    fetched = "async ([url, headers]) => (await fetch(url, { headers })).text()"
    part = page.evaluate(fetched, [f"{MATCH}?part=1", {"HX-Request": "true"}])
    whole = page.evaluate(fetched, [MATCH, {"HX-Request": "true"}])
    assert part.startswith("<title>")
    assert "<html" not in part
    assert whole.startswith("<!doctype html>")
    with pytest.raises(Exception, match="Failed to fetch"):
        page.evaluate(fetched, [f"{MATCH}?part=1", {}])
    page.goto(f"{MATCH}?at=2&part=1")
    expect_shown(page, f"{MATCH}?at=2")


def test_no_more_is_kept_than_is_meant(page: Page) -> None:
    open_match(page, "/m/0", 1)
    page.reload()
    page.evaluate("""async () => {
      const digits = "0123456789abcdefghijklmnopqrstuvwxyz";
      for (const a of "12") for (const b of digits) if (a !== b) {
        await fetch(`/m/${a}${b}?part=1`, { headers: { "HX-Request": "true" } });
      }
    }""")
    wait_until_kept(page, "opened", "/m/2z")
    wait_until(page, lambda: len(kept(page, "opened")) == 60)
    assert "/m/0" not in kept(page, "opened")


def test_nothing_is_fetched_ahead_to_save_data(new_context: Callable[..., BrowserContext]) -> None:
    context = new_context(**STILL, service_workers="allow")
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page = context.new_page()
    page.goto(MATCH)
    wait_until_kept(page, "opened", MATCH)
    page.wait_for_timeout(1000)
    assert kept(page, "steps") == []


def test_a_frame_has_no_worker(page: Page) -> None:
    page.goto(f"{MATCH}?embed=1")
    page.wait_for_timeout(4000)
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


# --- Updates ------------------------------------------------------------------------------------------------------


class Site:
    """A server whose program can be replaced by another version."""

    def __init__(self) -> None:
        self.app: Flask = create_app()
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, environ: Any, start_response: Any) -> Any:
        return self.app(environ, start_response)

    def update(self) -> str:
        """Put a new version into service, and return what it is called."""
        self.app = create_app({"BASE_URL": self.url})
        return self.app.extensions["version"]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def test_a_new_version_drops_the_pages_of_the_old_one(page: Page, site: Site, watch: Watch) -> None:
    watch.origins = (*watch.origins, site.url)
    page.goto(site.url + MATCH)
    wait_until_kept(page, "steps", f"{MATCH}?at=0")
    before = site.app.extensions["version"]
    assert {name.rpartition("-")[2] for name in page.evaluate("caches.keys()")} == {before}
    after = site.update()
    assert after != before
    page.goto(site.url + "/m/0z")
    wait_until(page, lambda: {name.rpartition("-")[2] for name in page.evaluate("caches.keys()")} == {after})
    wait_until_kept(page, "opened", "/m/0z")
    assert MATCH not in kept(page, "opened")
    go_offline(page)
    page.goto(site.url + MATCH)
    expect(page.locator(".lead:visible")).to_contain_text("was not opened on this device before")
    page.goto(site.url + "/m/0z")
    expect_match(page, "/m/0z")


# --- Paper --------------------------------------------------------------------------------------------------------


def pages_of(pdf: bytes) -> int:
    return pdf.count(b"/Type /Page\n") or pdf.count(b"/Type /Page")


def test_a_match_is_printed_without_its_controls(page: Page) -> None:
    page.goto(FINISHED)
    page.emulate_media(media="print", color_scheme="dark")
    for seen in (".standing", ".because", ".stage .ground", ".stage .rest:not(.halo)", ".list"):
        expect(page.locator(seen)).to_be_visible()
    for unseen in (".top", ".foot", ".replay", ".share", ".ending .button", "[role=grid]"):
        for element in page.locator(unseen).all():
            expect(element).to_be_hidden()
    moves = page.locator(".list a")
    assert moves.count() == 69
    for move in (moves.first, moves.last):
        expect(move).to_be_visible()
    paper = page.evaluate(
        "[document.body, document.querySelector('.standing')].map((it) => getComputedStyle(it))"
        ".map((it) => [it.backgroundColor, it.color])"
    )
    assert paper[0] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    assert paper[1][1] == "rgb(0, 0, 0)"
    assert pages_of(page.pdf(format="A4")) == 1


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_score_sheet_is_printed(page: Page, paper: str) -> None:
    page.goto(f"/sheet?link={FINISHED}")
    button = page.get_by_role("button", name="Print")
    expect(button).to_be_visible()
    page.evaluate("window.print = () => { window.printed = true; }")
    button.click()
    assert page.evaluate("printed")
    page.emulate_media(media="print")
    expect(button).to_be_hidden()
    expect(page.locator(".score-moves li").last).to_be_visible()
    assert page.locator(".score .figure:visible").count() == 9
    assert 1 <= pages_of(page.pdf(format=paper)) <= 2
    expect_url(page, f"/sheet?link={FINISHED}")
