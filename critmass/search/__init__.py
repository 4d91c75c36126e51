"""The computer player: which move, how good, and what is proven.

Importing this is light. What compiles the kernel (numba) is imported when a search needs it.
"""

from critmass.engine import Position, classic
from critmass.search.backend import PLAIN, backend_for, fits, is_compiled, load_compiled
from critmass.search.levels import choose
from critmass.search.solve import Solver
from critmass.search.thinking import Thought, think, think_on, values, winning_moves

_OVERHEAD = 0.015
"""The seconds that an answer takes besides the search."""

__all__ = [
    "Thought",
    "bot_answer",
    "choose",
    "is_warm",
    "think",
    "values",
    "warm_up",
    "winning_moves",
]


def is_warm() -> bool:
    """Return whether the compiled kernel is there, in this process."""
    return is_compiled()


def warm_up() -> None:
    """Compile the kernel, or load it from the disk; it can be called in a thread."""
    load_compiled()
    small = classic(3, 3)
    Solver(small).solve(Position.start(small), 1)


def bot_answer(position: Position, milliseconds: float) -> Thought:
    """Think at full strength and answer in time; as long as the kernel is not compiled, in plain Python.

    Nothing is compiled on the way. `critmass.pool.companion` has that done by a process of its own meanwhile.
    """
    seconds = max(0.001, milliseconds / 1000 - _OVERHEAD)
    if is_warm() and fits(position.rules):
        return think_on(backend_for(position.rules), position, None, seconds)
    return think_on(PLAIN, position, None, seconds / 2)
