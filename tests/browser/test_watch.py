"""The watch sees what it is there to see."""

import pytest
from playwright.sync_api import Page, expect
from watch import Watch

CSP = {"Content-Security-Policy": "default-src 'none'"}


def show(page: Page, body: str, status: int = 200, headers: dict[str, str] | None = None) -> None:
    """Load a page of the server's own origin that has this body."""
    html = f"<!doctype html><title>Planted</title><link rel=icon href=data:,>{body}"
    answer = {"status": status, "headers": {"Content-Type": "text/html", **(headers or {})}, "body": html}
    page.route("**/planted", lambda route: route.fulfill(**answer))
    page.goto("/planted")
    expect(page).to_have_title("Planted")


@pytest.mark.parametrize(
    ("plant", "seen"),
    [
        ({"body": "<script>1</script>", "headers": CSP}, r"CSP violation: script-src-elem inline"),
        ({"body": "<p style='color: red'>", "headers": CSP}, r"CSP violation: style-src-attr inline"),
        ({"body": "<img alt='' src='http://elsewhere.test/x.png'>"}, r"foreign request: http://elsewhere\.test/"),
        ({"body": "<script>console.error('planted')</script>"}, r"console: planted"),
        ({"body": "<script>throw new Error('planted')</script>"}, r"uncaught: .*planted"),
        ({"body": "<script>Promise.reject(new Error('planted'))</script>"}, r"uncaught: .*planted"),
        ({"body": "", "status": 503}, r"answer 503: .*/planted"),
    ],
)
def test_it_sees(page: Page, watch: Watch, plant: dict, seen: str) -> None:
    show(page, **plant)
    page.context.close()
    with pytest.raises(AssertionError, match=seen):
        watch.check()
    watch.seen.clear()


def test_a_quiet_page_passes(page: Page, watch: Watch) -> None:
    show(page, "<script>console.log('fine')</script>")
    page.context.close()
    assert watch.seen == []


def test_every_tab_is_watched(page: Page, watch: Watch) -> None:
    show(page, "<a href='about:blank' target='_blank'>open</a>")
    with page.expect_popup() as popup:
        page.click("a")
    popup.value.evaluate("console.error('planted')")
    watch.expect("console: planted")


def test_what_is_expected_has_to_come(watch: Watch) -> None:
    watch.expect("never")
    with pytest.raises(AssertionError, match="expected and not seen: never"):
        watch.check()
    watch._expected.clear()
