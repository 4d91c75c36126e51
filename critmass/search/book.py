"""The openings of solved boards: positions whose winner it would take too long to find out anew for every move.

It is for the classic game of two players. The book is made by `critmass.search.booking`.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from critmass.engine import Grid, Position, Rules, classic
from critmass.search.symmetry import image, onto, symmetries

Moves = dict[str, int | None]
"""The winning move, or `None` where there is none, of positions by their key."""


class Opening(NamedTuple):
    """A position that is in the book."""

    cell: int | None
    """A move that wins with best play; `None` where all moves lose."""


def board_name(rules: Rules) -> str:
    """Return what a board is called in the book, whichever way round it is: `3x4`."""
    return "x".join(map(str, sorted((rules.columns, rules.rows))))


@cache
def _ways(grid: Grid) -> list[list[int]]:
    """Return the ways to lay a board onto the one that is in the book, which is never wider than it is high."""
    return list(onto(grid, turned=True)) if grid.columns > grid.rows else symmetries(grid)


def key_of(position: Position) -> tuple[str, list[int]]:
    """Return what a position is found by, and how it was laid onto the board of the book."""
    board, turn = position.board, position.turn
    assert turn is not None  # noqa: S101 - nobody looks up a match that is over
    sets = (board.ones, board.twos, board.cells_of(turn))
    least, way = min((tuple(image(cells, way) for cells in sets), way) for way in _ways(board.grid))
    return " ".join(f"{cells:x}" for cells in least), way


class Solved(NamedTuple):
    """What the book has of a board."""

    winner: int
    """The player who wins from the start, counted from 1."""
    moves: Moves


@cache
def _book() -> dict[str, Solved]:
    """Return the boards by their names."""
    lines = files("critmass.search").joinpath("book.jsonl").read_text("utf-8").splitlines()
    return {line["board"]: Solved(line["winner"], line["moves"]) for line in map(json.loads, lines)}


def solved(rules: Rules) -> Solved | None:
    """Return what the book has of the board of a game, if anything."""
    return _book().get(board_name(rules)) if rules == classic(rules.columns, rules.rows) else None


def find(position: Position) -> Opening | None:
    """Return a position as it stands in the book, if it does."""
    board = solved(position.rules)
    if board is None:
        return None
    key, way = key_of(position)
    if key not in board.moves:
        return None
    cell = board.moves[key]
    return Opening(None if cell is None else way.index(cell))
