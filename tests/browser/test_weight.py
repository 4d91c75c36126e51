"""What a visit costs on the wire, as the browser counts it: headers and bodies, compressed."""

from collections.abc import Callable
from typing import Any

import pytest
from matches import LATE
from moves import STILL, play
from playwright.sync_api import BrowserContext, Page

ONE_DEVICE = True

PAGE = 40_000
REQUESTS = 6
MOVE = 6_000


class Wire:
    """What went over the wire since the last `take`."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._received: list[int] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._finished)

    def _finished(self, event: dict[str, Any]) -> None:
        if event["encodedDataLength"]:  # nothing is received of what the cache has
            self._received.append(event["encodedDataLength"])

    def take(self) -> list[int]:
        """The bytes of each answer, once all have come."""
        self._page.wait_for_load_state("networkidle")
        received, self._received = self._received, []
        return received


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context(**STILL, service_workers="allow").new_page()


def test_a_first_visit_and_a_move(page: Page) -> None:
    wire = Wire(page)
    page.goto(LATE)
    visit = wire.take()
    assert 3 < len(visit) <= REQUESTS
    assert sum(visit) < PAGE
    play(page, "f6")  # of the moves there are, the one with the longest chain
    move = wire.take()
    assert len(move) == 1
    assert sum(move) < MOVE


def test_a_second_page_takes_the_static_files_from_the_cache(page: Page) -> None:
    page.goto(LATE)
    page.wait_for_load_state("networkidle")  # the icon comes after everything else
    wire = Wire(page)
    page.goto(LATE[:-1])
    assert len(wire.take()) == 1
    assert page.evaluate("performance.getEntriesByType('resource').map((file) => file.transferSize)") == [0] * 5


def test_a_page_of_an_older_version_still_finds_its_files(page: Page) -> None:
    page.goto(LATE)
    files = page.locator("link[href^='/static/'], script[src^='/static/']").evaluate_all(
        "all => all.map((file) => file.getAttribute('href') ?? file.getAttribute('src'))"
    )
    assert len(files) == 5
    for file in files:
        _, folder, digest, name = file.split("/")
        now = page.request.get(file)
        old = page.request.get(f"/{folder}/{'0' * len(digest)}/{name}")
        assert (old.status, old.body()) == (200, now.body()), name
        assert "immutable" in now.headers["cache-control"]
        assert "immutable" not in old.headers["cache-control"]
