"""A link gets from one player to the other: copied, shared, or pasted as a mail has left it."""

from collections.abc import Callable

import pytest
from matches import GRACED, RUNNING
from moves import STILL, play
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

ONE_DEVICE = True

SHARE = """
  window.shared = [];
  navigator.share = async (data) => {
    shared.push(data);
    if (%r) throw new DOMException("planted", %r);
  };"""


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context(**STILL).new_page()


def pasted(page: Page, url: str) -> str:
    """What the clipboard holds, pasted by keyboard into the box that takes links."""
    page.goto(url)
    box = page.get_by_label("Got a link?")
    box.focus()
    page.keyboard.press("Control+V")
    return box.input_value()


def copy(page: Page) -> None:
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".copied")).to_have_text("Copied.")


# --- Copy ---------------------------------------------------------------------------------------------------------


def test_copy_where_the_page_may_not_use_the_clipboard(page: Page, insecure_url: str, watch: Watch) -> None:
    page.goto(insecure_url + RUNNING)
    assert page.evaluate("[isSecureContext, navigator.clipboard ?? null]") == [False, None]
    copy(page)
    assert pasted(page, f"{insecure_url}/") == insecure_url + RUNNING


def test_copy_where_it_may(page: Page, base_url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base_url)
    page.goto(RUNNING)
    copy(page)
    assert page.evaluate("navigator.clipboard.readText()") == base_url + RUNNING
    assert pasted(page, "/") == base_url + RUNNING


def test_copy_where_it_is_refused(page: Page, base_url: str) -> None:
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    )
    page.goto(RUNNING)
    copy(page)
    assert pasted(page, "/") == base_url + RUNNING


def test_where_nothing_can_be_copied_the_link_is_selected(page: Page, base_url: str) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
    page.goto(RUNNING)
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".copied")).to_contain_text("copy it by hand")
    assert page.evaluate("getSelection().toString()") == base_url + RUNNING


def test_copy_takes_the_link_of_the_move_just_played(page: Page, base_url: str) -> None:
    page.goto(GRACED)
    play(page, "c3")
    copy(page)
    assert pasted(page, "/") == f"{base_url}{GRACED}e"


# --- The share sheet ----------------------------------------------------------------------------------------------


def test_no_share_sheet_where_there_is_none(page: Page) -> None:
    page.goto(RUNNING)
    assert page.evaluate("navigator.share ?? null") is None
    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    expect(page.locator(".share-sheet")).to_be_hidden()


@pytest.mark.parametrize(
    ("error", "said"),
    [("", ""), ("AbortError", ""), ("NotAllowedError", "That did not work. Copy the link instead.")],
    ids=["shared", "cancelled", "failed"],
)
def test_the_share_sheet(page: Page, base_url: str, error: str, said: str) -> None:
    page.add_init_script(SHARE % (error, error))
    page.goto(GRACED)
    play(page, "c3")
    page.get_by_role("button", name="Share…").click()
    expect(page.locator(".copied")).to_have_text(said)
    link = f"{base_url}{GRACED}e"
    assert page.evaluate("shared") == [{"title": "Red to move · move 6 · Critical Mass", "url": link}]


# --- The link that is shown ---------------------------------------------------------------------------------------


def test_the_link_is_whole_where_the_server_cannot_know_its_name(page: Page, insecure_url: str, watch: Watch) -> None:
    served = page.goto(f"{insecure_url}{RUNNING}?at=3&colours=gy&utm_source=chat")
    assert served
    assert insecure_url not in served.text()
    link = page.get_by_role("textbox", name="The link of this match")
    expect(link).to_have_value(f"{insecure_url}{RUNNING[:6]}?colours=gy")


def test_the_link_is_there_without_scripts(new_context: Callable[..., BrowserContext], base_url: str) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(RUNNING)
    expect(page.get_by_role("textbox", name="Send this link to Red")).to_have_value(base_url + RUNNING)
    expect(page.locator(".share button:visible")).to_have_count(0)


# --- The box for a link that was sent ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "{site}{path}",
        "Your turn!\n{site}{path}\n\nBo",
        "> {site}{half}\n> {rest}",
        "{site}{half}=\n{rest}?fbclid=1",
        "<{site}{half}\n{rest}>.",
    ],
)
def test_a_link_as_a_mail_leaves_it_opens_its_match(page: Page, base_url: str, text: str) -> None:
    page.goto("/")
    sent = text.format(site="https://chain.example", path=RUNNING, half=RUNNING[:30], rest=RUNNING[30:])
    page.get_by_label("Got a link?").fill(sent)
    page.get_by_role("button", name="Open the match").click()
    expect(page).to_have_url(base_url + RUNNING)
    expect(page.locator(".game .count")).to_have_text("Move 46")


def test_what_is_no_link_stays_in_the_box(page: Page, watch: Watch) -> None:
    watch.expect("status of 422")
    typed = 'Hello <b>"Bo"</b> & co,\nyour turn: https://elsewhere.example/x?y=1'
    page.goto("/")
    page.get_by_label("Got a link?").fill(typed)
    page.get_by_role("button", name="Open the match").click()
    expect(page.get_by_role("alert").filter(has_text="no match link")).to_be_visible()
    expect(page.get_by_label("Got a link?")).to_have_value(typed)
