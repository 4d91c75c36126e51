"""A process that thinks beside the one that has to answer by the clock.

Compiling, and even loading what was compiled, keeps a Python process busy for longer than a turn in the arena lasts. So
that happens in a child process, and until it is done the answers come from a plain search in this one.
"""

import time
from multiprocessing import get_context
from multiprocessing.connection import Connection

from critmass.engine import Position
from critmass.search import bot_answer, choose, warm_up
from critmass.search.backend import PLAIN, fits
from critmass.search.thinking import Thought, think_on

_SLACK = 0.01
"""The seconds by which an answer of the child may be late."""
_LAST_RESORT = 0.004
"""The seconds that are left for an answer of our own if the child's does not come."""


class Companion:
    """Answers positions in time, by a child process as soon as it is ready."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._child.start()
        theirs.close()
        self._owed = 1
        """What the child has still to send: that it is ready, then answers, some of which come too late."""

    @property
    def is_ready(self) -> bool:
        """Whether the child has compiled, and owes nothing."""
        try:
            while self._owed and self._connection.poll():
                self._connection.recv()
                self._owed -= 1
        except (EOFError, OSError):  # The child is gone: from now on it owes for ever.
            self._owed += 1
        return not self._owed

    def wait(self, seconds: float) -> None:
        """Wait until the child is ready, but not longer than that; at once if the time is negative."""
        until = time.monotonic() + seconds
        while not self.is_ready and (left := until - time.monotonic()) > 0:
            self._connection.poll(left)

    def answer(self, position: Position, milliseconds: float, level: int | None = None) -> Thought:
        """Think at full strength, or as a level does, and answer in time.

        Until the child is ready, and where it is late, the answer is that of a plain search, whatever the level.
        """
        if not (fits(position.rules) and self.is_ready):
            return bot_answer(position, milliseconds)
        return self._asked(position, milliseconds, level) or think_on(PLAIN, position, None, _LAST_RESORT)

    def _asked(self, position: Position, milliseconds: float, level: int | None) -> Thought | None:
        """Return the child's answer; `None` if it does not come in time."""
        self._owed += 1
        try:
            self._connection.send((position, milliseconds, level))
            if not self._connection.poll(milliseconds / 1000 - _SLACK):
                return None
            thought: Thought = self._connection.recv()
        except (EOFError, OSError):
            return None
        self._owed -= 1
        return thought

    def close(self) -> None:
        """End the child."""
        self._child.terminate()
        self._child.join()
        self._connection.close()


def _serve(connection: Connection) -> None:
    """Get ready, say so, and answer positions until nobody asks any more."""
    try:
        warm_up()
        connection.send(None)
        while True:
            position, milliseconds, level = connection.recv()
            connection.send(choose(position, level) if level else bot_answer(position, milliseconds - 1000 * _SLACK))
    except (EOFError, OSError, KeyboardInterrupt):
        return
