"""Thinking about a position: the search deepened ply by ply, and what comes out of it."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Timer
from typing import NamedTuple

from critmass.engine import Position, cells_of
from critmass.search.alphabeta import BUDGET, MAX_HEIGHT, NODES, PROVEN, STOPPED, WIN, Memory
from critmass.search.backend import NEVER, Backend, backend_for, game_of
from critmass.search.weights import SCALE, weights_for

UNBOUNDED = 1 << 40
_MOST_SLOTS = 1 << 18


@dataclass(frozen=True, slots=True)
class Thought:
    """What was found out about a position, or about one move in it."""

    cell: int
    """The move."""
    score: float
    """The expected result for the mover, from -1, lost, to 1, won."""
    end: int | None
    """Proven: the plies until the match ends with best play; odd if the mover wins, even if the mover loses.

    It is the least number, unless the budget ran out before shorter ends were ruled out; then it is a bound. `None` if
    nothing is proven, if best play is a proven draw, and always with more than two players.
    """
    line: tuple[int, ...]
    """The best play from here that was found, beginning with `cell`."""
    depth: int
    """The plies that were looked ahead."""
    nodes: int
    """The moves that were tried out on the way."""


def score_of(value: int) -> float:
    """Return a value as an expected result from -1 to 1."""
    if abs(value) > PROVEN:
        return math.copysign(1.0, value)
    return round(math.tanh(value / (2 * SCALE)), 3)


def end_of(value: int) -> int | None:
    """Return the plies until the end that a value proves, if it does."""
    return WIN - abs(value) if abs(value) > PROVEN else None


class Search:
    """A search under way: what it has learned about one position carries over from one depth to the next."""

    def __init__(
        self,
        position: Position,
        nodes: int = UNBOUNDED,
        backend: Backend | None = None,
        weights: tuple[int, ...] | None = None,
    ) -> None:
        self.position = position
        self.backend = backend or backend_for(position.rules)
        self.memory = self._memory(nodes, weights or weights_for(position.rules))
        self.memory.counters[BUDGET] = nodes

    def _memory(self, nodes: int, weights: tuple[int, ...]) -> Memory:
        rules, backend = self.position.rules, self.backend
        slots = 1 << max(10, min(nodes // 8, _MOST_SLOTS).bit_length() - 1)
        memory = backend.memory(slots, rules.players, weights)
        for player in range(rules.players):
            memory.owners[player] = backend.word(self.position.board.cells_of(player + 1))
        return memory

    @property
    def nodes(self) -> int:
        """The moves tried out so far."""
        return int(self.memory.counters[NODES])

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up, or the search was stopped."""
        return self.nodes >= self.memory.counters[BUDGET] or bool(self.memory.counters[STOPPED])

    def stop(self) -> None:
        """Make the search end soon, from whatever thread."""
        self.memory.counters[STOPPED] = 1

    def look(
        self, depth: int, allowed: int | None = None, low: int = -WIN, high: int = WIN, reduces: bool = False
    ) -> "Found":
        """Search to that depth, with the first move among `allowed`, for a value within (low, high)."""
        board, backend = self.position.board, self.backend
        game = game_of(self.position, allowed, reduces)
        ones, twos = backend.word(board.ones), backend.word(board.twos)
        value = backend.functions["search"](backend.game(game), self.memory, 0, game.root, ones, twos, depth, low, high)
        line = tuple(int(cell) for cell in self.memory.line[: self.memory.lengths[0]])
        # The frontier is always searched to its end.
        return Found(int(value) if depth == 1 or not self.is_spent else None, line)

    def thought(self, found: "Found", depth: int) -> Thought:
        """Return what was found as a thought."""
        assert found.value is not None  # noqa: S101 - asked for only where the search came to its end
        end = end_of(found.value) if self.position.rules.players == 2 else None
        return Thought(found.line[0], score_of(found.value), end, found.line, depth, self.nodes)

    def deepen(self, deepest: int = MAX_HEIGHT - 1, allowed: int | None = None) -> Thought:
        """Search deeper and deeper, until the budget is used up or the value is proven."""
        deepest = min(deepest, (self.position.rules.turn_limit or NEVER) - self.position.ply)
        best = self.thought(self.look(1, allowed), 1)
        for depth in range(2, deepest + 1):
            if abs(best.score) == 1 or self.is_spent:
                break
            found = self.look(depth, allowed, reduces=True)
            if found.value is not None:
                best = self.thought(found, depth)
            elif found.line:  # The best of the moves that were searched in time.
                best = replace(best, cell=found.line[0], line=found.line)
        return replace(self._shortened(best, allowed), nodes=self.nodes)

    def _shortened(self, thought: Thought, allowed: int | None) -> Thought:
        """Return the shortest end of a match whose end is proven, as far as half of the budget once more goes."""
        self.memory.counters[BUDGET] += self.memory.counters[BUDGET] // 2
        end = thought.end or 0
        shorter = self.shortest_end(range(2 - end % 2, end, 2), allowed)
        return shorter or thought

    def shortest_end(self, ends: range, allowed: int | None = None) -> Thought | None:
        """Return the shortest proven end of the match among these numbers of plies, all odd (a win) or all even."""
        for plies in ends:
            low, high = (WIN - plies - 1, WIN) if plies % 2 else (-WIN, plies + 1 - WIN)
            found = self.look(plies, allowed, low, high)
            if found.value is None:
                return None
            if low < found.value < high:
                return self.thought(found, plies)
        return None


class Found(NamedTuple):
    """What a search to one depth found: the value, `None` if the budget ran out, and the best line."""

    value: int | None
    line: tuple[int, ...]


def think(position: Position, nodes: int | None = None, seconds: float | None = None) -> Thought:
    """Think at full strength, for so many nodes, or so many seconds, or both; a quarter of a second by default."""
    return think_on(backend_for(position.rules), position, nodes, seconds)


def think_on(backend: Backend, position: Position, nodes: int | None, seconds: float | None) -> Thought:
    """Do as `think` does, with that backend."""
    if nodes is None and seconds is None:
        seconds = 0.25
    search = Search(position, nodes or UNBOUNDED, backend)
    with stopping(search.stop, seconds):
        return search.deepen()


@contextmanager
def stopping(stop: Callable[[], None], seconds: float | None) -> Iterator[None]:
    """Stop something once the seconds are over, if it is still under way then."""
    if seconds is None:
        yield
        return
    timer = Timer(seconds, stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def values(position: Position, nodes: int) -> dict[int, Thought]:
    """Return what is found out about each legal move with that many nodes for all of them together."""
    search = Search(position, nodes)
    thoughts = {cell: search.thought(search.look(1, 1 << cell), 1) for cell in cells_of(position.legal)}
    for depth in range(2, MAX_HEIGHT):
        for cell, thought in thoughts.items():
            if abs(thought.score) == 1:
                continue
            found = search.look(depth, 1 << cell)
            if found.value is None:
                return thoughts
            thoughts[cell] = search.thought(found, depth)
        if all(abs(thought.score) == 1 for thought in thoughts.values()):
            break
    return thoughts


def winning_moves(position: Position, plies: int, nodes: int) -> set[int] | None:
    """Return all moves that are proven to win within that many plies; `None` if the nodes do not suffice.

    All others are proven not to. For two players.
    """
    search = Search(position, nodes)
    found: set[int] = set()
    for depth in range(1, plies + 1, 2):
        for cell in cells_of(position.legal):
            if cell in found:
                continue
            value, _ = search.look(depth, 1 << cell, WIN - depth - 1, WIN - depth)
            if value is None:
                return None
            if value >= WIN - depth:
                found.add(cell)
    return found
