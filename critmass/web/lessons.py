"""The boards of the How to play page: each played by the engine, drawn like any match."""

from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from critmass.engine import Board, Position, classic, parse_cell
from critmass.web.board import figure


class Lesson(NamedTuple):
    """A few boards in a row, each with what it shows."""

    name: str
    steps: list[tuple[Markup, str]]


@cache
def lessons() -> dict[str, Lesson]:
    """Return the lessons by name."""
    return {lesson.name: lesson for lesson in (_capacity(), _detonation(), _cascade(), _cut())}


def _position(text: str, turn: int = 1) -> Position:
    board = Board.parse(text, 2)
    rules = classic(board.grid.columns, board.grid.rows)
    return Position(rules, board.orbs, board, turn)


def _played(text: str, cell: str, captions: list[str]) -> list[tuple[Markup, str]]:
    """Return the board before a move, after its orb, and after each ring, with their captions."""
    position = _position(text)
    ply = position.play(parse_cell(position.board.grid, cell))
    boards = [position.board, *ply.frames]
    return [
        (figure(board, ply.cell if number else None, caption), caption)
        for number, (board, caption) in enumerate(zip(boards, captions, strict=True))
    ]


def _capacity() -> Lesson:
    full = "a1a2a2a1/a2a3a3a2/a2a3a3a2/a1a2a2a1"
    caption = "Every cell one short of its critical mass: 1 in a corner, 2 on an edge, 3 inside."
    return Lesson("capacity", [(figure(Board.parse(full, 2), None, caption), caption)])


def _detonation() -> Lesson:
    captions = [
        "Red holds three orbs in b2. One more is too many.",
        "The fourth orb makes b2 critical…",
        "…and it detonates: one orb to each neighbour, and both blue neighbours turn red, with all they hold.",
    ]
    return Lesson("detonation", _played("......b1/..b1..../..a3b1../........", "b2", captions))


def _cascade() -> Lesson:
    captions = [
        "Three cells in a row, each one orb short.",
        "Red plays a1.",
        "Ring 1: the corner detonates and fills both its neighbours.",
        "Ring 2: both detonate at the same moment.",
        "Ring 3: what they sent to b2 makes it detonate too.",
    ]
    return Lesson("cascade", _played("......../......../a2b3..../a1b2..b1", "a1", captions))


def _cut() -> Lesson:
    captions = [
        "A full board. Blue has one cell left.",
        "Red plays a1.",
        "Ring 1: the last blue orb turns red. Red owns every orb: the match is over, with two cells still critical.",
    ]
    return Lesson("cut", _played("a1a2a1/a2a3a2/a1b2a1", "a1", captions))
