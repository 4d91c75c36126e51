"""The real server as those who run it see it: how it ends and starts anew, what it writes down, what it refuses."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import Child, Server, running_server

from critmass import __version__
from critmass.bench import links
from critmass.engine import classic
from critmass.home import HOME
from critmass.web.headers import HEADERS
from critmass.web.worker import Outbox

RUN = (sys.executable, "-m", "critmass")
FILM = f"{links(1, 300, classic(16, 16, 2))[0]}.gif?size=1024"
"""A request that takes a second or so."""


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


def master_of(server: Server) -> int:
    return server.child.pid


def workers_of(server: Server) -> set[int]:
    children = Path(f"/proc/{master_of(server)}/task/{master_of(server)}/children").read_text("ascii")
    return {int(pid) for pid in children.split()}


def started(server: Server, count: int) -> set[int]:
    """The workers of a server that was just started, when all of them answer."""
    until = time.monotonic() + 10
    while len(workers_of(server)) < count and time.monotonic() < until:
        time.sleep(0.02)
    ask(server, "/healthz")
    return workers_of(server)


class Film(threading.Thread):
    """A slow request, in a thread of its own."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server, self.status, self.body = server, 0, b""
        self.start()
        time.sleep(0.2)  # it is under way
        assert self.is_alive(), "the film was too quick to test anything with"

    def run(self) -> None:
        response, self.body = ask(self.server, FILM)
        self.status = response.status

    def check(self) -> None:
        self.join(60)
        assert self.status == 200
        assert self.body.startswith(b"GIF89a")
        assert self.body.endswith(b";")


def own_copy(folder: Path) -> Path:
    """A copy of the program, to be changed."""
    program = folder / "program"
    for name in ("critmass", "templates", "static"):
        shutil.copytree(HOME / name, program / name, ignore=shutil.ignore_patterns("__pycache__"))
    return program


# --- Ending and starting anew -------------------------------------------------------------------------------------


def is_there(server: Server) -> bool:
    """Whether it takes connections still."""
    try:
        ask(server, "/healthz")
    except ConnectionError:
        return False
    return True


def test_what_is_under_way_when_it_ends_is_finished() -> None:
    with running_server("--workers", "1") as server:
        film = Film(server)
        os.kill(master_of(server), signal.SIGTERM)
        film.check()
        until = time.monotonic() + 30
        while is_there(server):
            assert time.monotonic() < until


def test_workers_that_are_only_starting_are_told_to_end_too(tmp_path: Path) -> None:
    """The server then ends at once, and not after all of its grace."""
    program = own_copy(tmp_path)
    worker = program / "critmass/web/worker.py"
    text = worker.read_text("utf-8")
    ready = "        super().init_signals()\n"
    assert ready in text
    worker.write_text(text.replace(ready, f"        time.sleep(2)\n{ready}"), "utf-8")
    with running_server("--workers", "2", cwd=program) as server:
        until = time.monotonic() + 10
        while len(workers_of(server)) < 2:
            assert time.monotonic() < until


def test_a_reload_starts_the_program_anew_and_loses_nobody() -> None:
    with running_server("--workers", "2", "--metrics-port", "0") as server:
        before, pid = started(server, 2), master_of(server)
        assert len(before) == 2
        film = Film(server)
        os.kill(pid, signal.SIGHUP)
        statuses = set()
        until = time.monotonic() + 30
        while time.monotonic() < until and (before & workers_of(server) or len(workers_of(server)) < 2):
            statuses.add(ask(server, "/m/0z7c")[0].status)
        assert statuses == {200}
        assert not before & workers_of(server)
        film.check()
        assert ask(server, "/healthz")[1] == b"ok\n"


def wait_for(server: Server, path: str, body: bytes) -> None:
    """Wait until this is what the server answers, as it does after a reload."""
    until = time.monotonic() + 30
    while ask(server, path)[1] != body:
        assert time.monotonic() < until


