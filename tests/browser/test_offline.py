"""Without a network: what was opened before is there, what was not is said to be missing, and nothing is stale."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient
from gateway import OTHERS, Gateway
from hypothesis import given
from hypothesis import strategies as st
from matches import FINISHED
from moves import STILL, expect_match, expect_shown, expect_url, play, tap, wait_at_rest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from processes import Server
from watch import Watch
from web.samples import Sample, mangled, parts, quick, samples, strangers, url

from critmass.web import create_app

ONE_DEVICE = True

Reader = Callable[[str], tuple[str, bool, str]]

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


def open_match(page: Page, path: str, steps: int, site: str = "") -> None:
    """Open a match, and stay until it is kept with that many steps."""
    page.goto(site + path)
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
    assert page.evaluate(REGISTRATIONS) == 0


# --- Links as people return them ----------------------------------------------------------------------------------


REGISTRATIONS = "async () => (await navigator.serviceWorker.getRegistrations()).length"
DEPLOY = Path(__file__).parents[2] / "docs/deploy.md"
AT_3 = f"{MATCH}?at=3"
DRESSED = f"{MATCH}?colours=gy&names=Ada%20Mc,Bo"
DRESSED_AT_2 = f"{MATCH}?at=2&colours=gy&names=Ada%20Mc,Bo"
OTHER_GAME = "/classic/6x9/2/"
SPELT = [
    *((it, MATCH, MATCH) for it in ("/M/0Z7SY1", f"{MATCH}.", f"{MATCH}/", "/m/0z7Sy1%E2%80%9D)%0A", f"{MATCH}!?x=1")),
    *((it, it, MATCH) for it in (f"{MATCH}?fbclid=x&utm_source=y", "/m/%30z7sy1", f"{MATCH}?names2=x")),
    *((it, AT_3, AT_3) for it in (f"{MATCH}?AT=3", f"{MATCH}.?at=3%C2%BB&y=2", f"{MATCH}?At=3&at=5")),
    *((it, it, AT_3) for it in (f"{MATCH}?fbclid=x&at=3", f"{MATCH}?at=3&at=5", f"{MATCH}?%61t=%33")),
    *((it, it, DRESSED) for it in (f"{MATCH}?names=%41da+Mc%2CBo&colours=gy", f"{MATCH}?colours=%67y&names=Ada+Mc,Bo")),
    ("/M/0z7sy1?names=Ada%20Mc,Bo&Colours=GY.", f"{MATCH}?names=Ada%20Mc,Bo&colours=gy", DRESSED),
    (f"{MATCH}?names=Ada+Mc,Bo&at=2&colours=gy", f"{MATCH}?names=Ada+Mc,Bo&at=2&colours=gy", DRESSED_AT_2),
    *((it, "/m/", "/m/") for it in ("/m", "/M/.", "/m//")),
    *((it, OTHER_GAME, OTHER_GAME) for it in ("/classic", "/Classic/", "/classic/6X9/2", "/classic!")),
]
"""What is opened, where it leads, and what is shown there."""


def test_links_that_the_server_would_send_on_are_found(page: Page) -> None:
    open_match(page, MATCH, 6)
    for path in (OTHER_GAME, DRESSED):
        page.goto(path)
        wait_until_kept(page, "opened", path)
    wait_until_kept(page, "steps", DRESSED_AT_2)
    go_offline(page)
    for spelt, leads, shown in SPELT:
        page.goto(spelt)
        expect_url(page, leads)
        expect_shown(page, shown)
    for spelt, leads in (("/How-To-Play).", "/how-to-play"), ("/!", "/"), ("/?fbclid=x", "/?fbclid=x")):
        page.goto(spelt)
        expect_url(page, leads)
        expect(page.get_by_role("heading", level=1)).to_contain_text(
            "How to play" if "how" in leads else "Chain Reaction"
        )
    for other in ("/m/0z7sy", "/m/0z7sy1x", f"{MATCH}?names=Ada", "/m/0z7sy1é", "/classic/6x9/3/"):
        page.goto(other)
        expect(page.locator(".lead:visible")).to_contain_text("This match was not opened on this device before")


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app({"TESTING": True}).test_client(use_cookies=False)


@pytest.fixture(scope="module")
def worker(browser: Browser, server: Server) -> Iterator[Reader]:
    """What the worker makes of an address: the clean one, whether it was that, and what it is kept under."""
    with urlopen(f"{server.url}/sw.js") as answer:
        source = answer.read().decode()
    page = browser.new_page()
    page.evaluate(f"""(() => {{ {source}
      window.readAs = (path) => {{
        const address = read(new URL(path, "http://localhost"));
        return [cleanUrl(address), address.clean, keyOf(address)];
      }};
    }})()""")
    yield lambda path: tuple(page.evaluate("(path) => readAs(path)", path))
    page.close()


@quick
@given(sample=samples(suffixes=("",)), strange=strangers, data=st.data())
def test_the_worker_cleans_links_as_the_server_does(
    worker: Reader,
    client: FlaskClient,
    sample: Sample,
    strange: list[tuple[str, str]],
    data: st.DataObject,
) -> None:
    path, options = data.draw(mangled(sample))
    told = dict(sample.options)
    options = [(name, told["names"] if name.lower() == "names" else value) for name, value in options]
    given = url(path, [*options, *strange])
    answered = client.get(given)
    clean, was_clean, key = worker(given)
    assert (answered.status_code == 308) == (not was_clean)
    if not was_clean:
        assert parts(clean) == parts(answered.headers["Location"]) == (sample.path, [*sample.options])
    others = data.draw(st.permutations(sample.options))
    assert worker(url(sample.path, others)) == (worker(url(sample.path, others))[0], True, key)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        *[("names=" + it, it) for it in ("Ada,Bo", "C%2B%2B", "J%2ER%2E", "Bo%21", "%F0%9F%9A%80", "Bo%EF%B8%8F")],
        *[("names=" + it, "Bo") for it in ("Bo.", "Bo!).", "Bo,", "Bo+", "Bo%E2%80%9D", "Bo%E2%80%8B.", "Bo%E3%80%82")],
        ("NAMES=Ada,C%2B%2B.%E2%80%A6!", "Ada,C%2B%2B"),
        ("names=Ada%2C%F0%9F%9A%80%29)", "Ada,%F0%9F%9A%80%29"),
        ("names=%C3%89va%CC%81", "%C3%89va%CC%81"),
        ("names=", ""),
        ("names=%21", "%21"),
        ("names=!", ""),
    ],
)
def test_the_worker_leaves_what_is_escaped_in_names(worker: Reader, given: str, names: str) -> None:
    clean, was_clean, key = worker(f"/m/0z?{given}")
    assert clean == key == f"/m/0z?names={names}"
    assert was_clean == (f"names={unquote(names)}" == unquote(given))


# --- Others that answer in place of the app -----------------------------------------------------------------------


def let_answer(page: Page, gateway: Gateway, other: str, where: str = "") -> None:
    """Let somebody else answer from now on, and the browser's own cache be empty."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    gateway.other, gateway.where = other, where
    gateway.asked.clear()


