"""The standings of a tournament: what its games have come to so far."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from critmass.arena.game import Ending, Game
from critmass.arena.stats import Score


@dataclass(slots=True)
class Row:
    """What one bot has achieved."""

    name: str
    first: Score = field(default_factory=Score)
    """The games in which it was the first player."""
    second: Score = field(default_factory=Score)
    """The games in which it was the second player."""
    won: Counter[Ending] = field(default_factory=Counter)
    """How the games ended that it won."""
    lost: Counter[Ending] = field(default_factory=Counter)
    """How the games ended that it lost."""
    turns: int = 0
    total_ms: float = 0.0
    worst_ms: float = 0.0
    """The longest turn but the first of each game, which is that of the start-up."""
    start_ms: float = 0.0
    """The longest first turn."""

    @property
    def score(self) -> Score:
        """All its games."""
        return self.first + self.second

    @property
    def draws(self) -> int:
        """How many games it drew."""
        return self.score.draws

    @property
    def mean_ms(self) -> float:
        """The mean time of its turns but the first of each game."""
        return self.total_ms / self.turns if self.turns else 0.0

    def add(self, game: Game, player: int) -> None:
        """Count a game in which it was that player."""
        score = _score(game, player)
        if player == 1:
            self.first += score
        else:
            self.second += score
        if score.wins:
            self.won[game.ending] += 1
        elif score.losses:
            self.lost[game.ending] += 1
        first, *later = game.times_of(player) or (0.0,)
        self.start_ms = max(self.start_ms, first)
        self.turns += len(later)
        self.total_ms += sum(later)
        self.worst_ms = max([self.worst_ms, *later])


class Standings:
    """The standings of some bots, game after game. They need no more memory the longer the tournament is."""

    def __init__(self, names: Iterable[str]) -> None:
        self.rows = {name: Row(name) for name in names}
        """What each bot has achieved, by name, in the order of entry."""
        self.games = 0
        self._meetings: dict[tuple[str, str], Score] = {}
        self._pairs: dict[tuple[str, str], list[int]] = {}
        self._open: dict[tuple[str, str], float] = {}

    def add(self, game: Game) -> None:
        """Count a game; games come in the order of their numbers."""
        self.games += 1
        for player, name in enumerate(game.bots, 1):
            self.rows[name].add(game, player)
        first, second = game.bots
        score = _score(game, 1)
        self._meet((first, second), score)
        self._meet((second, first), score.reversed)

    def _meet(self, names: tuple[str, str], score: Score) -> None:
        """Count a game between two bots as the first named sees it."""
        self._meetings[names] = self.meeting(*names) + score
        points = self._open.pop(names, None)
        if points is None:
            self._open[names] = score.points
        else:
            self._pairs.setdefault(names, [0] * 5)[round(2 * (points + score.points))] += 1

    def meeting(self, name: str, other: str) -> Score:
        """Return the score of one bot against another."""
        return self._meetings.get((name, other), Score())

    def pairs(self, name: str, other: str) -> list[int]:
        """Return how many pairs of games came to 0, ½, 1, 1½ and 2 points for one bot against another."""
        return list(self._pairs.get((name, other), [0] * 5))


def _score(game: Game, player: int) -> Score:
    return Score(game.winner == player, game.winner is None, game.winner == 3 - player)
