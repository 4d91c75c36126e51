"""Bots that come with the arena: they read their turns from standard input and answer on standard output."""

import random
import sys
import time
from collections.abc import Callable

from critmass.arena.protocol import RANDOM, ROWS, read_turn
from critmass.engine import Position, cell_name, cells_of

PLAIN_LEVELS = 4
"""The levels whose search is short enough to need nothing compiled."""
_READY = 0.55
"""The seconds of its first turn, in which it also starts up, that a bot takes to have its search compiled."""


def speak(choose: Callable[[Position], str]) -> None:
    """Answer every turn with what `choose` makes of its position, until nobody asks any more."""
    lines = iter(sys.stdin.readline, "")
    side = next(lines, "").strip()
    for _opponents_move in lines:
        board = [next(lines, "").strip() for _ in range(ROWS)]
        print(choose(read_turn(side, board)), flush=True)


def any_cell(_: Position) -> str:
    """Leave the move to the referee."""
    return RANDOM


def greedy(seed: int) -> Callable[[Position], str]:
    """Return how a bot chooses that takes the move after which it has the most orbs; one that wins has all of them."""
    rng = random.Random(seed)  # noqa: S311 - moves are no secrets

    def choose(position: Position) -> str:
        assert position.turn is not None  # noqa: S101 - nobody is asked when the game is over
        worth = {cell: _worth(position, cell) for cell in cells_of(position.legal)}
        best = max(worth.values())
        return cell_name(position.rules.grid, rng.choice([cell for cell in worth if worth[cell] == best]))

    return choose


def computer(milliseconds: float, level: int | None) -> Callable[[Position], str]:
    """Return how the computer chooses: at full strength by the clock, or as a level does, within that time."""
    from critmass.pool.companion import Companion
    from critmass.search import choose

    if level and level <= PLAIN_LEVELS:
        return lambda position: cell_name(position.rules.grid, choose(position, level).cell)
    companion = Companion()
    until = time.monotonic() + _READY

    def answer(position: Position) -> str:
        companion.wait(until - time.monotonic())
        return cell_name(position.rules.grid, companion.answer(position, milliseconds, level).cell)

    return answer


def _worth(position: Position, cell: int) -> tuple[bool, int]:
    ply = position.play(cell)
    return ply.after.outcome is not None, ply.after.board.orbs_of(ply.player)
