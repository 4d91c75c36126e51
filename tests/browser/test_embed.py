"""The board in a frame: on another site's page it shows and replays, keeps nothing, and no other page can be framed."""

import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hosts import ISOLATED, KINDS, PLAIN, SANDBOXED, SCRIPTLESS, Host, Kind
from matches import FINISHED, GRACED
from moves import LABELS, STILL, STOP, expect_match, labels, link_of, path_of, play
from PIL import Image, ImageChops
from playwright.sync_api import BrowserContext, Frame, Page, expect
from watch import Watch

from critmass.links import Link
from critmass.web.share.embed import frame as size_of

ONE_DEVICE = True

MATCH = "/m/buvupvjuuvu"
REPLAY = f"{MATCH}?embed=1"
FAULTY = ["/m/00?embed=1", f"{REPLAY}&at=99&scheme=dark", "/classic/1x1/2/?embed=1", "/M/0Z0z11!?EMBED=1&scheme=dark"]
FORBIDDEN = """
  window.touched = [];
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() {
      touched.push(name);
      throw new DOMException("no", "SecurityError");
    } });
"""
SCRIPT_BLOCKED = "Blocked script execution in .* the document's frame is sandboxed"
with_scripts = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
strictly = pytest.mark.parametrize("kind", [SANDBOXED, ISOLATED], ids=["sandboxed", "isolated"])
every_way = pytest.mark.parametrize("kind", {**KINDS, **SCRIPTLESS}.values(), ids={**KINDS, **SCRIPTLESS}.keys())
without_scripts = pytest.mark.parametrize("kind", SCRIPTLESS.values(), ids=SCRIPTLESS.keys())


@pytest.fixture
def show(host: Host, base_url: str) -> Callable[..., Frame]:
    """Put a page of the app into the frame of the other site's page."""

    def put(page: Page, path: str, size: tuple[int, int] = (480, 640), kind: Kind = PLAIN) -> Frame:
        page.goto(host.put(base_url + path, size, kind))
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


@with_scripts
def test_it_shows_and_replays_on_another_sites_page(kind: Kind, page: Page, show: Callable[..., Frame]) -> None:
    page.add_init_script(FORBIDDEN)
    frame = show(page, REPLAY, kind=kind)
    expect_framed(frame, REPLAY)
    assert (frame.evaluate("origin") == "null") == (kind.sandbox is not None)
    frame.evaluate("window.same = true")
    before = page.evaluate("history.length")
    for name, at in (("First", 0), ("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", 11)):
        frame.get_by_role("link", name=name, exact=True).click()
        expect_framed(frame, f"{MATCH}?at={at}&embed=1")
    for name, ring in (("Step through the 2 rings", 0), ("Next ring", 1), ("Ring back", 0)):
        frame.get_by_role("link", name=name).click()
        expect_framed(frame, f"{MATCH}?at=11&embed=1&ring={ring}")
        until_at(frame, f"{MATCH}?at=11&embed=1&ring={ring}")
    assert frame.evaluate("same")  # all of it came in parts
    assert page.evaluate("history.length") == before  # Back is the other site's own
    assert frame.evaluate("touched") == []


@with_scripts
def test_it_plays_to_its_end(
    kind: Kind, new_context: Callable[..., BrowserContext], show: Callable[..., Frame]
) -> None:
    frame = show(new_context(**STILL).new_page(), "/m/buvupv?embed=1&at=0", kind=kind)
    frame.evaluate("window.same = true")
    frame.get_by_role("link", name="Play", exact=True).click()
    expect(frame.locator("#match .count")).to_have_text("Move 6", timeout=20_000)
    assert "embed=1" in frame.url
    assert frame.evaluate("same")


