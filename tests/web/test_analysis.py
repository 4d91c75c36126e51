"""The analysis of a match: the page at once, its batches one by one, and what they say."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.engine import Match
from critmass.links import read, split_url
from critmass.web.play import analysis
from critmass.web.play import searches as thinking

from .html import Element, page_at, parse, targets

HTMX = {"HX-Request": "true"}
PATH = "/m/vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw0wzw6lcmck3n9rdlb"
LINK = f"{PATH}?names=Ada,Bo"

pytestmark = pytest.mark.usefixtures("awake")


def batch(client: FlaskClient, link: str, start: int) -> Element:
    response = client.get("/analysis/plies", query_string={"link": link, "start": start}, headers=HTMX)
    assert response.status_code == 200
    return parse(response.text)


def matches_of(element: Element) -> list[Match]:
    found = (split_url(it["href"]) for it in element.all("a") if it["href"].startswith(("/m/", "/classic/")))
    return [read(address).match for address in found if address]


@pytest.fixture
def idle(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that are asked; none is answered."""
    asked: list[str] = []

    def refuse(question: thinking.Question) -> None:
        asked.append(question.path)
        raise thinking.Busy("Too many are asking.", 3)

    pool = app.extensions["thinking"]
    monkeypatch.setattr(pool, "ask", refuse)
    monkeypatch.setattr(pool, "kept", lambda _: None)
    return asked


def test_the_page_is_there_without_a_search(client: FlaskClient, idle: list[str]) -> None:
    page = page_at(client, f"/analysis?link={PATH}")
    assert not idle
    awaited = [it for it in page.all("div") if "data-awaited" in it.attributes]
    assert len(awaited) == len(range(0, 70, analysis.BATCH))
    assert len(page.all("a", **{"class": "column"})) == 70
    assert page.one("meta", name="robots")["content"] == "noindex"


def test_a_batch_says_where_the_match_was_thrown_away(client: FlaskClient) -> None:
    found = batch(client, LINK, 60)
    columns = found.all("a", **{"class": "column"})
    assert [it["data-ply"] for it in columns] == ["60", "61", "62", "63"]
    assert columns[-1]["title"] == "Move 63: Bo wins in 1 move"
    remark, *_ = found.all("div", **{"class": "remark thrown"})
    assert remark.one("p").text == "Move 62, Bo: c4 throws a win away; d4 wins in 2 moves."
    assert remark.one("ol").all("a")[0].text == "d4"
    line = matches_of(remark)
    assert [len(match.plies) for match in line] == [62, 63, 64]
    assert line[-1].outcome is not None
    assert line[-1].outcome.winner == 2
    assert all("names=Ada,Bo" in it["href"] for it in remark.one("ol").all("a"))
    assert found.one("ol", id="moves60")["hx-swap-oob"] == "true"
    assert "a grave mistake" in found.one("ol", id="moves60").text


def test_a_batch_depends_on_its_own_plies_alone(client: FlaskClient) -> None:
    assert [it["title"] for it in batch(client, PATH, 40).all("a", **{"class": "column"})] == [
        it["title"] for it in batch(client, PATH[: len("/m/") + 44], 40).all("a", **{"class": "column"})
    ]


