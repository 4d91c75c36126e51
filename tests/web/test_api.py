"""The API page: it says everything there is, and its examples are so."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.engine import Fault
from critmass.links import GAMES, OPTIONS, SUFFIXES, read, split_url
from critmass.web import create_app
from critmass.web.api import description as reference

from .html import Element, page_at

SHARED = ["/m/0z.json", "/m/0Z.json", "/m/00.json", "/m/0.txt", "/m/0.svg", "/m/0.png", "/m/0.gif", "/m/0.gif?size=1"]
SHARED += ["/notation?link=/m/0", "/notation?link=/m/00", "/oembed", "/oembed?format=xml", "/openapi.json"]


@pytest.fixture(scope="module")
def shown() -> Element:
    return page_at(create_app({"TESTING": True}).test_client(), "/api")


@pytest.fixture(scope="module")
def document() -> dict:
    return create_app({"TESTING": True}).test_client().get("/openapi.json").get_json()


def codes(element: Element) -> set[str]:
    return {it.text for it in element.all("code")}


def routes(app: Flask) -> set[tuple[str, str]]:
    """Every route there is, as method and path, but for the one that all matches share."""
    found = set()
    for rule in app.url_map.iter_rules():
        names = re.findall(r"'([^']+)'", rule.rule) if rule.rule.startswith("/<any(") else [""]
        paths = [f"/{name}" if name else re.sub(r"<(?:[^:>]+:)?([^>]+)>", r"{\1}", rule.rule) for name in names]
        if rule.endpoint != "matches.show":
            found |= {(method, path) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"} for path in paths}
    return found


def test_every_route_is_on_the_page_and_in_the_file(app: Flask, shown: Element, document: dict) -> None:
    told = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    matches = {("GET", game.template + suffix) for game in GAMES.values() for suffix in reference.KINDS}
    assert told == routes(app) | matches
    assert {f"{method} {path}" for method, path in routes(app)} <= codes(shown)
    assert {game.template for game in GAMES.values()} <= codes(shown)
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert {route.endpoint for route in reference.ROUTES} == endpoints - {"matches.show"}


def test_every_suffix_is_on_the_page_and_in_the_file(shown: Element, document: dict) -> None:
    assert set(SUFFIXES) | {""} == reference.KINDS.keys()
    assert set(SUFFIXES) <= codes(shown)
    for suffix in SUFFIXES:
        assert f"/m/{{moves}}{suffix}" in document["paths"]


def test_every_option_is_on_the_page_and_in_the_file(shown: Element, document: dict) -> None:
    told = {it["name"] for path in document["paths"].values() for it in path["get"]["parameters"]}
    for option in OPTIONS:
        assert shown.one("div", id=f"option-{option}").one("code").text == option
        assert option in told
    assert [option.name for option in reference.OPTIONS if option.name not in OPTIONS] == []


def faults(kind: type[Fault]) -> set[str]:
    return {code for it in kind.__subclasses__() for code in faults(it) | {getattr(it, "code", "")}} - {""}


def test_every_code_is_on_the_page_and_in_the_file(shown: Element, document: dict) -> None:
    known = {code for code in faults(Fault) if code.count("-") < 2} - {"notation"}
    assert known <= reference.CODES.keys() | {"unreadable"}
    for code in reference.CODES:
        assert shown.one("div", id=f"code-{code}").one("code").text == code
    error = document["components"]["schemas"]["Error"]["properties"]["error"]["properties"]
    assert error["code"]["enum"] == list(reference.CODES)


def test_every_key_of_the_json_is_on_the_page(client: FlaskClient, shown: Element) -> None:
    for path in ("/m/0z7c.json", "/m/buvupvjuuvu.json"):
        assert client.get(path).get_json().keys() <= reference.MATCH.keys()
    assert reference.MATCH.keys() <= codes(shown)


@pytest.mark.parametrize("option", [it for it in reference.OPTIONS if it.schema.get("type") == "integer"])
def test_ranges_are_as_told(client: FlaskClient, option: reference.Parameter) -> None:
    """What lies within is taken, what lies without is not; how long the match is does not count here."""
    if option.name in ("at", "ring", "from"):
        return
    for suffix in option.suffixes:
        schema = option.schema_of(suffix)
        low, high = schema.get("minimum", 1), schema.get("maximum", 1)
        for value, good in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
            status = client.get(f"/m/0{suffix}?{option.name}={value}").status_code
            assert (status in (200, 303)) == good, (suffix, value)


def test_no_match_is_longer_than_told() -> None:
    assert reference.LONGEST == 705


def test_its_examples_are_so(client: FlaskClient, shown: Element) -> None:
    examples = shown.all("figure", **{"class": "example"})
    assert len(examples) >= 8
    for example in examples:
        path = example["data-example"]
        response = client.get(path)
        caption = example.one("figcaption").text
        assert caption.startswith(f"GET {path}")
        assert caption.endswith(f"{response.status} · {response.mimetype}")
        if response.is_json:
            assert json.loads(example.one("pre").text) == response.get_json()
        elif response.mimetype == "text/plain":
            assert example.one("pre").text == " ".join(response.text.split())
        else:
            assert example.one("img")["src"] == path
            assert response.status_code == 200


def test_its_frame_is_a_frame(shown: Element) -> None:
    frame = next(it.text for it in shown.all("pre") if it.text.startswith("<iframe"))
    source = re.search(r'src="http://localhost([^"]+)"', frame)
    assert source
    address = split_url(source[1].replace("&amp;", "&"))
    assert address
    assert read(address).embed


def test_it_leads_somewhere(client: FlaskClient, shown: Element) -> None:
    ids = {it["id"] for it in shown if "id" in it.attributes}
    for link in shown.all("a"):
        if link["href"].startswith("#"):
            assert link["href"][1:] in ids
        else:
            assert client.get(link["href"]).status_code in (200, 404)
    assert client.get("/API/").headers["Location"] == "/api"


def test_the_footer_leads_to_it(client: FlaskClient) -> None:
    for path in ("/", "/m/0z7c", "/how-to-play", "/api"):
        assert page_at(client, path).one("footer").link("API")["href"] == "/api"


@pytest.mark.parametrize("path", SHARED)
def test_other_sites_may_ask(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code < 500
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", ["/", "/m/0", "/m/0?embed=1", "/m/00", "/M/0", "/api", "/new", "/import", "/nothing"])
def test_pages_are_not_for_other_sites(client: FlaskClient, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in client.get(path).headers


def test_it_is_kept_and_asked_for_by_its_tag(client: FlaskClient) -> None:
    for path in ("/api", "/openapi.json"):
        tag = client.get(path).headers["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_a_forged_host_is_not_on_it(client: FlaskClient) -> None:
    for path in ("/api", "/openapi.json"):
        assert "evil" not in client.get(path, headers={"Host": "evil.example"}).text
