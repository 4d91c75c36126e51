"""What the browser remembers is kept if it can be, saved to a file, and read back from one, whatever is in it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engines import Engine
from moves import STILL
from playwright.sync_api import BrowserContext, Page, expect
from watch import Watch

Contexts = Callable[..., BrowserContext]

QUICK = "localStorage.setItem('critmass.settings', JSON.stringify({speed: 'off'}))"
ASKED = """
  window.asked = 0;
  Object.defineProperty(navigator, "storage", { value: {
    persisted: async () => false,
    persist: async () => { localStorage.asked = Number(localStorage.asked || 0) + 1; return true; },
  } });
"""
TEN = "0z1y6t7s2x"  # ten quiet moves


def match(moves: str, **more: object) -> dict[str, Any]:
    return {
        "game": "/m/",
        "moves": moves,
        "query": "",
        "title": f"Red to move · {moves}",
        "width": 1,
        "turn": 1,
        "computer": "",
        "mine": [],
        "not": [],
        **more,
    }


def saved(*matches: object, **more: object) -> dict[str, Any]:
    return {"app": "critical-mass", "format": 1, "matches": list(matches), "solved": [], "settings": {}, **more}


def kept(page: Page, key: str) -> Any:
    return json.loads(page.evaluate("key => localStorage.getItem(`critmass.${key}`) || 'null'", key))


def keep(page: Page, **values: object) -> None:
    for key, value in values.items():
        page.evaluate("([key, value]) => localStorage.setItem(`critmass.${key}`, value)", [key, json.dumps(value)])


def links(page: Page) -> list[str]:
    return [it["game"] + it["moves"] + it["query"] for it in kept(page, "matches")]


def read(page: Page, content: object, where: str = "#settings") -> str:
    """Read a file from the settings; return what is said of it."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    if where == "#settings":
        page.evaluate("document.getElementById('settings').open = true")
    said = page.locator(f"{where} .keeping [role=status]")
    said.evaluate("it => it.replaceChildren()")
    with page.expect_file_chooser() as chooser:
        page.locator(f"{where} [data-read]").click()
    chooser.value.set_files({"name": "file.json", "mimeType": "application/json", "buffer": body})
    expect(said).not_to_be_empty()
    return said.text_content() or ""


def save(page: Page, folder: Path) -> bytes:
    page.evaluate("document.getElementById('settings').open = true")
    with page.expect_download() as download:
        page.locator("#settings [data-save]").click()
    assert re.fullmatch(r"critical-mass-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    path = folder / "saved.json"
    download.value.save_as(path)
    return path.read_bytes()


@pytest.fixture
def page(new_context: Contexts) -> Page:
    return new_context(**STILL).new_page()


# --- Kept ---------------------------------------------------------------------------------------------------------


def asked(page: Page) -> int:
    return int(page.evaluate("localStorage.asked || 0"))


def test_the_browser_is_asked_to_keep_it_once_there_is_something_to_lose(page: Page) -> None:
    page.add_init_script(ASKED)
    for path in ("/", "/how-to-play", "/m/0z7"):
        page.goto(path)
        page.wait_for_timeout(200)
        assert asked(page) == 0, path
    page.goto("/m/0z7c")  # now there is a match that was remembered before
    page.wait_for_timeout(200)
    assert asked(page) == 1


def test_the_browser_is_asked_with_the_first_move(page: Page) -> None:
    page.add_init_script(ASKED)
    page.goto("/m/")
    page.wait_for_timeout(600)
    assert asked(page) == 0
    page.locator("#c3").click()
    expect(page).to_have_url(re.compile("/m/e$"))
    page.wait_for_timeout(200)
    assert asked(page) == 1
    page.locator('[data-memory="both"]').click()
    page.wait_for_timeout(500)
    page.locator("#d4").click()
    expect(page).to_have_url(re.compile("/m/el$"))
    assert asked(page) == 1


def test_a_solved_puzzle_is_something_to_lose(page: Page) -> None:
    page.add_init_script(ASKED)
    page.goto("/puzzle/1")
    page.wait_for_timeout(200)
    assert asked(page) == 0
    page.evaluate("document.getElementById('match').dataset.solved = '1'; dispatchEvent(new Event('pageshow'))")
    page.wait_for_timeout(200)
    assert kept(page, "solved") == [1]
    assert asked(page) == 1


def test_a_frame_asks_for_nothing(page: Page) -> None:
    page.goto("/m/0z7")
    page.add_init_script(ASKED)
    page.goto("/m/0z7c?embed=1")
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator("#match")).to_have_attribute("data-page", "/m/0z7c?at=3&embed=1")
    page.wait_for_timeout(200)
    assert asked(page) == 0
    assert links(page) == ["/m/0z7"]


