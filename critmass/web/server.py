"""The production server: gunicorn, run in the foreground on sockets that are already bound."""

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from critmass.web.metrics import Metrics
from critmass.web.record import Record
from critmass.web.worker import ENDING, LONGEST_LINE, Worker

BACKLOG = 512
MOST_CONNECTIONS = 500
"""The connections of a worker; more wait to be taken."""
MOST_FIELDS, LONGEST_FIELD = 64, 8190
"""The most header fields of a request, and bytes of each; beyond, it is answered 431."""
_FIRST = 3
"""The number of the first socket handed on to a process."""
_MALLOC = {-8: 2, -3: 1 << 22, -1: 1 << 22}
"""glibc's own options: two pools of memory for all threads, and what is larger than 4 MB is given back."""
_TRIAL = "from critmass.web import create_app; create_app()"


@dataclass(frozen=True)
class Settings:
    """How the app is served."""

    workers: int = 2
    threads: int = 8
    patience: int = 10
    """The seconds that a client has for sending a request."""
    grace: int = 30
    """The seconds that requests under way have when a worker ends."""
    keep_alive: int = 15
    """The seconds that a connection stays open without a request."""
    access_log: str | None = None
    """The file that each answer is written to, `-` for standard output."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raise `OSError` where that cannot be. A name of both kinds is IPv4's."""
    kind, everywhere = socket.SOCK_STREAM, socket.AI_PASSIVE
    addresses = socket.getaddrinfo(host.strip("[]") or None, port, type=kind, flags=everywhere)
    family, *_, address = min(addresses, key=lambda found: found[0] != socket.AF_INET)
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


def inherited() -> list[socket.socket]:
    """Return the listening sockets that were handed to this process, as systemd hands them on; mostly none."""
    count = int(os.environ.pop("LISTEN_FDS", 0))
    if os.environ.pop("LISTEN_PID", None) != str(os.getpid()):
        return []
    return [socket.socket(fileno=number) for number in range(_FIRST, _FIRST + count)]


def url_of(sock: socket.socket) -> str:
    """Return the address under which a browser on this machine reaches the socket."""
    host, port = sock.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"


def run(
    sock: socket.socket,
    make_app: Callable[[], Flask],
    settings: Settings,
    metrics_socket: socket.socket | None = None,
) -> None:
    """Serve an app on the socket until the process is told to end."""
    Server(sock, make_app, settings, metrics_socket).run()


class Server(BaseApplication):
    """Gunicorn with the settings that this app wants."""

    def __init__(
        self,
        sock: socket.socket,
        make_app: Callable[[], Flask],
        settings: Settings,
        metrics_socket: socket.socket | None,
    ) -> None:
        self.ready = f"Critical Mass on {url_of(sock)} (Ctrl+C ends it)"
        self.fd = sock.detach()
        self.settings = settings
        self.metrics_socket = metrics_socket
        self.make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults."""
        settings = {
            "bind": f"fd://{self.fd}",
            "workers": self.settings.workers,
            "worker_class": Worker,
            "threads": self.settings.threads,
            "worker_connections": MOST_CONNECTIONS,
            "keepalive": self.settings.keep_alive,
            "graceful_timeout": self.settings.grace,
            "preload_app": True,
            "limit_request_line": LONGEST_LINE,
            "limit_request_fields": MOST_FIELDS,
            "limit_request_field_size": LONGEST_FIELD,
            # Whom to believe is said by --trusted-proxies alone.
            "forwarded_allow_ips": "",
            # No files but the one by which a worker shows that it lives, which is in memory where that can be.
            "control_socket_disable": True,
            "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108
            "loglevel": "warning",
            "when_ready": lambda _: print(self.ready, flush=True),
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the app that the workers answer with."""
        return self.make_app()

    def run(self) -> None:
        """Serve until told to end."""
        _be_frugal()
        Master(self, self.settings, self.metrics_socket).run()


def _be_frugal() -> None:
    """Have memory given back that a picture took: glibc would keep it, for each thread, and a worker grow twofold."""
    mallopt: Any = getattr(ctypes.CDLL(None), "mallopt", None)
    for option, value in _MALLOC.items() if mallopt else ():
        mallopt(option, value)


class Master(Arbiter):
    """The process that starts the workers and sees to it that there are enough of them."""

    def __init__(self, app: Server, settings: Settings, metrics_socket: socket.socket | None) -> None:
        self.metrics_socket = metrics_socket
        self.settings = settings
        self.record = Record(app.cfg, settings.access_log, Metrics() if metrics_socket else None)
        app.cfg.set("pre_fork", self._before)
        app.cfg.set("child_exit", self._after)
        super().__init__(app)

    def setup(self, app: BaseApplication) -> None:
        """Take the settings over, with a log of its own."""
        self.log = self.record
        super().setup(app)

    def start(self) -> None:
        """Get ready to start workers, and forget those of before a reload that have ended by now."""
        super().start()
        self.reap_workers()

    def spawn_worker(self) -> int:
        """Start a worker and return its number; it misses no signal, however soon that comes."""
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            return int(super().spawn_worker())
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    def _before(self, _: Arbiter, worker: Worker) -> None:
        worker.patience = self.settings.patience
        worker.metrics_socket = self.metrics_socket
        worker.row = self.record.metrics.claim() if self.record.metrics else None

    def _after(self, _: Arbiter, worker: Worker) -> None:
        if self.record.metrics and worker.row is not None:
            self.record.metrics.release(worker.row)

    def handle_hup(self) -> None:
        """Become the program that is installed now, in the same process: the sockets stay open all the while.

        Workers finish what is under way; who comes meanwhile waits in the socket's queue. A program that does not
        come up is left alone.
        """
        trial = subprocess.run([sys.executable, "-c", _TRIAL], stdin=subprocess.DEVNULL, check=False)  # noqa: S603
        if trial.returncode:
            self.record.error("The program as it is now does not start: not reloaded")
            return
        self.kill_workers(signal.SIGTERM)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until there is somebody again who knows what it means
        sockets = [listener.sock for listener in self.LISTENERS] + [it for it in [self.metrics_socket] if it]
        self._become(sockets)

    def _become(self, sockets: Sequence[socket.socket]) -> None:
        # First out of the way of each other, then where they are looked for.
        spare = [fcntl.fcntl(sock, fcntl.F_DUPFD_CLOEXEC, _FIRST + len(sockets)) for sock in sockets]
        for number, fd in enumerate(spare, _FIRST):
            os.dup2(fd, number)
        os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(sockets))}
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
