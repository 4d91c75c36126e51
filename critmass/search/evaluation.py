"""What a position at rest is worth to the side to move, without looking ahead: a sum over the cells.

A cell counts by what it is (corner, side or middle, and how many orbs it holds), by whether an opponent's cell
next to it is tense (one orb short of detonating: the cell can be taken), and by whether one of its own side's is (it
can be taken back, or go off along with it). Cells of the side to move and of the other side have weights of their own,
because the one may act on a threat at once. There are 2 sides × 4 surroundings × 6 kinds of cells: 48 features, all of
them sizes of sets.
"""

from critmass.engine.cascade import spread
from critmass.engine.grid import Grid
from critmass.search.bits import size_of
from critmass.search.kernel import Array

KINDS = 6
FEATURES = 8 * KINDS


def near(grid: Grid, cells: int) -> int:
    """Return the set of all neighbours of some cells."""
    north, south, east, west = spread(grid, cells)
    return north | south | east | west


def tense(grid: Grid, ones: int, twos: int) -> int:
    """Return the cells that one more orb sets off, on a board at rest."""
    return grid.corners & ones | grid.sides & twos | grid.middle & twos & ones


def kinds(grid: Grid, ones: int, twos: int, cells: int) -> tuple[int, int, int, int, int, int]:
    """Split a set of occupied cells at rest by capacity and count."""
    sides, middle = grid.sides & cells, grid.middle & cells
    return (
        grid.corners & cells,
        sides & ones,
        sides & twos,
        middle & ones & ~twos,
        middle & twos & ~ones,
        middle & twos & ones,
    )


def weigh(grid: Grid, weights: Array, at: int, ones: int, twos: int, cells: int) -> int:
    """Return the worth of a set of cells in the same surroundings, whose weights begin at `at`."""
    corner, side, side_tense, middle, middle_two, middle_tense = kinds(grid, ones, twos, cells)
    return (
        weights[at] * size_of(corner)
        + weights[at + 1] * size_of(side)
        + weights[at + 2] * size_of(side_tense)
        + weights[at + 3] * size_of(middle)
        + weights[at + 4] * size_of(middle_two)
        + weights[at + 5] * size_of(middle_tense)
    )


def weigh_side(
    grid: Grid, weights: Array, at: int, ones: int, twos: int, cells: int, threats: int, support: int
) -> int:
    """Return the worth of one side's cells, given what its opponents' and its own tense cells are next to."""
    return (
        weigh(grid, weights, at, ones, twos, cells & ~threats & ~support)
        + weigh(grid, weights, at + KINDS, ones, twos, cells & ~threats & support)
        + weigh(grid, weights, at + 2 * KINDS, ones, twos, cells & threats & ~support)
        + weigh(grid, weights, at + 3 * KINDS, ones, twos, cells & threats & support)
    )


def evaluate(grid: Grid, weights: Array, ones: int, twos: int, mine: int, theirs: int) -> int:
    """Return what a board at rest is worth to the side to move, which holds `mine`."""
    ready = tense(grid, ones, twos)
    my_reach, their_reach = near(grid, ready & mine), near(grid, ready & theirs)
    value = weigh_side(grid, weights, 0, ones, twos, mine, their_reach, my_reach) - weigh_side(
        grid, weights, 4 * KINDS, ones, twos, theirs, my_reach, their_reach
    )
    return max(-LIMIT, min(LIMIT, value))


LIMIT = 20000
"""No evaluation is beyond it: what is, is proven."""
