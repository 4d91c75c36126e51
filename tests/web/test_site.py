"""The site around the matches: what it is called, and the box for a pasted link."""

import re
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.web import create_app

from .html import page_at, parse
from .wire import answer

FORGED = [
    *("evil.example", "evil.example:80", "localhost.evil.example", "evil.example#localhost", "localhost@evil.example"),
    *("localhost/evil.example", "127.0.0.1.evil.example", "[::1].evil.example", "evil.example, localhost"),
    *("localhost:80:evil.example", "localhost:evil.example", '"><evil.example', "localhost evil.example"),
]
PAGES = ["/", "/m/0z7c", "/m/0z7c?at=1", "/m/00", "/nothing", "/open", "/open?link=x", "/how-to-play", "/m/0z.txt"]


def site_of(client: FlaskClient, host: str, scheme: str = "http") -> str:
    """What the page of a match takes the site to be called."""
    response = client.get("/m/0z7c", headers={"Host": host}, environ_overrides={"wsgi.url_scheme": scheme})
    page = parse(response.text)
    site = page.one("input", id="link")["value"].removesuffix("/m/0z7c")
    assert page.one("link", rel="canonical")["href"] == f"{site}/m/0z7c"
    return site


@pytest.mark.parametrize("host", FORGED)
def test_a_forged_host_leaves_no_trace(client: FlaskClient, host: str) -> None:
    for path in (*PAGES, "/m/0z7c?part=1", "/m", "/M/0!", "/how-to-play/", "/open?link=/m/0"):
        response = client.get(path, headers={"Host": host, "X-Forwarded-Host": host, "Forwarded": f"host={host}"})
        assert response.status_code < 500
        assert "evil" not in response.text
        assert "evil" not in str(response.headers)
        if response.status_code == 200 and path.startswith("/m/0z7c"):
            assert "http://localhost" not in response.text


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:5000", "127.0.0.1:81", "127.0.0.1", "[::1]:65535", "[::1]", "LOCALHOST:5000"]
)
def test_a_loopback_name_is_taken_with_its_port(client: FlaskClient, host: str) -> None:
    assert site_of(client, host) == f"http://{host.lower()}"
    assert site_of(client, host, "https") == f"https://{host.lower()}"


def test_the_port_that_the_scheme_means_anyway_is_not_written(client: FlaskClient) -> None:
    assert site_of(client, "127.0.0.1:80") == "http://127.0.0.1"
    assert site_of(client, "127.0.0.1:443", "https") == "https://127.0.0.1"
    assert site_of(client, "127.0.0.1:443") == "http://127.0.0.1:443"


def test_other_names_are_taken_from_the_list_alone() -> None:
    client = create_app({"TESTING": True, "ALLOWED_HOSTS": ("play.example",)}).test_client()
    assert site_of(client, "play.example") == "http://play.example"
    assert site_of(client, "Play.Example:8000") == "http://play.example:8000"
    assert site_of(client, "localhost") == "http://localhost"
    assert site_of(client, "evil.play.example") == ""


@pytest.mark.parametrize("base", ["https://chain.example", "https://chain.example/"])
def test_the_configured_address_wins(base: str) -> None:
    client = create_app({"TESTING": True, "BASE_URL": base, "ALLOWED_HOSTS": ("play.example",)}).test_client()
    for host in ("localhost:5000", "play.example", "evil.example"):
        assert site_of(client, host) == "https://chain.example"
    assert client.get("/m").headers["Location"] == "/m/"


SPELLINGS = [
    ("größe.example", "xn--gre-6ka8i.example"),
    ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"),
    ("דוגמה.example", "xn--6dbbec0c.example"),
    ("نامه\u200cای.example", "xn--mgba3gch31f060k.example"),
    ("☃.example", "xn--n3h.example"),
]
NAMED = [
    *("/", "/m/0z7c", "/m/0z7c?embed=1", "/classic/16x16/8/?names=Ada,Bo", "/analysis?link=/m/0z7c", "/api", "/m/00"),
    *("/share?link=/m/0z7c", "/qr?link=/m/0z7c", "/sheet?link=/m/0z7c", "/open?link=x", "/puzzles", "/puzzle/1"),
    *(
        "/robots.txt",
        "/sitemap.xml",
        "/oembed?url={url}/m/0z7c",
        "/oembed?url={url}:443/m/0z7c",
        "/manifest.webmanifest",
    ),
]
"""What says what the site is called."""


