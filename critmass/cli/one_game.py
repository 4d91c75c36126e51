"""One game in the terminal, for whoever debugs a bot: all that it is sent, all that it says, every frame."""

from collections.abc import Callable

from critmass.arena.bot import Bot, Limits
from critmass.arena.protocol import SIDES
from critmass.arena.referee import Referee, Watcher, play_game
from critmass.arena.schedule import Pairing
from critmass.arena.table import ENDINGS
from critmass.drawing.text import MARKS, rings_text
from critmass.engine import CODINGAME, Fault, Match, Ply
from critmass.formats.wording import count
from critmass.links import read
from critmass.links.paste import find_link

_MOST = 200


class NoPosition(ValueError):
    """A link that has no position in which the bot could move."""


class Printer(Watcher):
    """Tells everything that happens."""

    def __init__(self, echo: Callable[[str], object]) -> None:
        self._echo = echo
        self._ply = 0

    def asked(self, player: int, text: str) -> None:
        """Tell what a bot is sent."""
        self._tell(player, "is sent", text)

    def wrote(self, player: int, text: bytes) -> None:
        """Tell what a bot writes to its standard error."""
        if text:
            self._tell(player, "writes to stderr", text.decode("utf-8", "replace"))

    def answered(self, player: int, line: bytes, seconds: float) -> None:
        """Tell what a bot answers, and how long it took."""
        shown = line[:_MOST].decode("utf-8", "replace")
        self._tell(player, f"answers after {1000 * seconds:.2f} ms", shown)

    def played(self, ply: Ply) -> None:
        """Show a move frame by frame."""
        self._echo(f"\n{rings_text(ply)}")
        self._echo(f"\nPly {ply.number}: {_name(ply.player)} plays {ply.name}, {count(len(ply.rings), 'ring')}.")

    def _tell(self, player: int, what: str, text: str) -> None:
        lines = [_printable(line.removesuffix("\r")) for line in text.removesuffix("\n").split("\n")]
        self._echo("\n  ".join([f"{_name(player)} {what}:", *lines]))


def _name(player: int) -> str:
    return f"{MARKS[player - 1]} {SIDES[player - 1]}"


def _printable(line: str) -> str:
    """Return a line so that it cannot do anything to a terminal."""
    return "".join(character if character.isprintable() else "�" for character in line)


def show_game(bots: tuple[Bot, Bot], limits: Limits, seed: str, echo: Callable[[str], object]) -> None:
    """Play one game and tell everything."""
    game = play_game(Pairing(1, bots, seed=seed), limits, Printer(echo))
    echo("")
    if game.winner is None:
        echo(f"Draw after {game.plies} plies.")
    else:
        reason = ENDINGS[game.ending]
        fault = f"{_name(3 - game.winner)}: {game.detail}. " if game.detail else ""
        echo(f"{fault}{_name(game.winner)} wins: {reason}, {game.bots[game.winner - 1]}.")
    echo(game.link)


def show_turn(
    bot: Bot, link: str, ply: int | None, side: str | None, limits: Limits, echo: Callable[[str], object]
) -> None:
    """Ask a bot for its move in a position of a link and tell everything; raise `NoPosition` where there is none."""
    cells = _position(link, ply, side)
    fault = Referee(Pairing(1, (bot, bot), cells), limits, Printer(echo)).play(turns=1)
    echo(f"\n{ENDINGS[fault.ending].capitalize()}: {fault}." if fault else "\nA legal move.")


def _position(link: str, ply: int | None, side: str | None) -> tuple[int, ...]:
    """Return the moves that lead to the position asked for."""
    match = _match(link)
    plies = range(len(match.plies), -1, -1) if ply is None else [ply]
    for at in plies:
        if at > len(match.plies):
            raise NoPosition(f"The game has {len(match.plies)} plies, so there is no ply {at}.")
        turn = match.position(at).turn
        if turn and side in (None, SIDES[turn - 1]):
            return match.cells[:at]
    raise NoPosition(f"There is no such position in which {side or 'anybody'} is to move.")


def _match(link: str) -> Match:
    address = find_link(link)
    if address is None or address.game != CODINGAME.name:
        raise NoPosition(f"{link!r} is no link to a CodinGame match. One looks like /codingame/0z7c.")
    try:
        return read(address).match
    except Fault as fault:
        raise NoPosition(str(fault)) from fault
