"""The share panel in a browser: the QR code is read, what is copied arrives, files are handed over."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
import zxingcpp
from engines import Engine
from matches import EIGHT, FINISHED, LONGEST, longest
from moves import STILL
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect

from critmass.links.hosts import read_host
from critmass.web.share.panel import MODULE, MOST_IN_PANEL

Contexts = Callable[..., BrowserContext]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
HEADER = 40
QUIET = 4
"""The white modules on every side of a code."""
LINKS = {
    "empty": "/m/",
    "short": "/m/0z7c",
    "names": "/m/0z7?names=Ada,Bo",
    "medium": FINISHED,
    "eight": f"{EIGHT}?names=Ada,Bo,Cy,Di,Eva,Fay,Gus,Hal",
    "foreign names": f"/m/0z7?names={quote('Владимир Ж')},{quote('🚀 محمد')}",
    "long": LONGEST[: len("/classic/16x16/2/") + 2 * 300],
    "longest": LONGEST,
    "longest of eight": f"{longest(8)}?colours=rbgyvotp&names={','.join([quote('𠀀' * 16)] * 8)}",
}
FIT = {"empty", "short", "names", "medium", "eight", "foreign names"}
"""The links whose code the panel has room for."""
TOO_FINE = {"longest", "longest of eight"}
"""Those whose code is too fine for the screen of a phone."""


def seen(code: Locator) -> Image.Image:
    """What a camera sees of a code: the screen, each of whose pixels is one of the style sheet's."""
    code.scroll_into_view_if_needed()
    return Image.open(io.BytesIO(code.page.screenshot())).convert("RGB")


def expect_readable(code: Locator, base_url: str, path: str) -> str:
    """See that a camera reads the link off the screen, and return it as it was read."""
    expect(code).to_be_visible()
    screen, box = seen(code), code.bounding_box()
    assert box
    left, top, right, bottom = box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
    module = box["width"] / modules_of(code)
    assert module >= MODULE
    assert box["height"] == pytest.approx(box["width"])
    assert_quiet(screen.crop((round(left), round(top), round(right), round(bottom))), module)
    (barcode,) = zxingcpp.read_barcodes(screen)
    read = str(barcode.text)
    assert read.startswith("http://")
    (at, _, query), (site, _, options) = read.partition("?"), f"{base_url}{path}".partition("?")
    assert (at.lower(), query) == (site, options)
    assert at.removeprefix("http://").isupper()
    return read


def modules_of(code: Locator) -> int:
    """The modules of a code from edge to edge, its margins included."""
    return int((code.get_attribute("viewBox") or "").split()[2])


