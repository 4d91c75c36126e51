"""A game that was played: its moves, how it ended, and what the bots took and said."""

from dataclasses import dataclass
from enum import StrEnum

from critmass.engine import Reason


class Ending(StrEnum):
    """Why a game is over: the engine's reasons, and what only the arena knows."""

    CUT = Reason.CUT.value
    WIPED = Reason.WIPED.value
    TURN_LIMIT = Reason.TURN_LIMIT.value
    TOO_LATE = "too-late"
    """No complete line within the time for the turn."""
    NO_OUTPUT = "no-output"
    """The bot closed its output, and runs on."""
    CRASHED = "crashed"
    """The bot ended, with whatever exit code or signal, or could not be started."""
    NO_CELL = "no-cell"
    """A line that names no cell, or more than a line can hold."""
    OUTSIDE = "outside"
    """A cell off the board."""
    OWNED = "owned"
    """A cell of the opponent's."""

    @property
    def is_fault(self) -> bool:
        """Whether a bot lost by its own fault, off the board."""
        return self not in (Ending.CUT, Ending.WIPED, Ending.TURN_LIMIT)


class BotFault(Exception):
    """What a bot loses its game by at once; `ending` is its kind, the message says more."""

    def __init__(self, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.ending = ending


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the arena, as it is written down."""

    number: int
    """Counted from 1 in the order of the schedule."""
    bots: tuple[str, str]
    """Their names, the first player's first."""
    moves: str
    """As in a link, the opening included."""
    opening: int
    """How many of the moves the arena made before the bots began."""
    winner: int | None
    """1 or 2, or `None` for a draw."""
    ending: Ending
    detail: str
    """What was wrong, in words, where a bot lost by its fault; empty otherwise."""
    times: tuple[float, ...]
    """Milliseconds a turn of the bots, in order; at the end that of the answer that lost, if one did."""
    messages: tuple[str, ...]
    """What the bots said with each move, as many as there are times."""
    stderr: tuple[str, str]
    """The end of what each bot wrote to its standard error."""

    @property
    def link(self) -> str:
        """The path under which the app shows the game."""
        return f"/codingame/{self.moves}"

    @property
    def plies(self) -> int:
        """The moves played, the opening included."""
        return len(self.moves)

    def times_of(self, player: int) -> tuple[float, ...]:
        """Return the times of one player's turns."""
        return self.times[(self.opening + player + 1) % 2 :: 2]
