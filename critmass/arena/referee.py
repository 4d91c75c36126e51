"""One game between two bots."""

import random
from functools import partial

from critmass.arena.bot import BotProcess, Limits
from critmass.arena.game import BotFault, Ending, Game
from critmass.arena.protocol import SIDES, read_answer, turn_text
from critmass.arena.reaper import no_orphans
from critmass.arena.schedule import Pairing
from critmass.engine import CODINGAME, Match, MoveFault, Ply, cells_of
from critmass.engine.codec import encode


class Watcher:
    """Somebody who looks on; here nobody."""

    def asked(self, player: int, text: str) -> None:
        """See what a bot is sent for its turn."""

    def wrote(self, player: int, text: bytes) -> None:
        """See what a bot writes to its standard error."""

    def answered(self, player: int, line: bytes, seconds: float) -> None:
        """See the line that a bot answers."""

    def played(self, ply: Ply) -> None:
        """See a move that was played."""


class Referee:
    """A game under way."""

    def __init__(self, pairing: Pairing, limits: Limits, watcher: Watcher) -> None:
        self._pairing = pairing
        self._limits = limits
        self._watcher = watcher
        self._position = Match.replay(CODINGAME, pairing.opening).position()
        self._cells = list(pairing.opening)
        self._bots = [BotProcess(bot, partial(watcher.wrote, player)) for player, bot in enumerate(pairing.bots, 1)]
        self._rng = random.Random(pairing.seed)  # noqa: S311 - moves are no secrets
        self._times: list[float] = []
        self._messages: list[str] = []

    def play(self, turns: int = CODINGAME.longest) -> BotFault | None:
        """Play so many turns, or to the end; return the fault by which a bot has lost, if one did.

        Then nothing that the bots have started is left.
        """
        with no_orphans():
            try:
                for _ in range(turns):
                    if self._position.turn is not None:
                        self._turn(self._position.turn)
            except BotFault as fault:
                return fault
            finally:
                for bot in self._bots:
                    bot.end()
        return None

    def _turn(self, player: int) -> None:
        first = len(self._times) < len(self._bots)
        text = turn_text(self._position, self._cells[-1] if self._cells else None)
        if first:
            text = f"{SIDES[player - 1]}\n{text}"
        self._watcher.asked(player, text)
        bot = self._bots[player - 1]
        try:
            line = bot.ask(text, self._limits.first if first else self._limits.later)
        finally:
            self._times.append(round(1000 * bot.spent, 3))
            self._messages.append("")
        self._watcher.answered(player, line, bot.spent)
        answer = read_answer(line, first)
        self._messages[-1] = answer.message
        self._play(self._any() if answer.cell is None else answer.cell)

    def _any(self) -> int:
        return self._rng.choice(list(cells_of(self._position.legal)))

    def _play(self, cell: int) -> None:
        try:
            ply = self._position.play(cell)
        except MoveFault as fault:
            raise BotFault(Ending.OWNED, str(fault)) from fault
        self._position = ply.after
        self._cells.append(cell)
        self._watcher.played(ply)

    def game(self, fault: BotFault | None) -> Game:
        """Return the game, which has ended with that fault or without one."""
        winner, ending = self._result(fault)
        return Game(
            number=self._pairing.number,
            bots=(self._pairing.bots[0].name, self._pairing.bots[1].name),
            moves=encode(CODINGAME.grid, self._cells),
            opening=len(self._pairing.opening),
            winner=winner,
            ending=ending,
            detail=str(fault or ""),
            times=tuple(self._times),
            messages=tuple(self._messages),
            stderr=(self._bots[0].stderr, self._bots[1].stderr),
        )

    def _result(self, fault: BotFault | None) -> tuple[int | None, Ending]:
        outcome, turn = self._position.outcome, self._position.turn
        if fault and turn:
            return 3 - turn, fault.ending
        assert outcome is not None  # noqa: S101 - without a fault it is played to the end
        return outcome.winner, Ending(outcome.reason)


def play_game(pairing: Pairing, limits: Limits, watcher: Watcher | None = None) -> Game:
    """Play one game and return how it went."""
    referee = Referee(pairing, limits, watcher or Watcher())
    return referee.game(referee.play())
