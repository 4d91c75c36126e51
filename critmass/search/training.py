"""Learning the weights of the evaluation from self-play: `python -m critmass.search.training codingame`.

Matches are played by a shallow search, with a random move now and then; every position becomes an example whose label is
who won. The weights are those of a logistic regression of the label on the features.
"""

import random
import sys
from typing import Any

import numpy as np

from critmass.engine import CODINGAME, CRITICAL_MASS, Position, Rules, cells_of
from critmass.search.backend import load_compiled
from critmass.search.evaluation import FEATURES
from critmass.search.thinking import Search
from critmass.search.weights import SCALE

Examples = tuple[Any, Any]
"""Features, one row a position, and labels, 1 where the side to move went on to win."""

NODES = 1_500
RANDOM_MOVES = 0.08
OPENING = 6
"""The plies at the beginning that are played at random."""


def features(position: Position) -> list[int]:
    """Return the features of a position: its evaluation with one weight of 1 and all others 0, weight by weight."""
    backend = load_compiled()
    board, turn = position.board, position.turn or 1
    grid = backend.game(_game(position)).grid
    sets = [backend.word(cells) for cells in (board.ones, board.twos, board.cells_of(turn), board.cells_of(3 - turn))]
    return [int(backend.functions["evaluate"](grid, unit, *sets)) for unit in np.eye(FEATURES, dtype=np.int64)]


def _game(position: Position) -> Any:
    from critmass.search.backend import game_of

    return game_of(position)


def match(rules: Rules, rng: random.Random) -> tuple[list[Position], int | None]:
    """Return the positions of a match, and who won."""
    position, seen = Position.start(rules), []
    while position.turn is not None:
        if position.ply < OPENING or rng.random() < RANDOM_MOVES:
            cell = rng.choice(list(cells_of(position.legal)))
        else:
            seen.append(position)
            cell = Search(position, NODES).deepen().cell
        position = position.play(cell).after
    assert position.outcome is not None
    return seen, position.outcome.winner


def examples(rules: Rules, matches: int, seed: int) -> Examples:
    rng = random.Random(seed)
    rows, labels = [], []
    for number in range(matches):
        seen, winner = match(rules, rng)
        for position in seen:
            rows.append(features(position))
            labels.append(0.5 if winner is None else float(winner == position.turn))
        if number % 100 == 99:
            print(number + 1, "matches", len(rows), "positions", file=sys.stderr)
    return np.array(rows, float), np.array(labels)


def fit(rows: Any, labels: Any, penalty: float = 1.0, rounds: int = 30) -> Any:
    """Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(rounds):
        expected = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (labels - expected) - penalty * weights
        curve = (rows * (expected * (1 - expected))[:, None]).T @ rows + penalty * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return weights


if __name__ == "__main__":
    rules = {"codingame": CODINGAME, "critical-mass": CRITICAL_MASS}[sys.argv[1]]
    rows, labels = examples(rules, int(sys.argv[2]), int(sys.argv[3]))
    np.savez_compressed(f"weights-{sys.argv[1]}-{sys.argv[3]}.npz", rows=rows, labels=labels)
    w = fit(rows, labels)
    p = 1 / (1 + np.exp(-rows @ w))
    print(
        "log loss",
        -np.mean(labels * np.log(p) + (1 - labels) * np.log(1 - p)),
        "accuracy",
        np.mean((p > 0.5) == (labels > 0.5)),
    )
    print(tuple(int(v) for v in np.round(w * SCALE)))
