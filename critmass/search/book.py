"""The openings of solved boards: positions whose winner it would take too long to find out anew for every move.

It is for the classic game of two players. The book is made by `critmass.search.make_book`.
"""

from array import array
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import NamedTuple

from critmass.engine import Grid, Position, Rules, classic
from critmass.files import write
from critmass.search.symmetry import image, onto, symmetries

FILE = Path(__file__).with_name("book.npz")
"""Two arrays for each board: the keys in ascending order, each less the one before it, and the moves."""
NO_MOVE = 255
"""What stands for a move in the file where all moves lose."""
Moves = dict[int, int | None]
"""The winning move, or `None` where there is none, of positions by their key."""


class Opening(NamedTuple):
    """A position that is in the book."""

    cell: int | None
    """A move that wins with best play; `None` where all moves lose."""


class Book(NamedTuple):
    """What is known of one board."""

    keys: "array[int]"
    """What the positions are found by, in ascending order, as unsigned numbers of 64 bits."""
    moves: bytes
    """The winning moves, as `NO_MOVE` where there is none."""

    @classmethod
    def of(cls, moves: Moves) -> "Book":
        """Return the book that has those positions."""
        keys = sorted(moves)
        cells = (moves[key] for key in keys)
        return cls(array("Q", keys), bytes(NO_MOVE if cell is None else cell for cell in cells))

    def find(self, key: int) -> Opening | None:
        """Return the position of that key, if the book has it."""
        at = bisect_left(self.keys, key)
        if at == len(self.keys) or self.keys[at] != key:
            return None
        cell = self.moves[at]
        return Opening(None if cell == NO_MOVE else cell)

    @property
    def winner(self) -> int:
        """The player who wins from the start, counted from 1: the first, unless that is not in the book."""
        start = self.find(0)
        return 2 if start is None or start.cell is None else 1


def board_name(rules: Rules) -> str:
    """Return what a board is called in the book, whichever way round it is: `3x4`."""
    return "x".join(map(str, sorted((rules.columns, rules.rows))))


@cache
def _ways(grid: Grid) -> list[list[int]]:
    """Return the ways to lay a board onto the one that is in the book, which is never wider than it is high."""
    return list(onto(grid, turned=True)) if grid.columns > grid.rows else symmetries(grid)


def key_of(position: Position) -> tuple[int, list[int]]:
    """Return what a position is found by, and how it was laid onto the board of the book."""
    board, turn = position.board, position.turn
    assert turn is not None  # noqa: S101 - nobody looks up a match that is over
    sets = (board.ones, board.twos, board.cells_of(turn))
    least, way = min((tuple(image(cells, way) for cells in sets), way) for way in _ways(board.grid))
    key = 0
    for cells in least:
        key = key << board.grid.size | cells
    return key, way


def read_book() -> dict[str, Book]:
    """Return the boards by their names."""
    import numpy as np  # whoever only serves pages does without

    if not FILE.exists():
        return {}
    with np.load(FILE) as arrays:
        names = {name.partition(".")[0] for name in arrays}
        keys = {name: np.cumsum(arrays[f"{name}.steps"], dtype=np.uint64) for name in names}
        return {name: Book(array("Q", keys[name].tobytes()), arrays[f"{name}.moves"].tobytes()) for name in names}


def write_book(books: dict[str, Book]) -> None:
    """Write the boards into the file: the inverse of `read_book`."""
    import numpy as np

    arrays = {}
    for name, (keys, moves) in sorted(books.items()):
        arrays[f"{name}.steps"] = np.diff(np.array(keys, np.uint64), prepend=np.uint64(0))
        arrays[f"{name}.moves"] = np.frombuffer(moves, np.uint8)
    # What is there is the book that was read; it stays until the new one is written to its end.
    write(FILE, lambda file: np.savez_compressed(file, allow_pickle=False, **arrays), lambda _: None)


_book = cache(read_book)


def solved(rules: Rules) -> Book | None:
    """Return what the book has of the board of a game, if anything."""
    return _book().get(board_name(rules)) if rules == classic(rules.columns, rules.rows) else None


def find(position: Position) -> Opening | None:
    """Return a position as it stands in the book, if it does."""
    book = solved(position.rules)
    if book is None:
        return None
    key, way = key_of(position)
    opening = book.find(key)
    return opening and Opening(None if opening.cell is None else way.index(opening.cell))