def test_a_browser_that_would_ask_the_person_is_asked_when_they_save(page: Page) -> None:
    page.add_init_script(ASKED + "window.mozInnerScreenX = 0;")
    page.goto("/m/0z7")
    page.goto("/m/0z7c")
    page.wait_for_timeout(200)
    assert asked(page) == 0
    page.evaluate("document.getElementById('settings').open = true")
    page.locator("#settings [data-save]").click()
    expect(page.locator("#settings .keeping [role=status]")).to_contain_text("Saved as")
    assert asked(page) == 1


# --- There and back -----------------------------------------------------------------------------------------------


def test_everything_goes_into_the_file_and_comes_back_in_another_browser(
    page: Page, new_context: Contexts, tmp_path: Path
) -> None:
    page.goto("/m/?names=Ada,B%C3%B6&colours=gv")
    page.wait_for_timeout(600)
    page.locator("#c3").click()
    expect(page).to_have_url(re.compile("/m/e"))
    page.goto("/classic/5x5/3/0")
    page.goto("/puzzle/1")
    keep(page, solved=[7, 1], settings={"skin": "faces", "keys": "off"})
    page.goto("/")
    before = kept(page, "matches")
    file = save(page, tmp_path)
    assert (
        "2 matches, 2 solved puzzles and your settings" in page.locator("#settings .keeping [role=status]").inner_text()
    )

    other = new_context(**STILL).new_page()
    other.goto("/")
    assert read(other, file) == "Read: 2 matches, 2 solved puzzles and 2 settings."
    expect(other.locator("#remembered li")).to_have_count(2)
    expect(other.locator("html")).to_have_attribute("data-skin", "faces")
    expect(other.locator("html")).to_have_attribute("data-keys", "off")
    assert kept(other, "matches") == before
    assert sorted(kept(other, "solved")) == [1, 7]
    assert read(other, file) == "All that is in that file was here already."
    assert kept(other, "matches") == before
    other.keyboard.press("Escape")
    other.locator("#remembered a").last.click()
    expect(other).to_have_url(re.compile(r"/m/e\?colours=gv&names=Ada,B%C3%B6$|/m/e\?names=Ada,B%C3%B6&colours=gv$"))
    expect(other.locator('[data-memory="waiting"]')).to_contain_text("Waiting for Bö")  # the side came along
    other.goto("/puzzles")
    expect(other.locator("[data-progress]")).to_contain_text("Solved in this browser: 2 of")


def test_the_list_of_the_front_page_saves_and_reads_too(page: Page) -> None:
    page.goto("/m/0z7")
    page.goto("/")
    with page.expect_download():
        page.locator("#remembered [data-save]").click()
    said = page.locator("#remembered [role=status]")
    expect(said).to_contain_text(re.compile(r"^Saved as critical-mass-.*: 1 match\.$"))
    assert read(page, saved(match("01a")), "#remembered") == "Read: 1 match."
    expect(page.locator("#remembered li")).to_have_count(2)


def test_where_there_is_nothing_nothing_is_saved(page: Page) -> None:
    page.goto("/how-to-play")
    page.evaluate("document.getElementById('settings').open = true")
    page.locator("#settings [data-save]").click()
    expect(page.locator("#settings .keeping [role=status]")).to_have_text("There is nothing to save yet.")


