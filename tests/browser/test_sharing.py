"""The share panel in a browser: the QR code is read, what is copied arrives, files are handed over."""

import io
import json
from pathlib import Path

import pytest
import zxingcpp
from moves import STILL
from PIL import Image
from playwright.sync_api import Page, expect

from critmass.engine import Match, classic
from critmass.links import link_to

LONGEST = max(
    (
        json.loads(line)["path"]
        for line in (Path(__file__).parent.parent / "conformance" / "classic.jsonl").read_text().splitlines()
    ),
    key=len,
)


def longest_there_is() -> str:
    """Each side fills its own half of the largest board to one short of capacity: 705 plies, and no link is longer."""
    rules = classic(16, 16, 2)
    grid = rules.grid
    halves = (list(range(128)), list(range(128, 256)))
    orbs = [[cell for cell in half for _ in range(grid.capacity(cell) - 1)] for half in halves]
    cells = [cell for pair in zip(*orbs, strict=True) for cell in pair]
    return link_to(Match.replay(rules, [*cells, 0])).url()


@pytest.mark.parametrize("path", ["/m/", "/m/0z7c", "/m/0z7?names=Ada,Bo", LONGEST, longest_there_is()])
def test_the_code_leads_to_the_match(new_context, base_url: str, path: str) -> None:  # type: ignore[no-untyped-def]
    page = new_context(**STILL, device_scale_factor=6).new_page()
    page.goto(f"/share?link={path}")
    picture = Image.open(io.BytesIO(page.locator(".qr svg").screenshot()))
    (code,) = zxingcpp.read_barcodes(picture)
    if "?" not in path:
        assert code.text == code.text.upper()
    page.goto(code.text)
    expect(page).to_have_url(base_url + path)


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
