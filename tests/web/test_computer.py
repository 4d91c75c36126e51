"""Matches against the computer: its option, its turn, its answer, and the hint."""

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.formats.wording import STRENGTHS, hinted
from critmass.links import link_to, read, split_url, write_levels
from critmass.web import create_app
from critmass.web.play import searches as thinking
from critmass.web.play.searches import Busy, Question

from .html import Element, cells_of, page_at, parse, title_of

PART = {"HX-Request": "true"}
PROVEN = "/m/buvupvjuuv"
"""One move before Red wins."""


def answer_to(link: str, option: str = "") -> str:
    return f"/computer?link={quote(link + option, safe='')}"


def refresh_of(client: FlaskClient, link: str) -> tuple[int, str] | None:
    """Where a page without scripts goes on to, and after how many seconds."""
    found = re.findall(
        r'<noscript><meta http-equiv="refresh" content="(\d+); url=(.*?)"></noscript>', client.get(link).text
    )
    return (int(found[0][0]), found[0][1].replace("&amp;", "&")) if found else None


def on_from(client: FlaskClient, link: str, **headers: str) -> str:
    """Where the computer's answer to a match leads."""
    response = client.get(answer_to(link), headers=headers)
    assert response.status_code == 303, response.text
    return str(response.headers["Location"])


def players(page: Element) -> list[str]:
    return [it.text for it in page.one("ul", **{"aria-label": "Players, in turn order"}).all("li")]


# --- The option ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "levels"),
    [
        ("/m/", (None, None)),
        ("/m/?computer=25", (None, 5)),
        ("/m/?computer=13,26", (3, 6)),
        ("/m/?computer=26,13", (3, 6)),
        ("/classic/9x9/8/?computer=18,81", (8, *[None] * 6, 1)),
    ],
)
def test_it_seats_computers(link: str, levels: tuple[int | None, ...]) -> None:
    address = split_url(link)
    assert address
    assert read(address).levels == levels
    if any(levels):
        assert sorted(write_levels(levels).split(",")) == sorted(link.partition("=")[2].split(","))


@pytest.mark.parametrize(
    "value",
    ["", "2", "5,2", "29", "20", "35", "05", "25,", "25,25", "25,24", "255", "2 5", "x5", "２5", "25;13", "-25"],
)
@pytest.mark.parametrize("suffix", ["", ".json", ".txt", ".svg"])
def test_any_other_value_is_told(client: FlaskClient, value: str, suffix: str) -> None:
    response = client.get(f"/m/0{suffix}?computer={quote(value)}", follow_redirects=True)
    if value in ("25,", "25;13"):  # cleaned, or one of two
        value = value.rstrip(",")
    if value == "25":
        assert response.status_code == 200
        return
    assert response.status_code == 404
    if suffix == ".json":
        error = response.get_json()["error"]
        assert (error["code"], error["ply"]) == ("bad-option", None)
        assert "seats no computer" in error["message"]
    elif not suffix:
        offer = parse(response.text).one("a", **{"class": "offer"})
        assert offer["href"] == "/m/0"


def test_it_is_cleaned_like_every_option(client: FlaskClient) -> None:
    response = client.get("/M/0?Computer=25).&fbclid=x")
    assert (response.status_code, response.headers["Location"]) == (308, "/m/0?computer=25")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("computer=25", ["Red", "Computer level 5"]),
        ("computer=25&names=Ada,Deep", ["Ada", "Deep level 5"]),
        ("computer=13,26", ["Red level 3", "Blue level 6"]),
        ("computer=18&colours=gv", ["Computer level 8", "Violet"]),
    ],
)
def test_a_computer_is_called_one_and_says_its_level(client: FlaskClient, option: str, said: list[str]) -> None:
    for shown, wanted in zip(players(page_at(client, f"/m/0?{option}")), said, strict=True):
        assert shown.startswith(wanted)
    text = client.get(f"/m/0.txt?{option}").text
    assert all(wanted.replace(" level", ", level") in text for wanted in said)


