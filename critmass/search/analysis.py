"""What a search says of a match, ply by ply: who stands better, and where a better move was there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from critmass.engine import Match, Ply, Position
from critmass.search import Thought
from critmass.search.backend import fits
from critmass.search.thinking import Search

NODES = 250_000
"""The moves that are tried out for each of the two thoughts of a study."""
_PLAIN_NODES = 2_000
"""The same where the board does not fit a machine word, which is a hundred times slower."""
DROP = 0.5
"""How much of the expected result, which goes from -1 to 1, a move has to give away to be called bad."""


@dataclass(frozen=True, slots=True)
class Study:
    """What was found out about a position, and about the move that was played in it."""

    best: Thought
    played: Thought | None
    """`None` where nothing was played; `best` itself where nothing better was found."""


class Verdict(StrEnum):
    """What is wrong with a move."""

    THROWN = "thrown"
    """Another won by force. This one loses by force, or no win was found after it and it promises `DROP` less."""
    LOST = "lost"
    """It loses by force, and another is not known to."""
    MISSED = "missed"
    """Another won by force. No win was found after this one, but its player still stands well."""
    WEAK = "weak"
    """It gives away more than `DROP`, and nothing is proven."""


def study(position: Position, cell: int | None = None, nodes: int = NODES) -> Study:
    """Study a position that is not over, and the move `cell` in it: a fixed amount of search, so always the same."""
    nodes = nodes if fits(position.rules) else min(nodes, _PLAIN_NODES)
    best = Search(position, nodes).deepen()
    played = None
    if cell is not None:
        played = best if cell == best.cell else Search(position, nodes).deepen(allowed=1 << cell)
        # The one that was looked at alone was looked at more deeply.
        if played.score > best.score:
            best = played
    return Study(_to_the_end(position, best, nodes), played and _to_the_end(position, played, nodes))


def _to_the_end(position: Position, thought: Thought, nodes: int) -> Thought:
    """Return a thought whose line goes on to the end of the match, where that is proven."""
    line = thought.line
    for cell in line:
        position = position.play(cell).after
    while position.turn and len(line) < (thought.end or 0):
        cell = Search(position, nodes).deepen().cell
        line = (*line, cell)
        position = position.play(cell).after
    return replace(thought, line=line)


def wins(thought: Thought) -> bool:
    """Return whether the mover is proven to win."""
    return thought.end is not None and thought.end % 2 == 1


def loses(thought: Thought) -> bool:
    """Return whether the mover is proven to lose."""
    return thought.end is not None and thought.end % 2 == 0


def judge(study: Study, after: Thought | None = None) -> Verdict | None:
    """Return what is wrong with the move that was played, if anything is.

    `after` is what was found out about the position it led to: what is proven there holds for the move.
    """
    played = study.played
    if played is None or played.cell == study.best.cell or wins(played) or (after and loses(after)):
        return None
    lost = loses(played) or bool(after and wins(after))
    given_away = study.best.score - (-1 if lost else played.score)
    if wins(study.best):
        return Verdict.THROWN if given_away >= DROP else Verdict.MISSED
    if given_away < DROP:
        return None
    return Verdict.LOST if lost else Verdict.WEAK


def analyse(match: Match, nodes: int = NODES) -> Iterator[tuple[Ply, Study, Thought | None]]:
    """Yield every ply with the study of the position before it, and what was found out about the one after it."""
    known: tuple[Ply, Study] | None = None
    for ply in match.plies:
        before = study(ply.before, ply.cell, nodes)
        if known:
            yield *known, before.best
        known = ply, before
    if known:
        last = match.position()
        yield *known, study(last, nodes=nodes).best if last.turn else None
