"""The bots of the tests, and the processes they leave."""

import shlex
import sys
import time
from pathlib import Path

from critmass.arena.bot import Bot, Limits

HERE = Path(__file__).parent
PATIENT = Limits(20.0, 10.0)
"""Limits that no good bot fails, however busy the machine is."""


def command(script: str, *arguments: str) -> str:
    """The command line of one of the scripts here, as quick to start as Python can be."""
    return shlex.join([sys.executable, "-I", "-S", str(HERE / script), *arguments])


def plain(*arguments: str) -> Bot:
    return Bot(" ".join(arguments), command("plain.py", *arguments))


def evil(kind: str, mark: str = "") -> Bot:
    return Bot(kind, command("evil.py", kind, mark))


def marked(mark: str) -> list[str]:
    """The processes that have a mark in their command line: zombies have none, see `orphans` for those."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(path.parent.name)
    return found


def all_gone(mark: str, seconds: float = 20) -> bool:
    """Wait for the marked processes to end."""
    deadline = time.monotonic() + seconds
    while marked(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
