"""The bare board for frames in other people's pages."""

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from critmass.web import create_app

from .html import Element, cells_of, page_at, parse
from .samples import BAD_LINKS

LINK = "/m/buvupvjuuvu"
OPTIONS = "at=10&embed=1&scheme=dark&size=400&colours=gy&names=Ada,Bo"
HTMX = {"HX-Request": "true"}


def policy(client: FlaskClient, url: str, **headers: str) -> str:
    return client.get(url, headers=headers).headers["Content-Security-Policy"]


def test_it_is_the_board_and_its_replay_alone(client: FlaskClient) -> None:
    page = page_at(client, f"{LINK}?{OPTIONS}")
    assert len(cells_of(page)) == 36
    assert not any(cell.link for cell in cells_of(page).values())
    assert page.one("h1").text == "Ada to move"
    assert page.all("nav")
    for absent in ("header", "footer", "input", "button", "textarea", "form", "section"):
        assert [it for it in page.all(absent) if it.attributes.get("id") != "skip"] == []
    assert not [it for it in page if any(name.startswith("data-memory") for name in it.attributes)]
    assert {it["src"].rpartition("/")[2] for it in page.all("script")} == {"htmx.js", "app.js"}  # no stored settings


def test_nothing_can_be_played_at_the_end_either(client: FlaskClient) -> None:
    for url in ("/m/?embed=1", "/m/0z7c?embed=1", "/classic/6x9/3/a1?embed=1", "/codingame/0?embed=1"):
        assert not any(cell.link for cell in cells_of(page_at(client, url)).values())


def test_it_is_dressed_as_asked(client: FlaskClient) -> None:
    page = page_at(client, f"{LINK}?{OPTIONS}")
    assert page.one("html").attributes == {"lang": "en", "data-embed": "", "data-scheme": "dark"}
    assert page.one("meta", name="color-scheme")["content"] == "dark"
    assert page.one("svg", **{"class": "strut"})["width"] == "400"
    plain = page_at(client, f"{LINK}?embed=1")
    assert plain.one("html").attributes == {"lang": "en", "data-embed": ""}
    assert plain.one("meta", name="color-scheme")["content"] == "light dark"
    assert not plain.all("svg", **{"class": "strut"})


def test_one_link_leads_out_and_every_other_stays(client: FlaskClient) -> None:
    page = page_at(client, f"{LINK}?{OPTIONS}&ring=0&play=1".replace("ring=0&", ""))
    home = page.link("Play on Critical Mass")
    assert home["href"] == f"{LINK}?at=10&colours=gy&names=Ada,Bo"
    assert (home["target"], home["rel"]) == ("_blank", "noopener")
    assert page.one("link", rel="canonical")["href"] == "http://localhost" + home["href"]
    others = [it for it in page.all("a") if it is not home and "href" in it.attributes]
    assert len(others) > 4
    for link in others:
        for target in (link["href"], link["hx-get"]):
            for option in ("embed=1", "scheme=dark", "size=400", "colours=gy", "names=Ada,Bo"):
                assert option in target
            assert client.get(urljoin(LINK, target), headers=HTMX).status_code == 200


@pytest.mark.parametrize("more", ["", "&ring=0", "&play=1"])
def test_its_part_is_what_the_page_holds(client: FlaskClient, more: str) -> None:
    url = f"{LINK}?at=11&embed=1&scheme=dark{more}"
    part = client.get(f"{url}&part=1", headers=HTMX)
    assert part.headers["HX-Replace-Url"] == url  # nothing is added to the history of the page around it
    assert "HX-Push-Url" not in part.headers
    whole = client.get(url).text
    assert part.text[part.text.index("<article") : part.text.index("</article>")] in whole
    sent_on = client.get(f"{url}&part=1")
    assert (sent_on.status_code, sent_on.headers["Location"]) == (303, url)


def test_a_replay_goes_on_without_a_script(client: FlaskClient) -> None:
    text = client.get(f"{LINK}?at=3&embed=1&scheme=dark&play=1").text
    found = re.search(r'<noscript><meta http-equiv="refresh" content="\d+; url=([^"]+)"', text)
    assert found
    assert found[1].replace("&amp;", "&") == f"{LINK}?at=4&embed=1&scheme=dark&play=1"


