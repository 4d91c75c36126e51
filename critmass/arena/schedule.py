"""Which games are played: everything about a game follows from the seed and its number."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from critmass.arena.bot import Bot
from critmass.arena.openings import random_match
from critmass.engine import CODINGAME


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game that is to be played."""

    number: int
    bots: tuple[Bot, Bot]
    """The first player's first."""
    opening: tuple[int, ...] = ()
    """The cells that the arena plays before the bots begin."""
    seed: str = ""
    """What the cells of bots that answer `random` are drawn from."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A tournament in rounds: in each, every two bots that meet play two games, sides swapped, from the same opening.

    A game's number depends on the bots alone, so that a tournament can be made longer and goes on where it was.
    """

    bots: tuple[Bot, ...]
    games: int
    """How many games every two bots play. If it is odd, the second game of the last round is left out."""
    openings: int = 0
    """How many plies an opening has."""
    seed: int = 0
    gauntlet: bool = False
    """Whether only the first bot meets the others."""

    @property
    def encounters(self) -> list[tuple[Bot, Bot]]:
        """Who meets whom, in a round."""
        first, *others = self.bots
        return [(first, other) for other in others] if self.gauntlet else [*itertools.combinations(self.bots, 2)]

    def __len__(self) -> int:
        return self.games * len(self.encounters)

    def __iter__(self) -> Iterator[Pairing]:
        encounters = self.encounters
        for played in range(0, self.games, 2):
            opening = self._opening(played // 2)
            sides = 2 if played + 2 <= self.games else 1
            for index, bots in enumerate(encounters):
                for side in range(sides):
                    number = played * len(encounters) + 2 * index + side + 1
                    seats = (bots[1], bots[0]) if side else bots
                    yield Pairing(number, seats, opening, f"{self.seed}/{number}")

    def _opening(self, round_: int) -> tuple[int, ...]:
        rng = random.Random(f"{self.seed}/opening/{round_}")  # noqa: S311 - openings are no secrets
        return random_match(CODINGAME, self.openings, rng).cells
