"""The page of a match: what can be played, what it says, and where it leads."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient
from hypothesis import given

from .html import Element, cells_of, page_at, parse, targets, title_of
from .samples import Sample, named, quick, samples, url

PART = {"HX-Request": "true"}
UNFINISHED = "/m/0z0?names=Ada,Bo&colours=gy"
WON = "/m/26710171?names=Ada,Bo&colours=gy"
GRACED = "/m/26710171"
"""Two plies before the end of this match a wipe does not count yet."""


def standing(page: Element) -> str:
    return page.one("h1").text


def share_link(page: Element) -> str:
    return page.one("input", id="link")["value"]


@quick
@given(sample=samples(suffixes=("",)))
def test_exactly_the_legal_cells_of_the_last_position_are_links(client: FlaskClient, sample: Sample) -> None:
    page = page_at(client, sample.url)
    options = dict(sample.options)
    dress = tuple((key, value) for key, value in sample.options if key in ("colours", "names"))
    told = client.get(url(sample.path + ".json", [("at", str(sample.at))])).get_json()
    board = told["frames"][int(options["ring"])] if "ring" in options else told["board"]
    rows = dict(zip(range(told["rows"], 0, -1), board.split("/"), strict=True))
    mine = ".." if "turn" not in told else f"..{chr(96 + told['turn'])}"
    playable = "turn" in told and sample.at == sample.length and "ring" not in options
    for name, (label, link) in cells_of(page).items():
        column, row = 2 * (ord(name[0]) - 97), int(name[1:])
        owner, count = rows[row][column : column + 2]
        assert label.startswith(f"{name}, ")
        if owner == ".":
            assert label.startswith(f"{name}, empty")
        else:
            assert f", {count} of " in label
            assert (", yours, " in label) == (owner in mine)
        if not (playable and owner in mine):
            assert link is None
            continue
        assert link is not None
        path = f"{sample.path}{sample.encode(name)}"
        assert link["href"] == url(path, dress)
        assert link["hx-get"] == url(path, (*dress, ("part", "1")))
        assert link["rel"] == "nofollow"


@quick
@given(sample=samples(longest=20, suffixes=("",)))
def test_a_move_leads_to_the_match_with_that_move(client: FlaskClient, sample: Sample) -> None:
    for name, cell in [*cells_of(page_at(client, sample.url)).items()][:4]:
        if cell.link:
            page = page_at(client, cell.link["href"])
            assert f"move {sample.length + 1} " in title_of(page)
            assert cells_of(page)[name].label.endswith(", just played")
            assert f"played {name}" in page.one("article").text


@pytest.mark.parametrize(
    ("link", "name", "label"),
    [
        ("/m/0z0", "b1", "b1, Red's, 1 of 3 orbs"),
        ("/m/0z0", "f6", "f6, yours, 1 of 2 orbs"),
        ("/m/0z0", "c3", "c3, empty"),
        ("/m/0z0", "a1", "a1, empty, just played"),
        ("/m/0z0?at=2", "f6", "f6, Blue's, 1 of 2 orbs, just played"),
        ("/m/0z0?at=2", "a1", "a1, yours, 1 of 2 orbs"),
        ("/m/0z0?names=Ada%20%3C3,Bo", "b1", "b1, Ada <3's, 1 of 3 orbs"),
        ("/classic/6x9/2/c4", "c4", "c4, Red's, 1 of 4 orbs, just played"),
    ],
)
def test_a_cell_says_what_it_holds(client: FlaskClient, link: str, name: str, label: str) -> None:
    assert cells_of(page_at(client, link))[name].label == label


@pytest.mark.parametrize(
    ("link", "turn"),
    [
        ("/m/", "Red to move"),
        ("/m/0", "Blue to move"),
        ("/m/0z0?at=2", "Red to move"),
        ("/classic/6x9/3/a1b1", "Green to move"),
        (UNFINISHED, "Bo to move"),
        ("/m/0z0?colours=gy", "Yellow to move"),
        ("/m/0z0?names=,Bo", "Bo to move"),
        ("/m/0z?names=,Bo", "Red to move"),
    ],
)
def test_title_and_heading_say_whose_turn_it_is(client: FlaskClient, link: str, turn: str) -> None:
    page = page_at(client, link)
    assert title_of(page).startswith(turn)
    assert standing(page) == turn


def test_the_grace_is_told_until_a_wipe_counts(client: FlaskClient) -> None:
    note = "Wipes count from move 8"
    for ply in range(8):
        assert (note in page_at(client, f"{GRACED}?at={ply}").text) == (ply < 7)
        assert (note in page_at(client, GRACED[: 3 + ply]).text) == (ply < 7)
    assert note not in page_at(client, GRACED).text
    for other in ("/codingame/", "/codingame/0z", "/classic/6x9/3/"):
        assert "Wipes" not in page_at(client, other).text


@pytest.mark.parametrize(
    ("link", "shared"),
    [
        ("/m/0z0", "/m/0z0"),
        (UNFINISHED, UNFINISHED),
        ("/m/0z0?at=2&ring=0&play=1&colours=gy", "/m/0z?colours=gy"),
        ("/classic/6x9/2/a1b1?at=1", "/classic/6x9/2/a1"),
    ],
)
def test_the_link_to_send_is_absolute_and_names_its_move(client: FlaskClient, link: str, shared: str) -> None:
    page = page_at(client, link)
    assert share_link(page) == f"http://localhost{shared}"
    ply = len(client.get(shared.replace("?", ".json?") if "?" in shared else shared + ".json").get_json()["moves"])
    field = page.one("input", id="link")
    label = next(it for it in page if it.attributes.get("id") == field["aria-labelledby"])
    assert f"move {ply}" in label.text


def test_an_earlier_position_can_be_branched_from_and_not_played(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z0y?at=2&names=Ada,Bo")
    assert not any(cell.link for cell in cells_of(page).values())
    assert page.link("Play on from here")["href"] == "/m/0z?names=Ada,Bo"
    assert page.link("To the last move")["href"] == "/m/0z0y?names=Ada,Bo"
    assert "2 of 4" in page.one("article").text
    assert page_at(client, "/m/0z0y?at=4").all("a", rel="nofollow")
    assert not any(cell.link for cell in cells_of(page_at(client, "/m/0z0?ring=0")).values())


def test_the_whole_match_stays_in_view(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z0y?at=2")
    current = [it for it in page.all("a") if it.attributes.get("aria-current") == "true"]
    assert [it["href"] for it in current] == ["?at=2"]
    assert [it["href"] for it in page.one("ol").all("a")] == [f"?at={ply}" for ply in range(1, 5)]
    assert [it.text.split()[0][:2] for it in page.one("ol").all("a")] == ["a1", "f6", "a1", "e6"]


@pytest.mark.parametrize(
    ("link", "winner", "why"),
    [
        (WON, "Bo wins", "Bo's chain took every orb"),
        ("/m/61207071", "Blue wins", "Red has no orbs left"),
        ("/codingame/010", "Red wins", "Blue has no orbs left"),
    ],
)
def test_a_finished_match_says_who_won_and_why(client: FlaskClient, link: str, winner: str, why: str) -> None:
    page = page_at(client, link)
    assert standing(page) == winner
    assert title_of(page).startswith(winner)
    assert why in page.text
    assert not any(cell.link for cell in cells_of(page).values())


def test_a_finished_match_leads_on(client: FlaskClient) -> None:
    page = page_at(client, WON)
    assert page.link("Rematch")["href"] == "/m/?colours=yg&names=Bo,Ada"
    assert page.link("New match")["href"] == "/m/?names=Ada,Bo&colours=gy"
    replay = page.link("Replay from the start")["href"]
    assert dict(parse_qsl(urlsplit(replay).query)) == {"at": "1", "play": "1", "names": "Ada,Bo", "colours": "gy"}
    assert not [it for it in page_at(client, f"{WON}&at=7").all("a") if it.text.startswith("Rematch")]


@pytest.mark.parametrize(
    ("link", "rematch"),
    [
        ("/m/26710171", "/m/?colours=br"),
        ("/classic/3x3/2/010?names=Ada", "/classic/3x3/2/?colours=br&names=,Ada"),
        ("/classic/3x3/2/010?names=,Bo", "/classic/3x3/2/?colours=br&names=Bo"),
    ],
)
def test_a_rematch_keeps_everybodys_colour_and_name(client: FlaskClient, link: str, rematch: str) -> None:
    assert page_at(client, link).link("Rematch")["href"] == rematch


def test_a_rematch_drops_the_mark_at_the_end_of_a_first_name(client: FlaskClient) -> None:
    """It moves to the end of the option, where cleaning takes it: the page should not link to what needs cleaning."""
    assert client.get(page_at(client, "/m/26710171?names=J.R.,Bo").link("Rematch")["href"]).status_code == 200


def test_a_replay_goes_on_without_a_script_until_the_end(client: FlaskClient) -> None:
    link = "/m/0z0y?at=1&names=Ada,Bo&play=1"
    for at in range(1, 4):
        (noscript,) = re.findall(r"<noscript>(.*?)</noscript>", client.get(link).text)
        (refresh,) = parse(noscript).all("meta")
        link = re.fullmatch(r"\d+; *url=(.*)", refresh["content"])[1]  # type: ignore[index]
        assert dict(parse_qsl(urlsplit(link).query)) == {"at": str(at + 1), "names": "Ada,Bo", "play": "1"}
    assert "http-equiv" not in client.get(link).text


def test_the_rings_of_a_move_can_be_stepped_through(client: FlaskClient) -> None:
    link, seen = "/m/160287006?ring=0", []
    while link:
        page = page_at(client, link)
        seen.append(int(dict(parse_qsl(urlsplit(link).query))["ring"]))
        link = next((f"/m/160287006{it['href']}" for it in page.all("a") if it.text == "Next ring"), "")
    rings = client.get("/m/160287006.json").get_json()["rings"]
    assert seen == [*range(len(rings) + 1)]


LEADING = [
    *("/", "/how-to-play", "/open", "/m/", "/m/0z7c", UNFINISHED, WON, f"{WON}&at=5", "/m/160287006?at=9&ring=1"),
    *("/m/0z0y?at=2&play=1&names=%C3%89va%20%26%20co,%3CBo", "/m/0z0y?at=0", "/classic/3x3/3/0180?colours=cln"),
    *("/classic/16x3/8/a1b1?at=1&names=a,b,c", "/codingame/0z?names="),
]


@pytest.mark.usefixtures("awake")
@pytest.mark.parametrize("link", LEADING)
def test_every_link_on_a_page_is_answered_at_once(client: FlaskClient, link: str) -> None:
    page = page_at(client, link)
    for target in targets(page, link):
        status = client.get(target, headers=PART).status_code
        # The puzzle of the day is elsewhere every day.
        assert status == (302 if target == "/puzzle" else 200), f"{target}: {status}"


@pytest.mark.parametrize("link", ["/m/00", "/m/0z?at=9&names=Ada", "/classic/1x1/2/", "/nothing", "/open?link=x"])
def test_every_link_on_a_page_about_trouble_is_answered_at_once(client: FlaskClient, link: str) -> None:
    response = client.get(link)
    assert response.status_code in (404, 422)
    for target in targets(parse(response.text), link):
        assert client.get(target).status_code == 200, target


@pytest.mark.parametrize("link", [*LEADING, "/m/00", "/nothing"])
def test_a_page_has_one_heading_and_labels_what_it_has(client: FlaskClient, link: str) -> None:
    response = client.get(link)
    page = parse(response.text)
    assert len(page.all("h1")) == 1
    assert page.one("html")["lang"] == "en"
    assert len(page.all("main")) == 1
    names = [it["id"] for it in page if "id" in it.attributes]
    assert len(names) == len({*names})
    for link_ in page.all("a"):
        assert link_.attributes.get("aria-label", link_.text)
    for image in page.all(role="img"):
        assert image["aria-label"]


@pytest.mark.parametrize("link", LEADING)
def test_no_page_has_anything_that_its_own_policy_forbids(client: FlaskClient, link: str) -> None:
    page = page_at(client, link)
    assert not page.all("style")
    for element in page:
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith(("on", "hx-on"))]
    for script in page.all("script"):
        assert script["src"].startswith("/static/")
        assert script.text == ""


def test_names_are_text(client: FlaskClient) -> None:
    name = "<i a='\"&amp;"
    page = page_at(client, url("/m/0", [("names", named(f"{name}b", "Bo"))]))
    assert not page.all("i")
    assert f"{name}b" in page.one("article").text
    assert cells_of(page)["a1"].label == f"a1, {name}b's, 1 of 2 orbs, just played"


@quick
@given(sample=samples(longest=30, suffixes=("",)))
def test_a_part_is_the_match_area_of_its_page(client: FlaskClient, sample: Sample) -> None:
    part_url = url(sample.path, (*sample.options, ("part", "1")))
    response = client.get(part_url, headers=PART)
    assert response.status_code == 200
    page = client.get(sample.url).text
    halves = re.fullmatch(r"(<title>.*?</title>)\s*(<article.*</article>)\s*", response.text, re.DOTALL)
    assert halves
    assert halves[1] in page
    assert halves[2] in page
    header = "HX-Replace-Url" if "play" in dict(sample.options) else "HX-Push-Url"
    assert {name: value for name, value in response.headers if name.startswith("HX-")} == {header: sample.url}
    assert "HX-Request" in response.vary


@quick
@given(sample=samples(longest=10))
def test_a_part_that_is_opened_as_a_page_leads_to_the_page(client: FlaskClient, sample: Sample) -> None:
    response = client.get(url(sample.path, (*sample.options, ("part", "1"))))
    assert (response.status_code, response.headers["Location"]) == (303, sample.as_page().url)
    assert "HX-Request" in response.vary


def test_only_the_page_comes_in_parts(client: FlaskClient) -> None:
    assert client.get("/m/0z.json?part=1").get_json() == client.get("/m/0z.json").get_json()
