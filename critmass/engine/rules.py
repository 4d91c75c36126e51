"""The three rule sets, as data."""

from dataclasses import dataclass, field

from critmass.engine.errors import BadBoard, BadPlayers
from critmass.engine.grid import Grid, make_grid

MIN_SIDE, MAX_SIDE = 3, 16
MIN_PLAYERS, MAX_PLAYERS = 2, 8


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything in which one game differs from another.

    Raises `BadBoard` and `BadPlayers` for sizes that are not played, `ValueError` for a grace or a turn limit
    that makes no game: every graced chain must come to rest by itself, so all of the grace has to fall below
    the number of edges (see `critmass.engine.cascade`).
    """

    name: str
    columns: int
    rows: int
    players: int
    first_live_ply: int
    """The first ply on which a wipe counts; all before it are graced."""
    keeps_surplus: bool = True
    """Whether a detonating cell keeps what it holds beyond its capacity; otherwise it empties."""
    turn_limit: int | None = None
    """The ply after which an undecided match is a draw."""
    grid: Grid = field(init=False, repr=False, compare=False)
    """The board's geometry."""

    def __post_init__(self) -> None:
        if not (MIN_SIDE <= self.columns <= MAX_SIDE and MIN_SIDE <= self.rows <= MAX_SIDE):
            raise BadBoard(f"expected {MIN_SIDE} to {MAX_SIDE} columns and rows: {self.columns}x{self.rows}")
        object.__setattr__(self, "grid", make_grid(self.columns, self.rows))
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise BadPlayers(f"expected {MIN_PLAYERS} to {MAX_PLAYERS} players: {self.players}")
        if not self.players <= self.first_live_ply <= self.grid.edges:
            span = f"{self.players} to {self.grid.edges}"
            raise ValueError(f"expected a first live ply from {span}: {self.first_live_ply}")
        if self.turn_limit is not None and self.turn_limit < self.first_live_ply:
            raise ValueError(f"expected a turn limit of at least {self.first_live_ply}: {self.turn_limit}")

    @property
    def longest(self) -> int:
        """A bound on the plies of a match: no board at rest holds more than 2E − V orbs."""
        bound = 2 * self.grid.edges - self.grid.size + 1
        if self.turn_limit is None:
            return bound
        return self.turn_limit if not self.keeps_surplus else min(bound, self.turn_limit)

    def is_live(self, ply: int) -> bool:
        """Return whether a wipe counts on that ply."""
        return ply >= self.first_live_ply


CRITICAL_MASS = Rules("critical-mass", columns=6, rows=6, players=2, first_live_ply=8)
"""Critical Mass: seven graced plies, then the first wipe wins."""

CODINGAME = Rules("codingame", columns=6, rows=6, players=2, first_live_ply=2, keeps_surplus=False, turn_limit=200)
"""The rules of CodinGame's Chain Reaction: the surplus is lost, and ply 200 is the last."""


def classic(columns: int = 6, rows: int = 9, players: int = 2) -> Rules:
    """Return the rules of the classic game, on any board from 3×3 to 16×16, for 2 to 8 players."""
    return Rules("classic", columns, rows, players, first_live_ply=players)