@without_scripts
def test_its_links_lead_on_in_a_frame_without_scripts(
    kind: Kind, page: Page, show: Callable[..., Frame], watch: Watch
) -> None:
    watch.expect(SCRIPT_BLOCKED)
    watch.expect("Refused to execute the redirect")  # so that a replay does not go on by itself
    frame = show(page, f"{REPLAY}&scheme=dark", kind=kind)
    expect_framed(frame, f"{REPLAY}&scheme=dark")
    for name, shown in (
        ("First", "at=0&embed=1&scheme=dark"),
        ("Forward", "at=1&embed=1&scheme=dark"),
        ("Play", "at=2&embed=1&scheme=dark&play=1"),
        ("Pause", "at=2&embed=1&scheme=dark"),
        ("Last", "at=11&embed=1&scheme=dark"),
        ("Back", "at=10&embed=1&scheme=dark"),
        ("Forward", "at=11&embed=1&scheme=dark"),
        ("Step through the 2 rings", "at=11&embed=1&scheme=dark&ring=0"),
        ("Board at rest", "at=11&embed=1&scheme=dark"),
    ):
        frame.get_by_role("link", name=name, exact=True).click()
        expect_framed(frame, f"{MATCH}?{shown}")
        until_at(frame, f"{MATCH}?{shown}")
    assert frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def until_at(frame: Frame, path: str) -> None:
    """Wait until the frame's own address is this one."""
    end = time.monotonic() + 10
    while path_of(frame.url) != path:
        assert time.monotonic() < end, frame.url
        frame.page.wait_for_timeout(50)


# --- How it looks -------------------------------------------------------------------------------------------------


def expect_same_picture(frame: Frame, selector: str, wanted: Path, folder: Path) -> None:
    """See that this part of a frame looks to the pixel as it did before; give the browser a while to paint it."""
    end, path = time.monotonic() + 10, folder / "framed.png"
    while True:
        frame.locator(selector).screenshot(path=path)
        with Image.open(path) as one, Image.open(wanted) as other:
            if one.size == other.size and not ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox():
                return
        assert time.monotonic() < end, f"{path} is not {wanted}"


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        *product((REPLAY, f"{FINISHED}?embed=1&size=300", "/classic/6x9/3/a1b2?embed=1"), ("light", "dark")),
        *((path, "dark") for path in FAULTY),
    ],
)
def test_it_looks_the_same_however_it_is_framed(
    path: str,
    scheme: str,
    new_context: Callable[..., BrowserContext],
    show: Callable[..., Frame],
    watch: Watch,
    tmp_path: Path,
) -> None:
    watch.expect("status of 404" if path in FAULTY else SCRIPT_BLOCKED)
    page = new_context(**STILL, color_scheme=scheme).new_page()
    parts = ["body"] if path in FAULTY else [".board", ".status", ".replay"]
    frame = show(page, path)
    for at, part in enumerate(parts):
        frame.locator(part).screenshot(path=tmp_path / f"{at}.png")
    for kind in (*KINDS.values(), *SCRIPTLESS.values()):
        frame = show(page, path, kind=kind)
        for at, part in enumerate(parts):
            expect_same_picture(frame, part, tmp_path / f"{at}.png", tmp_path)


@pytest.mark.parametrize("ring", [1, 7])
def test_its_chain_looks_the_same_however_it_is_framed(
    ring: int, page: Page, show: Callable[..., Frame], watch: Watch, tmp_path: Path
) -> None:
    watch.expect(SCRIPT_BLOCKED)
    path = f"{FINISHED}?embed=1&scheme=dark"
    frame = show(page, path)
    assert frame.evaluate(STOP % ring)
    frame.locator(".board").screenshot(path=tmp_path / "plain.png")
    for kind in (*KINDS.values(), *SCRIPTLESS.values()):
        frame = show(page, path, kind=kind)
        assert frame.evaluate(STOP % ring)
        expect_same_picture(frame, ".board", tmp_path / "plain.png", tmp_path)


