"""Nothing that a bot starts outlives its game.

On Linux the referee's process is the subreaper of all that comes from it: whatever loses its parent, be it in a
session of its own, becomes a child of the referee, and is found there. Elsewhere the bot's process group is all that
can be reached.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 10.0


class Unkillable(RuntimeError):
    """Processes of a bot that are still there after having been killed again and again."""


@contextlib.contextmanager
def no_orphans() -> Iterator[None]:
    """See to it that no process started within is left afterwards; those that were there before are spared."""
    if not _adopt_orphans():
        yield
        return
    before = children(os.getpid())
    try:
        yield
    finally:
        _sweep(before)


@cache
def _adopt_orphans() -> bool:
    """Make this process the subreaper of its descendants, for good; return whether that is possible here."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def _sweep(spared: frozenset[int]) -> None:
    """Kill and reap everything below this process until nothing is left.

    Whoever is killed leaves its children to this process, so that in the end all are direct children.
    """
    deadline = time.monotonic() + _PATIENCE
    while found := children(os.getpid()) - spared:
        for child in found:
            _kill_below(child)
        for child in found:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, os.WNOHANG)
        if time.monotonic() > deadline:
            raise Unkillable(f"expected all that the bots started to be gone, still there: {sorted(found)}")


def _kill_below(pid: int) -> None:
    """Kill a process with its group, which takes also those it is just about to start, then all below it."""
    below = children(pid)
    kill_group(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    for child in below:
        _kill_below(child)


def kill_group(pid: int) -> None:
    """Kill the process group of a process that is its leader."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def children(pid: int) -> frozenset[int]:
    """Return the children of a process, dead ones that nobody has reaped included."""
    found = set[int]()
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found.update(map(int, (task / "children").read_text("ascii").split()))
    return frozenset(found)