def test_a_reload_takes_up_a_changed_program_and_refuses_a_broken_one(tmp_path: Path) -> None:
    program = own_copy(tmp_path)
    pages = program / "critmass/web/pages.py"
    text = pages.read_text("utf-8")
    assert r'"ok\n"' in text
    with running_server("--workers", "1", cwd=program) as server:
        wait_for(server, "/healthz", b"ok\n")
        pages.write_text(text.replace(r'"ok\n"', r'"well\n"'), "utf-8")
        os.kill(master_of(server), signal.SIGHUP)
        wait_for(server, "/healthz", b"well\n")
        pages.write_text(f"{text}\nraise SystemExit('half written')\n", "utf-8")
        workers = workers_of(server)
        os.kill(master_of(server), signal.SIGHUP)
        while "not reloaded" not in server.child.next_line(timeout=30):
            pass
        assert workers_of(server) == workers
        assert ask(server, "/healthz")[1] == b"well\n"
        pages.write_text(text, "utf-8")
        os.kill(master_of(server), signal.SIGHUP)
        wait_for(server, "/healthz", b"ok\n")


def test_a_worker_that_is_killed_is_replaced() -> None:
    with running_server("--workers", "1") as server:
        (worker,) = started(server, 1)
        os.kill(worker, signal.SIGKILL)
        assert ask(server, "/healthz")[0].status == 200
        assert worker not in workers_of(server)


# --- Log and metrics ----------------------------------------------------------------------------------------------


def lines_of(file: Path, count: int) -> list[dict[str, object]]:
    until = time.monotonic() + 10
    while time.monotonic() < until and (not file.exists() or file.read_text("utf-8").count("\n") < count):
        time.sleep(0.02)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_access_log_says_what_and_not_who(tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    with running_server("--workers", "1", "--access-log", str(file)) as server:
        curious = {"User-Agent": "curious", "Referer": "http://elsewhere.example/"}
        for count, (method, path) in enumerate(
            [*2 * [("GET", "/m/0z7c?names=Ada,Bo")], ("HEAD", "/m/0%0a%22z.json")], 1
        ):
            ask(server, path, method, **curious)
            lines_of(file, count)
        raw(server, b"nonsense\r\n\r\n")
        lines = lines_of(file, 4)
        assert [(line["method"], line["path"], line["status"], line["again"]) for line in lines] == [
            ("GET", "/m/0z7c", 200, False),
            ("GET", "/m/0z7c", 200, True),
            ("HEAD", '/m/0\n"z.json', 404, False),
            (None, None, 400, False),
        ]
        assert all(
            set(line) == {*("time", "method", "path", "status", "bytes", "ms", "again", "worker")} for line in lines
        )
        assert lines[0]["bytes"] == lines[1]["bytes"] > 1000  # type: ignore[operator]
        assert not re.search("Ada|curious|elsewhere|127.0.0.1", file.read_text("utf-8"))
        file.rename(tmp_path / "access.log.1")
        os.kill(master_of(server), signal.SIGUSR1)
        until = time.monotonic() + 10
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.2)  # the worker is told after its master
        ask(server, "/healthz")
        assert [line["path"] for line in lines_of(file, 1)] == ["/healthz"]


def test_the_access_log_goes_to_standard_output_if_wanted() -> None:
    with running_server("--workers", "1", "--access-log", "-") as server:
        ask(server, "/m/0")
        assert json.loads(server.child.next_line(10))["path"] == "/m/0"


def test_a_full_disk_stops_no_answer() -> None:
    with running_server("--workers", "1", "--access-log", "/dev/full") as server:
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
            with running_server("--workers", "1", "--access-log", str(file)) as server:
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
    with running_server("--workers", "2", "--metrics-port", str(port)) as server:
        yield server, f"http://127.0.0.1:{port}"


