"""Lines of play as pages show them: every move a link to that branch of the match."""

from collections.abc import Iterable
from typing import NamedTuple

from critmass.engine.codec import encode_move
from critmass.links import Link, format_query


class Step(NamedTuple):
    """A move of a line: its name, whose it is, and the match after it."""

    name: str
    colour: str
    url: str


def steps(link: Link, at: int, line: Iterable[int]) -> tuple[Step, ...]:
    """Return the steps of a line that goes on from the position after ply `at`."""
    position = link.match.position(at)
    # A branch is looked at first: a computer at its seat would answer at once, and perhaps otherwise.
    query = format_query(pair for pair in link.dress if pair[0] != "computer")
    path = link.game + link.moves_until(at)
    found = []
    for cell in line:
        ply = position.play(cell)
        path += encode_move(link.rules.grid, cell)
        found.append(Step(ply.name, link.colours[ply.player - 1], path + query))
        position = ply.after
    return tuple(found)
