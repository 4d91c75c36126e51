"""What CodinGame's own viewer says of a game, turn by turn: written for the pages here, and read where it was pasted.

    At game turn 3, Ada played c4 and triggered 2 explosion wave(s)
    At game turn 4, Bo played random → f6

The same lines stand in the game's summary on the site and in the `summaries` of a result of its SDK, a JSON file
whose fields are documented (class `GameResult` of the CodinGame engine). So they are looked for anywhere in a text.
"""

import re
from typing import NamedTuple

from critmass.engine import Ply

_TURN = re.compile(
    r"at game turn (?P<number>[0-9]{1,4}), (?P<name>[^\n]{1,80}?) played(?: random (?:→|->|\\u2192))? "
    r"(?P<cell>[a-z][0-9]{1,2})\b(?: and triggered (?P<waves>[0-9]{1,4}) explosion wave)?",
    re.IGNORECASE | re.ASCII,
)


class Turn(NamedTuple):
    """One turn as it was told, and where in the text."""

    number: int
    name: str
    """What the player is called; `$0` and `$1` stand for names that the site fills in later."""
    cell: str
    waves: int
    """The rings of the move."""
    at: int
    """The offset of the line."""
    cell_at: int
    """The offset of the cell."""


def told_turn(ply: Ply, name: str) -> str:
    """Return what the site's viewer says of a ply by a player of that name: the inverse of `find_turns`."""
    rings = len(ply.steps) - 1
    waves = f" and triggered {rings} explosion wave(s)" if rings else ""
    return f"At game turn {ply.number}, {name} played {ply.name}{waves}"


def find_turns(text: str) -> list[Turn]:
    """Return the turns that a text tells, each once, in the order of their numbers; empty where it tells none.

    Two that contradict each other are both there, one after the other.
    """
    found: dict[tuple[int, str, str, int], Turn] = {}
    for match in _TURN.finditer(text):
        told = (int(match["number"]), match["name"], match["cell"].lower(), int(match["waves"] or 0))
        found.setdefault(told, Turn(*told, match.start(), match.start("cell")))
    return sorted(found.values(), key=lambda turn: turn.number)
