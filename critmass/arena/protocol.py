"""What a bot is told and what it may answer: the arena's protocol, both ways."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass

from critmass.arena.game import BotFault, Ending
from critmass.engine import CODINGAME, Board, Position, cell_name, parse_cell

SIDES = ("r", "b")
"""What a bot is told once, by player: whose side it is on."""
ROWS = CODINGAME.rows
NO_MOVE = "null"
RANDOM = "random"
MAX_MESSAGE = 200
"""The characters of a message that are kept."""

_CELL = re.compile(r"[a-z](?:0|[1-9][0-9]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot wants: a cell, or `None` for any, and what it has to say."""

    cell: int | None
    message: str = ""


def turn_text(position: Position, last: int | None) -> str:
    """Return the lines of a turn, the opponent's last move and the board: what `read_turn` reads."""
    move = NO_MOVE if last is None else cell_name(CODINGAME.grid, last)
    rows = str(position.board).replace("a", SIDES[0]).replace("/", "\n")
    return f"{move}\n{rows}\n"


def read_turn(side: str, lines: Sequence[str]) -> Position:
    """Return the position that a bot on that side is told of by the lines of a turn, less the opponent's move.

    How many plies were played is not told: as many as matter for the rules are counted from the orbs.
    """
    board = Board.parse("/".join(lines).replace(SIDES[0], "a"), CODINGAME.players)
    played = min(board.orbs, CODINGAME.first_live_ply)
    return Position(CODINGAME, played, board, SIDES.index(side) + 1)


def read_answer(line: bytes, first: bool = False) -> Answer:
    """Return what a line of a bot's says; raise `BotFault` where that is no cell of the board.

    Before the `first` line of a bot there may be a byte-order mark, which some languages write by themselves.
    """
    said = line.removeprefix(BOM_UTF8) if first else line
    word, _, message = said.decode("utf-8", "replace").strip().partition(" ")
    message = message.strip()[:MAX_MESSAGE]
    if word.lower() == RANDOM:
        return Answer(None, message)
    if not _CELL.fullmatch(word):
        raise BotFault(Ending.NO_CELL, f"expected a cell, like c4, or random: {shown(line)}")
    try:
        return Answer(parse_cell(CODINGAME.grid, word), message)
    except ValueError:
        raise BotFault(Ending.OUTSIDE, f"expected a cell of the board, a1 to f6: {shown(line)}") from None


def shown(line: bytes) -> str:
    """Return the beginning of what a bot wrote so that a message can hold it."""
    text = line[:40].decode("utf-8", "replace")
    return repr(text) + ("…" if len(line) > 40 else "")
