"""Whatever comes over the wire is answered, and never with an error of the server's own."""

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from .samples import Sample, quick, samples
from .wire import Answer, answer, on_this_site

PIECES = [
    *[b"/", b"//", b"\\", b"..", b"/m/", b"/M", b"/classic/", b"6x9", b"16x16", b"/2/", b"/8", b"/codingame/"],
    *[b"/open", b"/static/x/", b"app.css", b"0", b"0z7c", b"a1", b"b2", b"zz", b"26710171"],
    *[b".json", b".svg", b".txt", b".png", b".", b"!", b"%", b"%2f", b"#", b"?", b"<script>", b'"'],
    *[b"\xff", b"\xc3", b"\xe2\x80\x8b", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\x00", b"\n", b"\r\n"],
]
QUERIES = [
    *[b"at", b"colours", b"names", b"ring", b"play", b"part", b"link", b"AT", b"=", b"=", b"&", b"&", b";", b"+"],
    *[b",", b"0", b"1", b"2", b"99", b"-", b"rb", b"rr", b"Ada", b"/m/0z", b"http://x", b"[", b"<"],
    *[b"%", b"%00", b"%0a", b"%25", b"%ff", b"%ED%A0%80", b"%F0%9F%98%80", b"%E2%80%AE"],
]


def pieces(of: list[bytes], size: int) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from(of), max_size=size).map(b"".join)


HEADERS = {
    "HTTP_HOST": [b"localhost", b":", b"80", b"[::1]", b"evil.example", b"@", b"/", b"\xff", b" ", b"..", b"xn--"],
    "HTTP_ACCEPT_ENCODING": [b"gzip", b"br", b"*", b";q=", b"0", b",", b"\xff", b"identity"],
    "HTTP_IF_NONE_MATCH": [b"*", b'"', b"W/", b"x", b",", b"\xff"],
    "HTTP_HX_REQUEST": [b"true", b"\xff"],
    "HTTP_RANGE": [b"bytes=", b"0-", b"9", b","],
    "HTTP_IF_MODIFIED_SINCE": [b"Mon, 30 Nov 2026 07:00:49 GMT", b"x"],
    "HTTP_COOKIE": [b"a=b", b";", b"\xff"],
    "CONTENT_LENGTH": [b"0", b"x", b"-1"],
}
headers = st.fixed_dictionaries({}, optional={name: pieces(values, 4) for name, values in HEADERS.items()})
ascii_bytes = st.text(st.characters(codec="ascii"), max_size=20).map(str.encode)
methods = st.sampled_from(
    ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW", "*"]
)


def assert_answered(answer: Answer) -> None:
    assert 200 <= answer.status < 500
    for value in answer.headers.values():
        assert not {*"\r\n\0"} & {*value}
    if "Location" in answer.headers:
        assert on_this_site(answer.headers["Location"])


@quick
@given(path=pieces(PIECES, 8) | st.binary(max_size=20), query=pieces(QUERIES, 12) | ascii_bytes, method=methods)
def test_any_bytes_are_answered(app: Flask, path: bytes, query: bytes, method: str) -> None:
    assert_answered(answer(app, b"/" + path, query, method))


@quick
@given(path=st.sampled_from([b"/", b"/m/0z7c", b"/m/0z7c!", b"/m/00", b"/static/x/app.css", b"/open"]), headers=headers)
def test_any_headers_are_answered(app: Flask, path: bytes, headers: dict[str, bytes]) -> None:
    got = answer(app, path, b"part=1", "GET", headers.items())
    assert_answered(got)
    assert b"evil.example" not in got.body


@quick
@given(sample=samples(options=False), query=pieces(QUERIES, 16) | ascii_bytes)
def test_any_options_of_a_good_match_are_answered(app: Flask, sample: Sample, query: bytes) -> None:
    got = answer(app, (sample.path + sample.suffix).encode(), query)
    assert_answered(got)
    assert got.status in (200, 303, 308, 404)


@pytest.mark.parametrize("path", [b"m", b"m/0!", b"*", b"http://evil.example/m/0!"])
def test_a_path_that_does_not_begin_with_a_slash_is_answered(app: Flask, path: bytes) -> None:
    assert_answered(answer(app, path))


def test_no_path_at_all_is_sent_on_to_the_forged_host(app: Flask) -> None:
    """`GET http://evil.example HTTP/1.1` comes as an empty path, and Werkzeug redirects to what Host says."""
    assert_answered(answer(app, b"", variables=[("HTTP_HOST", b"evil.example")]))


@pytest.mark.parametrize("query", [b"\xff", b"at=1&x=\xc3", b"names=\xe2\x80"])
def test_raw_bytes_in_the_query_are_an_error_of_the_servers_own(app: Flask, query: bytes) -> None:
    """waitress hands such a query on: `request.args` wants UTF-8."""
    assert_answered(answer(app, b"/m/0z7c", query))


@pytest.mark.parametrize(
    "path",
    [
        "/m/" + 20_000 * "0",
        "/m/" + 20_000 * "!",
        "/m/" + 20_000 * "!" + "0",
        "/m/" + 5_000 * ".json",
        "/" + 20_000 * "m",
        20_000 * "/",
        "/classic/" + 20_000 * "9" + "x9/2/",
        "/classic/6x9/" + 20_000 * "9" + "/",
        "/classic/6x9/2/" + 10_000 * "a1",
        "/classic/16x16/8/" + 10_000 * "!/",
        "/classic" + 10_000 * "/x",
        "/static/" + 20_000 * "x",
    ],
)
@pytest.mark.parametrize("suffix", ["", ".json", ".svg"])
def test_overlong_paths_are_answered(app: Flask, path: str, suffix: str) -> None:
    assert_answered(answer(app, (path + suffix).encode()))


@pytest.mark.parametrize(
    "query",
    [
        "&".join(5_000 * ["at=1"]),
        "&".join(f"x{number}=1" for number in range(5_000)),
        "at=" + 20_000 * "9",
        "colours=" + 20_000 * "r",
        "names=" + 20_000 * ",",
        "names=" + 20_000 * "a",
        "names=" + 10_000 * "%E2%80%8B" + "a",
        20_000 * "&",
        20_000 * "=",
    ],
)
def test_overlong_queries_are_answered(app: Flask, query: str) -> None:
    assert_answered(answer(app, b"/m/0z7c", query.encode()))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "BREW"])
@pytest.mark.parametrize("path", ["/", "/m/0", "/m/0!", "/nothing", "/open", "/how-to-play", "/static/x/app.css"])
def test_nothing_can_be_written(app: Flask, method: str, path: str) -> None:
    got = answer(app, path.encode(), method=method)
    assert got.status == 405
    assert "GET" in got.headers["Allow"]


@pytest.mark.parametrize("path", ["/", "/m/0z7c", "/m/0z7c.json", "/m/00", "/m/0!", "/nothing", "/static/x/app.css"])
def test_head_is_get_without_the_body(app: Flask, path: str) -> None:
    got, head = answer(app, path.encode()), answer(app, path.encode(), method="HEAD")
    for one in (got, head):
        one.headers.pop("Date", None)
    assert head == (got.status, got.headers, b"")
