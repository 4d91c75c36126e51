"""The board in a frame: on another site's page it shows and replays, keeps nothing, and no other page can be framed."""

import threading
from collections.abc import Callable, Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from matches import FINISHED, GRACED
from moves import LABELS, STILL, labels, link_of
from playwright.sync_api import BrowserContext, Frame, Page, expect
from watch import Watch

from critmass.links import Link
from critmass.web.embeds import frame as size_of

ONE_DEVICE = True

REPLAY = "/m/buvupvjuuvu?embed=1"
ELSEWHERE = "play.test"
FORBIDDEN = """
  window.touched = [];
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() {
      touched.push(name);
      throw new DOMException("no", "SecurityError");
    } });
"""


class Host:
    """A page of another site, which has one frame."""

    def __init__(self) -> None:
        self.source, self.size = "", (480, 640)
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                width, height = host.size
                frame = f'<iframe src="{escape(host.source)}" width="{width}" height="{height}"></iframe>'
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(f"<!doctype html><title>Blog</title><link rel=icon href=data:,>{frame}".encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://{ELSEWHERE}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def host(watch: Watch) -> Iterator[Host]:
    host = Host()
    watch.origins = (*watch.origins, host.url)
    yield host
    host.close()


@pytest.fixture
def show(host: Host, base_url: str) -> Callable[..., Frame]:
    """Put a page of the app into the frame of the other site's page."""

    def put(page: Page, path: str, size: tuple[int, int] = (480, 640)) -> Frame:
        host.source, host.size = base_url + path, size
        page.goto(f"{host.url}/")
        (frame,) = page.frames[1:]
        return frame

    return put


def expect_framed(frame: Frame, path: str) -> Link:
    link = link_of(path)
    expect(frame.locator("#match")).to_have_attribute("data-page", link.page, timeout=10_000)
    assert frame.evaluate(LABELS) == labels(link)
    expect(frame.locator('[role="gridcell"] a')).to_have_count(0)
    for absent in ("header", "footer", "#settings", "#link", "[data-memory]"):
        expect(frame.locator(absent)).to_have_count(0)
    return link


def test_it_shows_and_replays_on_another_sites_page(page: Page, show: Callable[..., Frame]) -> None:
    page.add_init_script(FORBIDDEN)
    frame = show(page, REPLAY)
    expect_framed(frame, REPLAY)
    before = page.evaluate("history.length")
    for name, at in (("First", 0), ("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", 11)):
        frame.get_by_role("link", name=name, exact=True).click()
        expect_framed(frame, f"/m/buvupvjuuvu?at={at}&embed=1")
    frame.get_by_role("link", name="Step through the 2 rings").click()
    expect_framed(frame, "/m/buvupvjuuvu?at=11&embed=1&ring=0")
    assert page.evaluate("history.length") == before  # Back is the other site's own
    assert frame.evaluate("touched") == []


def test_it_plays_to_its_end(new_context: Callable[..., BrowserContext], show: Callable[..., Frame]) -> None:
    frame = show(new_context(**STILL).new_page(), "/m/buvupv?embed=1&at=0")
    frame.get_by_role("link", name="Play", exact=True).click()
    expect(frame.locator("#match .count")).to_have_text("Move 6", timeout=20_000)
    assert "embed=1" in frame.url


def test_it_replays_without_a_script(new_context: Callable[..., BrowserContext], show: Callable[..., Frame]) -> None:
    page = new_context(java_script_enabled=False).new_page()
    frame = show(page, "/m/buvupvjuuvu?embed=1&at=3&scheme=dark")
    frame.get_by_role("link", name="Forward", exact=True).click()
    expect(frame.locator("#match .count")).to_have_text("Move 4 of 11")
    expect(frame.locator("html")).to_have_attribute("data-scheme", "dark")
    expect(frame.locator(".stage")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_scheme_is_the_one_asked_for(
    scheme: str, new_context: Callable[..., BrowserContext], show: Callable[..., Frame]
) -> None:
    other = {"light": "dark", "dark": "light"}[scheme]
    context = new_context(color_scheme=other)
    # What the viewer has set is of no account.
    stored = f'{{ value: {{ getItem: () => \'{{"scheme":"{other}"}}\' }} }}'
    context.add_init_script(f"Object.defineProperty(window, 'localStorage', {stored})")
    frame = show(context.new_page(), f"{REPLAY}&scheme={scheme}")
    expect_framed(frame, f"{REPLAY}&scheme={scheme}")
    assert frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
    frame.get_by_role("link", name="Back", exact=True).click()
    expect_framed(frame, f"/m/buvupvjuuvu?at=10&embed=1&scheme={scheme}")
    plain = show(context.new_page(), REPLAY)
    assert plain.evaluate("getComputedStyle(document.documentElement).colorScheme") == other


@pytest.mark.parametrize(
    "path",
    [
        *(REPLAY, FINISHED + "?embed=1", f"{REPLAY}&ring=1&at=11", "/classic/16x16/2/?embed=1", f"{REPLAY}&size=300"),
        *("/classic/6x9/3/a1b2?embed=1", "/classic/16x3/2/a1?embed=1", "/classic/3x16/2/a1?embed=1"),
    ],
)
@pytest.mark.parametrize("most", [(None, None), (300, None), (None, 360)])
def test_it_fits_the_frame_that_oembed_names(
    path: str, most: tuple[int | None, int | None], page: Page, show: Callable[..., Frame]
) -> None:
    size = size_of(link_of(path), *most)
    frame = show(page, path, size)
    if "size" in path:
        assert size[0] <= 300
    expect(frame.locator(".stage")).to_be_visible()
    assert frame.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [*size]


def test_a_size_is_the_most_it_takes(page: Page, show: Callable[..., Frame]) -> None:
    frame = show(page, f"{REPLAY}&size=300", (600, 640))
    assert frame.evaluate("document.querySelector('main').offsetWidth") == 300
    frame = show(page, f"{REPLAY}&size=300", (240, 640))
    assert frame.evaluate("document.querySelector('main').offsetWidth") == 240


def test_it_leads_to_the_page(page: Page, show: Callable[..., Frame], base_url: str) -> None:
    frame = show(page, f"{GRACED}?embed=1&at=2&colours=gv&scheme=dark")
    with page.expect_popup() as popup:
        frame.get_by_role("link", name="Play on Critical Mass").click()
    popup.value.wait_for_load_state()
    assert popup.value.url == f"{base_url}{GRACED}?at=2&colours=gv"
    assert popup.value.evaluate("window.opener") is None
    expect(popup.value.locator("header")).to_be_visible()


@pytest.mark.parametrize("path", ["/m/buvupvjuuvu", "/", "/m/0?embed=2", "/new"])
def test_no_other_page_is_shown_in_a_frame(path: str, page: Page, show: Callable[..., Frame], watch: Watch) -> None:
    watch.expect("frame-ancestors")
    frame = show(page, path)
    for _ in range(50):
        if frame.url.startswith("chrome-error:"):
            break
        page.wait_for_timeout(100)
    assert frame.url.startswith("chrome-error:")
    watch.seen = [line for line in watch.seen if "404" not in line]
