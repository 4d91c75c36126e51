"""nginx in front of two app servers, as deploy/nginx.conf has it: it keeps answers, and passes a dead server over."""

import contextlib
import http.client
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from fronts import PROXIED, Front, running_front
from processes import running_server

from critmass.bench import links
from critmass.web.http.security_headers import STRICT_TRANSPORT

CLIENTS = 6
PART = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with running_front(tmp_path_factory.mktemp("nginx")) as front:
        yield front


def kept(response: http.client.HTTPResponse) -> str | None:
    return response.headers["X-Cache"]


@pytest.mark.parametrize("path", ["/m/0z7c", "/m/0z7c.json", "/m/0z7c.png", "/how-to-play", "/sw.js"])
def test_an_answer_is_made_once_and_then_kept(front: Front, path: str) -> None:
    first, body = front.ask(path)
    again, same = front.ask(path)
    assert (first.status, kept(first), body) == (200, "MISS", same)
    if "no-cache" not in first.headers["Cache-Control"]:
        assert kept(again) == "HIT"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"]


def test_what_is_not_to_be_kept_is_not(front: Front) -> None:
    for path in ("/healthz", "/share?link=/m/0", "/m/0?part=1", "/nothing"):
        assert {kept(front.ask(path)[0]) for _ in range(3)} <= {"MISS", None}, path


def test_a_page_and_its_part_are_never_mixed_up(front: Front) -> None:
    """Whichever comes first."""
    for path, first in (("/m/0z7?part=1", PART), ("/m/0z7a?part=1", {})):
        for headers in (first, {} if first else PART) * 3:
            response, body = front.ask(path, **headers)
            assert response.status == (200 if headers else 303)
            assert (b"<html" in body) is False or not headers
    for headers in ({}, PART) * 3:
        assert b"<html" in front.ask("/m/0z7b", **headers)[1]


def test_each_encoding_is_kept_apart_and_once(front: Front) -> None:
    plain = front.ask("/m/0z7d")[1]
    asked = {
        "br": ("br", "gzip, deflate, br", "gzip, deflate, br, zstd", "BR"),
        "zstd": ("zstd", "gzip, deflate, br;q=0, zstd"),
        "gzip": ("gzip", "gzip, deflate", "gzip;q=1.0"),
        None: ("identity", "deflate", "*"),
    }
    for encoding, accepted in asked.items():
        for number, accept in enumerate(accepted):
            response, body = front.ask("/m/0z7d", **{"Accept-Encoding": accept})
            assert response.headers["Content-Encoding"] == encoding
            assert (kept(response) == "HIT") == (number > 0 or encoding is None), accept
            if encoding == "br":
                assert brotli.decompress(body) == plain


def test_what_is_known_is_not_sent_again_and_head_has_no_body(front: Front) -> None:
    response, body = front.ask("/m/0z7e")
    known, nothing = front.ask("/m/0z7e", **{"If-None-Match": response.headers["ETag"]})
    assert (known.status, nothing) == (304, b"")
    head, nothing = front.ask("/m/0z7e", "HEAD")
    assert (head.status, nothing, int(head.headers["Content-Length"])) == (200, b"", len(body))
    assert front.ask("/m/0z7f", "HEAD")[0].status == 200
    assert front.ask("/m/0z7f")[1].endswith(b"</html>")


def test_it_says_who_asks_and_nobody_else_can(front: Front) -> None:
    forged = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Forwarded-For": "203.0.113.7"}
    response, body = front.ask("/m/0z7g", **forged)
    assert "Strict-Transport-Security" not in response.headers  # it came by http
    assert b"evil.example" not in body
    assert b'href="https://chain.example/m/0z7g"' in body


@pytest.mark.parametrize("path", ["/m/0z7h", "/m/0z7h?embed=1", "/m/0z7h.png", "/nothing", "/m/00.json"])
def test_over_tls_browsers_are_told_to_stay_with_it(front: Front, path: str) -> None:
    response, body = front.ask_securely(path)
    assert response.headers["Strict-Transport-Security"] == STRICT_TRANSPORT
    framed = "embed" in path
    assert response.headers["Cross-Origin-Opener-Policy"] == (None if framed else "same-origin")
    again, same = front.ask_securely(path)
    assert (again.headers["Strict-Transport-Security"], same) == (STRICT_TRANSPORT, body)
    plain, _ = front.ask(path)
    assert "Strict-Transport-Security" not in plain.headers, "kept for http what was asked for by https"


def test_too_much_is_refused(front: Front) -> None:
    assert front.ask("/m/" + 9000 * "0")[0].status == 414
    assert front.ask("/import", "POST", **{"Content-Length": "300000"})[0].status == 413


class Load:
    """Clients that ask for one page after the other, each for another; what came whole, and what was lost."""

    def __init__(self, front: Front, count: int) -> None:
        self.done: list[str] = []
        self.lost: list[str] = []
        self._front, self._paths, self._lock = front, iter(links(count)), threading.Lock()
        self._clients = [threading.Thread(target=self._ask) for _ in range(CLIENTS)]
        for thread in self._clients:
            thread.start()

    def _ask(self) -> None:
        while True:
            with self._lock:
                path = next(self._paths, None)
            if path is None:
                return
            try:
                response, body = self._front.ask(path)
                whole = response.status == 200 and body.endswith(b"</html>")
            except (OSError, http.client.HTTPException):
                whole = False
            with self._lock:
                (self.done if whole else self.lost).append(path)

    def wait_for(self, count: int) -> None:
        """Wait until so many more pages have come."""
        until = time.monotonic() + 60
        while len(self.done) < count:
            assert time.monotonic() < until
            time.sleep(0.01)

    def finish(self) -> None:
        for thread in self._clients:
            thread.join()


def test_servers_may_be_restarted_one_after_the_other(tmp_path: Path) -> None:
    """No request is lost: what is not answered is asked of the other one."""
    with running_front(tmp_path) as front, contextlib.ExitStack() as stack:
        load = Load(front, 2000)
        for server in front.servers:
            load.wait_for(len(load.done) + 100)
            os.kill(server.child.pid, signal.SIGTERM)
            assert server.child.wait(30) == 0
            settings = (*PROXIED, "--port", str(server.port), "--access-log", "-")
            restarted = stack.enter_context(running_server(*settings))
            restarted.child.next_line(60)  # nginx asks it again
        load.finish()
        assert (load.lost, len(load.done)) == ([], 2000)


def test_a_server_that_is_killed_under_load_costs_no_more_than_what_is_under_way(tmp_path: Path) -> None:
    with running_front(tmp_path) as front:
        load = Load(front, 600)
        load.wait_for(150)
        os.killpg(front.servers[0].child.pid, signal.SIGKILL)
        load.finish()
        done, lost = load.done, load.lost
        assert len(lost) <= CLIENTS  # whose answer had begun, and was cut off
        assert len(done) + len(lost) == 600
        for path in lost:
            assert front.ask(path)[0].status == 200

        os.killpg(front.servers[1].child.pid, signal.SIGKILL)
        old, body = front.ask(done[0])  # what was asked for before is still there
        assert (old.status, body.endswith(b"</html>")) == (200, True)
        away, told = front.ask("/m/0z7c")
        assert (away.status, away.headers["Retry-After"]) == (503, "2")
        assert re.search(rb"away", told)
        assert "default-src 'none'" in away.headers["Content-Security-Policy"]