def assert_quiet(code: Image.Image, module: float) -> None:
    """The margin is white whatever the scheme; only the corners may be rounded."""
    margin, corner = int(QUIET * module), 6
    width, height = code.size
    assert width >= 29 * module
    for strip in (
        (corner, 1, width - corner, margin),
        (corner, height - margin + 1, width - corner, height - 1),
        (1, corner, margin, height - corner),
        (width - margin + 1, corner, width - 1, height - corner),
    ):
        assert code.crop(strip).getcolors() == [((strip[2] - strip[0]) * (strip[3] - strip[1]), (255, 255, 255))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", LINKS)
def test_a_camera_reads_the_code_or_is_told_that_it_cannot(
    new_context: Contexts, base_url: str, name: str, screen: dict[str, int], scheme: str
) -> None:
    path = LINKS[name]
    page = new_context(**STILL, viewport=screen, color_scheme=scheme).new_page()
    page.goto(f"/share?link={quote(path, safe='')}")
    assert page.locator(".qr .code").count() == (name in FIT)
    if name in FIT:
        expect_readable(page.locator(".qr .code"), base_url, path)
    page.locator(".qr").get_by_role("link").click()
    expect(page).to_have_title(re.compile("^QR code: .* · Critical Mass$"))
    code, refused = page.locator(".code"), page.get_by_text("This screen is too small for it")
    if name in TOO_FINE and screen is PHONE:
        expect(code).to_be_hidden()
        expect(refused).to_be_visible()
        assert zxingcpp.read_barcodes(seen(page.locator("h1"))) == []
    else:
        expect(refused).to_be_hidden()
        read = expect_readable(code, base_url, path)
        box = code.bounding_box()
        assert box
        assert box["width"] == pytest.approx(min(screen["width"], screen["height"] - HEADER), abs=1)
        page.goto(read)
        expect(page).to_have_url(base_url + path)


@pytest.mark.parametrize("name", ["short", "longest"])
def test_the_large_code_is_there_down_to_the_last_pixel_it_needs(
    new_context: Contexts, base_url: str, name: str
) -> None:
    page = new_context(**STILL).new_page()
    page.goto(f"/qr?link={LINKS[name]}")
    code, refused = page.locator(".code"), page.get_by_text("This screen is too small for it")
    side = MODULE * modules_of(code)
    for width, height in ((side, side + HEADER), (side, 900), (900, side + HEADER)):
        page.set_viewport_size({"width": width, "height": height})
        expect(refused).to_be_hidden()
        expect_readable(code, base_url, LINKS[name])
    for width, height in ((side - 1, 900), (900, side + HEADER - 1), (side - 1, side - 1)):
        page.set_viewport_size({"width": width, "height": height})
        expect(code).to_be_hidden()
        expect(refused).to_be_visible()


def test_the_panel_of_the_narrowest_phone_has_room_for_its_codes(new_context: Contexts, base_url: str) -> None:
    page = new_context(**STILL, viewport={"width": 320, "height": 640}).new_page()
    path = LONGEST[: len("/classic/16x16/2/") + 2 * 200]
    page.goto(f"/share?link={path}")
    code = page.locator(".qr .code")
    expect_readable(code, base_url, path)
    box = code.bounding_box()
    assert box
    assert box["width"] == MOST_IN_PANEL
    assert box["x"] + box["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_panel_on_the_match_page_leads_to_the_large_code_and_back(page: Page, base_url: str) -> None:
    page.goto("/m/0z7c")
    page.get_by_role("link", name="More ways to share").click()
    expect_readable(page.locator(".qr .code"), base_url, "/m/0z7c")
    page.get_by_role("link", name="Show it large").click()
    expect(page).to_have_url(f"{base_url}/qr?link=/m/0z7c")
    page.get_by_role("link", name="To the match").click()
    expect(page).to_have_url(f"{base_url}/m/0z7c")


def test_other_engines_show_it_or_say_that_they_cannot(other_browser: Engine, base_url: str, tmp_path: Path) -> None:
    shown = "[...document.querySelectorAll('.code, .too-small')].map((it) => it.checkVisibility())"
    for name in ("short", "longest"):
        other_browser.resize(1000, 700)
        other_browser.goto(f"{base_url}/qr?link={LINKS[name]}")
        assert other_browser.evaluate(shown) == [True, False]
        other_browser.screenshot(tmp_path / "screen.png")
        (barcode,) = zxingcpp.read_barcodes(Image.open(tmp_path / "screen.png").convert("RGB"))
        assert barcode.text.lower() == base_url + LINKS[name]
    other_browser.resize(1000, 400)
    assert other_browser.evaluate(shown) == [False, True]


def test_hosts_are_written_as_browsers_write_them(page: Page) -> None:
    hosts = [
        "GRÖẞE.example",
        "straße.example",
        "例え。テスト",
        "مثال.إختبار",
        "דוגמה.example",
        "نامه\u200cای.example",
        "☃.example",
    ]
    hosts += ["i❤️.example", "ｃｈａｉｎ.example", "gr%C3%B6%C3%9Fe.example", "[2001:DB8:0:0::1]", "cha\u00adin.example"]
    page.goto("/")
    written = page.evaluate("hosts => hosts.map((host) => new URL(`https://${host}/`).hostname)", hosts)
    assert [read_host(host) for host in hosts] == written


def test_the_panel_opens_on_the_match_page(page: Page, base_url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/m/0z7c")
    said = page.locator("#said").text_content()
    page.get_by_role("link", name="More ways to share").click()
    expect(page.locator(".qr svg")).to_be_visible()
    expect(page).to_have_url(base_url + "/m/0z7c")
    expect(page.locator("#said")).to_have_text(said or "")
    way = page.locator(".way", has=page.get_by_label("Notation"))
    way.get_by_role("button", name="Copy").click()
    expect(page.locator(".panel .copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith('[Rules "critical-mass"]')


def test_a_film_says_that_it_is_being_made(page: Page) -> None:
    page.route("**/*.gif", lambda route: (page.wait_for_timeout(400), route.continue_()))
    page.goto("/share?link=/m/0z7c")
    with page.expect_download() as download:
        page.get_by_role("link", name="GIF").click()
        expect(page.locator(".panel .copied")).to_have_text("Making the film…")
    assert download.value.suggested_filename == "critical-mass-4.gif"
    expect(page.locator(".panel .copied")).to_have_text("The film is made.")
    assert Path(download.value.path()).read_bytes().startswith(b"GIF89a")
