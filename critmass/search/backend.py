"""Where a search runs: in plain Python on any board, or compiled on boards that fit a machine word."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from critmass.engine import CRITICAL_MASS, Position, Rules
from critmass.search import alphabeta, kernel
from critmass.search import dfpn as proof
from critmass.search import mcts as trees
from critmass.search.alphabeta import MAX_HEIGHT, WIDTH, Memory
from critmass.search.kernel import Array, Game

WORD = 64
"""The cells of the largest board that is searched by compiled code."""
_compiling = Lock()
NEVER = 1 << 30
"""A ply that no match comes to."""


@dataclass(frozen=True, eq=False)
class Backend:
    """The functions of the kernel, and the kinds of numbers that they take."""

    functions: dict[str, Any]
    word: Callable[[int], int]
    """Makes a set of cells."""
    words: Callable[[int], Array]
    """Makes so many empty sets of cells."""
    numbers: Callable[[int], Array]
    """Makes so many zeros."""
    game: Callable[[Game], Game]
    """Makes a game that the functions take."""

    def filled(self, make: Callable[[int], Array], values: tuple[int, ...]) -> Array:
        """Return an array of these values."""
        array = make(len(values))
        for place, value in enumerate(values):
            array[place] = value
        return array

    def memory(self, slots: int, players: int, weights: tuple[int, ...]) -> Memory:
        """Return what a search writes on, with that many slots in its table (a power of two)."""
        heights = MAX_HEIGHT + 1
        return Memory(
            keys=self.words(slots),
            entries=self.numbers(slots),
            owners=self.words(heights * players),
            line=self.numbers(heights * MAX_HEIGHT),
            lengths=self.numbers(heights),
            order=self.numbers(heights * WIDTH),
            counters=self.numbers(3),
            weights=self.filled(self.numbers, weights),
        )


def _zeros(count: int) -> Array:
    return [0] * count


PLAIN = Backend(
    {**vars(kernel), **vars(alphabeta), **vars(trees), **vars(proof)}, int, _zeros, _zeros, lambda game: game
)
"""The functions as they are written."""


def load_compiled() -> Backend:
    """Return the compiled functions; the first call in a process compiles or loads them."""
    with _compiling:
        return _compiled()


@cache
def _compiled() -> Backend:
    from critmass.search import compiled as code

    backend = Backend(code.image(), code.word, code.words, code.numbers, code.game)
    _compile(backend)
    return backend


def _compile(backend: Backend) -> None:
    """Have everything compiled that a search calls, by calling it."""
    start = Position.start(CRITICAL_MASS)
    memory = backend.memory(2, 2, (0,) * 48)
    none = backend.word(0)
    backend.functions["search"](backend.game(game_of(start)), memory, 0, 0, none, none, 1, -1, 1)


def is_compiled() -> bool:
    """Return whether this process has the compiled functions."""
    return _compiled.cache_info().currsize > 0


def fits(rules: Rules) -> bool:
    """Return whether the board of a game fits a machine word."""
    return rules.grid.size <= WORD


def backend_for(rules: Rules) -> Backend:
    """Return where games by these rules are searched."""
    return load_compiled() if fits(rules) else PLAIN


def game_of(position: Position, allowed: int | None = None, reduces: bool = False) -> Game:
    """Return the game to search from a position, with the first move among `allowed` (by default all)."""
    rules = position.rules
    assert position.turn is not None  # noqa: S101 - nobody searches a match that is over
    return Game(
        grid=rules.grid,
        players=rules.players,
        first_live_ply=rules.first_live_ply,
        keeps_surplus=rules.keeps_surplus,
        turn_limit=rules.turn_limit or NEVER,
        ply=position.ply,
        root=position.turn - 1,
        allowed=rules.grid.cells if allowed is None else allowed,
        reduces=reduces,
    )
