"""`critmass bench peers`: the same app on other servers that run Flask's apps, as far as they are installed here."""

import importlib.util
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from critmass.bench import links
from critmass.bench.web import CONNECTIONS, CONSTANT, ENCODING, ROUNDS, Figures, load, server

APP = "critmass.bench.web:make_app"
PEERS = {
    "gunicorn, 8 threads": ("gunicorn", "--threads", "8", "--bind", "127.0.0.1:{port}", f"{APP}()"),
    "granian": ("granian", "--interface", "wsgi", "--port", "{port}", "--factory", APP),
    "Flask's own": ("flask", "--app", APP, "run", "--port", "{port}"),
}
"""The module of each and its arguments: one process, and whatever else it does if nobody says otherwise."""
OURS = "critmass serve"
LONGEST_START = 30
"""How long a server may take to start, in seconds."""


@contextmanager
def peer(module: str, arguments: tuple[str, ...]) -> Iterator[str]:
    """Run another server as a child process; yield its address as `host:port`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", module, *(it.format(port=port) for it in arguments)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=Path.cwd()) as child:  # noqa: S603
        try:
            _wait_for(child, module, port)
            yield f"127.0.0.1:{port}"
        finally:
            child.terminate()


def _wait_for(child: subprocess.Popen[bytes], module: str, port: int) -> None:
    until = time.monotonic() + LONGEST_START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError as error:
            if child.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{module} does not start") from error
            time.sleep(0.05)
        else:
            return


def run(requests: int) -> list[str]:
    """Return the lines of the report."""
    missing = [name for name, (module, *_) in PEERS.items() if not importlib.util.find_spec(module)]
    with ExitStack() as stack:
        servers = {OURS: stack.enter_context(server())}
        for name, (module, *arguments) in PEERS.items():
            if name not in missing:
                servers[name] = stack.enter_context(peer(module, tuple(arguments)))
        figures = _measure(servers, requests)
    ours = figures[OURS]
    lines = [
        f"60-move Critical Mass matches, 1 process, {CONNECTIONS} connections, as times the rate of {OURS}",
        f"  {'':20} {'constant page':>18} {'never asked for':>18} {'asked for before':>18}",
    ]
    for name, kinds in figures.items():
        shares = (f"{it.rate:6.0f} /s  {it.rate / own.rate:5.2f}" for it, own in zip(kinds, ours, strict=True))
        lines.append(f"  {name:20} " + " ".join(f"{share:>18}" for share in shares))
    if missing:
        lines.append(f"  Not installed: {', '.join(missing)}.")
    return lines


def _measure(servers: dict[str, str], requests: int) -> dict[str, list[Figures]]:
    """Return the figures of the constant page, of pages never asked for, and of the same pages once more."""
    pages = links(requests)
    figures = {name: [Figures()] * 3 for name in servers}
    for netloc in servers.values():
        load(netloc, links(50, seed=1), ENCODING)
    for number in range(ROUNDS):
        some = pages[number::ROUNDS]
        for name, netloc in servers.items():
            for kind, paths in enumerate(([CONSTANT] * len(some), some, some)):
                figures[name][kind] += load(netloc, paths, ENCODING)
    return figures
