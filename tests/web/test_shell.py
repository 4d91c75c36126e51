"""What makes the site an app, and what robots are told."""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from critmass.drawing import icon as sign
from critmass.drawing.colours import SURFACES
from critmass.links import FRAME_OPTIONS, PICTURE_OPTIONS
from critmass.web import create_app
from critmass.web.pages.install import version_of

from .html import page_at, targets

PREVIEWERS = [
    "facebookexternalhit/1.1",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0",
    "Discordbot/2.0",
    "WhatsApp/2.2",
]
STRANGERS = ["Googlebot/2.1", "bingbot/2.0", "GPTBot/1.0", "Mozilla/5.0", "AnyBot"]
MATCHES = ["/m/0z", "/m/", "/classic/6x9/2/", "/codingame/0z?at=1", "/m/0z.png"]


def manifest(client: FlaskClient) -> dict:
    link = page_at(client, "/").one("link", rel="manifest")
    response = client.get(link["href"])
    assert response.status_code == 200
    assert response.mimetype == "application/manifest+json"
    return json.loads(response.data)


def worker(client: FlaskClient) -> str:
    response = client.get("/sw.js")
    assert response.status_code == 200
    return response.text


def constant(text: str, name: str) -> Any:
    found = re.search(rf"^const {name} = (.*);$", text, re.MULTILINE)
    assert found, name
    return json.loads(found[1])


# --- The manifest -------------------------------------------------------------------------------------------------


def test_the_manifest_has_what_an_app_needs(client: FlaskClient) -> None:
    told = manifest(client)
    assert told["name"] == "Critical Mass"
    assert len(told["short_name"]) <= 15
    assert (told["id"], told["start_url"], told["scope"], told["display"]) == ("/", "/", "/", "standalone")
    for name in ("theme_color", "background_color"):
        assert re.fullmatch(r"#[0-9a-f]{6}", told[name])
    for shortcut in told["shortcuts"]:
        page_at(client, shortcut["url"])


