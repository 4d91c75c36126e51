"""The page of a running tournament in a browser: games come in by themselves, and each can be watched."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fingers import small_fields, zooming
from playwright.sync_api import Page, expect
from watch import Watch

BOT = shlex.join([sys.executable, "-I", "-S", str(Path(__file__).parents[1] / "arena" / "plain.py"), "random"])
GAMES = 30


@pytest.fixture
def live(watch: Watch) -> Iterator[str]:
    limits = ["--first-ms", "20000", "--later-ms", "10000", "--games", str(GAMES), "--jobs", "1"]
    call = [sys.executable, "-m", "critmass", "arena", BOT, BOT, *limits, "--serve", "--port", "0"]
    with subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as arena:
        assert arena.stderr is not None
        url = arena.stderr.readline().split()[-1]
        watch.origins += (url.removesuffix("/arena/"),)
        yield url
        arena.terminate()


def test_games_come_in_by_themselves_and_can_be_watched(page: Page, live: str) -> None:
    page.goto(live)
    rows = page.locator("#games tr")
    expect(rows.first).to_be_visible(timeout=60_000)
    page.evaluate("document.querySelector('#games tr').dataset.kept = 'yes'")
    page.get_by_text("All tables").click()
    expect(page.get_by_text(f"{GAMES} of {GAMES} games, all played")).to_be_visible(timeout=120_000)
    assert rows.count() == GAMES
    assert page.locator("#games th a").all_inner_texts() == [str(number) for number in range(GAMES, 0, -1)]
    assert page.locator("#games [data-kept]").count() == 1  # the list was not built anew
    assert page.get_by_role("heading", name="Time per move").is_visible()  # what was opened stays so

    rows.nth(3).get_by_role("link").click()
    board = page.frame_locator("iframe")
    expect(board.locator(".count")).to_be_visible()
    page.locator(".said tbody tr").nth(6).get_by_role("link").click()
    expect(board.locator(".count")).to_contain_text("Move 7 of")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_of_it_scrolls_sideways(page: Page, live: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("", "1"):
        page.goto(live)
        expect(page.locator("#games tr").first).to_be_visible(timeout=60_000)
        page.goto(live + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_quick_taps_do_not_zoom(page: Page, live: str) -> None:
    for path in ("", "1"):
        page.goto(live)
        expect(page.locator("#games tr").first).to_be_visible(timeout=60_000)
        page.goto(live + path)
        page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true")
        assert zooming(page) == []
        assert small_fields(page) == []


def test_quick_taps_do_not_zoom_in_the_report(page: Page, tmp_path: Path) -> None:
    limits = ["--first-ms", "20000", "--later-ms", "10000", "--games", "2", "--html", str(tmp_path / "report")]
    subprocess.run([sys.executable, "-m", "critmass", "arena", BOT, BOT, *limits], check=True, capture_output=True)
    (report,) = tmp_path.rglob("*.html")
    page.goto(report.as_uri())
    assert zooming(page) == []
    assert small_fields(page) == []
