"""The geometry of a board: cells as bits, their names, and who is whose neighbour.

A set of cells is a plain integer, the bit ``1 << cell`` set for each. Cells are numbered from `a1` = 0 along
the row, then row by row upward.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class Grid(NamedTuple):
    """A board without orbs: its size, and the sets of cells that the cascade works with.

    It is a tuple of integers so that a compiler for plain integer code can take it as it is.
    """

    columns: int
    rows: int
    corners: int
    """The cells of capacity 2."""
    sides: int
    """The cells of capacity 3: on an edge, not in a corner."""
    middle: int
    """The cells of capacity 4."""
    not_west: int
    """All cells but those of column a."""
    not_east: int
    """All cells but those of the last column."""
    cells: int
    """All cells."""

    @property
    def size(self) -> int:
        """The number of cells, V."""
        return self.columns * self.rows

    @property
    def edges(self) -> int:
        """The number of pairs of neighbours, E."""
        return 2 * self.size - self.columns - self.rows

    def capacity(self, cell: int) -> int:
        """Return the number of orthogonal neighbours of a cell: its critical mass."""
        bit = 1 << cell
        return 2 if self.corners & bit else 3 if self.sides & bit else 4

    def cell(self, column: int, row: int) -> int:
        """Return the cell in a column and row, both counted from 0."""
        return row * self.columns + column

    def column_row(self, cell: int) -> tuple[int, int]:
        """Return a cell's column and row, both counted from 0: the inverse of `cell`."""
        row, column = divmod(cell, self.columns)
        return column, row


@cache
def make_grid(columns: int, rows: int) -> Grid:
    """Return the grid of that size; at least 2 columns and 2 rows."""
    if columns < 2 or rows < 2:
        raise ValueError(f"expected at least 2 columns and 2 rows: {columns}x{rows}")
    cells = (1 << columns * rows) - 1
    west = sum(1 << row * columns for row in range(rows))
    east = west << columns - 1
    south = (1 << columns) - 1
    north = south << columns * (rows - 1)
    corners = (west | east) & (south | north)
    sides = (west | east | south | north) & ~corners
    middle = cells & ~(corners | sides)
    return Grid(columns, rows, corners, sides, middle, cells & ~west, cells & ~east, cells)


def cell_name(grid: Grid, cell: int) -> str:
    """Return a cell's name, `c4`: the inverse of `parse_cell`."""
    column, row = grid.column_row(cell)
    return f"{chr(97 + column)}{row + 1}"


@cache
def cell_names(grid: Grid) -> tuple[str, ...]:
    """Return the names of all cells of a grid, in the order of their numbers."""
    return tuple(cell_name(grid, cell) for cell in range(grid.size))


def parse_cell(grid: Grid, name: str) -> int:
    """Return the cell of that name, `c4`; raise `ValueError` for text that names none."""
    letter, digits = name[:1], name[1:]
    column = ord(letter) - 97 if letter else -1
    if 0 <= column < grid.columns and digits.isascii() and digits.isdecimal() and digits[0] != "0":
        row = int(digits) - 1 if len(digits) <= 2 else grid.rows
        if row < grid.rows:
            return grid.cell(column, row)
    raise ValueError(f"expected a cell of the {grid.columns}x{grid.rows} board, like c3: {name!r}")


def cells_of(mask: int) -> Iterator[int]:
    """Yield the cells of a set, lowest number first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
