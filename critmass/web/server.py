"""The production server: gunicorn, run in the foreground on a socket that is already bound."""

import socket
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

BACKLOG = 512


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raise `OSError` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


def url_of(sock: socket.socket) -> str:
    """Return the address under which a browser on this machine reaches the socket."""
    host, port = sock.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"


def run(sock: socket.socket, make_app: Callable[[], Flask], workers: int) -> None:
    """Serve an app on the socket until the process is told to end."""
    Server(sock, make_app, workers).run()


class Server(BaseApplication):
    """Gunicorn with the settings that this app wants."""

    def __init__(self, sock: socket.socket, make_app: Callable[[], Flask], workers: int) -> None:
        self.ready = f"Critical Mass on {url_of(sock)} (Ctrl+C ends it)"
        self.fd = sock.detach()
        self.workers = workers
        self.make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults."""
        settings = {
            "bind": f"fd://{self.fd}",
            "workers": self.workers,
            "worker_class": "gthread",
            "threads": 8,
            "keepalive": 15,
            "preload_app": True,
            "graceful_timeout": 10,
            "limit_request_line": 8190,
            "loglevel": "warning",
            "when_ready": lambda _: print(self.ready, flush=True),
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the app that the workers answer with."""
        return self.make_app()
