"""Boards: who holds which cell, with how many orbs."""

from collections.abc import Iterator
from typing import NamedTuple

from critmass.engine.cascade import critical_cells, place
from critmass.engine.grid import Grid, make_grid


class Board(NamedTuple):
    """The orbs on a grid: three bit planes of counts, and a set of cells for each player.

    `str` gives the contract's text, row by row from the top, two characters a cell, and `Board.parse` reads
    it back.
    """

    grid: Grid
    ones: int
    twos: int
    fours: int
    owners: tuple[int, ...]
    """Each player's cells, player 1 first."""

    @classmethod
    def empty(cls, grid: Grid, players: int) -> "Board":
        """Return the board before the first move."""
        return cls(grid, 0, 0, 0, (0,) * players)

    @classmethod
    def parse(cls, text: str, players: int) -> "Board":
        """Read a board from its text, `a1../..b2/…`; raise `ValueError` for text that is none."""
        lines = text.split("/")
        widths = {len(line) for line in lines}
        if len(widths) != 1 or widths.pop() % 2:
            raise ValueError(f"expected rows of equal length, two characters a cell: {text!r}")
        grid = make_grid(len(lines[0]) // 2, len(lines))
        ones = twos = fours = 0
        owners = [0] * players
        for row, line in enumerate(reversed(lines)):
            for column in range(grid.columns):
                owner, count = line[2 * column], line[2 * column + 1]
                if owner == count == ".":
                    continue
                player = ord(owner) - 97
                if not 0 <= player < players or count not in "1234567":
                    raise ValueError(f"expected '..' or an owner and 1 to 7 orbs: {owner + count!r}")
                bit = 1 << grid.cell(column, row)
                owners[player] |= bit
                ones |= bit if int(count) & 1 else 0
                twos |= bit if int(count) & 2 else 0
                fours |= bit if int(count) & 4 else 0
        return cls(grid, ones, twos, fours, tuple(owners))

    def __str__(self) -> str:
        rows = range(self.grid.rows - 1, -1, -1)
        return "/".join(
            "".join(self._pair(self.grid.cell(column, row)) for column in range(self.grid.columns)) for row in rows
        )

    def _pair(self, cell: int) -> str:
        owner = self.owner(cell)
        return f"{chr(96 + owner)}{self.orbs_at(cell)}" if owner else ".."

    @property
    def planes(self) -> tuple[int, int, int]:
        """The counts: the cells that hold an odd orb, those that hold two more, those that hold four more."""
        return self.ones, self.twos, self.fours

    @property
    def occupied(self) -> int:
        """The set of cells that hold orbs."""
        return self.ones | self.twos | self.fours

    @property
    def critical(self) -> int:
        """The set of cells at or over their capacity."""
        return critical_cells(self.grid, *self.planes)

    @property
    def tense(self) -> int:
        """The set of cells one orb short of their capacity."""
        return self.hot & ~self.critical

    @property
    def hot(self) -> int:
        """The set of cells that one orb more sets off: those that are tense, and those that are critical."""
        grid, ones, twos, fours, _ = self
        occupied = ones | twos | fours
        return critical_cells(grid, *place(ones, twos, fours, occupied)) | critical_cells(grid, ones, twos, fours)

    @property
    def orbs(self) -> int:
        """The number of orbs on the board."""
        return self._orbs_in(self.grid.cells)

    def orbs_of(self, player: int) -> int:
        """Return the number of orbs of a player, counted from 1."""
        return self._orbs_in(self.owners[player - 1])

    def _orbs_in(self, cells: int) -> int:
        ones, twos, fours = (plane & cells for plane in self.planes)
        return ones.bit_count() + 2 * twos.bit_count() + 4 * fours.bit_count()

    def alike(self, cells: int) -> Iterator[tuple[int, int, int]]:
        """Yield the cells of a set that look alike: the player, the number of orbs, the cells that hold them."""
        _, ones, twos, fours, owners = self
        ones, twos, fours = ones & cells, twos & cells, fours & cells
        few = ~fours
        by_count = [(1, ones & ~twos & few), (2, twos & ~ones & few), (3, ones & twos & few)]
        if fours:
            by_count += (4, fours & ~ones & ~twos), (5, fours & ones & ~twos), (6, fours & twos & ~ones)
            by_count.append((7, fours & twos & ones))
        for player, held in enumerate(owners, 1):
            if held & cells:
                for count, holding in by_count:
                    if holding & held:
                        yield player, count, holding & held

    def cells_of(self, player: int) -> int:
        """Return the set of cells of a player, counted from 1."""
        return self.owners[player - 1]

    def orbs_at(self, cell: int) -> int:
        """Return the number of orbs in a cell."""
        return (self.ones >> cell & 1) + 2 * (self.twos >> cell & 1) + 4 * (self.fours >> cell & 1)

    def owner(self, cell: int) -> int | None:
        """Return the player who holds a cell, counted from 1, or `None`."""
        for player, cells in enumerate(self.owners, 1):
            if cells >> cell & 1:
                return player
        return None

    def taken(self, player: int, ones: int, twos: int, fours: int, mine: int) -> "Board":
        """Return the board with these counts, `mine` held by `player` and lost by the others."""
        occupied = ones | twos | fours
        mine &= occupied
        left = occupied & ~mine
        owners = [held & left for held in self.owners]
        owners[player - 1] = mine
        return Board(self.grid, ones, twos, fours, tuple(owners))
