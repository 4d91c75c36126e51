"""Matches between players in this process, and what they say about who is stronger."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from critmass.arena.openings import random_match
from critmass.engine import Match, Position, Rules

Player = Callable[[Position], int]
"""Chooses a move."""


@dataclass(frozen=True, slots=True)
class Score:
    """The results of one player in matches against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """The share of the points, a draw being half of one."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The rates that fit these results: Wilson's interval at 95 % (E. B. Wilson, JASA 22, 1927)."""
        n, p, z = self.matches, self.rate, 1.96
        centre, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.rate:6.1%} ({low:.1%} to {high:.1%})  +{self.wins} ={self.draws} -{self.losses} of {self.matches}"
        )


def play(position: Position, *players: Player) -> Position:
    """Let the players play a match to its end, from a position, and return the last one."""
    while position.turn is not None:
        position = position.play(players[position.turn - 1](position)).after
    return position


def openings(rules: Rules, plies: int, seed: int) -> Iterator[Match]:
    """Yield random beginnings of matches, the same ones for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - openings are no secrets
    while True:
        yield random_match(rules, plies, rng)


def duel(rules: Rules, one: Player, other: Player, pairs: int, plies: int = 4, seed: int = 1) -> Iterator[Score]:
    """Play pairs of matches between two players, from random openings with sides swapped; yield the score so far."""
    score = Score()
    for _, opening in zip(range(pairs), openings(rules, plies, seed), strict=False):
        for players, number in (((one, other), 1), ((other, one), 2)):
            outcome = play(opening.position(), *players).outcome
            assert outcome is not None  # noqa: S101 - `play` plays to the end
            winner = outcome.winner
            score += Score(winner == number, winner is None, winner == 3 - number)
        yield score