@pytest.mark.parametrize("url", [f"{LINK}?embed=1", f"{LINK}?{OPTIONS}", "/m/00?embed=1", "/m/0?embed=1&at=9"])
def test_any_page_may_frame_it(client: FlaskClient, url: str) -> None:
    for again in ({}, HTMX, {"If-None-Match": "*"}):
        response = client.get(url, headers=again, base_url="https://localhost")
        assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
        assert "Cross-Origin-Opener-Policy" not in response.headers
        assert "X-Frame-Options" not in response.headers
        assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "url",
    [
        *("/", LINK, f"{LINK}?at=1", f"{LINK}?embed=2", f"{LINK}.json?embed=1", f"{LINK}.svg?embed=1", "/m/00"),
        *("/m/00.txt?embed=1", "/open?embed=1", "/api?embed=1", "/import?embed=1", "/nothing?embed=1", "/m?embed=1"),
        *("/players?link=/m/0%3Fembed=1", "/oembed?embed=1", "/how-to-play?embed=1"),
    ],
)
def test_no_other_page_may_be_framed(client: FlaskClient, url: str) -> None:
    assert "frame-ancestors 'none'" in policy(client, url)
    client.get(f"{LINK}?embed=1")
    assert "frame-ancestors 'none'" in policy(client, url)  # nothing stays from the answer before


def test_the_rest_of_the_policy_is_the_same(client: FlaskClient) -> None:
    framed, other = policy(client, f"{LINK}?embed=1"), policy(client, LINK)
    # In a sandbox WebKit takes 'self' to be nobody.
    alike = framed.replace("'self' http://localhost", "'self'")
    assert alike.replace("frame-ancestors *", "frame-ancestors 'none'") == other


def test_a_link_that_is_no_match_says_so_in_the_frame(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z0z11?embed=1&scheme=dark", 404)
    assert not page.all("header")
    assert "Move 6" in page.text
    link = page.link("The match before move 6")
    assert (link["href"], link["target"]) == ("/m/0z0z1", "_blank")
    assert page.one("html")["data-scheme"] == "dark"


@pytest.mark.parametrize("path", sorted({it["path"] for it in BAD_LINKS}))
def test_no_faulty_link_leaves_a_frame_empty(client: FlaskClient, path: str) -> None:
    response = client.get(f"{path}{'&' if '?' in path else '?'}embed=1&scheme=dark", follow_redirects=True)
    assert response.status_code == 404
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    page = parse(response.text)
    assert page.one("html").attributes == {"lang": "en", "data-embed": "", "data-scheme": "dark"}
    link = page.one("p", **{"class": "home"}).one("a")
    assert page.one("span", **{"class": "address"}).text == f"http://localhost{link['href']}"
    assert client.get(link["href"]).status_code == 200


def test_a_frame_asks_for_nothing_that_is_closed_to_it(client: FlaskClient) -> None:
    """What a sandboxed frame asks for, it asks for as another site."""
    for url in (f"{LINK}?{OPTIONS}", "/m/00?embed=1", "/codingame/0?embed=1", "/classic/16x16/8/?embed=1"):
        page = parse(client.get(url).text)
        files = [it["src"] for it in page.all("script")] + [
            it["href"] for it in page.all("link") if it["rel"] in ("stylesheet", "icon")
        ]
        assert files
        for file in files:
            assert client.get(file).headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    style = client.get(page.one("link", rel="stylesheet")["href"]).text
    assert not re.findall(r"url\((?!['\"]?#)|@import", style)


def test_it_means_nothing_to_other_forms(client: FlaskClient) -> None:
    for suffix in (".json", ".txt", ".svg"):
        assert client.get(f"{LINK}{suffix}?embed=1").data == client.get(LINK + suffix).data
    assert client.get("/m/00.txt?embed=1").data == client.get("/m/00.txt").data


def test_a_pasted_frame_is_opened_as_a_page(client: FlaskClient) -> None:
    pasted = {"link": f"http://localhost{LINK}?embed=1&at=3"}
    assert client.get("/open", query_string=pasted).headers["Location"] == f"{LINK}?at=3"
    taken = client.post("/import", data={"text": pasted["link"]})
    assert taken.headers["Location"] == f"{LINK}?at=3"


def test_the_page_carries_no_trace_of_it() -> None:
    client = create_app({"TESTING": True}).test_client()
    page: Element = parse(client.get(LINK).text)
    targets = [it[name] for it in page for name in ("href", "hx-get") if name in it.attributes]
    assert not [target for target in targets if "embed=" in target]
