"""Links as chat programs and people return them: sent on once, to this site, and to the match that was meant."""

from urllib.parse import unquote_to_bytes

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from .html import page_at
from .samples import SUFFIXES, Sample, anything, mangled, parts, quick, samples, strangers, stuck, url
from .wire import answer, on_this_site


def assert_same(client: FlaskClient, link: str, clean: str) -> None:
    """Check that a link is answered as the clean one is, to the byte."""
    one, other = client.get(link), client.get(clean)
    assert other.status_code == 200
    for get in (lambda it: it.status_code, lambda it: it.data, lambda it: it.mimetype, lambda it: it.headers["ETag"]):
        assert get(one) == get(other)


@quick
@given(sample=samples(), data=st.data())
def test_a_mangled_link_is_sent_on_once_to_the_clean_one(
    client: FlaskClient, sample: Sample, data: st.DataObject
) -> None:
    path, options = data.draw(mangled(sample))
    clean = sample.path + sample.suffix, list(sample.options)
    link = url(path, options)
    if (path, options) != clean:
        response = client.get(link)
        assert response.status_code == 308
        link = response.headers["Location"]
        assert on_this_site(link)
        assert parts(link) == clean
    assert_same(client, link, sample.url)


@quick
@given(sample=samples(), strange=strangers, data=st.data())
def test_options_of_strangers_leave_no_trace(
    client: FlaskClient, sample: Sample, strange: list[tuple[str, str]], data: st.DataObject
) -> None:
    options = data.draw(st.permutations(strange))
    for place, pair in enumerate(sample.options):
        options.insert(data.draw(st.integers(place, len(options))), pair)
    known = tuple(pair for pair in options if pair in sample.options)
    clean = url(sample.path + sample.suffix, known)
    assert_same(client, url(sample.path + sample.suffix, options), clean)
    response = client.get(url(sample.path + sample.suffix + "!", options))
    assert response.status_code == 308
    assert parts(response.headers["Location"]) == (sample.path + sample.suffix, list(known))
    assert "str4nger" not in response.text


@quick
@given(sample=samples(), data=st.data())
def test_of_an_option_given_twice_the_first_counts(client: FlaskClient, sample: Sample, data: st.DataObject) -> None:
    later = [(key, data.draw(anything)) for key, _ in sample.options if data.draw(st.booleans())]
    assert_same(client, url(sample.path + sample.suffix, [*sample.options, *later]), sample.url)


def test_an_option_given_twice_in_capitals_counts_once(client: FlaskClient) -> None:
    assert client.get("/m/0z7c?AT=1&at=2").headers["Location"] == "/m/0z7c?at=1"
    assert client.get("/m/0z7c.json?at=1&AT=2").get_json()["at"] == 1


def test_names_keep_their_capitals(client: FlaskClient) -> None:
    response = client.get("/M/0Z?NAMES=Ada%20McX,BO%E2%80%8B!&COLOURS=GY.")
    assert parts(response.headers["Location"]) == ("/m/0z", [("names", "Ada%20McX,BO"), ("colours", "gy")])
    assert "Ada McX to move" in client.get(response.headers["Location"]).text


@quick
@given(sample=samples(suffixes=("",)))
def test_the_canonical_link_is_the_clean_one(client: FlaskClient, sample: Sample) -> None:
    page = page_at(client, url(sample.path, [*sample.options, ("utm_source", "str4nger")]))
    canonical = page.one("link", rel="canonical")["href"]
    assert canonical == f"http://localhost{sample.url}"
    assert page_at(client, canonical.removeprefix("http://localhost"))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("/m", "/m/"),
        ("/codingame", "/codingame/"),
        ("/classic", "/classic/6x9/2/"),
        ("/classic/6x9/2", "/classic/6x9/2/"),
        ("/classic/16x16/8", "/classic/16x16/8/"),
    ],
)
def test_a_path_without_its_slash_is_sent_on(client: FlaskClient, path: str, clean: str, suffix: str) -> None:
    for query in ("", "?colours=cl&names=Ada,Bo"):
        players = 8 if "/8" in path else 2
        query = query.replace("cl", "clnsrbgy"[:players])
        response = client.get(f"{path}{suffix}{query}")
        assert (response.status_code, response.headers["Location"]) == (308, f"{clean}{suffix}{query}")
        assert client.get(response.headers["Location"]).status_code == 200


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_what_is_stuck_before_a_suffix_goes_too(client: FlaskClient, suffix: str) -> None:
    assert client.get(f"/m/0z/){suffix}%20").headers["Location"] == f"/m/0z{suffix}"
    assert client.get(f"/classic/{suffix}").headers["Location"] == f"/classic/6x9/2/{suffix}"


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/m/0",
        "//evil.example/m/0!",
        "///evil.example",
        "/%2F/evil.example/M/0",
        "/\\evil.example/m/0",
        "/%5Cevil.example!",
        "/%5C%5Cevil.example/%2e%2e",
        "/m//0",
        "/m///evil.example!",
        "/m/..//evil.example!",
        "/m/%5C/evil.example!",
        "/M//evil.example",
        "/classic///evil.example!",
        "//",
        "//!",
        "/%0a",
        "/%0d%0aLocation:%20https:%2f%2fevil.example",
        "/m/%0d%0aX-Evil:%201",
        "/m/0%0a",
        "/m/%00",
        "/m/0%ff",
        "/%09/evil.example/m/0!",
        "/.//evil.example!",
        "/https://evil.example/m/0!",
        "/how-to-play//",
        "//how-to-play",
        "/open!",
        "/m/" + 20_000 * "0",
        "/m/" + 20_000 * "!",
        "/" + 20_000 * "/",
    ],
)
def test_no_redirect_leads_off_the_site(app: Flask, path: str) -> None:
    first = answer(app, unquote_to_bytes(path))
    assert first.status in (200, 308, 404)
    assert "X-Evil" not in first.headers
    if "Location" in first.headers:
        assert on_this_site(first.headers["Location"])
        assert answer(app, unquote_to_bytes(first.headers["Location"])).status in (200, 404)


@quick
@given(st.text(st.sampled_from("/\\.!m0? \n\t:@evil%")) | stuck)
def test_no_redirect_of_any_path_leads_off_the_site(app: Flask, path: str) -> None:
    first = answer(app, b"/" + path.encode())
    if "Location" in first.headers:
        assert on_this_site(first.headers["Location"])
        assert "Location" not in answer(app, unquote_to_bytes(first.headers["Location"])).headers
