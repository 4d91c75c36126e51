"""Preview tags, and the panel with every way to take a match along."""

import re
from dataclasses import replace
from html import unescape

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient

from critmass.engine import CRITICAL_MASS, Match
from critmass.formats.notation import parse
from critmass.links import Link, link_to, split_url
from critmass.links.hosts import read_base_url
from critmass.web.share.panel import MODULE, qr_code


def meta(text: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', text)
    return {name: unescape(content) for name, content in found}


@pytest.mark.parametrize(
    ("path", "title", "card"),
    [
        ("/m/0z7c", "Red to move · move 4", "/m/0z7c.png?at=4&card=1"),
        ("/m/0z7c?at=2", "Red to move · move 2", "/m/0z7c.png?at=2&card=1"),
        ("/m/0z7?names=Ada,Bo", "Bo to move · move 3", "/m/0z7.png?at=3&names=Ada,Bo&card=1"),
        ("/classic/3x3/2/010?colours=gy", "Green wins · move 3", "/classic/3x3/2/010.png?at=3&colours=gy&card=1"),
    ],
)
def test_a_link_shows_itself(client: FlaskClient, path: str, title: str, card: str) -> None:
    tags = meta(client.get(path).text)
    assert tags["og:title"] == title
    assert tags["og:image"] == f"http://localhost{card}"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["og:description"].endswith(".")
    picture = client.get(card)
    assert picture.mimetype == "image/png"
    assert "Set-Cookie" not in picture.headers


def test_the_panel_is_a_page_and_a_part(client: FlaskClient) -> None:
    page = client.get("/share?link=/m/0z7c")
    part = client.get("/share?link=/m/0z7c", headers={"HX-Request": "true"})
    assert "<h1>" in page.text
    assert "<h1>" not in part.text
    assert part.text.strip() in page.text
    assert page.headers["Cache-Control"] == "no-store"


def test_what_is_copied_leads_back(client: FlaskClient) -> None:
    link = "/classic/5x5/3/0o4c?names=Ada,Bo,Cy"
    text = client.get("/share", query_string={"link": link}).text
    boxes = dict(re.findall(r'<textarea id="share-(\w+)"[^>]*>(.*?)</textarea>', text, re.DOTALL))
    assert unescape(boxes["text"]).rstrip().endswith(f"http://localhost{link}")
    assert parse(unescape(boxes["notation"])).link.url() == link
    assert f'src="http://localhost{link}&amp;embed=1"' in unescape(boxes["embed"])
    for href in re.findall(r'<a href="([^"]+)" download', text):
        assert client.get(unescape(href)).status_code == 200


@pytest.mark.parametrize("link", ["", "hello", "/m/00", "/classic/99x99/2/"])
def test_what_is_no_match_cannot_be_shared(client: FlaskClient, link: str) -> None:
    response = client.get("/share", query_string={"link": link})
    assert (response.status_code, response.headers["Location"]) == (303, "/open")


@pytest.mark.parametrize("path", ["/m/", "/m/0z7c", f"/m/{'0z1y' * 21}", f"/classic/6x9/2/{'a1b2' * 66}"])
@pytest.mark.parametrize("query", ["", "?names=Ada,Bo", f"?names={'%D0%90' * 16},{'%D0%91' * 16}"])
@pytest.mark.parametrize("site", ["http://localhost", "https://chain.example", "http://[2001:db8::1]:8000"])
def test_the_code_is_no_larger_than_it_would_be_letter_by_letter(site: str, path: str, query: str) -> None:
    code = qr_code(site, dressed(path, query))
    assert code
    plain = segno.make(f"{site}{path}{query}", mode="byte", error="l")
    assert code.side <= MODULE * plain.symbol_size(border=4)[0]


def test_there_is_a_code_for_the_largest_link_there_can_be() -> None:
    host = f"{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 61}"
    assert read_base_url(f"https://{host}:65535")
    names = ",".join(["%F0%9F%9A%80" * 16] * 8)
    link = dressed(
        f"/classic/16x16/8/{'p' * 1410}", f"?colours=rbgyvotp&names={names}&computer=18,28,38,48,58,68,78,88"
    )
    code = qr_code(f"https://{host}:65535", link)
    assert code
    assert code.side < MODULE * 180


def test_without_an_address_there_is_no_code() -> None:
    assert qr_code("", dressed("/m/0", "")) is None


def dressed(path: str, query: str) -> Link:
    """A link that is written so, whether or not the moves are a match."""
    link = link_to(Match(CRITICAL_MASS))
    address = split_url(path + query)
    assert address
    return replace(link, address=address)


def test_the_panel_knows_the_sites_name(app: Flask) -> None:
    app.config["BASE_URL"] = "https://chain.example"
    try:
        assert "https://chain.example/m/0z7c" in app.test_client().get("/share?link=/m/0z7c").text
    finally:
        app.config["BASE_URL"] = None
