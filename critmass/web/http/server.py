"""The production server: waitress, one process with threads, run in the foreground on sockets that are already bound.

A thread gets a request when it has come whole, and an answer waits outside of threads until its client has taken it.
"""

import ctypes
import logging
import os
import resource
import signal
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress.server import create_server

from critmass.web.http.access_log import AccessLog, observed

if TYPE_CHECKING:
    from critmass.web.http.metrics import Metrics

BACKLOG = 1024
LARGEST_HEAD, LARGEST_BODY = 1 << 14, 1 << 18
"""The bytes of a request's head, the address in it, and of what is posted, from which on they are refused."""
FORWARDED = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")
"""The headers in which proxies are believed, as far as they are."""
_PIECE = 1 << 10
"""The bytes that are read at a time: what is read at once may hold many requests, and each is answered."""
_NEVER = 1 << 40
"""More bytes than there will be: no answer is kept in a file, and no thread waits for a client to take one."""
_FIRST = 3
"""The number of the first socket handed on to a process."""
_OTHER_FILES = 64
"""The files that are open besides connections."""
_MALLOC = {-8: 2, -3: 1 << 22, -1: 1 << 22}
"""glibc's own options: two pools of memory for all threads, and what is larger than 4 MB is given back."""
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class Settings:
    """How the app is served."""

    threads: int = 16
    """The requests that are answered at a time."""
    connections: int = 2000
    """The connections that are open at a time; more wait to be taken."""
    idle_timeout: int = 15
    """The seconds after which a connection is closed over which nothing came or went."""
    trusted_proxies: int = 0
    """How many proxies are taken at their word on who asks, for which host, and whether by https."""
    access_log: str | None = None
    """The file that each answer is written to, `-` for standard output."""
    metrics_url: str | None = None
    """Where metrics are to be had; it is printed."""


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
    if sock.family == socket.AF_UNIX:
        return f"unix:{sock.getsockname()}"
    host, port = sock.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}/"


def run(sockets: Sequence[socket.socket], app: Flask, settings: Settings, metrics: "Metrics | None" = None) -> None:
    """Serve an app on these sockets until the process is told to end; raise `OSError` where that cannot be.

    What threads are answering is then finished, for up to five seconds; a second signal ends it at once.
    """
    allow_files(settings.connections)
    log = AccessLog(settings.access_log) if settings.access_log else None
    _give_memory_back()
    # How many wait for a thread is no news: it would be a line for each of them.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    proxies: dict[str, Any] = {"clear_untrusted_proxy_headers": True}
    if settings.trusted_proxies:
        proxies |= {
            "trusted_proxy": "*",
            "trusted_proxy_count": settings.trusted_proxies,
            "trusted_proxy_headers": set(FORWARDED),
        }
    server = create_server(
        observed(app, log, metrics),
        sockets=list(sockets),
        threads=settings.threads,
        connection_limit=settings.connections,
        channel_timeout=settings.idle_timeout,
        cleanup_interval=1,
        asyncore_use_poll=True,
        log_socket_errors=False,
        backlog=BACKLOG,
        recv_bytes=_PIECE,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=_NEVER,
        outbuf_overflow=_NEVER,
        outbuf_high_watermark=_NEVER,
        ident=None,
        **proxies,
    )
    _give_up_deaf_clients(sockets, settings.idle_timeout)
    _take_signals(sockets, log)
    print(f"Critical Mass on {' and '.join(map(url_of, sockets))} (Ctrl+C ends it)", flush=True)
    if settings.metrics_url:
        print(f"Metrics on {settings.metrics_url}", flush=True)
    server.run()


def allow_files(connections: int) -> None:
    """Let this process have as many open files as it has connections; raise `OSError` where that cannot be."""
    needed = connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise OSError(f"{connections} connections need {needed} open files, and this process may have {hard}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def _give_memory_back() -> None:
    """Have memory given back that a picture took: glibc would keep it, for each thread."""
    mallopt: Any = getattr(ctypes.CDLL(None), "mallopt", None)
    for option, value in _MALLOC.items() if mallopt else ():
        mallopt(option, value)


def _give_up_deaf_clients(sockets: Sequence[socket.socket], seconds: int) -> None:
    """Have the system break a connection whose client takes nothing of an answer for so long.

    waitress closes a connection when it may write to it: where a client does not read, never.
    """
    for sock in sockets:
        if sock.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):  # connections have it from the socket
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * seconds)


def _take_signals(sockets: Sequence[socket.socket], log: AccessLog | None) -> None:
    """End on a signal that says so, unless whoever started this process has it ignored."""

    def end(*_: int | FrameType | None) -> None:
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        for sock in sockets:  # who comes now is refused, or waits for the next process if the socket is shared with it
            sock.close()
        raise SystemExit

    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
    signal.signal(signal.SIGUSR1, lambda *_: log.reopen() if log else None)