def test_every_link_of_the_match_carries_it_on(client: FlaskClient) -> None:
    for link in ("/m/0z?computer=25", "/m/0z?computer=25&at=1", "/m/0z0?computer=25", f"{PROVEN}u?computer=25"):
        page = page_at(client, link)
        links = [it.attributes.get("href", "") for it in page.all("a")]
        matches = [href for href in links if href.startswith(("/m/", "?"))]
        assert len(matches) > 5
        assert all("computer=" in href for href in matches)
        asked = [unquote(href) for href in links if "link=" in href]
        assert asked
        assert all("computer=25" in href for href in asked)
        assert "computer=25" in page.one("input", id="link")["value"]


def test_a_rematch_swaps_it_with_the_sides(client: FlaskClient) -> None:
    rematch = page_at(client, f"{PROVEN}u?computer=25&names=Ada").link("Rematch")["href"]
    assert dict(parse_qsl(urlsplit(rematch).query)) == {"colours": "br", "names": ",Ada", "computer": "15"}


def test_a_preview_and_a_frame_know_it(client: FlaskClient) -> None:
    told = client.get("/oembed?url=" + quote("http://localhost/m/0z?computer=25", safe="")).get_json()
    assert "computer=25" in told["html"]
    assert "Computer" in client.get("/m/0?embed=1&computer=25").text


# --- Whose turn it is ---------------------------------------------------------------------------------------------


THINKING = ["/m/0?computer=25", "/m/?computer=15", "/m/0z?computer=13,26&play=1", "/classic/6x9/3/a1b1?computer=38"]
IDLE = [
    *("/m/0z?computer=25", "/m/?computer=25", "/m/0z0?computer=25&at=1", "/m/0?computer=25&ring=0"),
    *("/m/0z?computer=13,26", f"{PROVEN}u?computer=15,25&play=1", "/m/0?computer=25&embed=1", "/m/0"),
]


@pytest.mark.parametrize("link", THINKING)
def test_a_page_whose_turn_is_the_computers_shows_the_board_and_goes_on(client: FlaskClient, link: str) -> None:
    page = page_at(client, link)
    assert page.one("h1").text.endswith("is thinking…")
    assert not any(cell.link for cell in cells_of(page).values())
    refresh = refresh_of(client, link)
    assert refresh
    assert refresh[0] >= 1
    assert page.one("a", **{"data-answer": ""})["href"] == refresh[1]
    assert 'data-memory="waiting"' not in client.get(link).text


@pytest.mark.parametrize("link", IDLE)
def test_any_other_page_does_not(client: FlaskClient, link: str) -> None:
    page = page_at(client, link)
    assert "thinking" not in page.one("h1").text
    assert refresh_of(client, link) is None
    assert page.all("a", **{"data-answer": ""}) == []


def test_a_board_with_a_long_chain_is_left_the_time_it_takes(client: FlaskClient) -> None:
    short, long = (refresh_of(client, f"/classic/3x3/2/{moves}?computer=25") for moves in ("1", "160602626"))
    assert short
    assert long
    assert short[0] < long[0] <= 8