def samples(address: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{address}/metrics", timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        lines = answer.read().decode().splitlines()
    assert {line.split()[2] for line in lines if line.startswith("# TYPE")} == {
        line.split()[2] for line in lines if line.startswith("# HELP")
    }
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_metrics_are_the_sums_of_all_workers(measured: tuple[Server, str]) -> None:
    server, address = measured
    before = samples(address)
    for _ in range(20):
        ask(server, "/m/0z7c")
    ask(server, "/m/00.json")
    ask(server, "/m/0.svg")
    raw(server, b"nonsense\r\n\r\n")
    now = samples(address)
    grown = {name: now[name] - before.get(name, 0) for name in now}
    assert now[f'critmass_build_info{{version="{__version__}"}}'] == 1
    assert grown['critmass_requests_total{kind="page",status="200"}'] == 20
    assert grown['critmass_requests_total{kind="json",status="404"}'] == 1
    assert grown['critmass_requests_total{kind="svg",status="200"}'] == 1
    assert grown['critmass_requests_total{kind="page",status="400"}'] == 1
    assert grown['critmass_request_seconds_bucket{le="+Inf"}'] == grown["critmass_request_seconds_count"] == 23
    assert 18 <= grown["critmass_given_again_total"] <= 19
    assert grown["critmass_sent_bytes_total"] > 20_000
    ends = [value for name, value in now.items() if name.startswith("critmass_request_seconds_bucket")]
    assert ends == sorted(ends)


def test_metrics_outlive_a_worker(measured: tuple[Server, str]) -> None:
    server, address = measured
    before = samples(address)
    os.kill(min(workers_of(server)), signal.SIGKILL)
    until = time.monotonic() + 10
    while samples(address)["critmass_workers_started_total"] == before["critmass_workers_started_total"]:
        assert time.monotonic() < until
    now = samples(address)
    assert now["critmass_workers_started_total"] == before["critmass_workers_started_total"] + 1
    assert now["critmass_request_seconds_count"] >= before["critmass_request_seconds_count"]


def test_metrics_are_nowhere_else(measured: tuple[Server, str]) -> None:
    server, address = measured
    assert ask(server, "/metrics")[0].status == 404
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/m/0", timeout=10)


# --- Whom it believes, and what it does not read --------------------------------------------------------------------

FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "chain.example"}


@pytest.mark.parametrize(("trusted", "site"), [("0", "http://127.0.0.1"), ("1", "https://chain.example")])
def test_a_proxy_is_believed_when_told_so(trusted: str, site: str) -> None:
    with running_server(CRITMASS_TRUSTED_PROXIES=trusted, CRITMASS_ALLOWED_HOST="chain.example") as server:
        response, body = ask(server, "/m/0z7c", **FORWARDED)
        assert f'href="{site}' in body.decode()
        assert ("Strict-Transport-Security" in response.headers) == (trusted == "1")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /m/" + 9000 * b"0" + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /m/0?" + 90000 * b"x" + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nX: " + 9000 * b"x" + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + 100 * b"X: x\r\n" + b"\r\n", 431),
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX y: z\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nExpect: <script>\r\n\r\n", 417),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: <script>\r\n\r\n", 400),
        (b"POST /import HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST /import HTTP/1.1\r\nContent-Length: 300000\r\n\r\n", 413),
        (b"POST /import HTTP/1.1\r\nContent-Length: " + 10000 * b"9" + b"\r\n\r\n", 413),
        (b"x" * 1_000_000, 414),
        (b"GET / HTTP/1.1\r\nX: " + 1_000_000 * b"x", 431),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_is_refused_in_plain_words(server: Server, sent: bytes, status: int) -> None:
    got, headers, body = raw(server, sent)
    assert got == status
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert int(headers["content-length"]) == len(body) < 100
    assert b"<" not in body
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value
    assert ask(server, "/healthz")[0].status == 200


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
    few = ("--workers", "1", "--threads", "2", "--patience", "5")
    with running_server(*few) as server, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connection(server, sent)) for sent in SLOW * 20]
        for _ in range(20):
            start = time.monotonic()
            assert ask(server, "/m/0z7c")[0].status == 200
            assert time.monotonic() - start < 4.5  # none of them had to give up first
        for sock, sent in zip(slow, SLOW * 20, strict=True):
            answer = b"".join(iter(lambda: sock.recv(65536), b""))  # noqa: B023
            assert answer.count(b"HTTP/1.1 200 OK") == sent.count(b"\r\n\r\nGET")
            assert answer.count(b"HTTP/1.1 408 Request Timeout") == (sent != b"")


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
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")


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


