"""Games and positions that search is tested with."""

import random
from collections.abc import Iterator

from critmass.engine import CODINGAME, CRITICAL_MASS, Position, Rules, cells_of, classic

WORD_SIZED = [
    CRITICAL_MASS,
    CODINGAME,
    *(
        classic(*size)
        for size in ((3, 3, 2), (6, 9, 2), (6, 9, 3), (8, 8, 2), (8, 8, 8), (4, 16, 5), (16, 4, 4), (5, 3, 6))
    ),
    Rules("critical-mass", 3, 3, 2, first_live_ply=8),
    Rules("house", 8, 8, 3, first_live_ply=40),
    Rules("house", 5, 5, 4, first_live_ply=9, keeps_surplus=False, turn_limit=60),
]
"""Games on boards that fit a machine word, whoever plays them."""


def random_positions(rules: Rules, count: int, seed: int, least: int = 0) -> Iterator[Position]:
    """Yield positions with a move to make, from random matches, at least that many plies in."""
    rng = random.Random(seed)
    while count:
        position, plies = Position.start(rules), rng.randrange(least, rules.longest)
        while position.turn is not None and position.ply < plies:
            position = position.play(rng.choice(list(cells_of(position.legal)))).after
        if position.turn is not None:
            yield position
            count -= 1