def overlook(watch: Watch) -> None:
    """Take what is seen of others' answers for what it is."""
    others = re.compile(r"^answer \d+:|status of \d+|net::ERR_|^foreign request: http://play\.test")
    watch.seen = [line for line in watch.seen if not others.search(line)]


@pytest.mark.parametrize("other", OTHERS)
def test_what_is_kept_is_shown_whoever_else_answers(page: Page, gateway: Gateway, watch: Watch, other: str) -> None:
    open_match(page, MATCH, 6, gateway.url)
    wait_until_kept(page, "pictures", f"{MATCH}.svg")
    let_answer(page, gateway, other)
    page.reload()
    expect_match(page, MATCH)
    page.get_by_role("link", name="Back", exact=True).click()
    expect_match(page, f"{MATCH}?at=5")
    page.goto(f"{gateway.url}/M/0Z7SY1.?at=4")
    expect_match(page, f"{MATCH}?at=4")
    assert {MATCH, "/M/0Z7SY1."} <= {*gateway.asked}
    page.goto(f"{gateway.url}/")
    expect(page.get_by_role("heading", name="Chain Reaction")).to_be_visible()
    both = "(urls) => Promise.all(urls.map(async (url) => (await fetch(url)).text()))"
    style = "/static/0123456789abcdef/app.css"  # of a page of another version
    drawn, rules = page.evaluate(both, [f"{MATCH}.svg", style])
    assert drawn.startswith("<svg")
    assert "--columns" in rules
    gateway.other = None
    gateway.awaited.set()
    page.goto(gateway.url + MATCH)
    play(page, "c3")
    expect_match(page, f"{MATCH}e")
    overlook(watch)