def told(app: Flask, path: str, host: str) -> tuple[int, str, str]:
    """The status, the tag and the text of an answer; the test client itself knows no names but those of IDNA 2003."""
    path, _, query = path.partition("?")
    got = answer(app, path.encode(), quote(query, safe="/:?=&,%").encode(), variables=[("HTTP_HOST", host.encode())])
    return got.status, got.headers.get("ETag", ""), got.body.decode()


def canonical(app: Flask, host: str) -> str:
    return parse(told(app, "/m/0z7c", host)[2]).one("link", rel="canonical")["href"] or ""


@pytest.mark.parametrize(("written", "known"), SPELLINGS)
def test_an_international_name_is_written_in_one_of_its_spellings(written: str, known: str) -> None:
    """Whichever the owner gives, and whichever a link comes with; `known` is what browsers ask for."""
    apps = [create_app({"TESTING": True, "BASE_URL": f"https://{host}/"}) for host in (written, known)]
    for path in NAMED:
        asked = [path.format(url=f"https://{host}") for host in (written, known, known.upper())]
        answers = {told(app, it, known) for app in apps for it in asked}
        assert len(answers) == 1, path
        ((status, _, text),) = answers
        assert status == {"/m/00": 404, "/open?link=x": 422}.get(path, 200), path
        assert written not in text
        assert set(re.findall(r"https?://(?!www\.sitemaps)[^/\s\"'<&]+", text)) <= {f"https://{known}"}, path


@pytest.mark.parametrize(("written", "known"), SPELLINGS)
@pytest.mark.parametrize("port", ["", ":8000"])
def test_an_international_host_is_allowed_by_either_spelling(written: str, known: str, port: str) -> None:
    for allowed in (written, known):
        app = create_app({"TESTING": True, "ALLOWED_HOSTS": (allowed,)})
        for host in (f"{known}{port}", f"{known.upper()}{port}", f"{written}{port}"):
            assert canonical(app, host) == f"http://{known}{port}/m/0z7c"
            for spelling in (written, known):
                _, _, text = told(app, f"/oembed?url=https://{spelling}{port}/m/0z7c", host)
                assert f'"provider_url":"http://{known}{port}/"' in text


@pytest.mark.parametrize(
    "host", ["grösse.example", "xn--grsse-kua.example", "grosse.example", "xn--gre-6ka8i.evil.example"]
)
def test_a_name_that_is_only_like_it_is_another(host: str) -> None:
    app = create_app({"TESTING": True, "BASE_URL": "https://größe.example"})
    assert told(app, f"/oembed?url=https://{host}/m/0", "größe.example")[0] == 404
    app = create_app({"TESTING": True, "ALLOWED_HOSTS": ("größe.example",)})
    assert canonical(app, host) == "/m/0z7c"


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        ("xn--gre-6ka8i.example", "xn--gre-6ka8i.example"),
        ("größe.example", "xn--gre-6ka8i.example"),
        ("xn--.example", "xn--.example"),
        ("a_b:5", "a_b:5"),
        *((host, "") for host in ("a b", "", "x:99999", "x:port", "[::1", "℀.example", f"{'a.' * 127}b", "a/b", "a@b")),
    ],
)
@pytest.mark.parametrize("path", ["/share?link=/m/0z7c", "/qr?link=/m/0z7c", "/api", "/m/0z7c", "/nothing"])
def test_no_name_of_the_site_breaks_a_page(app: Flask, path: str, host: str, taken: str) -> None:
    """It is taken where it is one, by the answers that nobody keeps; none of them is an error of the server's."""
    status, _, text = told(app, path, host)
    assert status == (404 if path == "/nothing" else 200)
    if "share" in path or "qr" in path:
        assert ("no QR code" in text or "There is none" in text) == (not taken)
        assert (f">http://{taken}/m/0z7c</a>" in text) == (bool(taken) and "share" in path)
    assert not re.search(r"https?:/?[^/\w]|https?:///|https?:/m", text)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_needs_anything_from_elsewhere(client: FlaskClient, path: str) -> None:
    text = client.get(path).text
    addresses = [it for it in re.findall(r"https?://[^\s\"'<)]+", text) if not it.startswith("http://localhost")]
    assert addresses == []


