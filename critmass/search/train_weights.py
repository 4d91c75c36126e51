"""Learning the weights of the evaluation from self-play: `python -m critmass.search.train_weights codingame`.

Matches are played by a shallow search with a random move now and then, and every position that it thought about
becomes an example, whose label is the result. The weights are those of a logistic regression.
"""

import random
from collections.abc import Callable
from typing import Any

import click
import numpy as np

from critmass.engine import CODINGAME, CRITICAL_MASS, Position, Rules, cells_of
from critmass.search.backend import backend_for, game_of
from critmass.search.evaluation import FEATURES
from critmass.search.thinking import Search
from critmass.search.weights import SCALE

GAMES = {"critical-mass": CRITICAL_MASS, "codingame": CODINGAME}
NODES = 1_500
RANDOM_MOVES = 0.08
OPENING = 6
"""The plies at the beginning that are played at random."""


def features(position: Position) -> list[int]:
    """Return the features of a position: what it is worth with one weight of 1 and all others 0, weight by weight."""
    backend, board, turn = backend_for(position.rules), position.board, position.turn or 1
    grid = backend.game(game_of(position)).grid
    sets = [backend.word(cells) for cells in (board.ones, board.twos, board.cells_of(turn), board.cells_of(3 - turn))]
    return [int(backend.functions["evaluate"](grid, unit, *sets)) for unit in np.eye(FEATURES, dtype=np.int64)]


def self_play(rules: Rules, rng: random.Random) -> tuple[list[Position], int | None]:
    """Play a match; return the positions that were thought about, and the winner."""
    position, seen = Position.start(rules), []
    while position.turn is not None:
        if position.ply < OPENING or rng.random() < RANDOM_MOVES:
            cell = rng.choice(list(cells_of(position.legal)))
        else:
            seen.append(position)
            cell = Search(position, NODES).deepen().cell
        position = position.play(cell).after
    return seen, position.outcome.winner if position.outcome else None


def examples(rules: Rules, matches: int, seed: int, tick: Callable[[], object]) -> tuple[Any, Any]:
    """Return the features of many positions, a row each, and their labels: 1 where the side to move won."""
    rng = random.Random(seed)  # noqa: S311 - matches to learn from are no secrets
    rows: list[list[int]] = []
    labels: list[float] = []
    for _ in range(matches):
        seen, winner = self_play(rules, rng)
        rows += map(features, seen)
        labels += (0.5 if winner is None else float(winner == position.turn) for position in seen)
        tick()
    return np.array(rows, float), np.array(labels)


def fit(rows: Any, labels: Any, penalty: float = 1.0, steps: int = 30) -> Any:
    """Return the weights of a logistic regression with a penalty on their squares, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        expected = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (labels - expected) - penalty * weights
        curve = (rows * (expected * (1 - expected))[:, None]).T @ rows + penalty * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--matches", default=4000, show_default=True, help="The matches to learn from.")
@click.option("--seed", default=1, show_default=True, help="Another seed plays other matches.")
def main(game: str, matches: int, seed: int) -> None:
    """Print weights for a game, as they stand in weights.py."""
    with click.progressbar(length=matches, label="Matches") as bar:
        weights = fit(*examples(GAMES[game], matches, seed, lambda: bar.update(1)))
    click.echo(tuple(int(weight) for weight in np.round(weights * SCALE)))


if __name__ == "__main__":
    main()
