"""Single cells of a set. The compiled kernel has machine instructions in their place."""


def orb_at(cell: int) -> int:
    """Return the set of one cell."""
    return 1 << cell


def cell_of(orb: int) -> int:
    """Return the cell of a set of one: the inverse of `orb_at`."""
    return orb.bit_length() - 1


def size_of(cells: int) -> int:
    """Return the number of cells in a set."""
    return cells.bit_count()


def fold(cells: int) -> int:
    """Return a 64-bit word that stands for a set of cells: the set itself on a board of at most 64."""
    return cells if cells < 1 << 64 else hash(cells) & 0xFFFFFFFFFFFFFFFF
