"""The games that there are, each a record, from which addresses, pages, notation and scripts have all they know."""

from dataclasses import dataclass

from critmass.engine import CODINGAME, CRITICAL_MASS, Rules

DEFAULT_BOARD, DEFAULT_PLAYERS = "6x9", "2"
"""The board and the number of players where a game leaves them open and nobody says."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as people and links name it. To add one is to add its record to `GAMES`."""

    name: str
    """The name of its rules, in data and in notation."""
    prefix: str
    """The first part of the paths of its matches."""
    title: str
    about: str
    """What is special about it, in a line for those who choose a game."""
    rules: Rules | None = None
    """Its rules, where there is one board; `None` where board and players are a part of the path."""

    @property
    def path(self) -> str:
        """What the path of any of its matches begins with."""
        return f"/{self.prefix}/"

    @property
    def start(self) -> str:
        """The path of a match before its first move, on the usual board."""
        return self.path if self.rules else f"{self.path}{DEFAULT_BOARD}/{DEFAULT_PLAYERS}/"

    @property
    def template(self) -> str:
        """The path of any match, with its parts named in braces."""
        return f"{self.path}{{moves}}" if self.rules else f"{self.path}{{board}}/{{players}}/{{moves}}"


GAMES = {
    game.name: game
    for game in (
        Game(
            name="critical-mass",
            prefix="m",
            title="Critical Mass",
            about="6×6, two players. The first seven moves are graced: a wipe wins from move 8 on.",
            rules=CRITICAL_MASS,
        ),
        Game(
            name="classic",
            prefix="classic",
            title="Classic",
            about="Any board, two to eight players. Whoever is left without orbs is out, the last one wins.",
        ),
        Game(
            name="codingame",
            prefix="codingame",
            title="CodinGame",
            about="6×6, two players, the bot contest's rules: what a cell holds too much is lost, move 200 is a draw.",
            rules=CODINGAME,
        ),
    )
}
"""Every game by its name, in the order in which they are offered."""


FIRST_GAME = next(iter(GAMES))
"""The game that is meant where none is named."""


def game_of(prefix: str) -> Game | None:
    """Return the game whose paths begin so; `None` where none does."""
    return next((game for game in GAMES.values() if game.prefix == prefix), None)


def path_pattern() -> str:
    """Return a pattern, for scripts, of what stands in a match's path between its first slash and the last."""
    return "|".join(game.prefix if game.rules else rf"{game.prefix}/\d+x\d+/\d" for game in GAMES.values())


def prefixes() -> tuple[str, ...]:
    """Return what the paths of all games begin with, in the order of `GAMES`."""
    return tuple(game.prefix for game in GAMES.values())
