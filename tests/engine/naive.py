"""The contract's turn, told once more with a dict of cells: slow, and simple enough to be believed."""

from dataclasses import dataclass, field

from critmass.engine import Rules

Cell = tuple[int, int]
Cells = dict[Cell, tuple[int, int]]
"""The occupied cells by column and row, counted from 0: who holds each, and how many orbs."""


def name(cell: Cell) -> str:
    return "abcdefghijklmnop"[cell[0]] + str(cell[1] + 1)


def neighbours(columns: int, rows: int, cell: Cell) -> list[Cell]:
    column, row = cell
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [(c, r) for c, r in around if 0 <= c < columns and 0 <= r < rows]


def critical(columns: int, rows: int, board: Cells) -> list[Cell]:
    """The critical cells, in the order of their numbers."""
    over = [cell for cell, (_, orbs) in board.items() if orbs >= len(neighbours(columns, rows, cell))]
    return sorted(over, key=lambda cell: (cell[1], cell[0]))


def detonate(columns: int, rows: int, board: Cells, mover: int, keeps_surplus: bool) -> Cells:
    """The board after one ring."""
    after = dict(board)
    ring = critical(columns, rows, board)
    for cell in ring:
        surplus = board[cell][1] - len(neighbours(columns, rows, cell)) if keeps_surplus else 0
        after[cell] = (mover, surplus)
    for cell in ring:
        for neighbour in neighbours(columns, rows, cell):
            orbs = after[neighbour][1] if neighbour in after else 0
            after[neighbour] = (mover, orbs + 1)
    return {cell: (owner, orbs) for cell, (owner, orbs) in after.items() if orbs}


def text(columns: int, rows: int, board: Cells) -> str:
    def pair(cell: Cell) -> str:
        return " abcdefgh"[board[cell][0]] + str(board[cell][1]) if cell in board else ".."

    return "/".join("".join(pair((c, r)) for c in range(columns)) for r in reversed(range(rows)))


@dataclass
class NaiveMatch:
    """A match that is played on in place."""

    rules: Rules
    board: Cells = field(default_factory=dict)
    ply: int = 0
    turn: int | None = 1
    out: list[int] = field(default_factory=list)
    winner: int | None = None
    reason: str | None = None
    rings: list[list[Cell]] = field(default_factory=list)
    """The rings of the last ply."""
    frames: list[str] = field(default_factory=list)
    """The boards of the last ply."""
    captured: int = 0
    """The cells that the last ply took from other players."""

    def legal(self) -> list[Cell]:
        """The cells that can be played now, in the order of their numbers."""
        if self.turn is None:
            return []
        cells = [(column, row) for row in range(self.rules.rows) for column in range(self.rules.columns)]
        return [cell for cell in cells if cell not in self.board or self.board[cell][0] == self.turn]

    def play(self, cell: Cell) -> None:
        assert cell in self.legal()
        mover, columns, rows = self.turn, self.rules.columns, self.rules.rows
        assert mover is not None
        self.ply += 1
        live = self.ply >= self.rules.first_live_ply
        before = dict(self.board)
        self.board[cell] = (mover, before[cell][1] + 1 if cell in before else 1)
        self.rings, self.frames = [], [text(columns, rows, self.board)]
        while True:
            if live and all(owner == mover for owner, _ in self.board.values()):
                break
            ring = critical(columns, rows, self.board)
            if not ring:
                break
            self.board = detonate(columns, rows, self.board, mover, self.rules.keeps_surplus)
            self.rings.append(ring)
            self.frames.append(text(columns, rows, self.board))
        theirs = [place for place, (owner, _) in before.items() if owner != mover]
        self.captured = sum(place not in self.board or self.board[place][0] == mover for place in theirs)
        self._pass_the_turn(mover, live)

    def _pass_the_turn(self, mover: int, live: bool) -> None:
        everyone = list(range(1, self.rules.players + 1))
        if live:
            holders = {owner for owner, _ in self.board.values()}
            self.out = [player for player in everyone if player not in holders]
            if holders == {mover}:
                over = critical(self.rules.columns, self.rules.rows, self.board)
                self.turn, self.winner, self.reason = None, mover, "cut" if over else "wiped"
                return
        if self.ply == self.rules.turn_limit:
            self.turn, self.reason = None, "turn-limit"
            return
        order = everyone[mover:] + everyone[:mover]
        self.turn = next(player for player in order if player not in self.out)
