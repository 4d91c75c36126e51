"""The cascade, written once: what one orb sets off.

Orb counts are three bit planes (`ones`, `twos`, `fours`: a cell's count is the sum of the planes that hold
it), and `mine` is the set of the mover's cells. A count never exceeds 7: a cell at rest holds at most its
capacity less one, and a ring brings it at most its capacity. Everybody else's cells need no plane here: they
only ever lose what the mover gains.

The functions take and return plain integers and nothing else, so the same text runs in Python on a board of
any size and can be compiled for boards that fit a machine word.

**Why every chain stops.** With fewer orbs than edges, every chip-firing game on a graph comes to rest
(A. Björner, L. Lovász, P. Shor, *Chip-firing games on graphs*, European Journal of Combinatorics 12, 1991).
With more, a chain could go on for ever, but then every cell would detonate, and every cell that detonates
or is detonated into is the mover's: the mover comes to own every orb, and the cut in `ring` ends the match.
On graced plies there is no cut, and `Rules` makes sure that they stay below the number of edges. Where the
surplus is lost, orbs can be lost only finitely often, and from the last loss on the argument is the same. So
the chain ends by the rules, and there is no counter of rings here.
"""

from critmass.engine.grid import Grid


def critical_cells(grid: Grid, ones: int, twos: int, fours: int) -> int:
    """Return the set of cells at or over their capacity."""
    return (grid.corners & (twos | fours)) | (grid.sides & (fours | twos & ones)) | (grid.middle & fours)


def place(ones: int, twos: int, fours: int, orb: int) -> tuple[int, int, int]:
    """Return the planes with one more orb in each cell of the set `orb`."""
    carry = ones & orb
    return ones ^ orb, twos ^ carry, fours ^ (twos & carry)


def hand_out(
    grid: Grid, ones: int, twos: int, fours: int, detonating: int, keeps_surplus: bool
) -> tuple[int, int, int]:
    """Return the planes once the detonating cells have handed out their orbs, which are still under way."""
    if not keeps_surplus:
        return ones & ~detonating, twos & ~detonating, fours & ~detonating
    # The count less the capacity: a corner holds 2 or 3, a side 3 to 5, the middle 4 to 7.
    corners = detonating & grid.corners
    sides = detonating & grid.sides
    return (
        ones & ~sides | sides & fours & ~ones,
        twos & ~(corners | sides) | sides & fours & ones,
        fours & ~detonating,
    )


def spread(grid: Grid, detonating: int) -> tuple[int, int, int, int]:
    """Return the cells that the orbs of detonating cells come to: those going north, south, east and west."""
    return (
        detonating << grid.columns & grid.cells,
        detonating >> grid.columns,
        (detonating & grid.not_east) << 1,
        (detonating & grid.not_west) >> 1,
    )


def ring(
    grid: Grid, ones: int, twos: int, fours: int, mine: int, live: bool, keeps_surplus: bool
) -> tuple[int, int, int, int, int]:
    """Let every critical cell detonate at once; return (detonated, ones, twos, fours, mine) after it.

    `detonated` is empty, and nothing has changed, when the move is over: because no cell is critical, or, on
    a live ply, because the mover owns every orb on the board. That second case is the cut.
    """
    critical = critical_cells(grid, ones, twos, fours)
    if live and mine == ones | twos | fours:
        critical &= ~grid.cells
    if not critical:
        return critical, ones, twos, fours, mine
    ones, twos, fours = hand_out(grid, ones, twos, fours, critical, keeps_surplus)

    # One orb arrives from each detonating neighbour: the four directions are added up bit by bit.
    north, south, east, west = spread(grid, critical)
    odd_a, both_a = north ^ south, north & south
    odd_b, both_b = east ^ west, east & west
    one = odd_a ^ odd_b
    two = both_a ^ both_b | odd_a & odd_b
    four = both_a & both_b

    carry = ones & one
    carry_two = twos & two | carry & (twos | two)
    ones, twos, fours = ones ^ one, twos ^ two ^ carry, fours ^ four ^ carry_two
    mine = (mine | north | south | east | west) & (ones | twos | fours)
    return critical, ones, twos, fours, mine
