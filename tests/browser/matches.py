"""Links of matches to look at, by what they show."""

from itertools import islice, product

from critmass.engine import Match, classic
from critmass.links import link_to


def _spread(columns: str, rows: str, plies: int) -> str:
    """The moves of an opening in which everybody plays into empty cells, row by row."""
    return "".join(column + row for row, column in islice(product(rows, columns), plies))


_LONG = "vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw0wzw6lcmck3n9rdlb"

START = "/m/"
GRACED = f"/m/{_LONG[:5]}"
RUNNING = f"/m/{_LONG[:46]}"  # three rings on the last ply
LATE = f"/m/{_LONG[:60]}"
FINISHED = f"/m/{_LONG}"  # cut in its twelfth ring

CLASSIC = f"/classic/6x9/2/{_spread('abcdef', '124578', 30)}"
EIGHT = f"/classic/10x15/8/{_spread('abcdefghij', '1359bf', 60)}"  # the last move in the upper right corner
HUGE = f"/classic/16x16/8/{_spread('acegikmp', '1379dfg', 56)}"  # likewise
NAMES = "?names=Ada,Bo,Cy,Di,Maximilian-Jakob,Fay,Gus,Wilhelmina-Anne"
CROWDED = (  # two of the eight are out after ply 118, the match ends on ply 121
    "/classic/8x8/8/f5b3d6b6a5c5b5b2a6b8a2e5g7a7g1b2f1c8e6g4a3a4b4d2e2c8h2f3f4g3g8d4b7d8h2f3g2g6h1f2e1a8h5h4f4d7f6e7a6h8h2h7c1"
    "a4e4c6c3a8a8d3d5f7d1f2e1a1g5f8b1c2b5c7h1c8g1h7h6d7h1c6e3d8h3f8c4f7d1d8f5d7d7a6a3g3f6c6f5a1g1h4h6f7b5f2c3b3g5h7c4g3e4h8e1e8"
    "f3a6a1f7e4b4g2"
)
GAME = "/codingame/gny1vf4b8djw8em3p90u8hc7l746vsp6810fvf6fcl7xuf6fjk0nebyb94d"
"""A game by the rules of CodinGame, 59 plies and 89 frames long, won by the first player."""


def longest(players: int) -> str:
    """The path of a match of 705 plies, and none is longer.

    Each player fills cells of their own to one short of capacity; the last ply sets one of them off.
    """
    rules = classic(16, 16, players)
    grid = rules.grid
    orbs: list[list[int]] = [[] for _ in range(players)]
    for cell in sorted(range(grid.size), key=grid.capacity, reverse=True):
        min(orbs, key=len).extend([cell] * (grid.capacity(cell) - 1))
    cells = [cell for turn in zip(*orbs, strict=True) for cell in turn]
    return link_to(Match.replay(rules, [*cells, cells[0]])).url()


LONGEST = longest(2)
