"""A small bot: it plays the move after which it has the most orbs."""

import sys

CELLS = [(row, column) for row in range(6) for column in range(6)]
NEIGHBOURS = {
    (row, column): [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)] for row, column in CELLS
}
NEIGHBOURS = {cell: [other for other in around if other in NEIGHBOURS] for cell, around in NEIGHBOURS.items()}


def read_board():
    """Return who holds each cell, and how many orbs it has."""
    owners, counts = {}, {}
    for row in range(5, -1, -1):  # row 6 comes first
        line = input()
        for column in range(6):
            owner, count = line[2 * column : 2 * column + 2]
            owners[row, column] = owner
            counts[row, column] = 0 if owner == "." else int(count)
    return owners, counts


def orbs_after(owners, counts, cell, me):
    """Play a cell, with all that it sets off, and return how many orbs are mine; a win is more than any number."""
    owners, counts = dict(owners), dict(counts)
    enemies = any(owner not in (me, ".") for owner in owners.values())
    owners[cell] = me
    counts[cell] += 1
    while critical := [cell for cell in CELLS if counts[cell] >= len(NEIGHBOURS[cell])]:
        for cell in critical:
            owners[cell] = "."
            counts[cell] = 0
        for cell in critical:
            for other in NEIGHBOURS[cell]:
                owners[other] = me
                counts[other] += 1
        if enemies and not any(owner not in (me, ".") for owner in owners.values()):
            return 1000
    return sum(counts[cell] for cell in CELLS if owners[cell] == me)


def main():
    """Answer every turn."""
    me = input()  # r or b
    while sys.stdin.readline():  # the opponent's last move: the board says enough
        owners, counts = read_board()
        legal = [cell for cell in CELLS if owners[cell] in (me, ".")]
        row, column = max(legal, key=lambda cell: orbs_after(owners, counts, cell, me))
        print("abcdef"[column] + str(row + 1), flush=True)


main()
