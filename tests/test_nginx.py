"""nginx in front of two app servers, as deploy/nginx.conf has it: it keeps answers, and passes a dead server over."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import brotli
import pytest
from processes import Child, Server, running_server

from critmass.bench import links
from critmass.web.headers import STRICT_TRANSPORT

CONFIG = Path(__file__).parents[1] / "deploy/nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
MAIN = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    {temporary}
    include {folder}/critmass.conf;
}}
"""
PROXIED = ("--trusted-proxies", "1", "--base-url", "https://chain.example")
CLIENTS = 6
PART = {"HX-Request": "true"}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Front:
    """nginx, and the app servers behind it."""

    port: int
    servers: list[Server]
    secure_port: int
    certificate: Path

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            return answered(connection, path, method, headers)

    def ask_securely(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        context = ssl.create_default_context(cafile=self.certificate)
        connection = http.client.HTTPSConnection("localhost", self.secure_port, timeout=30, context=context)
        with contextlib.closing(connection):
            return answered(connection, path, "GET", headers)


def answered(
    connection: http.client.HTTPConnection, path: str, method: str, headers: dict[str, str]
) -> tuple[http.client.HTTPResponse, bytes]:
    connection.request(method, path, headers={"Host": "chain.example", **headers})
    response = connection.getresponse()
    return response, response.read()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of its own for localhost, and its key."""
    certificate, key = folder / "localhost.pem", folder / "localhost.key"
    files = ("-out", str(certificate), "-keyout", str(key))
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *names)
    subprocess.run(made, check=True, capture_output=True)
    return certificate, key


def written(text: str, changes: dict[str, str]) -> str:
    """The configuration with other values; each has to be in it."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def running_front(folder: Path) -> Iterator[Front]:
    if NGINX is None:
        pytest.skip("nginx is not installed")
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(running_server(*PROXIED, dies=True)) for _ in range(2)]
        port, secure_port = free_port(), free_port()
        certificate, key = make_certificate(folder)
        changes = {
            "127.0.0.1:5001": f"127.0.0.1:{servers[0].port}",
            "127.0.0.1:5002": f"127.0.0.1:{servers[1].port}",
            "/var/cache/nginx/critmass": f"{folder}/cache",
            "listen 80;": f"listen 127.0.0.1:{port};",
            "# listen 443 ssl": f"listen 127.0.0.1:{secure_port} ssl",
            "# ssl_certificate /etc/ssl/chain.example.pem": f"ssl_certificate {certificate}",
            "# ssl_certificate_key /etc/ssl/private/chain.example.key": f"ssl_certificate_key {key}",
        }
        (folder / "critmass.conf").write_text(written(CONFIG.read_text("utf-8"), changes), "utf-8")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        main = MAIN.format(
            folder=folder,
            user="user root;" if os.geteuid() == 0 else "",
            temporary=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds),
        )
        (folder / "nginx.conf").write_text(main, "utf-8")
        nginx = Child(NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf"))
        stack.callback(nginx.stop)
        front = Front(port, servers, secure_port, certificate)
        until = time.monotonic() + 20
        while True:
            with contextlib.suppress(ConnectionError):
                front.ask("/healthz")
                break
            assert time.monotonic() < until, f"{nginx}\n{(folder / 'error.log').read_text('utf-8')}"
            time.sleep(0.05)
        yield front


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
