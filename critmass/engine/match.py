"""Matches: positions, plies, and how a match ends."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from critmass.engine.board import Board
from critmass.engine.cascade import hand_out, place, ring, spread
from critmass.engine.codec import cells_by_text, move_fault, split_moves
from critmass.engine.errors import MatchOver, OutsideBoard, OwnedCell
from critmass.engine.grid import cell_name, cells_of
from critmass.engine.rules import Rules


class Reason(StrEnum):
    """Why a match is over."""

    CUT = "cut"
    """The winner's chain was stopped, cells still critical."""
    WIPED = "wiped"
    """Nobody else has an orb left, and the board is at rest."""
    TURN_LIMIT = "turn-limit"
    """The last ply that the rules allow was played: a draw."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: its reason, and the winner, counted from 1, or `None` for a draw."""

    reason: Reason
    winner: int | None


class Position(NamedTuple):
    """A match between two moves: the board at rest, or as the last chain left it, and whose turn it is."""

    rules: Rules
    ply: int
    """The plies played so far."""
    board: Board
    turn: int | None
    """The player to move, counted from 1; `None` when the match is over."""
    out: tuple[int, ...] = ()
    """The players who are out, in ascending order."""
    outcome: Outcome | None = None
    """`None` while the match goes on."""

    @classmethod
    def start(cls, rules: Rules) -> "Position":
        """Return the position before the first move."""
        return cls(rules, 0, Board.empty(rules.grid, rules.players), turn=1)

    @property
    def legal(self) -> int:
        """The set of cells that the player to move may play: empty ones and their own."""
        if self.turn is None:
            return 0
        return self.rules.grid.cells & ~self.board.occupied | self.board.cells_of(self.turn)

    def play(self, cell: int) -> "Ply":
        """Play a cell; raise `MatchOver`, `OutsideBoard` or `OwnedCell` for one that cannot be played."""
        rules, number, board, player, _, _ = self
        number += 1
        if player is None:
            raise MatchOver(number)
        grid, ones, twos, fours, owners = board
        if not 0 <= cell < grid.size:
            raise OutsideBoard(number, str(cell), grid.columns, grid.rows)
        orb, mine = 1 << cell, owners[player - 1]
        if (ones | twos | fours) & ~mine & orb:
            raise OwnedCell(number, cell_name(grid, cell), board.owner(cell) or 0, player)

        keeps_surplus, live = rules.keeps_surplus, rules.is_live(number)
        mine |= orb
        ones, twos, fours = place(ones, twos, fours, orb)
        detonated, steps = orb, []
        while detonated:
            steps.append((detonated, ones, twos, fours, mine))
            detonated, ones, twos, fours, mine = ring(grid, ones, twos, fours, mine, live, keeps_surplus)
        board = board.taken(player, ones, twos, fours, mine)
        return Ply(self, cell, tuple(steps), self._after(player, board, live))

    def _after(self, player: int, board: Board, live: bool) -> "Position":
        """Return the position that a move by `player` leads to, once its chain has left `board`."""
        rules, number, out = self.rules, self.ply + 1, self.out
        if live:
            if 0 in board.owners:
                out = tuple(other for other, held in enumerate(board.owners, 1) if not held)
                if len(out) == rules.players - 1:
                    reason = Reason.CUT if board.critical else Reason.WIPED
                    return Position(rules, number, board, None, out, Outcome(reason, player))
            if number == rules.turn_limit:
                return Position(rules, number, board, None, out, Outcome(Reason.TURN_LIMIT, None))
        turn = player % rules.players + 1
        while turn in out:
            turn = turn % rules.players + 1
        return Position(rules, number, board, turn, out)


