"""Requests that nobody would send, and some that everybody does."""

import random
from collections.abc import Callable
from urllib.parse import quote

from web.samples import BAD_LINKS, COLOURS, MATCHES, path_of
from web.test_robustness import PIECES, QUERIES

from torture.fuzz import changed, corpus

SUFFIXES = ("", "", "", "", ".json", ".txt", ".svg", ".png", ".gif")
METHODS = (b"GET", b"GET", b"GET", b"GET", b"GET", b"HEAD", b"POST", b"OPTIONS", b"PUT", b"DELETE", b"TRACE", b"BREW")
PAGES = ("/", "/new", "/how-to-play", "/import", "/api", "/openapi.json", "/healthz", "/open", "/offline", "/share")
ENCODINGS = (b"gzip", b"br", b"gzip, br", b"identity", b"zstd", b"*;q=0", b"br;q=x", b"\xff", b"gzip;q=0.5, br;q=1.0")
HEADERS: tuple[tuple[bytes, tuple[bytes, ...]], ...] = (
    (b"Accept-Encoding", ENCODINGS),
    (b"If-None-Match", (b"*", b'"x"', b'W/"y"', b'"', b",", b"\xff")),
    (b"If-Modified-Since", (b"Mon, 30 Nov 2026 07:00:49 GMT", b"yesterday")),
    (b"HX-Request", (b"true", b"false", b"")),
    (b"Range", (b"bytes=0-", b"bytes=9-1", b"bytes=-1", b"lines=1", b"bytes=0-0,2-3")),
    (b"Cookie", (b"a=b", b"a=\xff; b", b";;;")),
    (b"X-Forwarded-For", (b"::1", b"1.2.3.4, 5.6.7.8", b"\xff")),
    (b"X-Forwarded-Proto", (b"https", b"gopher")),
    (b"Accept", (b"*/*", b"application/json", b"text/html;q=x")),
    (b"Upgrade", (b"h2c", b"websocket")),
)


def target(rng: random.Random) -> bytes:
    """Path and query: good, nearly good, or no such thing."""
    return rng.choice((good, good, mutated, mutated, pieces, bad, page))(rng)


def good(rng: random.Random) -> bytes:
    """A link to a match of the referee's, cut anywhere, with any options."""
    match = rng.choice(MATCHES)
    length = rng.randint(0, min(60, len(match["plies"])))
    suffix = rng.choice(SUFFIXES)
    given: dict[str, Callable[[], object]] = {
        "at": lambda: rng.randint(0, length + (rng.random() < 0.1)),
        "colours": lambda: "".join(rng.sample(COLOURS, match["players"])),
        "names": lambda: ",".join(rng.choice(("Ada", "Bo", "漢字", "<b>", "")) for _ in range(match["players"])),
        "computer": lambda: rng.choice(("11", "23", "14,21", "0", "99")),
        "ring": lambda: rng.randint(0, 2),
        "play": lambda: 1,
        "embed": lambda: 1,
        "part": lambda: 1,
        "scheme": lambda: rng.choice(("dark", "light", "blue")),
        "size": lambda: rng.choice((128, 200, 300)),
        "last": lambda: 1,
        "card": lambda: 1,
        "fbclid": lambda: "x",
    }
    names = rng.sample([*given], rng.choice((0, 0, 1, 2, 3)))
    if suffix == ".gif":
        length, names = min(length, 12), ["size"]
    query = "&".join(f"{name}={quote(str(given[name]()))}" for name in names)
    return (path_of(match, length) + suffix + (f"?{query}" if query else "")).encode()


def mutated(rng: random.Random) -> bytes:
    """A good link with a few bytes changed."""
    data = changed(rng, good(rng), corpus_of_links())
    return b"/" + data.lstrip(b"/") if rng.random() < 0.95 else data


_links: list[bytes] = []


def corpus_of_links() -> list[bytes]:
    """The fuzzer's links, read once."""
    if not _links:
        _links.extend(corpus("link") + corpus("whole") + PIECES + QUERIES)
    return _links


def pieces(rng: random.Random) -> bytes:
    """Pieces of links in any order."""
    path = b"".join(rng.choices(PIECES, k=rng.randint(1, 8)))
    query = b"".join(rng.choices(QUERIES, k=rng.randint(0, 12)))
    return b"/" + path + (b"?" + query if query else b"")


def bad(rng: random.Random) -> bytes:
    """One of the referee's links that are no match."""
    return quote(rng.choice(BAD_LINKS)["path"], safe="/?&=,%").encode()


def page(rng: random.Random) -> bytes:
    """One of the other pages."""
    inner = quote(good(rng).decode())
    more = rng.choice(("", "", f"?link={inner}", f"?url=http://localhost{inner}", "?rules=classic&columns=9"))
    return (
        rng.choice((*PAGES, "/notation", "/oembed", "/qr", "/sheet", "/preview", "/computer", "/hint")) + more
    ).encode()


def request(rng: random.Random) -> bytes:
    """A whole request; its body is as long as it says."""
    method = rng.choice(METHODS) if rng.random() < 0.3 else b"GET"
    asked = target(rng).replace(b"\r\n\r\n", b"\r\n") or b"/"
    lines = [method + b" " + asked + b" HTTP/1.1", b"Host: " + rng.choice((b"localhost", b"[::1]", b"evil.example"))]
    for name, values in rng.sample(HEADERS, rng.choice((0, 1, 1, 2, 4))):
        lines.append(name + b": " + rng.choice(values))
    body = b""
    if method in (b"POST", b"PUT"):
        body = b"text=" + quote(changed(rng, rng.choice(corpus("notation")), corpus("notation"))).encode()
        lines += [b"Content-Type: application/x-www-form-urlencoded", b"Content-Length: %d" % len(body)]
        if rng.random() < 0.2:
            lines.append(b"Expect: 100-continue")
    return b"\r\n".join([*lines, b"", b""]) + body


def costly(rng: random.Random, size: int = 700) -> str:
    """A picture that was never asked for before."""
    return costly_path(rng) + f"?size={size + rng.randint(0, 300)}"


def costly_path(rng: random.Random) -> str:
    """The path of a picture of a match of the referee's, cut anywhere."""
    match = rng.choice(MATCHES)
    return path_of(match, rng.randint(min(8, len(match["plies"])), len(match["plies"]))) + ".png"