def test_a_match_begins_on_the_front_page(client: FlaskClient) -> None:
    page = page_at(client, "/")
    cells = page.one(role="grid").all("a")
    assert len(cells) == 36
    assert {it["href"] for it in cells} == {f"/m/{digit}" for digit in "0123456789abcdefghijklmnopqrstuvwxyz"}
    assert {"/m/", "/classic/6x9/2/", "/codingame/"} <= {it["href"] for it in page.all("a")}
    assert page.one("link", rel="canonical")["href"] == "http://localhost/"


@pytest.mark.parametrize("path", ["/nothing", "/mm/0", "/classics/6x9/2/", "/m.exe", "/favicon.icon", "/m0"])
def test_a_page_that_is_not_there_says_where_the_matches_are(client: FlaskClient, path: str) -> None:
    page = page_at(client, path, 404)
    assert "/m/" in page.text
    assert "/" in {it["href"] for it in page.all("a")}
    assert page.all("textarea")


@pytest.mark.parametrize("path", ["/how-to-play/", "/How-To-Play", "/how-to-play).", "/OPEN", "/!", "/%E2%80%8B"])
def test_the_other_pages_are_found_through_mangled_links_too(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 308
    page_at(client, response.headers["Location"])


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("/m/0z7c", "/m/0z7c"),
        ("  http://evil.example/M/0Z7C?at=2&utm_source=x  ", "/m/0z7c?at=2"),
        ("Your turn: <https://chain.example/classic/6x9/2/a1b2>!", "/classic/6x9/2/a1b2"),
        ("> http://h/m/0z\r\n> 7c\r\n", "/m/0z7c"),
        ("//evil.example/m//evil.example", "/m//evil.example"),
        ("/codingame", "/codingame/"),
        *((f"Look: https://{host}:8000/m/0z7c", "/m/0z7c") for both in SPELLINGS for host in both),
    ],
)
def test_a_pasted_link_is_opened_here(client: FlaskClient, text: str, location: str) -> None:
    response = client.get("/open", query_string={"link": text})
    assert (response.status_code, response.headers["Location"]) == (303, location)


def test_of_a_link_that_may_go_on_both_readings_are_shown(client: FlaskClient) -> None:
    """The likelier first, each with its picture in both schemes; the text stays in the box."""
    text = "Here it is, and it is your turn again: https://chain.example/m/0123456789\r\nabc"
    page = page_at(client, f"/open?link={quote(text)}")
    choices = [link["href"] for link in page.one("ul", **{"class": "which-match"}).all("a")]
    assert choices == ["/m/0123456789abc", "/m/0123456789"]
    for link in choices:
        page_at(client, link)
    pictures = [*page.all("img"), *page.all("source")]
    assert len(pictures) == 4
    for picture in pictures:
        assert client.get(picture.attributes.get("src") or picture["srcset"]).mimetype == "image/svg+xml"
    assert page.one("textarea").text == " ".join(text.split())


@pytest.mark.parametrize("text", ["hello", "http://h/n/0z7c", "0z7c", "<script>alert(1)</script>", "\x00\u202e%&"])
def test_a_pasted_text_without_a_link_stays_in_the_box(client: FlaskClient, text: str) -> None:
    response = client.get(f"/open?link={quote(text)}")
    assert response.status_code == 422
    page = parse(response.text)
    assert page.one("textarea").text == text
    assert "no match link" in page.one(role="alert", **{"class": "lead"}).text
    assert all(script.text == "" for script in page.all("script"))


@pytest.mark.parametrize("query", ["", "?link=", "?link=%20%0a", "?x=1"])
def test_an_empty_box_is_nobodys_fault(client: FlaskClient, query: str) -> None:
    page = page_at(client, f"/open{query}")
    form = page.one("form", action="/open")
    assert form.one("textarea")["name"] == "link"
    assert "no match link" not in page.text
