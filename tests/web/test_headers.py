"""Every kind of answer says to browsers what it may do and who may use it, errors included."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from critmass.web import create_app
from critmass.web.api.description import ROUTES
from critmass.web.http.assets import FRAMED

OF_A_MATCH = ("/players", "/share", "/qr", "/sheet", "/notation", "/oembed", "/hint", "/computer", "/analysis")
"""What answers 200 for a match alone."""
ELSEWHERE = (*OF_A_MATCH, "/puzzle")
"""That, and what leads on."""
FILES = [f"/static/x/{name}" for name in (*FRAMED, "settings.js", "worker.js")]
ANSWERS = [
    *[(200, path) for path in FILES],
    *[(200, path) for path in ("/", "/m/", "/m/0z7c", "/m/0z7c?at=1", "/m/0z7c?embed=1", "/classic/16x16/8/")],
    *[(200, f"/m/0z7c{suffix}") for suffix in (".json", ".txt", ".svg", ".png", ".png?card=1", ".gif")],
    *[(200, path) for path in ("/analysis?link=/m/0", "/qr?link=/m/0", "/puzzles", "/puzzle/1")],
    *[(200, path) for path in ("/share?link=/m/0", "/sheet?link=/m/0", "/notation?link=/m/0", "/players?link=/m/0")],
    *[
        (200, it.path)
        for it in ROUTES
        if it.method == "GET" and not it.path.startswith(ELSEWHERE) and "{" not in it.path
    ],
    *[
        (303, path)
        for path in (
            "/hint",
            "/computer",
            "/play?level=3&side=first",
            "/m/0?part=1",
            "/open?link=/m/0",
            "/share?link=x",
            "/qr?link=x",
            "/new?go=1",
            "/analysis/plies?link=/m/0&start=0",
            "/analysis/advice?link=/m/0",
        )
    ],
    (302, "/puzzle"),
    *[(308, path) for path in ("/m", "/m/0!", "/classic", "/M/0.PNG", "/How-To-Play")],
    *[(308, path) for path in ("/m?embed=1", "/m/0!?embed=1", "/M/0?at=1&EMBED=1!")],
    *[(303, path) for path in ("/m/0?part=1&embed=1", "/m/0?embed=1&part=1&at=0")],
    *[(404, path) for path in ("/m/0?at=9&embed=1", "/classic/1x1/2/?embed=1", "/m/00?embed=1&part=1")],
    *[(404, f"/m/00{suffix}") for suffix in ("", "?embed=1", ".json", ".txt", ".svg", ".png", ".gif")],
    *[
        (404, path)
        for path in ("/nothing", "/static/x/nothing", "/m/0?at=9", "/classic/1x1/2/", "/notation?link=/m/00")
    ],
    *[(404, path) for path in ("/oembed", "/oembed?url=http://localhost/m/00")],
    (400, "/oembed?url=http://localhost/m/0&maxwidth=x"),
    (422, "/open?link=x"),
]
"""What is asked for by GET, and how it is answered."""
OPEN = re.compile(
    r"^/m/\w*\.|^/classic/.*\.|^/codingame/.*\.|^/oembed|^/openapi|^/notation\?link=/m|embed=1|"
    rf"^/static/\w+/({'|'.join(FRAMED)})",
    re.IGNORECASE,
)
"""What other sites may use."""
READ = re.compile(OPEN.pattern.partition("|embed=1")[0] + "|embed=1&part=1|part=1&embed=1", re.IGNORECASE)
"""What their scripts may read."""
SITE = "localhost"


@pytest.fixture(scope="module")
def secure() -> FlaskClient:
    return create_app().test_client(use_cookies=False)


def check(headers: dict[str, str], path: str, *, tls: bool, framed: bool) -> None:
    told = headers["Content-Security-Policy"]
    if framed:  # the site itself by its name
        own = f" 'self' {'https' if tls else 'http'}://{SITE}"
        assert told.count(own) == 4
        told = told.replace(own, " 'self'")
    policy = dict(it.split(" ", 1) for it in told.split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert policy["frame-ancestors"] == ("*" if framed else "'none'")
    allowed = {policy.get(name, policy["default-src"]) for name in ("script-src", "style-src", "connect-src")}
    assert {*allowed, policy["form-action"]} == ({"'none'"} if path in FILES else {"'self'"})
    assert not re.search(r"unsafe|data:|https?:|\*", str({**policy, "frame-ancestors": ""}))
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert {"camera=()", "microphone=()", "geolocation=()"} <= {*headers["Permissions-Policy"].split(", ")}
    assert headers["Cross-Origin-Resource-Policy"] == ("cross-origin" if OPEN.search(path) else "same-origin")
    assert headers.get("Access-Control-Allow-Origin") == ("*" if READ.search(path) else None)
    assert "Access-Control-Allow-Credentials" not in headers
    assert headers.get("Cross-Origin-Embedder-Policy") == ("require-corp" if framed else None)
    assert headers.get("Cross-Origin-Opener-Policy") == ("same-origin" if tls and not framed else None)
    age = re.match(r"max-age=(\d+)", headers.get("Strict-Transport-Security", "max-age=0"))
    assert (int(age[1]) >= 15_768_000) == tls  # type: ignore[index]
    assert "Set-Cookie" not in headers
    assert "Server" not in headers


@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
@pytest.mark.parametrize(("status", "path"), ANSWERS, ids=lambda it: str(it))
def test_every_answer_carries_them(secure: FlaskClient, status: int, path: str, tls: bool) -> None:
    base = "https://localhost" if tls else "http://localhost"
    framed = "embed=1" in path and status in (200, 404)
    for method in ("GET", "HEAD"):
        response = secure.open(path, method=method, base_url=base)
        assert response.status_code == status
        check(dict(response.headers), path, tls=tls, framed=framed)
    if status == 200 and "ETag" in response.headers:
        again = secure.get(path, base_url=base, headers={"If-None-Match": "*"})
        assert again.status_code == 304
        check(dict(again.headers), path, tls=tls, framed=framed)
    refused = secure.open(path, method="DELETE", base_url=base)
    assert refused.status_code == 405
    check(dict(refused.headers), "", tls=tls, framed=False)


@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
@pytest.mark.parametrize(
    "path",
    [
        "/m/0z7c",
        "/m/0?embed=1",
        "/m/0?part=1",
        "/m/0?embed=2&part=1",
        "/m/0.json?embed=1&part=1",
        "/",
        "/static/x/app.js",
        "/open?embed=1",
    ],
)
def test_no_other_site_may_ask_for_a_page_with_headers_of_its_own(secure: FlaskClient, path: str, tls: bool) -> None:
    asked = {"Origin": "null", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "hx-request"}
    for headers in (asked, {}):
        response = secure.options(path, base_url="https://localhost" if tls else "http://localhost", headers=headers)
        assert {*response.allow} == {"GET", "HEAD", "OPTIONS"}
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]
        check(dict(response.headers), "", tls=tls, framed=False)


@pytest.mark.parametrize("path", ["/m/0z?at=1&embed=1&part=1", "/m/00?embed=1&part=1", "/M/0?PART=1&EMBED=1."])
def test_a_sandboxed_frame_may_ask_for_a_part(secure: FlaskClient, path: str) -> None:
    """It is of no origin, so that the browser asks first whether htmx may send its headers."""
    sent = {"hx-request", "hx-request-type", "hx-source", "hx-target", "hx-current-url"}
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": ",".join(sorted(sent))}
    response = secure.options(path, headers={"Origin": "null", **asked})
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert sent == {*response.headers["Access-Control-Allow-Headers"].lower().split(", ")}
    assert int(response.headers["Access-Control-Max-Age"]) > 0
    assert "Access-Control-Allow-Methods" not in response.headers  # GET alone
    told = {name: value for name, value in response.headers.items() if not name.startswith("Access-Control")}
    check(told, "", tls=False, framed=False)
    part = secure.get(path, headers={"Origin": "null", "HX-Request": "true"})
    assert part.headers["Access-Control-Allow-Origin"] == "*"
    if part.status_code == 200:
        assert part.headers["Access-Control-Expose-Headers"] == "HX-Replace-Url"


def test_a_frame_names_the_site_only_where_it_is_known() -> None:
    named = create_app({"BASE_URL": "https://chain.example/"}).test_client()
    for host in ("chain.example", "evil.example"):
        policy = named.get("/m/0?embed=1", headers={"Host": host}).headers["Content-Security-Policy"]
        assert "script-src 'self' https://chain.example;" in policy
        assert "evil" not in policy
    policy = create_app().test_client().get("/m/0?embed=1", headers={"Host": "evil.example"}).headers
    assert "script-src 'self';" in policy["Content-Security-Policy"]


def test_every_route_is_among_them() -> None:
    asked = [path for _, path in ANSWERS]
    for route in ROUTES:
        known = route.path.partition("{")[0]
        assert route.method != "GET" or any(path.startswith(known) for path in asked), route.path


@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
def test_what_is_posted_carries_them_too(secure: FlaskClient, tls: bool) -> None:
    base = "https://localhost" if tls else "http://localhost"
    for text, status in (("/m/0z7c", 303), ("nonsense", 422), ("0" * 1_000_000, 413)):
        response = secure.post("/import", data={"text": text}, base_url=base)
        assert response.status_code == status
        check(dict(response.headers), "", tls=tls, framed=False)


@pytest.mark.parametrize("path", ["/broken", "/broken.json"])
def test_an_error_of_the_apps_own_carries_them(path: str) -> None:
    app: Flask = create_app()
    app.add_url_rule(path, "broken", lambda: 1 // 0)
    response = app.test_client().get(path, base_url="https://localhost")
    assert response.status_code == 500
    assert "ZeroDivisionError" not in response.text
    check(dict(response.headers), "", tls=True, framed=False)