def test_the_board_is_shown_without_a_search(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(_: object, question: Question) -> None:
        raise AssertionError(question)

    monkeypatch.setattr(thinking.Pool, "ask", ask)
    for link in [*THINKING, *IDLE]:
        assert client.get(link).status_code == 200
        assert client.get(link, headers=PART).status_code == 200


def test_only_people_who_are_several_are_asked_who_they_are(client: FlaskClient) -> None:
    asked = 'data-memory="who"'
    assert asked in client.get("/m/0").text
    assert asked not in client.get("/m/0z?computer=25").text
    assert asked in client.get("/classic/6x9/3/a1?computer=38").text
    assert asked not in client.get("/classic/6x9/3/a1b1?computer=38").text


@pytest.mark.parametrize(
    ("link", "back"),
    [
        ("/m/0?computer=25", "/m/?computer=25"),
        ("/m/0z?computer=25", "/m/?computer=25"),
        ("/m/0z0?computer=15", "/m/0?computer=15"),
        ("/m/0?computer=15", None),
        ("/m/0z?computer=15,25", None),
        ("/classic/6x9/3/a1b1c1?computer=28,38", "/classic/6x9/3/?computer=28,38"),
    ],
)
def test_take_back_takes_back_a_persons_move(client: FlaskClient, link: str, back: str | None) -> None:
    found = [it for it in page_at(client, link).all("a") if "data-take-back" in it.attributes]
    assert [it["href"] for it in found] == ([back] if back else [])
    if back:
        length = link_to(read(split_url(link)).match).length  # type: ignore[arg-type]
        before = link_to(read(split_url(back)).match).length  # type: ignore[arg-type]
        assert found[0]["data-take-back"] == str(length - before)


# --- The answer ---------------------------------------------------------------------------------------------------


def test_the_answer_is_the_match_with_its_move(client: FlaskClient) -> None:
    there = on_from(client, "/m/0?computer=25&names=Ada")
    assert re.fullmatch(r"/m/0.\?computer=25&names=Ada", there)
    assert "Computer played" in page_at(client, there).text
    assert on_from(client, "/m/0?computer=25&names=Ada") == there


def test_a_part_leads_to_a_part(client: FlaskClient) -> None:
    assert on_from(client, "/m/0?computer=25", **PART) == on_from(client, "/m/0?computer=25") + "&part=1"
    response = client.get(answer_to("/m/0?computer=25"), headers=PART, follow_redirects=True)
    assert response.text.startswith("<title>")
    assert "HX-Request" in response.vary


@pytest.mark.parametrize("suffix", [".json", ".txt", ".png"])
def test_a_suffix_stays(client: FlaskClient, suffix: str) -> None:
    there = on_from(client, f"/m/0{suffix}?computer=25")
    assert re.fullmatch(rf"/m/0.\{suffix}\?computer=25", there)
    assert client.get(there).status_code == 200


@pytest.mark.parametrize("link", ["/m/0z?computer=25", "/m/0", f"{PROVEN}u?computer=15"])
def test_where_it_is_nobodys_turn_to_answer_the_match_stays(client: FlaskClient, link: str) -> None:
    assert on_from(client, link) == link


def test_where_only_computers_play_it_goes_on_to_the_end(client: FlaskClient) -> None:
    link = "/classic/3x3/3/?computer=11,21,32&play=1"
    for _ in range(60):
        if "play=1" not in link:
            break
        assert "thinking" in page_at(client, link).one("h1").text
        link = on_from(client, link)
    assert "wins" in page_at(client, link).one("h1").text


def test_it_can_be_stepped_and_paused(client: FlaskClient) -> None:
    playing = page_at(client, "/m/0z?computer=13,26&play=1")
    paused = playing.link("Pause")["href"]
    assert dict(parse_qsl(urlsplit(paused).query)) == {"at": "2", "computer": "13,26"}
    page = page_at(client, "/m/0z?computer=13,26")
    assert "play" not in on_from(client, unquote(page.link("Next move")["href"]).partition("=")[2])
    assert dict(parse_qsl(urlsplit(page.link("Play")["href"]).query))["play"] == "1"
    assert playing.link("Next move")["href"] == page.link("Next move")["href"]


def test_it_plays_on_a_board_that_no_kernel_takes(client: FlaskClient) -> None:
    there = on_from(client, "/classic/16x16/8/a1b1c1d1e1f1g1?computer=88")
    assert client.get(there).status_code == 200


@pytest.mark.usefixtures("awake")
def test_every_level_answers_on_every_kind_of_board(client: FlaskClient) -> None:
    for level in range(1, 9):
        for link in ("/m/0", "/codingame/0", "/classic/5x5/3/0", "/classic/8x8/2/a1", "/classic/8x12/4/a1"):
            assert on_from(client, f"{link}?computer=2{level}").startswith(link)


@pytest.mark.parametrize("path", ["/computer", "/hint"])
@pytest.mark.parametrize("link", ["", "nothing", "/m/00", "/m/0?computer=99", "/new"])
def test_what_is_no_match_leads_to_the_box(client: FlaskClient, path: str, link: str) -> None:
    response = client.get(f"{path}?link={quote(link)}")
    assert (response.status_code, response.headers["Location"]) == (303, "/open")


# --- The hint -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("awake")
def test_a_hint_is_a_page_and_a_part(client: FlaskClient) -> None:
    url = "/hint?link=/m/0z%3Fnames=Ada"
    page = page_at(client, url)
    words = page.one("h1").text
    cell = re.fullmatch(r"Hint: ([a-f][1-6])", words)
    assert cell
    assert page.all("path", **{"class": "advised"})
    on = page_at(client, page.link("Play")["href"])
    assert f"Ada played {cell[1]}" in on.text
    assert page.link("Back")["href"] == "/m/0z?names=Ada"
    part = parse(client.get(url, headers=PART).text)
    assert part.one("span").text == words
    assert part.one("span")["data-hint"] == cell[1]


@pytest.mark.usefixtures("awake")
def test_a_proven_win_is_announced(client: FlaskClient) -> None:
    assert page_at(client, f"/hint?link={PROVEN}").one("h1").text == "Hint: a6, Red wins in 1 move"
    named = f"/hint?link={PROVEN}%3Fnames=Ada"
    assert "Ada wins in 1 move" in title_of(page_at(client, named))


def test_words_of_a_hint() -> None:
    address = split_url("/m/0z?names=Ada,Bo")
    assert address
    link = read(address)

    def words(end: int | None) -> str:
        return hinted(link, thinking.Thought(8, 0.0, end, (8,), 3, 9))

    assert words(None) == "Hint: c2"
    assert words(1) == "Hint: c2, Ada wins in 1 move"
    assert words(5) == "Hint: c2, Ada wins in 3 moves"
    assert words(4) == "Hint: c2 holds out longest, Bo wins in 2 moves"


@pytest.mark.parametrize(
    ("link", "asked"),
    [
        ("/m/", "/m/"),
        ("/m/0z", "/m/0z"),
        ("/m/0z?at=1", "/m/0"),
        ("/m/0z?computer=25", "/m/0z?computer=25"),
        ("/m/0?computer=25", None),
        ("/m/0z?computer=15,25", None),
        (f"{PROVEN}u", None),
        ("/m/0z?ring=0", None),
        ("/m/0z?embed=1", None),
    ],
)
def test_there_is_a_hint_wherever_a_person_is_to_move(client: FlaskClient, link: str, asked: str | None) -> None:
    found = [it["href"] for it in page_at(client, link).all("a") if it.text == "Hint"]
    assert found == ([f"/hint?link={quote(asked)}"] if asked else [])


def test_a_match_that_is_over_has_none(client: FlaskClient) -> None:
    response = client.get(f"/hint?link={PROVEN}u")
    assert (response.status_code, response.headers["Location"]) == (303, f"{PROVEN}u")


# --- Busy ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(_: object, question: Question) -> None:
        raise Busy("Too many are asking.", 3)

    monkeypatch.setattr(thinking.Pool, "ask", ask)


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("path", ["/computer", "/hint"])
def test_a_busy_computer_says_when_to_come_again(client: FlaskClient, path: str) -> None:
    url = f"{path}?link=/m/0z0%3Fcomputer=25"
    response = client.get(url)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "3"
    assert response.headers["Cache-Control"] == "no-store"
    page = parse(response.text)
    assert page.one("h1").text == "The computer is busy"
    assert page.one("meta", **{"http-equiv": "refresh"})["content"] == "3"
    again = urlsplit(page.link("Ask again")["href"])
    assert (again.path, dict(parse_qsl(again.query))) == (path, {"link": "/m/0z0?computer=25"})
    part = parse(client.get(url, headers=PART).text).one("span")
    assert "asked again in 3 s" in part.text
    assert part["hx-trigger"] == "load delay:3s"


@pytest.mark.usefixtures("busy")
def test_a_busy_computer_says_so_in_the_words_asked_for(client: FlaskClient) -> None:
    response = client.get("/computer?link=/m/0.json%3Fcomputer=25")
    assert response.status_code == 503
    told = response.get_json()["error"]
    assert (told["code"], told["ply"]) == ("busy", None)
    response = client.get("/computer?link=/m/0.txt%3Fcomputer=25")
    assert (response.status_code, response.mimetype) == (503, "text/plain")
    assert "3 s" in response.text


# --- The forms ----------------------------------------------------------------------------------------------------


def begun(client: FlaskClient, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 303, response.text
    return str(response.headers["Location"])


def test_the_front_page_begins_a_match_against_it(client: FlaskClient) -> None:
    form = next(it for it in page_at(client, "/").all("form") if it["action"] == "/play")
    levels = [it.text for it in form.all("option")]
    assert levels == [f"{level} · {name}" for level, name in enumerate(STRENGTHS, 1)]
    for side, link in zip(form.all("input"), ("/m/?computer=24", "/m/?computer=14"), strict=True):
        assert begun(client, f"/play?level=4&{side['name']}={side['value']}") == link
    watch = form.one("a")["href"]
    assert "thinking" in page_at(client, watch).one("h1").text


@pytest.mark.parametrize(
    "query",
    [
        "level=4",
        "side=first",
        "level=9&side=first",
        "level=x&side=second",
        "level=4&side=both",
        "level=&side=first",
    ],
)
def test_a_match_that_cannot_be_begun_is_asked_about(client: FlaskClient, query: str) -> None:
    response = client.get(f"/play?{query}")
    assert response.status_code == 422
    assert parse(response.text).one("p", role="alert").text


@pytest.mark.parametrize(
    ("query", "link"),
    [
        ("game=critical-mass&l2=5", "/m/?computer=25"),
        ("game=codingame&l1=8&n2=Ada", "/codingame/?names=,Ada&computer=18"),
        ("game=classic&players=4&l2=1&l4=8&c1=y&c2=b&c3=g&c4=r", "/classic/6x9/4/?colours=ybgr&computer=21,48"),
        ("game=critical-mass&l1=3&l2=6", "/m/?computer=13,26&play=1"),
    ],
)
def test_any_seat_of_a_new_game_can_be_a_computers(client: FlaskClient, query: str, link: str) -> None:
    assert begun(client, f"/new?go=1&{query}") == link
    page = page_at(client, f"/new?{query}")
    chosen = {
        it["name"]: [o["value"] for o in it.all("option") if "selected" in o.attributes]
        for it in page.all("select")
        if it["name"] != "players"
    }
    for name, value in parse_qsl(query):
        if name.startswith("l"):
            assert chosen[name] == [value]


def test_a_seat_with_a_level_that_is_none(client: FlaskClient) -> None:
    response = client.get("/new?go=1&game=critical-mass&l2=11")
    assert response.status_code == 422
    assert "seats no computer" in response.text


def test_players_can_be_changed_in_the_middle_of_a_match(client: FlaskClient) -> None:
    page = page_at(client, "/players?link=/m/0z%3Fcomputer=25")
    chosen = [o["value"] for o in page.one("select", id="l2").all("option") if "selected" in o.attributes]
    assert chosen == ["5"]
    kept = "/players?link=/m/0z%3Fcomputer=25&c1=r&c2=b&n1=&n2=&l1=&l2="
    assert begun(client, kept + "7") == "/m/0z?computer=27"
    assert begun(client, kept) == "/m/0z"


def test_the_json_of_a_match_is_that_of_any_other(client: FlaskClient) -> None:
    plain, dressed = (json.loads(client.get(f"/m/0z.json{query}").text) for query in ("", "?computer=25"))
    assert plain == dressed


# --- A real pool, with hardly any room ----------------------------------------------------------------------------


@pytest.fixture
def crowded() -> Iterator[Callable[[], Flask]]:
    apps: list[Flask] = []

    def make() -> Flask:
        apps.append(create_app({"TESTING": True, "SEARCH_QUEUE": 0, "SEARCH_SECONDS": 20}))
        return apps[-1]

    yield make
    for app in apps:
        app.extensions["thinking"].close()


def test_pages_are_answered_while_the_computer_is_not(crowded: Callable[[], Flask]) -> None:
    app = crowded()
    pool = app.extensions["thinking"]
    client = app.test_client()
    pool._running = 1  # as if a search were under way
    assert client.get(answer_to("/m/0?computer=22")).status_code == 503
    assert client.get("/m/0?computer=22").status_code == 200
    pool._running = 0
    assert client.get(answer_to("/m/0?computer=22")).status_code == 303
