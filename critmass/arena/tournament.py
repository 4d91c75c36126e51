"""A tournament: its schedule is played, written down and counted."""

from collections.abc import Generator
from contextlib import closing

from critmass.arena.bot import Limits
from critmass.arena.game import Game
from critmass.arena.records import Record
from critmass.arena.schedule import Schedule
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.workers import play_all


class Tournament:
    """A tournament that is played, or gone on with where its record ends."""

    def __init__(
        self, schedule: Schedule, limits: Limits, record: Record | None = None, sprt: Sprt | None = None
    ) -> None:
        self.schedule = schedule
        self.limits = limits
        self.sprt = sprt
        """What is tested of the first bot against the second; the tournament is over as soon as it is proven."""
        self.standings = Standings(bot.name for bot in schedule.bots)
        """What the games have come to that were yielded so far."""
        self._record = record
        self.recorded = record.games if record else []
        """The games that were played in an earlier run."""
        if record:
            record.begin()

    @property
    def pairs(self) -> list[int]:
        """How many pairs of games came to 0, ½, 1, 1½ and 2 points for the first bot against the second."""
        first, second, *_ = self.schedule.bots
        return self.standings.pairs(first.name, second.name)

    @property
    def proven(self) -> float | None:
        """The Elo difference that the test has accepted; `None` as long as it goes on."""
        return self.sprt.accepted(self.pairs) if self.sprt else None

    def games(self, jobs: int) -> Generator[Game]:
        """Yield every game in order, those of the record first; the others are played, `jobs` at a time.

        Close the generator to stop early: the games yielded are then in the record, and it can be gone on with.
        """
        for game in self.recorded:
            self.standings.add(game)
            yield game
        if self.proven is not None:
            return
        known = {game.number for game in self.recorded}
        due = (pairing for pairing in self.schedule if pairing.number not in known)
        with closing(play_all(due, self.limits, jobs)) as played:
            for game in played:
                if self._record:
                    self._record.add(game)
                self.standings.add(game)
                yield game
                if self.proven is not None:
                    return
