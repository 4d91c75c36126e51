"""Puzzles: positions in which exactly one move wins.

What is proven of each: its solution wins within `plies` plies whatever the answer, and no other move does so within
`plies` + 2. (Another move may still win later than that.)
"""

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

_FIRST_DAY = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to find the one winning move in."""

    number: int
    """Its number, from 1."""
    path: str
    """The path of the match that leads to it, its last move included."""
    mover: int
    """Who is to move and wins, counted from 1."""
    plies: int
    """The plies until the match is won against the best defence: 3 if the second move of the winner wins."""
    line: tuple[str, ...]
    """The best play for both, as names of cells."""
    grade: int
    """How hard it is, from 1 to 5."""
    missed: int
    """How many of the eight levels play something else."""

    @property
    def solution(self) -> str:
        """The winning move, as the name of a cell."""
        return self.line[0]


@cache
def _all() -> tuple[Puzzle, ...]:
    text = files("critmass.puzzles").joinpath("collection.jsonl").read_text("utf-8")
    found = (json.loads(line) for line in text.splitlines())
    return tuple(
        Puzzle(number, it["path"], it["mover"], it["plies"], tuple(it["line"]), it["grade"], it["missed"])
        for number, it in enumerate(found, 1)
    )


def count() -> int:
    """Return how many puzzles there are."""
    return len(_all())


def puzzle(number: int) -> Puzzle:
    """Return a puzzle by its number, from 1; raise `IndexError` for one that there is not."""
    if not 1 <= number <= count():
        raise IndexError(f"expected a puzzle from 1 to {count()}: {number}")
    return _all()[number - 1]


def of_the_day(day: date) -> Puzzle:
    """Return the puzzle of a day: another every day, until all have been there."""
    return puzzle((day - _FIRST_DAY).days % count() + 1)
