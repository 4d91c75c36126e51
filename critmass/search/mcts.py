"""Monte Carlo tree search (UCT: L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006).

It is measured against alpha-beta, and plain UCT is one of the opponents that strength is measured by. A leaf is judged
by a random playout to the end or, after so many random plies, by the evaluation. For two players.
"""

from math import log, sqrt
from typing import NamedTuple

from critmass.search.bits import cell_of, orb_at, size_of
from critmass.search.evaluation import evaluate
from critmass.search.kernel import (
    DRAWN,
    ONGOING,
    Array,
    Game,
    choices,
    drop,
    hand_over,
    is_last,
    is_live,
    play_randomly,
    spin,
)


class Tree(NamedTuple):
    """The nodes of a tree, by number: the root is 0, and children follow one another."""

    visits: Array
    points: Array
    """The sum of the results for the player who moved to a node, in thousandths of a win."""
    children: Array
    """The number of the first child; 0 for a leaf."""
    counts: Array
    """The number of children."""
    cells: Array
    """The move that leads to a node."""
    owners: Array
    """Two rows: before and after a move."""
    path: Array
    stop: Array
    """Not 0 if the search is to end."""
    weights: Array


def select(tree: Tree, node: int, exploration: float) -> int:
    """Return the child with the highest upper confidence bound; one that was never visited comes first."""
    first, best, best_bound = tree.children[node], 0, -1.0
    spread = log(tree.visits[node] + 1.0)
    for child in range(first, first + tree.counts[node]):
        visits = tree.visits[child]
        if not visits:
            return child
        bound = tree.points[child] / (1000.0 * visits) + exploration * sqrt(spread / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


def expand(tree: Tree, node: int, used: int, moves: int) -> int:
    """Give a leaf a child for each move; return how many nodes are in use then."""
    tree.children[node] = used
    while moves:
        orb = moves & -moves
        moves &= ~orb
        tree.cells[used] = cell_of(orb)
        used += 1
    tree.counts[node] = used - tree.children[node]
    return used


def step(game: Game, owners: Array, height: int, player: int, ones: int, twos: int, orb: int) -> tuple[int, int, int]:
    """Play a move at `height`, the first row of `owners` changing; return (winner, ones, twos)."""
    live = is_live(game, height)
    own = owners[player]
    ones, twos, _, mine = drop(game.grid, ones, twos, own & ~own, own, orb, live, game.keeps_surplus)
    left = (ones | twos) & ~mine
    hand_over(game, owners, 0, player, mine, left)
    owners[0], owners[1] = owners[2], owners[3]
    if live and not left:
        return player, ones, twos
    return (DRAWN if is_last(game, height) else ONGOING), ones, twos


def points_of(winner: int, player: int) -> int:
    """Return what a finished match is worth to a player."""
    return 500 if winner < 0 else 1000 if winner == player else 0


def judge(
    game: Game, tree: Tree, height: int, player: int, ones: int, twos: int, seed: int, plies: int, scale: int
) -> int:
    """Return what a position is worth to the player to move, by so many random plies and then the evaluation."""
    winner, _, a, b, _, mover = play_randomly(game, tree.owners, height, player, ones, twos, seed, plies)
    if winner != ONGOING:
        return points_of(winner, player)
    value = evaluate(game.grid, tree.weights, a, b, tree.owners[mover], tree.owners[1 - mover])
    points = 500 + 500 * value // (abs(value) + scale)
    return points if mover == player else 1000 - points


def give_back(tree: Tree, length: int, points: int) -> None:
    """Add a result, for the player who moved to the last node of the path, to all its nodes."""
    for place in range(length - 1, -1, -1):
        node = tree.path[place]
        tree.visits[node] += 1
        tree.points[node] += points
        points = 1000 - points


def most_visited(tree: Tree) -> int:
    """Return the move of the root's child that was visited most."""
    first = best = tree.children[0]
    for child in range(first, first + tree.counts[0]):
        if tree.visits[child] > tree.visits[best]:
            best = child
    return tree.cells[best]


def uct(
    game: Game,
    tree: Tree,
    first: int,
    second: int,
    ones: int,
    twos: int,
    iterations: int,
    exploration: float,
    plies: int,
    scale: int,
    seed: int,
) -> int:
    """Grow a tree from a position in which the players hold `first` and `second`; return the best move."""
    full = len(tree.visits) - size_of(game.grid.cells)
    used = expand(tree, 0, 1, choices(game, 0, ones | twos, first if game.root < 1 else second))
    for _ in range(iterations):
        if tree.stop[0]:
            break
        tree.owners[0], tree.owners[1] = first, second
        a, b, node, height, player, winner = ones, twos, 0, 0, game.root, ONGOING
        while winner == ONGOING:
            if not tree.counts[node]:
                if not tree.visits[node] or used > full:
                    break
                used = expand(tree, node, used, choices(game, height, a | b, tree.owners[player]))
            node = select(tree, node, exploration)
            winner, a, b = step(game, tree.owners, height, player, a, b, orb_at(tree.cells[node]))
            player, height = 1 - player, height + 1
            tree.path[height] = node
        points = points_of(winner, 1 - player)
        if winner == ONGOING:
            seed = spin(seed)
            points = 1000 - judge(game, tree, height, player, a, b, seed, plies, scale)
        give_back(tree, height + 1, points)
    return most_visited(tree)
