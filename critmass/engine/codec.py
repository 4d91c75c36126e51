"""The link codec: moves ⇄ text, and the clean form of text that a chat program has mangled.

On a board of at most 36 cells a move is one base-36 digit, the number of the cell. On a larger one it is two:
the column letter and the row as a base-36 digit.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache

from critmass.engine.errors import BadCharacter, HalfMove, MoveFault, OutsideBoard
from critmass.engine.grid import Grid

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_STUCK = frozenset("PSZCM")


def width(grid: Grid) -> int:
    """Return how many characters a move takes on this board."""
    return 1 if grid.size <= len(DIGITS) else 2


def encode_move(grid: Grid, cell: int) -> str:
    """Return a cell's text in a link: the inverse of `decode_move`."""
    if width(grid) == 1:
        return DIGITS[cell]
    column, row = grid.column_row(cell)
    return DIGITS[column + 10] + DIGITS[row + 1]


@cache
def move_texts(grid: Grid) -> tuple[str, ...]:
    """Return the text of each cell of this board in a link."""
    return tuple(encode_move(grid, cell) for cell in range(grid.size))


@cache
def cells_by_text(grid: Grid) -> dict[str, int]:
    """Return every cell of this board by its text in a link."""
    return {text: cell for cell, text in enumerate(move_texts(grid))}


def decode_move(grid: Grid, text: str, ply: int) -> int:
    """Return the cell of one move's text; raise `BadCharacter`, `HalfMove` or `OutsideBoard` at that ply."""
    cell = cells_by_text(grid).get(text)
    if cell is None:
        raise move_fault(grid, text, ply)
    return cell


def move_fault(grid: Grid, text: str, ply: int) -> MoveFault:
    """Return what is wrong with a text that is no move of this board."""
    for character in text:
        if character not in DIGITS:
            return BadCharacter(ply, character)
    if len(text) < width(grid):
        return HalfMove(ply, text)
    return OutsideBoard(ply, text, grid.columns, grid.rows)


def split_moves(grid: Grid, text: str) -> list[str]:
    """Cut a link's moves into one text each; the last is short where a half move stands at the end."""
    step = width(grid)
    return [text[start : start + step] for start in range(0, len(text), step)]


def encode(grid: Grid, cells: Iterable[int]) -> str:
    """Return the text of a list of moves: the inverse of `decode`."""
    return "".join(encode_move(grid, cell) for cell in cells)


def decode(grid: Grid, text: str) -> tuple[int, ...]:
    """Return the moves of a text as cells; raise the `MoveFault` of the first that is none."""
    return tuple(decode_move(grid, move, ply) for ply, move in enumerate(split_moves(grid, text), 1))


def lower(text: str) -> str:
    """Lower the ASCII letters of a text and nothing else."""
    return text.translate(_LOWER)


def strip_stuck(text: str) -> str:
    """Drop what a chat program stuck to the end: any run of punctuation, symbols, separators, controls, marks."""
    end = len(text)
    while end and unicodedata.category(text[end - 1])[0] in _STUCK:
        end -= 1
    return text[:end]
