"""What can be wrong with a match: one type a cause, so that nobody has to parse a message."""

from typing import ClassVar


class Fault(ValueError):
    """Something that is no match; `code` is the contract's word for it, `ply` where it went wrong."""

    code: ClassVar[str]
    ply: int | None = None


class RulesFault(Fault):
    """A game that no rule set allows."""


class BadBoard(RulesFault):
    """A board of a size that is not played on."""

    code = "bad-board"


class BadPlayers(RulesFault):
    """A number of players that is not played with."""

    code = "bad-players"


class MoveFault(Fault):
    """A move that cannot be played; `ply` counts from 1."""

    def __init__(self, ply: int, message: str) -> None:
        super().__init__(f"ply {ply}: {message}")
        self.ply: int = ply


class MatchOver(MoveFault):
    """A move after the end of the match."""

    code = "over"

    def __init__(self, ply: int) -> None:
        super().__init__(ply, f"expected no move, the match ended at ply {ply - 1}")


class BadCharacter(MoveFault):
    """A character outside the alphabet of links."""

    code = "bad-character"

    def __init__(self, ply: int, character: str) -> None:
        super().__init__(ply, f"expected 0-9 or a-z: {character!r}")
        self.character = character


class HalfMove(MoveFault):
    """One character where a move takes two."""

    code = "half-move"

    def __init__(self, ply: int, text: str) -> None:
        super().__init__(ply, f"expected a column letter and a row digit: {text!r}")
        self.text = text


class OutsideBoard(MoveFault):
    """A cell that this board does not have; `text` is what was written for it."""

    code = "outside"

    def __init__(self, ply: int, text: str, columns: int, rows: int) -> None:
        super().__init__(ply, f"expected a cell of the {columns}x{rows} board: {text!r}")
        self.text = text
        self.columns = columns
        self.rows = rows


class OwnedCell(MoveFault):
    """A cell that another player holds; `cell` is its name."""

    code = "owned"

    def __init__(self, ply: int, cell: str, owner: int, player: int) -> None:
        super().__init__(ply, f"expected an empty cell or one of player {player}: {cell} is player {owner}'s")
        self.cell = cell
        self.owner = owner
        self.player = player