def test_its_icons_are_as_large_as_it_says(client: FlaskClient) -> None:
    icons = {(icon["sizes"], icon["purpose"]): icon for icon in manifest(client)["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= icons.keys()
    for icon in icons.values():
        response = client.get(icon["src"])
        assert response.mimetype == icon["type"] == "image/png"
        image = Image.open(BytesIO(response.data))
        assert "{}x{}".format(*image.size) == icon["sizes"]
        corner = image.convert("RGBA").getpixel((0, 0))
        assert corner[3] == (255 if icon["purpose"] == "maskable" else 0)


def test_a_maskable_icon_has_its_sign_in_the_safe_circle(client: FlaskClient) -> None:
    image = Image.open(BytesIO(client.get("/icon-maskable-512.png").data)).convert("RGB")
    ground = image.getpixel((0, 0))
    for x in range(0, 512, 4):
        for y in range(0, 512, 4):
            if (x - 256) ** 2 + (y - 256) ** 2 > 210**2:
                assert image.getpixel((x, y)) == ground


def test_every_page_names_the_icon_and_the_colours_of_the_bar(client: FlaskClient) -> None:
    page = page_at(client, "/m/0z7c")
    icon = Image.open(BytesIO(client.get(page.one("link", rel="apple-touch-icon")["href"]).data))
    assert icon.size == (180, 180)
    assert icon.mode == "RGB"  # what is transparent is black there
    for scheme, surface in SURFACES.items():
        meta = page.one("meta", name="theme-color", media=f"(prefers-color-scheme: {scheme})")
        assert meta["content"] == surface.page


def test_the_policy_lets_the_browser_have_them(client: FlaskClient) -> None:
    policy = dict(it.split(" ", 1) for it in client.get("/").headers["Content-Security-Policy"].split("; "))
    assert policy["manifest-src"] == policy["worker-src"] == "'self'"


def test_what_names_no_icon_has_one_too(client: FlaskClient) -> None:
    response = client.get("/favicon.ico")
    assert (response.status_code, response.mimetype) == (200, "image/vnd.microsoft.icon")
    assert response.headers["Cache-Control"] == client.get("/icon-192.png").headers["Cache-Control"]
    file = Image.open(BytesIO(response.data))
    assert file.format == "ICO"
    assert file.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    for side in (16, 32, 48):
        file.size = (side, side)
        # Each drawn for its size: the sign in the middle, the corners round.
        drawn = sign.icon(side, bleed=False)
        assert file.convert("RGBA").tobytes() == drawn.tobytes()
        assert drawn.getpixel((0, 0))[3] == 0
        assert drawn.getpixel((side // 2, side // 2))[0] > 200


ASKED_AGAIN = ["/manifest.webmanifest", "/icon-192.png", "/favicon.ico", "/robots.txt", "/sitemap.xml", "/sw.js"]


@pytest.mark.parametrize("path", ASKED_AGAIN)
def test_they_are_asked_for_by_their_tags(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    again = client.get(path, headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


# --- The worker ---------------------------------------------------------------------------------------------------


def test_the_worker_is_asked_for_anew_at_every_visit(client: FlaskClient) -> None:
    response = client.get("/sw.js")
    assert response.mimetype == "text/javascript"
    assert response.headers["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in response.headers["Content-Security-Policy"]


def test_the_worker_knows_the_files_of_every_page(client: FlaskClient) -> None:
    files = constant(worker(client), "FILES")
    for path in ("/", "/m/0z7c", "/how-to-play", "/offline"):
        page = page_at(client, path)
        used = {target for target in targets(page, path) if target.startswith("/static/")}
        used |= {it["src"] for it in page.all("script")}
        assert used <= {*files}
    assert all(client.get(file).status_code == 200 for file in files)


def test_the_pages_it_keeps_are_of_its_version(client: FlaskClient) -> None:
    text = worker(client)
    mark, version = constant(text, "MARK"), constant(text, "VERSION")
    for path in (*constant(text, "SHELL"), "/m/0z7c", "/m/0z7c?at=1", "/m/0z7c.svg"):
        response = client.get(path)
        assert response.status_code == 200
        assert response.headers[mark] == version
    part = client.get("/m/0z7c?part=1", headers={"HX-Request": "true"})
    assert part.headers[mark] == version


def test_the_worker_knows_the_links_that_are_sent_on(client: FlaskClient) -> None:
    text = worker(client)
    stuck = {"L": "é", "N": "²", "P": "!", "S": "+", "Z": " ", "C": "\x1f", "M": "\u0301"}
    sent_on = [it for it, character in stuck.items() if client.get(f"/m/0{quote(character)}").status_code == 308]
    assert sorted(constant(text, "STUCK")) == sorted(sent_on)
    for path, begun in constant(text, "BEGUN").items():
        assert client.get(path).headers["Location"] == begun
    known = constant(text, "OPTIONS")
    assert constant(text, "SHOWN") == [it for it in known if it not in ("part", *FRAME_OPTIONS, *PICTURE_OPTIONS)]
    for name in known:
        assert client.get(f"/m/0?{name.upper()}=1").status_code == 308, name


def test_another_program_is_another_version(client: FlaskClient) -> None:
    same = create_app({"TESTING": True}).test_client()
    other = create_app({"TESTING": True, "BASE_URL": "https://chain.example"}).test_client()
    assert worker(same) == worker(client)
    assert constant(worker(other), "VERSION") != constant(worker(client), "VERSION")


def test_a_change_of_a_template_is_another_version(app: Flask, tmp_path: Path) -> None:
    versions = set()
    for text in ("one", "two"):
        (tmp_path / "page.html").write_text(text)
        versions.add(version_of(app, tmp_path))
    assert len(versions) == 2


def test_the_offline_page_says_what_is_missing(client: FlaskClient) -> None:
    page = page_at(client, "/offline")
    (missing,) = page.all(**{"data-missing": "match"})
    assert "not opened on this device before" in missing.text
    assert {"/", "/how-to-play"} <= targets(page, "/offline")


# --- Robots -------------------------------------------------------------------------------------------------------


def robots(client: FlaskClient) -> RobotFileParser:
    response = client.get("/robots.txt")
    assert response.mimetype == "text/plain"
    parser = RobotFileParser()
    parser.parse(response.text.splitlines())
    return parser


@pytest.mark.parametrize("robot", STRANGERS)
def test_robots_stay_out_of_the_matches(client: FlaskClient, robot: str) -> None:
    told = robots(client)
    for path in (
        *MATCHES,
        "/players?link=/m/0",
        "/share?link=/m/0",
        "/qr?link=/m/0",
        "/open",
        "/sheet?link=/m/0",
        "/notation?link=/m/0",
    ):
        assert not told.can_fetch(robot, path), path
    for path in ("/", "/how-to-play", "/new", "/static/x/app.css", *ASKED_AGAIN):
        assert told.can_fetch(robot, path), path


@pytest.mark.parametrize("robot", PREVIEWERS)
def test_robots_that_show_previews_see_the_match_they_were_sent(client: FlaskClient, robot: str) -> None:
    told = robots(client)
    assert all(told.can_fetch(robot, path) for path in (*MATCHES, "/", "/m/0z7c.png?card=1"))
    assert not told.can_fetch(robot, "/players?link=/m/0")


def test_no_match_is_put_into_an_index(client: FlaskClient) -> None:
    for path in ("/m/0z7c", "/m/0z7c?at=1", "/m/00", "/sheet?link=/m/0z", "/offline"):
        response = client.get(path)
        assert '<meta name="robots" content="noindex">' in response.text
    for suffix in (".png", ".svg", ".gif", ".json", ".txt"):
        assert client.get(f"/m/0z{suffix}").headers["X-Robots-Tag"] == "noindex"
        assert client.get(f"/m/00{suffix}").headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in client.get("/").headers


def test_the_sitemap_lists_pages_that_are_there() -> None:
    client = create_app({"TESTING": True, "BASE_URL": "https://chain.example"}).test_client()
    response = client.get("/sitemap.xml")
    assert response.mimetype == "application/xml"
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = ElementTree.fromstring(response.data)
    assert root.tag == f"{space}urlset"
    found = [it.text or "" for it in root.iter(f"{space}loc")]
    assert "https://chain.example/" in found
    told = robots(client)
    for url in found:
        assert url.startswith("https://chain.example/")
        assert "noindex" not in client.get(urlsplit(url).path).text
        assert told.can_fetch("Googlebot", url)
    assert client.get("/robots.txt").text.rstrip().endswith("Sitemap: https://chain.example/sitemap.xml")


def test_a_forged_name_is_in_neither(client: FlaskClient) -> None:
    assert client.get("/sitemap.xml", headers={"Host": "evil.example"}).status_code == 404
    assert "evil" not in client.get("/robots.txt", headers={"Host": "evil.example"}).text
