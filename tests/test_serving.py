"""The real server as those who run it see it: how it starts and ends, what it writes down, what it refuses."""

import contextlib
import fcntl
import http.client
import json
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest
from processes import Child, Server, running_server

from critmass import __version__
from critmass.bench import links
from critmass.engine import classic
from critmass.web.http.rate_limit import PLACES

RUN = (sys.executable, "-m", "critmass")
FILM = f"{links(1, 300, classic(16, 16, 2))[0]}.gif?size=1024"
"""A request that takes a second or so."""
LARGE = f"{links(1, 300, classic(16, 16, 2))[0]}.png"
"""A picture that is kept after it was drawn once."""


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read()


def raw(server: Server, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """What comes back for these bytes: status, headers by lower-case name, and body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as sock:
        with contextlib.suppress(ConnectionError):  # it may answer before it has read all of it
            sock.sendall(sent)
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, v in (line.split(": ", 1) for line in lines)}, body


class Film(threading.Thread):
    """A slow request, in a thread of its own."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server, self.status, self.body = server, 0, b""
        self.start()
        time.sleep(0.2)  # it is under way
        assert self.is_alive(), "the film was too quick to test anything with"

    def run(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):  # its status stays 0
            response, self.body = ask(self.server, FILM)
            self.status = response.status

    def check(self) -> None:
        self.join(60)
        assert self.status == 200
        assert self.body.startswith(b"GIF89a")
        assert self.body.endswith(b";")


# --- Starting and ending ------------------------------------------------------------------------------------------


def is_there(server: Server) -> bool:
    """Whether it takes connections still."""
    try:
        ask(server, "/healthz")
    except ConnectionError:
        return False
    return True


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_what_is_under_way_when_it_ends_is_finished(how: signal.Signals) -> None:
    with running_server() as server:
        film = Film(server)
        os.kill(server.child.pid, how)
        film.check()
        assert server.child.wait(30) == 0
        assert not is_there(server)


def test_a_second_signal_ends_it_at_once() -> None:
    with running_server(dies=True) as server:
        films = [Film(server) for _ in range(PLACES[".gif"])]
        os.kill(server.child.pid, signal.SIGTERM)
        until = time.monotonic() + 30
        while is_there(server):
            assert time.monotonic() < until
        assert any(film.is_alive() for film in films), "the films were too quick to test anything with"
        os.kill(server.child.pid, signal.SIGTERM)
        assert server.child.wait(30) == -signal.SIGTERM
        for film in films:
            film.join()
        assert any(film.status == 0 for film in films)


def test_a_signal_that_is_ignored_by_who_starts_it_stays_ignored() -> None:
    """As `nohup` does it, and a shell for what it runs in the background."""
    child = Child("sh", "-c", f"trap '' HUP INT; exec '{sys.executable}' -m critmass serve --port 0")
    try:
        server = server_of(child)
        for how in (signal.SIGHUP, signal.SIGINT):
            os.kill(child.pid, how)
        assert ask(server, "/healthz")[1] == b"ok\n"
    finally:
        assert child.stop() == 0


def server_of(child: Child) -> Server:
    """The server that a child process is, once it is ready."""
    while not (found := re.search(r"(http://127\.0\.0\.1:(\d+))/ \(", child.next_line(30))):
        pass
    return Server(found[1], int(found[2]), child)


HANDED_ON = """
import os, sys
for number, fd in enumerate(map(int, sys.argv[1].split(",")), 3):
    os.dup2(fd, number)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sys.argv[1].split(","))))
os.execv(sys.executable, [sys.executable, "-m", "critmass", "serve", *sys.argv[2:]])
"""
"""Hands sockets on as systemd does: under the numbers from 3 on."""


def handed_on(*sockets: socket.socket) -> Child:
    numbers = [sock.fileno() for sock in sockets]
    return Child(sys.executable, "-c", HANDED_ON, ",".join(map(str, numbers)), pass_fds=numbers)


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    """A socket under a number that is out of the way of those that are handed on."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=512) as sock,
        socket.socket(fileno=fcntl.fcntl(sock, fcntl.F_DUPFD, 100)) as far,
    ):
        yield far


def test_all_sockets_that_are_handed_on_are_served() -> None:
    with listening() as one, listening() as other:
        child = handed_on(one, other)
        try:
            server_of(child)
            for sock in (one, other):
                port = sock.getsockname()[1]
                assert ask(Server("", port, child), "/healthz")[1] == b"ok\n"
        finally:
            assert child.stop() == 0


def test_a_restart_behind_an_open_socket_refuses_nobody() -> None:
    """Whoever comes in between waits; lost is at most what a thread had not begun, on connections taken before."""
    outcomes: list[tuple[float, str]] = []
    done = threading.Event()
    with listening() as sock:
        port = sock.getsockname()[1]

        def client(number: int) -> None:
            while not done.is_set():
                begin = time.monotonic()
                try:
                    got = str(ask(Server("", port, child), f"/m/0z7c?names={number}")[0].status)
                except (OSError, http.client.HTTPException) as error:
                    got = type(error).__name__
                outcomes.append((begin, got))

        child = handed_on(sock)
        server_of(child)
        clients = [threading.Thread(target=client, args=(number,)) for number in range(4)]
        for it in clients:
            it.start()
        ends = []
        for _ in range(3):
            seen = len(outcomes)
            while len(outcomes) < seen + 40:
                assert time.sleep(0.01) is None
            os.kill(child.pid, signal.SIGTERM)
            assert child.wait(30) == 0
            ends.append(time.monotonic())
            child.stop()
            child = handed_on(sock)
            server_of(child)
        seen = len(outcomes)
        while len(outcomes) < seen + 40:
            time.sleep(0.01)
        done.set()
        for it in clients:
            it.join()
        assert child.stop() == 0
    kinds = Counter(got for _, got in outcomes)
    assert "ConnectionRefusedError" not in kinds, kinds
    lost = [(begin, got) for begin, got in outcomes if got != "200"]
    assert len(lost) <= len(ends) * len(clients), kinds
    assert all(any(begin < end for end in ends) for begin, _ in lost)


def test_it_may_have_as_many_open_files_as_connections() -> None:
    command = f"ulimit -Sn 256; exec '{sys.executable}' -m critmass serve --port 0 --connections 700"
    child = Child("sh", "-c", command)
    try:
        server = server_of(child)
        assert resource.prlimit(child.pid, resource.RLIMIT_NOFILE)[0] >= 700
        with contextlib.ExitStack() as stack:
            for _ in range(600):
                stack.enter_context(connection(server))
            assert ask(server, "/healthz")[1] == b"ok\n"
    finally:
        assert child.stop() == 0


# --- Log and metrics ----------------------------------------------------------------------------------------------


def lines_of(file: Path, count: int) -> list[dict[str, object]]:
    until = time.monotonic() + 10
    while time.monotonic() < until and (not file.exists() or file.read_text("utf-8").count("\n") < count):
        time.sleep(0.02)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_access_log_says_what_and_not_who(tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    with running_server("--access-log", str(file)) as server:
        curious = {"User-Agent": "curious", "Referer": "http://elsewhere.example/"}
        for count, (method, path) in enumerate(
            [*2 * [("GET", "/m/0z7c?names=Ada,Bo")], ("HEAD", "/m/0%0a%22z.json")], 1
        ):
            ask(server, path, method, **curious)
            lines_of(file, count)
        raw(server, b"nonsense\r\n\r\n")  # does not reach the app
        lines = lines_of(file, 3)
        assert [(line["method"], line["path"], line["status"], line["again"]) for line in lines] == [
            ("GET", "/m/0z7c", 200, False),
            ("GET", "/m/0z7c", 200, True),
            ("HEAD", '/m/0\n"z.json', 404, False),
        ]
        assert all(set(line) == {"time", "method", "path", "status", "bytes", "ms", "again"} for line in lines)
        assert lines[0]["bytes"] == lines[1]["bytes"] > 1000  # type: ignore[operator]
        assert not re.search("Ada|curious|elsewhere|127.0.0.1", file.read_text("utf-8"))
        file.rename(tmp_path / "access.log.1")
        os.kill(server.child.pid, signal.SIGUSR1)
        until = time.monotonic() + 10
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.02)
        ask(server, "/healthz")
        assert [line["path"] for line in lines_of(file, 1)] == ["/healthz"]


def test_a_line_of_the_access_log_is_json_whatever_the_path_holds(tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    paths = [bytes([byte, 0x22, 0x5C, byte]) for byte in range(256)] + ["漢字".encode(), b"\xff\xfe\x00", b"\r\n{}"]
    with running_server("--access-log", str(file)) as server:
        asked = [f"/x{quote_from_bytes(path, safe='')}".encode() for path in paths]
        for path in asked:
            raw(server, b"GET %s HTTP/1.1\r\nConnection: close\r\n\r\n" % path)
        lines = lines_of(file, len(paths))
    assert [str(line["path"]).encode("latin-1") for line in lines] == [b"/x" + it for it in paths]


def test_every_answer_says_its_length(server: Server) -> None:
    """What is written down as sent is what it says; and without a length the connection would be closed."""
    for path in ("/", "/m/0z7c", "/m/0z7c.json", "/m/0z7c.png", "/m/0z7c.gif", "/m/00", "/static/x/app.css", "/sw.js"):
        response, body = ask(server, path, **{"Accept-Encoding": "gzip, br"})
        assert int(response.headers["Content-Length"]) == len(body) > 0, path


def test_the_access_log_goes_to_standard_output_if_wanted() -> None:
    with running_server("--access-log", "-") as server:
        ask(server, "/m/0")
        assert json.loads(server.child.next_line(10))["path"] == "/m/0"


def test_a_full_disk_stops_no_answer() -> None:
    with running_server("--access-log", "/dev/full") as server:
        assert ask(server, "/m/0")[0].status == 200


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    command = ["serve", "--port", "0", "--access-log", str(tmp_path)]
    done = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", [b"notes", b"hello\n", b"{}\n", b"\n", b"\xff\0", b'{"name": 1}\n'])
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    command = ["serve", "--port", "0", "--access-log", str(file)]
    done = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1
    assert f"{file} holds something else than an access log" in done.stderr
    assert "Traceback" not in done.stderr
    assert file.read_bytes() == content


def test_a_log_that_was_cut_short_goes_on_with_a_line_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    for before in (b"", b'{"ti', b'{"time": "2026-11-30T07:00:49.120+00:00", "path": "/m/0"}\n{"time": "2026'):
        file.write_bytes(before)
        for more in (1, 2):
            with running_server("--access-log", str(file)) as server:
                ask(server, "/m/0z7c")
                until = time.monotonic() + 10
                while file.read_bytes().count(b"/m/0z7c") < more:
                    assert time.monotonic() < until
                    time.sleep(0.02)
        rest = file.read_bytes().removeprefix(before).removeprefix(b"\n" if before else b"")
        assert [json.loads(line)["path"] for line in rest.splitlines()] == 2 * ["/m/0z7c"]


@pytest.fixture(scope="module")
def measured() -> Iterator[tuple[Server, str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running_server("--metrics-port", str(port)) as server:
        yield server, f"http://127.0.0.1:{port}"


def samples(address: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{address}/metrics", timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        lines = answer.read().decode().splitlines()
    assert {line.split()[2] for line in lines if line.startswith("# TYPE")} == {
        line.split()[2] for line in lines if line.startswith("# HELP")
    }
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_metrics_count_what_the_app_answered(measured: tuple[Server, str]) -> None:
    server, address = measured
    before = samples(address)
    for _ in range(20):
        ask(server, "/m/0z7c")
    ask(server, "/m/00.json")
    ask(server, "/m/0.svg")
    raw(server, b"nonsense\r\n\r\n")  # does not reach the app
    ask(server, "/m/0", "BREW")
    now = samples(address)
    grown = {name: now[name] - before.get(name, 0) for name in now}
    assert now[f'critmass_build_info{{version="{__version__}"}}'] == 1
    assert grown['critmass_requests_total{kind="page",status="200"}'] == 20
    assert grown['critmass_requests_total{kind="json",status="404"}'] == 1
    assert grown['critmass_requests_total{kind="svg",status="200"}'] == 1
    assert grown['critmass_requests_total{kind="page",status="405"}'] == 1
    assert grown['critmass_request_seconds_bucket{le="+Inf"}'] == grown["critmass_request_seconds_count"] == 23
    assert grown["critmass_given_again_total"] == 19
    assert grown["critmass_sent_bytes_total"] > 20_000
    ends = [value for name, value in now.items() if name.startswith("critmass_request_seconds_bucket")]
    assert ends == sorted(ends)


def test_metrics_are_nowhere_else(measured: tuple[Server, str]) -> None:
    server, _ = measured
    assert ask(server, "/metrics")[0].status == 404


def test_a_port_for_metrics_is_found_and_printed_and_one_that_is_taken_is_told() -> None:
    with running_server("--metrics-port", "0") as server:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", str(server.child))
        assert found
        assert samples(found[0].removesuffix("/metrics"))["process_start_time_seconds"] > 0
        command = ["serve", "--port", "0", "--metrics-port", found[1]]
        done = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1
    assert found[1] in done.stderr
    assert "--metrics-port 0" in done.stderr
    assert "Traceback" not in done.stderr


# --- Whom it believes, and what it does not read --------------------------------------------------------------------

CHUNKED = b"POST /import HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "chain.example"}


@pytest.mark.parametrize(("trusted", "site"), [("0", "http://127.0.0.1"), ("1", "https://chain.example")])
def test_a_proxy_is_believed_when_told_so(trusted: str, site: str) -> None:
    with running_server(CRITMASS_TRUSTED_PROXIES=trusted, CRITMASS_ALLOWED_HOST="chain.example") as server:
        response, body = ask(server, "/m/0z7c", **FORWARDED)
        assert f'href="{site}' in body.decode()
        assert ("Strict-Transport-Security" in response.headers) == (trusted == "1")


def test_proxies_are_counted_from_the_right() -> None:
    """The client is who the outermost of the believed ones says; what stands before that is anybody's word."""
    for trusted, same in ((1, ("203.0.113.7", "198.51.100.1, 203.0.113.7")), (2, ("203.0.113.7, 10.0.0.1",) * 2)):
        with running_server("--rate-limit", "1", "--trusted-proxies", str(trusted)) as server:
            first, again = (
                ask(server, f"/m/0.png?size={128 + number}", **{"X-Forwarded-For": told})[0].status
                for number, told in enumerate(same)
            )
            assert (first, again) == (200, 429)
            other = {"X-Forwarded-For": "2001:db8::1, 10.0.0.1" if trusted == 2 else "2001:db8::1"}
            assert ask(server, "/m/0.png?size=140", **other)[0].status == 200
            assert ask(server, "/m/0.png?size=141", **other)[0].status == 429
    with running_server("--rate-limit", "1") as server:  # and nobody is believed if it is not said
        forged = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7"}
        assert {ask(server, f"/m/0.png?size={128 + number}", **forged)[0].status for number in range(3)} == {200}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /m/" + 17000 * b"0" + b" HTTP/1.1\r\n\r\n", 431),
        (b"GET /m/0?" + 90000 * b"x" + b" HTTP/1.1\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + 17000 * b"x" + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + 4000 * b"X: x\r\n" + b"\r\n", 431),
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX y: z\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: <script>\r\n\r\n", 501),
        (CHUNKED + b"xyz\r\n", 400),
        (b"POST /import HTTP/1.1\r\nContent-Length: 300000\r\n\r\n", 413),
        (
            b"POST /import HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + 5 * (b"ffff\r\n" + 65535 * b"x" + b"\r\n"),
            413,
        ),
        (b"POST /import HTTP/1.1\r\nContent-Length: 900000000\r\n\r\n" + 3_000_000 * b"x", 413),
        (b"x" * 1_000_000, 431),
        (b"GET / HTTP/1.1\r\nX: " + 1_000_000 * b"x", 431),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_is_refused(server: Server, sent: bytes, status: int) -> None:
    """In plain text that quotes nothing, unless the line is cut while it is still being sent."""
    with contextlib.suppress(ConnectionError):
        got, headers, body = raw(server, sent)
        assert got == status
        assert headers["content-type"] == "text/plain; charset=utf-8"
        assert "server" not in headers
        assert b"<" not in body
    assert ask(server, "/healthz")[0].status == 200


def test_an_address_that_is_none_gets_no_answer() -> None:
    """waitress closes the connection, and says so in a line of its log."""
    with running_server() as server:
        with connection(server, b"GET http://[ HTTP/1.1\r\n\r\n") as sock:
            assert sock.recv(1000) == b""
        assert ask(server, "/healthz")[0].status == 200


@pytest.mark.parametrize("path", ["/", "/m/0z7c", "/m/0z7c.png", "/m/00.json", "/nothing", "/static/x/app.css"])
def test_no_answer_says_what_serves_it(server: Server, path: str) -> None:
    for _ in range(2):
        response, _ = ask(server, path)
        assert not {"Server", "Via", "X-Powered-By"} & {name.title() for name in response.headers}


def test_a_body_in_chunks_is_read(server: Server) -> None:
    head = b"POST /import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
    chunks = b"7\r\ntext=/m\r\n5\r\n/0z7c\r\n0\r\n\r\n"
    status, headers, _ = raw(server, head + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + chunks)
    assert (status, headers["location"]) == (303, "/m/0z7c")


# --- Slow clients and too many ------------------------------------------------------------------------------------


@contextlib.contextmanager
def connection(server: Server, sent: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as sock:
        sock.sendall(sent)
        yield sock


SLOW = [
    b"",
    b"GET / HTT",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /import HTTP/1.1\r\nContent-Length: 100\r\n\r\ntext=",
    b"GET /healthz HTTP/1.1\r\n\r\nGET /healthz HTT",
]


def test_slow_clients_keep_nobody_waiting() -> None:
    """However many more of them there are than threads; who is silent for too long is let go."""
    with running_server("--idle-timeout", "5") as server, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connection(server, sent)) for sent in SLOW * 40]
        for _ in range(20):
            assert ask(server, "/m/0z7c")[0].status == 200
        for sock, sent in zip(slow, SLOW * 40, strict=True):
            answer = b"".join(iter(lambda: sock.recv(65536), b""))  # noqa: B023
            assert answer.count(b"HTTP/1.1 ") == answer.count(b"HTTP/1.1 200 OK") == sent.count(b"\r\n\r\nGET")


def test_more_connections_than_allowed_wait_until_the_silent_ones_are_let_go() -> None:
    with running_server("--idle-timeout", "2", "--connections", "20") as server, contextlib.ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(connection(server))
        assert ask(server, "/m/0z7c")[0].status == 200


def test_a_request_may_come_in_pieces(server: Server) -> None:
    text = b"text=/m/0z7c"
    for sent in (
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"POST /import HTTP/1.1\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: %d\r\n\r\n" % len(text) + text,
    ):
        with connection(server) as sock:
            for byte in sent:
                sock.sendall(bytes([byte]))
            answer = b"".join(iter(lambda: sock.recv(65536), b""))
        assert re.match(rb"HTTP/1.1 (200 OK|303 SEE OTHER)\r\n", answer)


@pytest.mark.parametrize("come", [b"", b"text=/m/0z"])
def test_nothing_is_made_of_half_of_what_was_posted(server: Server, come: bytes) -> None:
    head = b"POST /import HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\n"
    with connection(server, head + come) as sock:
        sock.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    assert answer == b""


def test_requests_may_come_all_at_once(server: Server) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connection(server, 50 * request + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")) as sock:
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    assert answer.count(b"HTTP/1.1 200 OK") == answer.count(b"\r\n\r\nok\n") == 51


def test_clients_that_do_not_hang_up_keep_nobody_waiting(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(connection(server, b"GET /healthz HTTP/1.0\r\n\r\n"))
        start = time.monotonic()
        assert ask(server, "/m/0z7c")[0].status == 200
        assert time.monotonic() - start < 10  # it would be two seconds for each


def test_an_answer_is_whole_for_a_slow_reader_and_written_to_no_file() -> None:
    with running_server() as server:
        resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (0, 0))
        with slow_reader(server) as sock:
            sock.sendall(f"GET {FILM} HTTP/1.1\r\nConnection: close\r\n\r\n".encode())
            select.select([sock], [], [], 60)
            assert ask(server, "/m/0z7c")[0].status == 200  # meanwhile
            answer = b"".join(iter(lambda: sock.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert len(body) > 1 << 19
    assert f"Content-Length: {len(body)}\r\n".encode() in head


@contextlib.contextmanager
def slow_reader(server: Server) -> Iterator[socket.socket]:
    """A connection for which the system keeps next to nothing."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        sock.settimeout(60)
        sock.connect(("127.0.0.1", server.port))
        yield sock


def test_clients_that_do_not_read_keep_nobody_waiting() -> None:
    """However much they ask for at once, and more of them than threads; in the end they are let go."""
    with running_server("--idle-timeout", "3") as server, contextlib.ExitStack() as stack:
        assert len(ask(server, LARGE)[1]) > 50_000
        files = open_files(server)
        for _ in range(40):
            sock = stack.enter_context(slow_reader(server))
            sock.sendall(300 * f"GET {LARGE} HTTP/1.1\r\n\r\n".encode())
        for number in range(20):
            assert ask(server, f"/m/0z7c?names={number}")[0].status == 200
        until = time.monotonic() + 60
        while open_files(server) > files + 2:
            assert time.monotonic() < until, "clients that do not read were never let go"
            time.sleep(0.1)
        assert ask(server, "/healthz")[1] == b"ok\n"


def open_files(server: Server) -> int:
    return len([*Path(f"/proc/{server.child.pid}/fd").iterdir()])


def test_pages_go_on_while_more_is_asked_for_than_can_be_drawn() -> None:
    """Pictures and films have so many places; who finds none is told when to come again."""
    asked = [f"{link}.gif?size=1024" for link in links(20, 200, classic(16, 16, 2))]
    asked += [f"{link}.png?card=1" for link in links(60)]
    with running_server() as server:
        answers: list[http.client.HTTPResponse] = []
        clients = [threading.Thread(target=lambda path=path: answers.append(ask(server, path)[0])) for path in asked]
        for client in clients:
            client.start()
        for number in range(20):
            assert ask(server, f"/m/0z7c?names={number}")[0].status == 200
        for client in clients:
            client.join()
        assert {answer.status for answer in answers} == {200, 503}
        assert all(answer.headers["Retry-After"] for answer in answers if answer.status == 503)
        assert ask(server, f"{FILM}&names=x")[0].status == 200


# --- Where it may write nothing -----------------------------------------------------------------------------------

ISOLATED = """
awk '$3 != "proc" { print $2 }' /proc/mounts | while read -r it; do mount -o remount,bind,ro "$it" 2>/dev/null; done
mount -t tmpfs -o size=64k tmpfs "$TMPDIR"
! touch "$0" 2>/dev/null || exit 99
exec setpriv --bounding-set=-all --no-new-privs -- "$@"
"""
"""Runs a command with every file system to be read only but for a small one for temporary files, and without powers."""


def may_isolate() -> bool:
    return (
        os.geteuid() == 0 and not subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode
    )


def test_it_runs_where_it_may_write_nothing(tmp_path: Path) -> None:
    """With root's help the file systems are read only; elsewhere at least nothing is left anywhere."""
    empty = {name: tmp_path / name for name in ("cwd", "home", "temporary")}
    for folder in empty.values():
        folder.mkdir()
    wrapper = ["unshare", "-m", "sh", "-c", ISOLATED, str(empty["cwd"] / "x")] if may_isolate() else []
    environment = [f"TMPDIR={empty['temporary']}", f"XDG_RUNTIME_DIR={empty['home']}", "PYTHONDONTWRITEBYTECODE="]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = ["env", "-u", "HOME", "-C", str(empty["cwd"]), *environment, *wrapper, *RUN]
    child = Child(
        *command, "serve", "--port", "0", "--metrics-port", "0", env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    try:
        server = server_of(child)
        for path in ("/m/0z7c", "/m/0z7c.png?card=1", "/m/0z7c.gif", "/static/x/app.css", "/icon-192.png"):
            assert ask(server, path)[0].status == 200
    finally:
        code = child.stop()
    assert code == 0, child
    assert len(child.output) == 2, child  # where it is, and where its metrics are
    assert [path for folder in empty.values() for path in folder.iterdir()] == []
