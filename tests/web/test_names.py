"""Names as they are typed: the same wherever they are shown, whatever their seat and their direction."""

import json

import pytest
from flask.testing import FlaskClient

from critmass.links.names import END_ISOLATE, ISOLATE

from .html import page_at, title_of
from .samples import named

AWKWARD = [
    "C++",
    "J.R.",
    "Bo!",
    "🚀",
    "Smith, J",
    "a&at=1",
    "50% + 1",
    "#1",
    "»Bo«",
    "می‌خواهم",
    "👨‍👩‍👧",
    "Bo ❤️ Al",
    "שלום!",
]


def link_of_form(client: FlaskClient, names: list[str]) -> str:
    """The link that the form for a new match leads to when these names are typed."""
    typed = {"game": "classic", "board": "5x5", "players": str(len(names)), "go": "1"}
    typed |= {f"n{number}": name for number, name in enumerate(names, 1)}
    response = client.get("/new", query_string=typed)
    assert response.status_code == 303
    return response.headers["Location"]


def plain(text: str) -> str:
    return text.replace(ISOLATE, "").replace(END_ISOLATE, "")


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("name", AWKWARD)
def test_a_name_comes_back_the_same_everywhere(client: FlaskClient, name: str, seat: int) -> None:
    names = ["Ada", "Bo", "Cy"]
    names[seat] = name
    link = link_of_form(client, names)
    assert link == f"/classic/5x5/3/?names={named(*names)}" or name.endswith("«")
    # The players before have played: it is this one's turn.
    path, _, query = link.partition("?")
    link = f"{path}{'0ie'[:seat]}?{query}"
    assert client.get(link).status_code == 200, "it is clean as it is"
    page = page_at(client, link)
    assert page.one("h1").text == f"{name} to move"
    assert [it.text for it in page.all("bdi", **{"class": "name"})] == names
    assert plain(title_of(page)).startswith(f"{name} to move")
    for to in (it["href"] for it in page.all("a") if it.attributes.get("href", "").startswith(path)):
        assert client.get(to).status_code == 200
        assert client.get(to.replace("?", ".json?")).get_json()["names"] == names
    form = page_at(client, f"/players?link={named(link)}")
    assert [form.one("input", id=f"n{number}")["value"] for number in (1, 2, 3)] == names
    assert f"{name} to move" in plain(client.get(link.replace("?", ".txt?")).text)
    notation = client.get(f"/notation?link={named(link)}").text
    data = client.get(link.replace("?", ".json?")).text
    for text in (notation, data):
        assert client.post("/import", data={"text": text}).headers["Location"] == link


def test_the_json_of_a_match_has_the_names_that_are_shown(client: FlaskClient) -> None:
    assert json.loads(client.get("/m/0.json?names=,Bo").text)["names"] == ["Red", "Bo"]
    assert json.loads(client.get("/classic/5x5/3/.json?names=,,C%2B%2B").text)["names"] == ["Red", "Blue", "C++"]


RIGHT_TO_LEFT = f"/classic/5x5/3/0i?names={named('שלום!', 'Bo', 'دا')}"


def test_a_name_from_right_to_left_keeps_to_itself_in_a_page(client: FlaskClient) -> None:
    page = page_at(client, RIGHT_TO_LEFT)
    assert page.one("h1").one("bdi").text == "دا"
    assert [it.text for it in page.all("bdi", **{"class": "name"})] == ["שלום!", "Bo", "دا"]
    for link in ("/sheet?link=", "/players?link=", "/share?link=", "/analysis?link="):
        assert client.get(link + named(RIGHT_TO_LEFT)).status_code == 200
    sheet = page_at(client, f"/sheet?link={named(RIGHT_TO_LEFT)}")
    assert {it.text for it in sheet.all("bdi")} >= {"שלום!", "Bo", "دا"}


@pytest.mark.parametrize("suffix", ["", ".txt", ".svg"])
def test_where_there_is_no_markup_a_name_is_isolated_by_characters(client: FlaskClient, suffix: str) -> None:
    text = client.get(RIGHT_TO_LEFT.replace("?", f"{suffix}?")).text
    assert f"{ISOLATE}دا{END_ISOLATE} to move" in text
    assert f"{ISOLATE}Bo{END_ISOLATE}" not in text
    if not suffix:
        title = title_of(page_at(client, RIGHT_TO_LEFT))
        assert title.startswith(f"{ISOLATE}دا{END_ISOLATE} to move")


def test_notation_isolates_names_and_reads_them_back(client: FlaskClient) -> None:
    text = client.get(f"/notation?link={named(RIGHT_TO_LEFT)}").text
    assert f'[Player1 "{ISOLATE}שלום!{END_ISOLATE}" "red"]' in text
    assert '[Player2 "Bo" "blue"]' in text
    assert client.post("/import", data={"text": text}).headers["Location"] == RIGHT_TO_LEFT


@pytest.mark.parametrize("name", ["a" * 17, "🚀" * 17, "שלום " * 5])
def test_a_name_that_is_too_long_is_told_and_cut(client: FlaskClient, name: str) -> None:
    link = f"/m/0z?names={named('Ada', name)}&colours=gy"
    page = page_at(client, link, 404)
    assert page.one("h1").text == "This name is too long"
    told = page.one("article").text
    assert "the name of player 2, is too long" in told
    assert f"it has {len(name.strip())} characters" in told
    offered = page.one("article").all("a")[0]
    assert offered["href"] == f"/m/0z?names={named('Ada', name[:16].strip())}&colours=gy"
    assert client.get(offered["href"]).status_code == 200
    error = client.get(link.replace("?", ".json?")).get_json()["error"]
    assert (error["code"], error["ply"]) == ("bad-option", None)


def test_the_form_counts_as_the_server_does(client: FlaskClient) -> None:
    """In code points: twelve emoji are twelve characters, though a browser counts twenty-four."""
    field = page_at(client, f"/players?link={named('/m/?names=' + named('🚀' * 12))}").one("input", id="n1")
    assert field["value"] == "🚀" * 12
    assert "maxlength" not in field.attributes
    assert field["pattern"] == r"\s*.{0,16}\s*"


@pytest.mark.parametrize("path", ["/new?game=classic&players=3&", "/players?link=/m/0z&c1=r&c2=b&"])
def test_a_name_that_is_too_long_is_told_beside_what_was_typed(client: FlaskClient, path: str) -> None:
    page = page_at(client, f"{path}n1=Ada&n2={17 * 'b'}&go=1", 422)
    assert "the name of player 2, is too long" in page.one("p", **{"class": "error"}).text
    field = page.one("input", id="n2")
    assert (field["value"], field["aria-invalid"]) == (17 * "b", "true")
    assert page.one("input", id="n1")["value"] == "Ada"