@pytest.mark.parametrize("path", FAULTY)
def test_a_link_that_is_no_match_says_so_in_the_frame(
    path: str, page: Page, show: Callable[..., Frame], watch: Watch, base_url: str
) -> None:
    watch.expect("status of 404")
    frame = show(page, path, (240, 320))
    expect(frame.get_by_role("heading", name="This link is not a match")).to_be_visible()
    assert frame.evaluate("document.documentElement.scrollWidth") == 240
    link = frame.locator(".home a")
    expect(frame.locator(".address")).to_be_visible()
    expect(frame.locator(".address")).to_have_text(base_url + (link.get_attribute("href") or ""))
    if "dark" in path:
        assert frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


@strictly
def test_a_step_that_is_no_match_says_so_in_the_frame(
    kind: Kind, page: Page, show: Callable[..., Frame], watch: Watch
) -> None:
    watch.expect("status of 404")
    frame = show(page, REPLAY, kind=kind)
    frame.evaluate("""() => {
      const step = document.querySelector('[data-step="Back"]');
      for (const name of ["href", "hx-get"]) step.setAttribute(name, step.getAttribute(name).replace("at=10", "at=99"));
    }""")
    frame.get_by_role("link", name="Back", exact=True).click()
    expect(frame.get_by_role("heading", name="This link is not a match")).to_be_visible()


@strictly
def test_a_link_that_was_mangled_is_sent_on_in_the_frame(kind: Kind, page: Page, show: Callable[..., Frame]) -> None:
    frame = show(page, "/M/BuVupVjuuvu.?embed=1!&AT=3", kind=kind)
    expect_framed(frame, f"{MATCH}?embed=1&at=3")


# --- Its surroundings ---------------------------------------------------------------------------------------------


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


def test_a_sandbox_that_lets_pages_be_opened_leads_to_the_page_too(
    new_context: Callable[..., BrowserContext], show: Callable[..., Frame], watch: Watch
) -> None:
    watch.expect("NotSameOrigin")  # of the page's own script for the settings there are none to be had
    watch.expect("htmx:error")
    watch.expect("same-origin")
    page = new_context(**STILL).new_page()
    frame = show(page, f"{GRACED}?embed=1", kind=Kind(sandbox="allow-scripts allow-popups"))
    with page.expect_popup() as popup:
        frame.get_by_role("link", name="Play on Critical Mass").click()
    expect_match(popup.value, GRACED)
    assert popup.value.evaluate("[origin, window.opener]") == ["null", None]
    play(popup.value, "a1")
    popup.value.get_by_role("link", name="Back", exact=True).click()
    expect_match(popup.value, f"{GRACED}0?at=5")


@every_way
def test_where_nothing_may_be_opened_the_address_is_shown(
    kind: Kind, page: Page, show: Callable[..., Frame], watch: Watch, base_url: str
) -> None:
    frame = show(page, f"{REPLAY}&at=3", (300, 480), kind)
    address = frame.locator(".address")
    if kind.sandbox is None:
        expect(address).to_be_hidden()
        return
    watch.expect("allow-popups")
    frame.get_by_role("link", name="Play on Critical Mass").click()
    expect(address).to_be_visible()
    expect(address).to_have_text(f"{base_url}{MATCH}?at=3")
    assert frame.evaluate("document.documentElement.scrollWidth") == 300
    address.click()
    assert frame.evaluate("getSelection().toString()") == f"{base_url}{MATCH}?at=3"
    if not kind.sandbox:
        watch.expect(SCRIPT_BLOCKED)


@pytest.mark.parametrize("kind", [PLAIN, SANDBOXED, ISOLATED], ids=["plain", "sandboxed", "isolated"])
@pytest.mark.parametrize("path", ["/m/buvupvjuuvu", "/", "/m/0?embed=2", "/new"])
def test_no_other_page_is_shown_in_a_frame(
    path: str, kind: Kind, page: Page, show: Callable[..., Frame], watch: Watch
) -> None:
    if not kind.embedder:  # else it is refused without a word
        watch.expect("frame-ancestors")
    frame = show(page, path, kind=kind)
    for _ in range(50):
        if frame.url.startswith("chrome-error:"):
            break
        page.wait_for_timeout(100)
    assert frame.url.startswith("chrome-error:")
    watch.seen = [line for line in watch.seen if "404" not in line]
