"""Players to measure strength by: the usual ways to play Chain Reaction, done well and in the same kernel."""

import random
from collections.abc import Callable

from critmass.bench.duels import Player
from critmass.engine import Position, cells_of
from critmass.search.backend import backend_for, game_of
from critmass.search.mcts import Tree
from critmass.search.thinking import Search, stopping
from critmass.search.weights import MATERIAL, SCALE, weights_for

_NODES = 1 << 20
_TO_THE_END = 1 << 20


def anybody(seed: int = 1) -> Player:
    """Return a player who plays at random."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret

    def choose(position: Position) -> int:
        return rng.choice(list(cells_of(position.legal)))

    return choose


def greedy(seed: int = 1) -> Player:
    """Return a player who wins if a move does, and otherwise has as many orbs more than the others as one can."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret

    def gain(position: Position, cell: int) -> float:
        after = position.play(cell).after
        if after.outcome is not None and after.outcome.winner == position.turn:
            return float("inf")
        return 2 * after.board.orbs_of(position.turn or 1) - after.board.orbs

    def choose(position: Position) -> int:
        gains = {cell: gain(position, cell) for cell in cells_of(position.legal)}
        most = max(gains.values())
        return rng.choice([cell for cell, it in gains.items() if it == most])

    return choose


def material(depth: int = 3) -> Player:
    """Return a player who looks so many plies ahead by alpha-beta, and counts orbs."""

    def choose(position: Position) -> int:
        return Search(position, weights=MATERIAL).deepen(depth).cell

    return choose


def tree_search(
    seconds: float | None = None,
    iterations: int = _NODES,
    exploration: float = 0.7,
    plies: int = _TO_THE_END,
    seed: int = 1,
) -> Player:
    """Return a player by UCT, with random playouts of so many plies, then judged by the evaluation."""

    def choose(position: Position) -> int:
        rules, board = position.rules, position.board
        backend = backend_for(rules)
        number, word = backend.numbers, backend.word
        tree = Tree(
            visits=number(_NODES),
            points=number(_NODES),
            children=number(_NODES),
            counts=number(_NODES),
            cells=number(_NODES),
            owners=backend.words(4),
            path=number(rules.longest + 2),
            stop=number(1),
            weights=backend.filled(number, weights_for(rules)),
        )
        sets = map(word, (*board.owners, board.ones, board.twos))
        grow: Callable[..., int] = backend.functions["uct"]

        def stop() -> None:
            tree.stop[0] = 1

        with stopping(stop, seconds):
            return int(
                grow(backend.game(game_of(position)), tree, *sets, iterations, exploration, plies, SCALE, word(seed))
            )

    return choose