def test_an_answer_is_whole_for_a_slow_reader(server: Server) -> None:
    with connection(server, f"GET {FILM} HTTP/1.1\r\nConnection: close\r\n\r\n".encode()) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 15)
        time.sleep(2)
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}\r\n".encode() in head


def test_an_answer_waits_outside_of_threads_until_it_is_taken() -> None:
    ours, theirs = socket.socketpair()
    sent = os.urandom(5_000_000)
    with Outbox(ours) as outbox, theirs:
        outbox.settimeout(30)
        outbox.sendall(sent[:1000])
        outbox.sendall(sent[1000:])  # nobody reads
        assert outbox.gettimeout() == 30
        assert len(outbox.left) > 1_000_000
        come = b""
        while not outbox.flush():
            come += theirs.recv(1 << 16)
        outbox.shutdown(socket.SHUT_WR)
        assert come + b"".join(iter(lambda: theirs.recv(1 << 16), b"")) == sent
        theirs.close()
        with pytest.raises(OSError, match=r"Broken pipe|reset"):
            outbox.sendall(sent)


SMALL_BUFFERS = """
import sys
from critmass.web import worker
worker._SEND_BUFFER = 1 << 14
worker._MOST_LEFT = 1 << 22
from critmass.cli import main
main()
"""


def test_clients_that_do_not_read_keep_nobody_waiting() -> None:
    """However little the system keeps for them, and and more of them than threads."""
    child = Child(sys.executable, "-c", SMALL_BUFFERS, "serve", "--port", "0", "--workers", "1", "--threads", "2")
    try:
        found = re.search(r"(http://127\.0\.0\.1:(\d+))/", child.next_line(30))
        assert found
        server = Server(found[1], int(found[2]), child)
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                sock = stack.enter_context(socket.socket())
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
                sock.settimeout(60)
                sock.connect(("127.0.0.1", server.port))
                sock.sendall(f"GET {FILM} HTTP/1.1\r\nConnection: close\r\n\r\n".encode())
                time.sleep(0.2)
            start = time.monotonic()
            for _ in range(5):
                assert ask(server, "/m/0z7c")[0].status in (200, 503)
            assert time.monotonic() - start < 30  # it would be a minute, and another
        assert ask(server, "/healthz")[1] == b"ok\n"
    finally:
        child.stop()
    assert "Traceback" not in str(child)


def test_more_than_it_can_do_is_refused_soon_and_then_all_is_well() -> None:
    asked = [f"{link}.gif?size=1024" for link in links(40, 200, classic(16, 16, 2))]
    with running_server("--workers", "1", "--threads", "1") as server:
        answers: list[http.client.HTTPResponse] = []
        clients = [threading.Thread(target=lambda path=path: answers.append(ask(server, path)[0])) for path in asked]
        start = time.monotonic()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        assert {answer.status for answer in answers} == {200, 503}
        assert all(answer.headers["Retry-After"] for answer in answers if answer.status == 503)
        assert time.monotonic() - start < 20
        assert ask(server, "/m/0z7c")[0].status == 200


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
        found = re.search(r":(\d+)/", child.next_line(timeout=30))
        assert found, child
        server = Server(f"http://127.0.0.1:{found[1]}", int(found[1]), child)
        for path in ("/m/0z7c", "/m/0z7c.png?card=1", "/m/0z7c.gif", "/static/x/app.css", "/icon-192.png"):
            assert ask(server, path)[0].status == 200
    finally:
        code = child.stop()
    assert code == 0, child
    assert len(child.output) == 1, child
    assert [path for folder in empty.values() for path in folder.iterdir()] == []