@pytest.mark.parametrize("other", ["500", "502", "503", "504"])
def test_a_match_that_is_not_kept_comes_when_the_app_is_back(
    page: Page, gateway: Gateway, watch: Watch, other: str
) -> None:
    open_match(page, "/m/0z", 2, gateway.url)
    let_answer(page, gateway, other)
    page.goto(f"{gateway.url}/m/5u")
    expect(page.locator(".lead:visible")).to_contain_text("This match was not opened on this device before")
    page.evaluate("window.same = true")
    asked = len(gateway.asked)
    wait_until(page, lambda: len(gateway.asked) > asked + 1)  # it tries again by itself
    assert page.evaluate("window.same")
    expect(page.locator(".lead:visible")).to_contain_text("This match was not opened on this device before")
    gateway.other = None
    expect_match(page, "/m/5u")
    overlook(watch)


@pytest.mark.parametrize("other", ["login", "login-here", "404"])
def test_what_others_say_is_shown_where_nothing_is_kept(page: Page, gateway: Gateway, watch: Watch, other: str) -> None:
    open_match(page, "/m/0z", 2, gateway.url)
    let_answer(page, gateway, other)
    for path in ("/m/5u", "/new", "/nothing"):
        page.goto(gateway.url + path)
        expect(page.get_by_role("heading")).to_have_text("Nothing here" if other == "404" else "Welcome to our network")
    overlook(watch)


def test_what_the_app_itself_refuses_is_told(page: Page, gateway: Gateway, watch: Watch) -> None:
    open_match(page, "/m/0z", 2, gateway.url)
    page.goto(f"{gateway.url}/m/00")
    expect(page.get_by_role("heading", level=1)).to_have_text("This link is not a match")
    films = gateway.app.extensions["places"][".gif"]
    while films.acquire(blocking=False):
        pass
    page.goto(f"{gateway.url}/m/0z.gif")
    expect(page.locator("body")).to_contain_text("Too many films are being drawn at once.")
    overlook(watch)


def test_a_login_is_never_kept_for_a_file(page: Page, gateway: Gateway, watch: Watch) -> None:
    page.goto(gateway.url + MATCH)
    let_answer(page, gateway, "login", "/static/")
    wait_until(page, lambda: bool(gateway.asked))  # the worker is being installed
    gateway.other = None
    page.reload()
    wait_until_kept(page, "opened", MATCH)
    types = page.evaluate("""async () => {
      const shell = await caches.open((await caches.keys()).find((name) => name.startsWith("critmass-shell-")));
      const files = (await shell.keys()).filter(({ url }) => url.includes("/static/"));
      return Promise.all(files.map(async (file) => (await shell.match(file)).headers.get("Content-Type")));
    }""")
    assert len(types) > 5
    assert not [it for it in types if "html" in it]
    overlook(watch)


def test_a_site_that_has_moved_leads_to_where_it_is(page: Page, gateway: Gateway, watch: Watch) -> None:
    open_match(page, MATCH, 6, gateway.url)
    gateway.last_worker = last_worker()
    let_answer(page, gateway, "moved")
    page.goto(gateway.url + MATCH)
    expect_match(page, MATCH)  # it might be a login
    wait_until(page, lambda: page.evaluate(REGISTRATIONS) == 0)
    page.goto(gateway.url + MATCH)
    expect(page).to_have_url(f"http://play.test:{gateway.port}{MATCH}")
    overlook(watch)


def last_worker() -> str:
    """The worker that the instructions for a move leave behind."""
    (location,) = re.findall(r"location = /sw\.js \{.*?\}", DEPLOY.read_text("utf-8"), re.DOTALL)
    (script,) = re.findall(r'return 200 "(.*)"', location)
    return script


# --- Updates ------------------------------------------------------------------------------------------------------


def test_a_new_version_drops_the_pages_of_the_old_one(page: Page, gateway: Gateway) -> None:
    page.goto(gateway.url + MATCH)
    wait_until_kept(page, "steps", f"{MATCH}?at=0")
    before = gateway.app.extensions["version"]
    assert {name.rpartition("-")[2] for name in page.evaluate("caches.keys()")} == {before}
    after = gateway.update()
    assert after != before
    page.goto(gateway.url + "/m/0z")
    wait_until(page, lambda: {name.rpartition("-")[2] for name in page.evaluate("caches.keys()")} == {after})
    wait_until_kept(page, "opened", "/m/0z")
    assert MATCH not in kept(page, "opened")
    go_offline(page)
    page.goto(gateway.url + MATCH)
    expect(page.locator(".lead:visible")).to_contain_text("was not opened on this device before")
    page.goto(gateway.url + "/m/0z")
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
