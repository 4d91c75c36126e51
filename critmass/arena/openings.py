"""Openings: the first moves of a game, drawn at random for both sides to be played from."""

import random

from critmass.engine import Match, Position, Rules, cells_of


def random_match(rules: Rules, plies: int, rng: random.Random) -> Match:
    """Return a random match of that many plies that has not ended yet."""
    while True:
        position = Position.start(rules)
        cells: list[int] = []
        while position.turn is not None and len(cells) < plies:
            cells.append(rng.choice(list(cells_of(position.legal))))
            position = position.play(cells[-1]).after
        if len(cells) == plies and position.turn is not None:
            return Match.replay(rules, cells)
