"""A match looked over afterwards: who stood better after each ply, and which moves threw something away."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from critmass.engine import Match, Ply
from critmass.search.thinking import Search, Thought

NODES = 200_000
"""The nodes for each question that is asked about a ply."""
_MISTAKE = 0.5
"""The loss of expected result from which on a move is a mistake."""


class Fault(StrEnum):
    """What is wrong with a move."""

    WIN_LOST = "win-lost"
    """There was a forced win, and now there is none."""
    LOSES = "loses"
    """The other side can now force a win, and could not have."""
    MISTAKE = "mistake"
    """Another move promised far more."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said about one ply of a match."""

    ply: Ply
    best: Thought
    """The best move instead, or the same one."""
    played: Thought
    """The move that was played."""

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the move; `None` if nothing is."""
        best, played = self.best.score, self.played.score
        if played < best == 1:
            return Fault.WIN_LOST
        if best > played == -1:
            return Fault.LOSES
        return Fault.MISTAKE if best - played >= _MISTAKE else None


def analyse(match: Match, nodes: int = NODES) -> Iterator[Verdict]:
    """Yield a verdict on each ply, with so many nodes for each question; the same match gets the same verdicts."""
    for ply in match.plies:
        best = Search(ply.before, nodes).deepen()
        played = best if best.cell == ply.cell else Search(ply.before, nodes).deepen(allowed=1 << ply.cell)
        if played.score > best.score:
            best = played
        yield Verdict(ply, best, played)