def test_without_scripts_nothing_of_it_shows(new_context: Contexts) -> None:
    page = new_context(java_script_enabled=False).new_page()
    for path in ("/", "/m/0z7"):
        page.goto(path)
        for it in page.locator("[data-save], [data-read], [type=file]").all():
            expect(it).to_be_hidden()


def test_where_its_script_cannot_be_had_it_says_so_and_can_be_tried_again(page: Page, watch: Watch) -> None:
    page.goto("/how-to-play")
    page.route("**/backup.js", lambda route: route.abort())
    page.evaluate("document.getElementById('settings').open = true")
    said = page.locator("#settings .keeping [role=status]")
    page.locator("#settings [data-save]").click()
    expect(said).to_contain_text("needs a connection")
    page.unroute("**/backup.js")
    page.locator("#settings [data-save]").click()
    expect(said).to_have_text("There is nothing to save yet.")
    watch.expect("ERR_FAILED")


# --- Merged -------------------------------------------------------------------------------------------------------


def test_what_is_here_stays_and_what_both_know_is_brought_up_to_date(page: Page) -> None:
    page.goto("/how-to-play")
    here = [
        match(TEN[:8], mine=[1, 3], side=1, when=50),
        match("k0", when=40),
        match(TEN[:8] + "ax", query="?names=Ada,Bo&computer=25", when=30, computer="25"),
        match("zy", side=2, when=20),
    ]
    keep(page, matches=here, solved=[3], settings={"scheme": "dark"})
    page.reload()
    told = read(
        page,
        saved(
            match(TEN, mine=[5], side=2, when=60),  # goes further
            match("k0l1", when=35),  # begins like another, as many do
            match(TEN[:8], query="?computer=25", computer="25"),  # an older one
            match("zy", side=1, both=True, mine=[1]),
            match("0z", query="?names=Cy,Di"),
            solved=[3, 4, 5],
            settings={"scheme": "light", "sound": "on"},
        ),
    )
    assert told == "Read: 2 matches, the moves of 1 match, 2 solved puzzles and 1 setting."
    assert links(page) == [
        f"/m/{TEN}",
        "/m/k0",
        "/m/k0l1",
        f"/m/{TEN[:8]}ax?names=Ada,Bo&computer=25",
        "/m/zy",
        "/m/0z?names=Cy,Di",
    ]
    first, *_, fourth, _ = kept(page, "matches")
    assert (first["mine"], first["side"]) == ([1, 3, 5], 1)  # the side that is known here counts
    assert (fourth["mine"], fourth["side"], fourth.get("both")) == ([1], 2, None)
    assert sorted(kept(page, "solved")) == [3, 4, 5]
    assert kept(page, "settings") == {"scheme": "dark", "sound": "on"}


def test_two_matches_that_part_are_both_kept(page: Page) -> None:
    page.goto("/how-to-play")
    keep(page, matches=[match(TEN)])
    page.reload()
    assert read(page, saved(match(TEN[:8] + "bw4"), match(TEN[:9]), match(TEN))) == "Read: 2 matches."
    assert len(links(page)) == 3


def test_what_does_not_fit_is_told_and_nothing_that_is_here_is_lost(page: Page) -> None:
    page.goto("/how-to-play")
    names = [f"{a}{b}" for a in "0123456789abcdefghijklmnopqrstuvwxyz" for b in "0123456789abcdefghijklmnopqrstuvwxyz"]
    here, there = names[:490], names[490:520]
    keep(page, matches=[match(moves) for moves in here])
    page.reload()
    told = read(page, saved(*(match(moves, when=1000) for moves in there)))
    assert told.startswith("Read: 10 matches. 20 matches found no room")
    assert {f"/m/{moves}" for moves in [*here, *there[:10]]} == set(links(page))


# --- Whatever is in it --------------------------------------------------------------------------------------------

