"""What caches are told: to keep everything, to ask again by the tag, and to tell apart what differs."""

import gzip
import re
import sys

import brotli
import pytest
from flask.testing import FlaskClient

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

KEPT = ["/", "/how-to-play", "/m/0z7c", "/m/0z7c?at=2", "/m/0z7c.json", "/m/0z7c.txt", "/m/0z7c.svg", "/m/0z7c?part=1"]
PART = {"HX-Request": "true"}
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "zstd": zstd.decompress, "identity": bytes}


def assets(client: FlaskClient) -> dict[str, str]:
    """The static files of a page, by name."""
    found = re.findall(r'(?:href|src)="(/static/[^"]+/([^"/]+))"', client.get("/m/0z7c").text)
    return {name: path for path, name in found}


@pytest.mark.parametrize("encoding", UNPACK)
@pytest.mark.parametrize("link", KEPT)
def test_what_is_kept_is_asked_for_by_its_tag(client: FlaskClient, link: str, encoding: str) -> None:
    headers = {**PART, "Accept-Encoding": encoding}
    response = client.get(link, headers=headers)
    tag = response.headers["ETag"]
    assert response.status_code == 200
    assert re.fullmatch(r'"[!#-~]+"', tag)  # a strong one
    assert re.search(r"\bpublic\b.*\bmax-age=[1-9]", response.headers["Cache-Control"])
    assert "Accept-Encoding" in response.vary
    for known in (tag, f'"other", {tag}', f"W/{tag}"):
        again = client.get(link, headers={**headers, "If-None-Match": known})
        assert (again.status_code, again.data) == (304, b"")
        for name in ("ETag", "Cache-Control", "Vary"):
            assert again.headers[name] == response.headers[name]
    assert client.get(link, headers={**headers, "If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("link", KEPT)
def test_an_answer_is_compressed_as_asked(client: FlaskClient, link: str) -> None:
    plain = client.get(link, headers=PART)
    tags = {plain.headers["ETag"]}
    for encoding in ("zstd", "br", "gzip"):
        response = client.get(link, headers={**PART, "Accept-Encoding": encoding})
        if response.content_encoding is None:
            assert len(plain.data) < 600
            continue
        assert response.content_encoding == encoding
        assert UNPACK[encoding](response.data) == plain.data
        assert len(response.data) < len(plain.data) / 2
        tags.add(response.headers["ETag"])
    assert len(tags) in (1, 4)  # the same tag would be for the same bytes


def test_the_same_link_has_the_same_tag_and_another_has_another(client: FlaskClient) -> None:
    links = ["/m/0z7c", "/m/0z7c?at=3", "/m/0z7", "/m/0z7c?colours=gy", "/m/0z7c?names=Ada", "/codingame/0z7c"]
    tags = [client.get(link).headers["ETag"] for link in links]
    assert len({*tags}) == len(links)
    assert tags == [client.get(link).headers["ETag"] for link in links]


def test_a_page_and_its_part_are_told_apart(client: FlaskClient) -> None:
    part = client.get("/m/0z7c?part=1", headers=PART)
    assert {"HX-Request", "Accept-Encoding"} <= {*part.vary}
    assert part.headers["ETag"] != client.get("/m/0z7c").headers["ETag"]
    assert "HX-Request" in client.get("/m/0z7c?part=1").vary


def test_what_went_wrong_is_not_kept_for_long(client: FlaskClient) -> None:
    for link in ("/m/00", "/m/00.json", "/m/0?at=9", "/nothing", "/static/x/nothing"):
        kept = client.get(link).headers.get("Cache-Control", "")
        assert "no-store" in kept or int(re.search(r"max-age=(\d+)", kept)[1]) <= 300  # type: ignore[index]


def test_a_static_file_is_kept_for_ever_under_its_hash(client: FlaskClient) -> None:
    assert {"app.css", "app.js", "htmx.js"} <= assets(client).keys()
    for path in assets(client).values():
        response = client.get(path)
        assert response.status_code == 200
        assert "immutable" in response.headers["Cache-Control"]
        assert int(re.search(r"max-age=(\d+)", response.headers["Cache-Control"])[1]) >= 31_536_000  # type: ignore[index]


def test_a_static_file_is_found_under_an_older_hash_but_not_kept(client: FlaskClient) -> None:
    for name, path in assets(client).items():
        old = client.get(f"/static/0123456789abcdef/{name}")
        assert (old.status_code, old.data) == (200, client.get(path).data)
        assert "immutable" not in old.headers["Cache-Control"]
        assert int(re.search(r"max-age=(\d+)", old.headers["Cache-Control"])[1]) <= 3600  # type: ignore[index]


@pytest.mark.parametrize("path", ["/static/", "/static/x", "/static/x/", "/static/x/no.css", "/static/x/../app.css/y"])
def test_a_static_file_that_is_not_there_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("encoding", UNPACK)
def test_a_static_file_comes_compressed_and_is_asked_for_by_its_tag(client: FlaskClient, encoding: str) -> None:
    for name, path in assets(client).items():
        response = client.get(path, headers={"Accept-Encoding": encoding})
        assert UNPACK[response.content_encoding or "identity"](response.data) == client.get(path).data
        assert (response.content_encoding or "identity") == encoding, name
        assert "Accept-Encoding" in response.vary
        again = client.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": response.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("accepted", ["", "deflate", "identity", "identity;q=1, *;q=0"])
def test_nobody_gets_an_encoding_that_was_not_asked_for(client: FlaskClient, accepted: str) -> None:
    for path in (*assets(client).values(), "/m/0z7c"):
        assert client.get(path, headers={"Accept-Encoding": accepted}).content_encoding is None


@pytest.mark.parametrize("accepted", ["gzip;q=0", "br;q=0, gzip;q=0"])
def test_a_page_comes_in_the_encoding_that_was_refused(client: FlaskClient, accepted: str) -> None:
    """Flask-Compress takes `q=0` for a wish."""
    assert client.get("/m/0z7c", headers={"Accept-Encoding": accepted}).content_encoding is None


def test_static_files_have_their_types(client: FlaskClient) -> None:
    types = {name: client.get(path).mimetype for name, path in assets(client).items()}
    assert types["app.css"] == "text/css"
    assert types["app.js"] == types["htmx.js"] == "text/javascript"
    assert types["icon.svg"] == "image/svg+xml"
