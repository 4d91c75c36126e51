"""Matches between players in this process, and what they say about who is stronger."""

import random
from collections.abc import Callable, Iterator

from critmass.arena.openings import random_match
from critmass.arena.stats import Score
from critmass.engine import Match, Position, Rules

Player = Callable[[Position], int]
"""Chooses a move."""


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
