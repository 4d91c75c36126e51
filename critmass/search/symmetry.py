"""Reflections and rotations of a board."""

from collections.abc import Iterator

from critmass.engine import Board, Grid, cells_of, make_grid


def onto(grid: Grid, *, turned: bool) -> Iterator[list[int]]:
    """Yield the four ways to lay a board onto one of its size, or onto one `turned`: the cell each cell comes to."""
    columns, rows = grid.columns, grid.rows
    other = make_grid(rows, columns) if turned else grid
    for across in (False, True):
        for upright in (False, True):
            image = []
            for cell in range(grid.size):
                column, row = grid.column_row(cell)
                column = columns - 1 - column if across else column
                row = rows - 1 - row if upright else row
                image.append(other.cell(row, column) if turned else other.cell(column, row))
            yield image


def symmetries(grid: Grid) -> list[list[int]]:
    """Return the symmetries of a board, the identity first: the cell that each cell goes to."""
    found = list(onto(grid, turned=False))
    if grid.columns == grid.rows:
        found += onto(grid, turned=True)
    return found


def image(mask: int, symmetry: list[int]) -> int:
    """Return the image of a set of cells."""
    return sum(1 << symmetry[cell] for cell in cells_of(mask))


def least_image(board: Board) -> tuple[int, ...]:
    """Return the board as numbers, the same for all boards that are images of one another."""
    sets = (*board.planes, *board.owners)
    return min(tuple(image(cells, symmetry) for cells in sets) for symmetry in symmetries(board.grid))