class Ply(NamedTuple):
    """One move by one player, with all that it set off."""

    before: Position
    cell: int
    steps: tuple[tuple[int, int, int, int, int], ...]
    """The cell played, the counts, the mover's cells; then the same for each ring, as `ring` gives it."""
    after: Position

    def __repr__(self) -> str:
        return f"Ply({self.before!r}, {self.cell!r})"

    @property
    def number(self) -> int:
        """The ply's number, counted from 1."""
        return self.after.ply

    @property
    def player(self) -> int:
        """The mover, counted from 1."""
        assert self.before.turn is not None  # noqa: S101 - `play` refuses a move in a match that is over
        return self.before.turn

    @property
    def name(self) -> str:
        """The name of the cell played, `c4`."""
        return cell_name(self.before.rules.grid, self.cell)

    @property
    def rings(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each ring, in the order of their numbers."""
        return tuple(tuple(cells_of(detonated)) for detonated, *_ in self.steps[1:])

    @property
    def frames(self) -> tuple[Board, ...]:
        """The board after the orb is placed, then after each ring."""
        board = self.before.board
        return tuple(board.taken(self.player, *counts_and_mine) for _, *counts_and_mine in self.steps)

    @property
    def in_flight(self) -> tuple[Board, ...]:
        """The board in the middle of each ring: the cells have detonated, and no orb has arrived."""
        rules, player = self.before.rules, self.player
        return tuple(
            frame.taken(
                player,
                *hand_out(rules.grid, *frame.planes, step[0], rules.keeps_surplus),
                frame.cells_of(player),
            )
            for frame, step in zip(self.frames, self.steps[1:], strict=False)
        )

    @property
    def touched(self) -> int:
        """The set of cells that the move changed: the one played, and all that an orb came to."""
        touched = 1 << self.cell
        for detonated, *_ in self.steps[1:]:
            for arrived in spread(self.before.rules.grid, detonated):
                touched |= arrived
        return touched

    @property
    def captured(self) -> int:
        """The number of cells that other players held before the move and no longer hold after it."""
        before, after, player = self.before.board, self.after.board, self.player
        theirs = before.occupied & ~before.cells_of(player)
        return (theirs & ~(after.occupied & ~after.cells_of(player))).bit_count()

    @property
    def eliminated(self) -> tuple[int, ...]:
        """The players whom this move put out, in ascending order."""
        return tuple(player for player in self.after.out if player not in self.before.out)


@dataclass(frozen=True, slots=True)
class Match:
    """A match: its rules and its plies. Immutable: `play` returns the longer match."""

    rules: Rules
    plies: tuple[Ply, ...] = field(default=(), repr=False)

    @classmethod
    def replay(cls, rules: Rules, cells: Iterable[int]) -> "Match":
        """Play the cells one after another; raise the `MoveFault` of the first that cannot be played."""
        position = Position.start(rules)
        plies = []
        for cell in cells:
            plies.append(position.play(cell))
            position = plies[-1].after
        return cls(rules, tuple(plies))

    @classmethod
    def read(cls, rules: Rules, text: str) -> "Match":
        """Play the moves of a link; raise the `MoveFault` of the first that is none or cannot be played."""
        position, known = Position.start(rules), cells_by_text(rules.grid)
        plies = []
        for number, move in enumerate(split_moves(rules.grid, text), 1):
            if position.turn is None:
                raise MatchOver(number)
            cell = known.get(move)
            if cell is None:
                raise move_fault(rules.grid, move, number)
            plies.append(position.play(cell))
            position = plies[-1].after
        return cls(rules, tuple(plies))

    def play(self, cell: int) -> "Match":
        """Return the match with one more ply; raise a `MoveFault` for a cell that cannot be played."""
        return Match(self.rules, (*self.plies, self.position().play(cell)))

    def until(self, ply: int) -> "Match":
        """Return the match as it stood after that ply; raise `IndexError` beyond its length."""
        self._check(ply)
        return Match(self.rules, self.plies[:ply])

    def position(self, at: int | None = None) -> Position:
        """Return the position after ply `at`, by default the last; raise `IndexError` beyond the length."""
        if at is None:
            at = len(self.plies)
        self._check(at)
        return self.plies[at - 1].after if at else Position.start(self.rules)

    def _check(self, ply: int) -> None:
        if not 0 <= ply <= len(self.plies):
            raise IndexError(f"expected a ply from 0 to {len(self.plies)}: {ply}")

    @property
    def cells(self) -> tuple[int, ...]:
        """The moves, as cells."""
        return tuple(ply.cell for ply in self.plies)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; `None` while it goes on."""
        return self.position().outcome
