"""The score sheet: the whole match on paper."""

from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from critmass.formats.wording import because, standing
from critmass.links import read, split_url
from critmass.web.share.score_sheet import MOST, diagrams

from .html import Element, page_at
from .samples import MATCHES, path_of


def sheet(client: FlaskClient, link: str) -> Element:
    return page_at(client, f"/sheet?link={quote(link)}")


@pytest.mark.parametrize(
    "match", MATCHES[:3] + MATCHES[-3:] + MATCHES[len(MATCHES) // 2 :][:3], ids=lambda it: it["path"][:24]
)
def test_it_has_all_moves_and_the_result(client: FlaskClient, match: dict[str, Any]) -> None:
    page, address = sheet(client, match["path"]), split_url(match["path"])
    assert address
    link = read(address)
    items = [it for moves in page.all("ol", **{"class": "score-moves"}) for it in moves.all("li")]
    assert [it.one("b").text for it in items] == [ply["move"] for ply in match["plies"]]
    result = page.one("p", **{"class": "result"}).text
    assert standing(link, link.position) in result
    assert because(link, link.position) in result
    figures = page.all("svg", role="img")
    assert len(figures) == 1 + len(diagrams(link))
    assert f"http://localhost{link.url()}" in page.text


def test_names_and_colours_are_on_it(client: FlaskClient) -> None:
    page = sheet(client, "/m/0z7c?names=Ada&colours=gv")
    seats = [it.text for it in page.one("ul", **{"class": "seats"}).all("li")]
    assert seats == ["Ada Green", "Violet"]
    assert "/m/0z7c?names=Ada&colours=gv" in {it["href"] for it in page.all("a")}


def test_what_is_shown_of_the_match_does_not_matter(client: FlaskClient) -> None:
    assert len(sheet(client, "/m/0z7c?at=1&ring=0").one("ol", **{"class": "score-moves"}).all("li")) == 4


def test_a_match_before_its_first_move_is_a_sheet_too(client: FlaskClient) -> None:
    page = sheet(client, "/classic/3x4/5/")
    assert len(page.all("svg", role="img")) == 1
    assert not page.all("ol")


def test_the_diagrams_are_eight_moves_apart_and_not_too_many() -> None:
    longest = max(MATCHES, key=lambda match: len(match["plies"]))
    for match in (longest, MATCHES[0]):
        for length in range(0, len(match["plies"]) + 1, 7):
            address = split_url(path_of(match, length))
            assert address
            found = diagrams(read(address))
            assert len(found) <= MOST
            assert all(0 < ply < length for ply in found)
            if length <= 8 * MOST:
                assert found == list(range(8, length, 8))


@pytest.mark.parametrize("link", ["", "hello", "/m/00", "/classic/2x2/2/"])
def test_without_a_match_one_is_asked_for(client: FlaskClient, link: str) -> None:
    response = client.get("/sheet", query_string={"link": link})
    assert (response.status_code, response.headers["Location"]) == (303, "/open")


def test_a_name_is_no_markup(client: FlaskClient) -> None:
    page = sheet(client, "/m/0z?names=%3Cb%3Ex%3C%2Fb%3Ey")
    assert page.one("ul", **{"class": "seats"}).all("strong")[0].text == "<b>x</b>y"
