"""The boards of the How to play page: each played by the engine, drawn like any match."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from critmass.engine import Board, Position, classic, parse_cell
from critmass.web.match.board import Figures

Step = tuple[Markup, str]
"""A board, and what it shows."""


class Lessons(NamedTuple):
    """The lessons by name, and the definitions that their boards share."""

    steps: dict[str, list[Step]]
    definitions: Markup


@cache
def lessons() -> Lessons:
    """Return the lessons of the page."""
    figures = Figures("rb")
    steps = {
        "capacity": _capacity(figures),
        "detonation": _played(figures, "......b1/..b1..../..a3b1../........", "b2", _DETONATION),
        "cascade": _played(figures, "......../......../a2b3..../a1b2..b1", "a1", _CASCADE),
        "cut": _played(figures, "a1a2a1/a2a3a2/a1b2a1", "a1", _CUT),
    }
    return Lessons(steps, figures.definitions())


_DETONATION = (
    "Red holds three orbs in b2. One more is too many.",
    "The fourth orb makes b2 critical…",
    "…and it detonates: one orb to each neighbour, and both blue neighbours turn red, with all they hold.",
)
_CASCADE = (
    "Three cells in a row, each one orb short.",
    "Red plays a1.",
    "Ring 1: the corner detonates and fills both its neighbours.",
    "Ring 2: both detonate at the same moment.",
    "Ring 3: what they sent to a1 and b2 makes these detonate too.",
)
_CUT = (
    "A full board. Blue has one cell left.",
    "Red plays a1.",
    "Ring 1: the last blue orbs turn red. Red owns every orb: the match is over, with two cells still critical.",
)


def _position(text: str, turn: int = 1) -> Position:
    board = Board.parse(text, 2)
    rules = classic(board.grid.columns, board.grid.rows)
    return Position(rules, board.orbs, board, turn)


def _played(figures: Figures, text: str, cell: str, captions: Sequence[str]) -> list[Step]:
    """Return the board before a move, after its orb, and after each ring, with their captions."""
    position = _position(text)
    ply = position.play(parse_cell(position.board.grid, cell))
    boards = [position.board, *ply.frames]
    return [
        (figures.draw(board, ply.cell if number else None, caption), caption)
        for number, (board, caption) in enumerate(zip(boards, captions, strict=True))
    ]


def _capacity(figures: Figures) -> list[Step]:
    full = Board.parse("a1a2a2a1/a2a3a3a2/a2a3a3a2/a1a2a2a1", 2)
    caption = "Every cell one short of its critical mass: 1 in a corner, 2 on an edge, 3 inside."
    return [(figures.draw(full, None, caption), caption)]
