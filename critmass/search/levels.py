"""The levels: the same search, with less of it, and with moves overlooked, the lower the level.

A level is a fixed amount of search, and what it overlooks is chosen by a hash of the position: the same position always
gets the same answer.
"""

from dataclasses import dataclass, replace

from critmass.engine import Position, cells_of
from critmass.search.alphabeta import mix
from critmass.search.backend import PLAIN, backend_for, fits, is_compiled
from critmass.search.bits import fold
from critmass.search.solve import is_solvable, winning_move
from critmass.search.thinking import Search, Thought


@dataclass(frozen=True, slots=True)
class Level:
    """How one level plays."""

    nodes: int
    """The moves it tries out at the most, on boards that fit a machine word."""
    depth: int = 63
    """The plies it looks ahead at the most."""
    overlooked: int = 0
    """The share of its moves, in per cent, that it does not see."""


BY_LEVEL = {
    1: Level(1_000, 1, 85),
    2: Level(1_000, 1, 55),
    3: Level(1_000, 1),
    4: Level(3_000, 2, 10),
    5: Level(3_000),
    6: Level(20_000),
    7: Level(120_000),
    8: Level(1_200_000),
}
"""How each level plays, by its number."""
_PLAIN_NODES = 3_000
"""As many as are quickly tried out without compiled code."""


def is_quick(level: int) -> bool:
    """Return whether a level answers soon without compiled code too."""
    return BY_LEVEL[level].nodes <= _PLAIN_NODES


def choose(position: Position, level: int) -> Thought:
    """Return what a level plays: the same answer to the same position, always and everywhere."""
    chosen = BY_LEVEL[level]
    nodes = chosen.nodes if fits(position.rules) else min(chosen.nodes, _PLAIN_NODES)
    plain = is_quick(level) and not is_compiled()
    search = Search(position, nodes, PLAIN if plain else backend_for(position.rules))
    thought = search.deepen(chosen.depth, _seen(position, chosen.overlooked))
    if chosen.overlooked and thought.score < 0:
        # A loss is proven only if no move was left out.
        return replace(thought, end=None)
    if level == max(BY_LEVEL) and thought.end is None and is_solvable(position.rules):
        return _perfected(position, thought)
    return thought


def _perfected(position: Position, thought: Thought) -> Thought:
    """Return a winning move instead of the one that was thought of, if the position is solved and won."""
    cell = winning_move(position)
    if cell is None:
        return thought
    line = thought.line if cell == thought.cell else (cell,)
    return replace(thought, cell=cell, line=line, score=1.0)


def _seen(position: Position, overlooked: int) -> int:
    """Return the legal moves that are not overlooked; there is always one."""
    board = position.board
    key = mix(mix(position.ply, fold(board.ones)), fold(board.twos))
    for owner in board.owners:
        key = mix(key, fold(owner))
    luck = {cell: mix(key, cell) % 100 for cell in cells_of(position.legal)}
    seen = [cell for cell, it in luck.items() if it >= overlooked] or [max(luck, key=lambda cell: luck[cell])]
    return sum(1 << cell for cell in seen)