def test_a_batch_is_kept_and_asked_for_by_its_tag(client: FlaskClient) -> None:
    query = {"link": LINK, "start": 60}
    first = client.get("/analysis/plies", query_string=query, headers=HTMX)
    assert first.headers["Cache-Control"].startswith("public")
    assert "HX-Request" in first.headers["Vary"]
    again = client.get("/analysis/plies", query_string=query, headers={**HTMX, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_every_way_on_is_there(client: FlaskClient) -> None:
    for url in targets(batch(client, LINK, 60), "/analysis"):
        assert client.get(url).status_code == 200, url
    for url in targets(page_at(client, f"/analysis?link={PATH}%3Fat=3"), "/analysis"):
        assert client.get(url, follow_redirects=True).status_code == 200, url


def test_the_position_shown_is_told_and_advised_on(client: FlaskClient) -> None:
    page = page_at(client, f"/analysis?link={PATH}%3Fat=61")
    assert page.one("h1").text == "Blue to move"
    assert page.one(role="grid").one("a", id="d4")["href"] == f"{PATH[: len('/m/') + 61]}l"
    advised = parse(client.get("/analysis/advice", query_string={"link": f"{PATH}?at=61"}, headers=HTMX).text)
    assert "Blue wins in 2 moves. Best is d4." in advised.text
    assert advised.one("span")["data-hint"] == "d4"
    after = parse(client.get("/analysis/advice", query_string={"link": f"{PATH}?at=62"}, headers=HTMX).text)
    assert "Move 62, Blue: c4 throws a win away; d4 wins in 2 moves." in after.text
    over = parse(client.get("/analysis/advice", query_string={"link": PATH}, headers=HTMX).text)
    assert over.one("p", **{"class": "thought"}).text == "Red wins."


def test_a_step_swaps_the_board_alone(client: FlaskClient) -> None:
    url = f"/analysis?link={PATH}%3Fat=58"
    response = client.get(url, headers=HTMX)
    assert response.headers["HX-Replace-Url"] == url.replace("%3Fat=", "?at%3D")
    assert parse(response.text).one("div", id="shown")["data-at"] == "58"
    assert "columns" not in {it.attributes.get("class") for it in parse(response.text)}


def test_who_is_busy_says_when_to_ask_again(client: FlaskClient, idle: list[str]) -> None:
    busy = client.get("/analysis/plies", query_string={"link": LINK, "start": 8}, headers=HTMX)
    assert (busy.status_code, busy.headers["Retry-After"], busy.headers["Cache-Control"]) == (503, "3", "no-store")
    place = parse(busy.text).one("div", id="plies8")
    assert place["data-delay"] == "3"
    assert place["data-awaited"].endswith("start=8")
    advised = client.get("/analysis/advice", query_string={"link": LINK}, headers=HTMX)
    assert advised.status_code == 503
    assert "delay:3s" in advised.text
    page = client.get("/analysis", query_string={"link": LINK, "on": 1})
    assert page.status_code == 200
    assert 'http-equiv="refresh" content="3; ' in page.text
    assert len(idle) == 3


def test_without_a_script_it_goes_on_page_by_page(client: FlaskClient) -> None:
    url = "/analysis?link=/m/0z1y2x3w4v5u6t7s8r9q&on=1"
    seen = []
    for _ in range(10):
        page = client.get(url)
        seen.append(sum("data-awaited" in it.attributes for it in parse(page.text)))
        if "http-equiv" not in page.text:
            break
        assert page.headers["Cache-Control"] == "no-store"
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > 0
    assert seen[-1] == 0
    assert len(seen) > 2
    assert page.text.count('viewBox="0 0 1 100"') == 21


def test_more_than_two_players_each_show_their_own_share(client: FlaskClient) -> None:
    found = batch(client, "/classic/5x5/3/06c06c", 4)
    drawn = [it.one("path")["class"] for it in found.all("svg")]
    assert drawn == ["body b", "body g", "body r"]
    assert found.all("a", **{"class": "column"})[0]["title"].startswith("Move 4: Blue stands")


@pytest.mark.parametrize("path", ["/analysis", "/analysis/plies", "/analysis/advice"])
@pytest.mark.parametrize("link", ["", "hello", "/m/00", "/classic/99x99/2/"])
def test_what_is_no_match_is_not_analysed(client: FlaskClient, path: str, link: str) -> None:
    response = client.get(path, query_string={"link": link}, headers=HTMX)
    assert (response.status_code, response.headers["Location"]) == (303, "/open")


@pytest.mark.parametrize("query", [{}, {"start": "1"}, {"start": "-4"}, {"start": "8"}, {"start": "x"}])
def test_a_batch_that_there_is_not_leads_to_the_page(client: FlaskClient, query: dict[str, str]) -> None:
    response = client.get("/analysis/plies", query_string={"link": "/m/0z7", **query}, headers=HTMX)
    assert (response.status_code, response.headers["Location"]) == (303, "/analysis?link=/m/0z7")
    response = client.get("/analysis/plies", query_string={"link": "/m/0z7", "start": 0})
    assert response.status_code == 303


def test_a_match_page_leads_to_its_analysis(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z7c?at=2&names=Ada,Bo")
    shown = page_at(client, page.link("Analyse")["href"])
    assert shown.one("div", id="shown")["data-at"] == "2"
    assert "Ada to move" in shown.text
