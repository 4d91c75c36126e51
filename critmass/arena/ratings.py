"""Ratings of more than two bots.

Bots do not learn from game to game, so theirs are no ratings that follow a player through time, as Elo's, Glicko's or
TrueSkill's are (and openskill's, after Weng and Lin): those depend on the order of the games. What is wanted is the one
set of strengths that makes all results together most likely, under the model of R. A. Bradley and M. E. Terry (*Rank
Analysis of Incomplete Block Designs*, Biometrika 39, 1952), which is Elo's curve: `choix` finds it.
"""

import math
from dataclasses import dataclass

import choix
import numpy as np
from numpy.typing import NDArray

from critmass.arena.standings import Standings
from critmass.arena.stats import Z95

_ELO = 400 / math.log(10)
_PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating in Elo, 0 the mean of all, and how far it may be off, at 95 % confidence."""

    name: str
    elo: float
    error: float


def ratings(standings: Standings) -> list[Rating]:
    """Return the ratings of all bots, the strongest first.

    A draw is half a win for each. One draw more than were played is taken between every two bots that met: without it,
    one that has won all its games would be infinitely strong.
    """
    names = list(standings.rows)
    wins = np.array([[_wins(standings, name, other) for other in names] for name in names])
    strengths = choix.ilsr_pairwise_dense(wins)
    rows = zip(names, strengths * _ELO, _errors(wins, strengths), strict=True)
    return sorted((Rating(name, float(elo), error) for name, elo, error in rows), key=lambda it: (-it.elo, it.name))


def _wins(standings: Standings, name: str, other: str) -> float:
    score = standings.meeting(name, other)
    return score.points + _PRIOR if score.games else 0.0


def _errors(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> list[float]:
    """Return half the width of each confidence interval.

    From the Fisher information at the maximum. Strengths are only determined up to a constant, so it is inverted on
    what is left when their mean is held at 0.
    """
    chances = 1 / (1 + np.exp(np.subtract.outer(strengths, strengths)))
    weights = (wins + wins.T) * chances * (1 - chances)
    information = np.diag(weights.sum(axis=1)) - weights
    variances = np.diag(np.linalg.pinv(information))
    return [float(Z95 * math.sqrt(max(0.0, variance)) * _ELO) for variance in variances]