FOREIGN = "was not saved here"
REFUSED = {
    "empty": (b"", "is empty"),
    "blank": (b" \n", "is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe" * 40, FOREIGN),
    "a web page": (b"<!doctype html><script>alert(1)</script>", FOREIGN),
    "a number": (b"5", FOREIGN),
    "nothing": (b"null", FOREIGN),
    "a list": (b"[]", FOREIGN),
    "somebody else's": (b'{"app": "chess", "format": 1, "matches": []}', FOREIGN),
    "a match as JSON": (b'{"rules": "critical-mass", "path": "/m/0", "moves": ["a1"]}', FOREIGN),
    "cut short": (json.dumps(saved(match("0"), match("1"))).encode()[:-40], "is damaged"),
    "newer": (json.dumps(saved(match("0"), format=2)).encode(), "newer version"),
    "of no version": (json.dumps(saved(match("0"), format="x")).encode(), "newer version"),
    "huge": (b" " * 5_000_001, "too large: it has 6 MB"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_cannot_be_read_is_told_and_changes_nothing(page: Page, kind: str) -> None:
    body, told = REFUSED[kind]
    page.goto("/m/0z7")
    before = page.evaluate("JSON.stringify(localStorage)")
    assert told in read(page, body)
    assert page.evaluate("JSON.stringify(localStorage)") == before


EVIL: list[Any] = [
    None,
    7,
    "x",
    [],
    {},
    match("0", game="javascript:alert(1)//"),
    match("0", game="https://evil.example/m/"),
    match("0", game="//evil.example/"),
    match("0", game="/m/../../evil/"),
    match("0", game="/m/\n"),
    match("0/../x"),
    match("A1"),
    match("0" * 5000),
    match("abc", game="/classic/9x9/2/", width=2),
    match("0", width=3),
    match("0", query="javascript:"),
    match("0", title={"toString": 1}),
    match("0", mine="all"),
    {**match("0"), "__proto__": {"evil": 1}, "not": [None]},
]


def test_what_is_no_match_is_left_out_and_the_rest_is_read(page: Page, base_url: str) -> None:
    page.goto("/")
    told = read(
        page,
        saved(
            *EVIL, match("0z"), solved=[1, -4, 2.5, "3", None, 1e9], settings={"skin": "<b>", "x": 1, "speed": "slow"}
        ),
    )
    assert (
        told
        == f"Read: 1 match, 1 solved puzzle and 1 setting. {len(EVIL)} entries of the file could not be understood."
    )
    assert links(page) == ["/m/0z"]
    assert kept(page, "solved") == [1]
    assert kept(page, "settings") == {"speed": "slow"}
    for link in page.locator("#remembered a").evaluate_all("all => all.map((link) => link.href)"):
        assert link.startswith(f"{base_url}/m/")


def test_a_file_whose_parts_are_of_another_kind_is_read_as_far_as_it_goes(page: Page) -> None:
    page.goto("/how-to-play")
    assert (
        read(page, saved(solved="all", settings=[1, "x"]) | {"matches": {"0": match("0")}})
        == "All that is in that file was here already."
    )
    assert read(page, saved(solved=[5], settings=None) | {"more": "of a later version"}) == "Read: 1 solved puzzle."


def test_names_and_options_are_cleaned(page: Page, base_url: str) -> None:
    page.goto("/")
    evil = match(
        "0z",
        title="\u202e<img src=x onerror=alert(1)>\u0000\n\u200bAda 👩‍👩‍👧 می‌خواهم\ud83d" + "x" * 500,
        query="?names=Ada,%3Cb%3E&next=//evil.example&colours=rb&colours=<b>&at=1&play=1&computer=25",
        turn="1", side=99, both="yes", computer=["x"], when=9e99, mine=[1, -1, 99], **{"not": [2, 77]},
    )  # fmt: skip
    read(page, saved(evil))
    (entry,) = kept(page, "matches")
    assert entry["title"].startswith("<img src=x onerror=alert(1)>Ada 👩‍👩‍👧 می‌خواهمxxx")
    assert len(entry["title"]) < 120
    assert entry["query"] == "?names=Ada,%3Cb%3E&colours=rb&computer=25"
    assert {name: entry.get(name) for name in ("turn", "side", "both", "computer", "when", "mine", "not")} == {
        "turn": 0, "side": None, "both": None, "computer": "", "when": None, "mine": [1], "not": [2],
    }  # fmt: skip
    row = page.locator("#remembered li")
    expect(row.locator("strong")).to_contain_text("<img src=x")
    assert row.locator("strong *").count() == 0
    assert row.locator("a").evaluate("link => link.href").startswith(f"{base_url}/m/0z?")


def test_a_huge_but_honest_file_is_read_in_good_time(page: Page) -> None:
    page.goto("/how-to-play")
    many = [match(f"{a:x}{b:x}".replace("g", "0")) for a in range(16, 256) for b in range(16, 96)]
    assert "found no room" in read(page, saved(*many))
    assert len(links(page)) == 500


# --- Storage that fails -------------------------------------------------------------------------------------------

BROKEN = {
    "no room left": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "keeps nothing here": "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name,"
    " { get() { throw new DOMException('forbidden', 'SecurityError'); } });",
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_browser_that_keeps_nothing_says_so(page: Page, why: str) -> None:
    page.add_init_script(BROKEN[why])
    page.goto("/m/0z7")
    assert why in read(page, saved(match("0")))
    page.evaluate("document.getElementById('settings').open = true")
    note = page.locator("[data-kept]")
    expect(note).to_contain_text("Not all of it can be kept")  # the match just opened
    page.locator('[name="skin"][value="faces"]').check(force=True)
    expect(page.locator("html")).to_have_attribute("data-skin", "faces")
    with page.expect_download():  # what is known on this page can still be saved
        page.locator("#settings [data-save]").click()


def test_a_file_that_does_not_fit_leaves_all_as_it_was(page: Page) -> None:
    page.goto("/m/0z7")
    before = page.evaluate("JSON.stringify(localStorage)")
    page.evaluate("""() => {
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (key === "critmass.solved") throw new DOMException("full", "QuotaExceededError");
        set.call(this, key, value);
      };
    }""")
    assert "no room left" in read(page, saved(match("zz"), solved=[1]))
    assert page.evaluate("JSON.stringify(localStorage)") == before


def test_a_file_that_is_gone_is_told(page: Page) -> None:
    page.goto("/how-to-play")
    page.add_init_script("File.prototype.text = async () => { throw new DOMException('gone', 'NotFoundError'); };")
    page.reload()
    assert "could not be opened" in read(page, saved())


# --- Elsewhere ----------------------------------------------------------------------------------------------------

CHOOSE = """(() => {
  const input = document.querySelector("#settings [type=file]");
  const chosen = new DataTransfer();
  chosen.items.add(new File([%s], "saved.json"));
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
})()"""
SAID = "document.querySelector('#remembered [role=status]').textContent"


def save_and_read(engine: Engine, base_url: str) -> None:
    """Save what is remembered, forget it, and read it back."""
    engine.resize(1000, 800)
    engine.goto(f"{base_url}/m/0z7c")
    engine.wait_until("localStorage.getItem('critmass.matches')")
    engine.goto(f"{base_url}/")
    # The file as it is handed over; whether the browser asks where to put it is its own affair.
    engine.evaluate("""(() => {
      const real = URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text().then((text) => { window.file = text; }); return real(blob); };
      HTMLAnchorElement.prototype.click = function () { window.handed = this.download; };
      return true;
    })()""")
    engine.click("#remembered [data-save]")
    engine.wait_until(f"{SAID}.includes('1 match')")
    assert engine.wait_until("window.handed").startswith("critical-mass-")
    file = engine.wait_until("window.file")
    engine.click("#remembered [data-forget-all]")
    engine.wait_until("document.getElementById('remembered').hidden")
    engine.evaluate(CHOOSE % json.dumps(file))
    engine.wait_until("document.querySelectorAll('#remembered li').length === 1")
    assert engine.evaluate("document.querySelector('#remembered a').pathname") == "/m/0z7c"


def test_other_browsers_save_and_read(other_browser: Engine, base_url: str) -> None:
    save_and_read(other_browser, base_url)
