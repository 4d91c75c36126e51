"""Proof search: who wins, on boards so small that it can be followed to the end.

This is depth-first proof-number search (A. Nagai, *Df-pn algorithm for searching AND/OR trees*, 2002): where to look
next is decided by how many positions at least have still to be settled to prove a win, and to disprove it.

It is for two players and rules that keep the surplus. The orbs on the board are then the plies played, so a board
knows its ply and whose turn it is, no position comes back, and there are no draws. A position is looked up by all that
it consists of, not by a hash, in whichever of its reflections and rotations has the lowest key.
"""

from typing import NamedTuple

from critmass.search.alphabeta import NODES, WIDTH, is_spent, mix
from critmass.search.bits import orb_at, size_of
from critmass.search.kernel import Array, Game, drop, is_live, legal

NEVER_MORE = 1 << 30
"""What stands for infinitely many positions."""
TRIES = 4
"""The places in the table that a position may be in."""


class Proofs(NamedTuple):
    """What a proof search writes on."""

    keys: Array
    numbers: Array
    """Of the position of each key: how much is missing to prove that the player to move wins, and loses (`packed`)."""
    starts: Array
    """Where the images under each symmetry of the board begin; those under the identity come first."""
    images: Array
    """The image of each set of cells."""
    moves: Array
    """The moves at each height, `WIDTH` a height."""
    replies: Array
    """The keys of the positions that they lead to."""
    choices: Array
    """How many moves those positions have."""
    counters: Array


def key_under(proofs: Proofs, start: int, size: int, ones: int, twos: int, mine: int) -> int:
    """Return the key of the image of a position; it is never 0."""
    images = proofs.images
    key = images[start | ones] << size | images[start | twos]
    return (key << size | images[start | mine]) << 1 | orb_at(0)


def position_key(game: Game, proofs: Proofs, ones: int, twos: int, mine: int) -> int:
    """Return the key of a position: the lowest of those of its symmetrical images."""
    size = size_of(game.grid.cells)
    best = key_under(proofs, proofs.starts[0], size, ones, twos, mine)
    for start in proofs.starts[1:]:
        best = min(best, key_under(proofs, start, size, ones, twos, mine))
    return best


def sum_up(win: int, loss: int) -> int:
    """Return the two numbers of a position as one: the inverse of `to_win` and `to_lose`."""
    return win << 32 | loss


def to_win(pair: int) -> int:
    """Return how many positions at least have to be settled to prove a win."""
    return pair >> 32


def to_lose(pair: int) -> int:
    """Return how many positions at least have to be settled to prove a loss."""
    return pair & 0xFFFFFFFF


def place_of(proofs: Proofs, key: int) -> int:
    """Return the first place of a key in the table; the others follow."""
    return int(mix(orb_at(0), key) >> 20) & (len(proofs.keys) - TRIES)


def known(proofs: Proofs, key: int, choices: int) -> int:
    """Return what is known of the position of a key; of a new one, that each of its choices has to be looked at."""
    place = place_of(proofs, key)
    for at in range(place, place + TRIES):
        if proofs.keys[at] == key:
            return proofs.numbers[at]
    return sum_up(1, choices)


def is_settled(pair: int) -> bool:
    """Return whether a win or a loss is proven."""
    return not to_win(pair) or not to_lose(pair)


def note(proofs: Proofs, key: int, pair: int) -> None:
    """Keep what is known of the position of a key, in place of what is least missed."""
    chosen = place = place_of(proofs, key)
    for at in range(place, place + TRIES):
        if proofs.keys[at] == key or not proofs.keys[at]:
            chosen = at
            break
        if is_settled(proofs.numbers[chosen]) and not is_settled(proofs.numbers[at]):
            chosen = at
    proofs.keys[chosen] = key
    proofs.numbers[chosen] = pair


def expand_moves(game: Game, proofs: Proofs, height: int, ones: int, twos: int, mine: int) -> int:
    """Write down the moves from a position and where they lead; return their number, or -1 if one wins at once."""
    grid, live = game.grid, is_live(game, height)
    moves, count = legal(grid, ones | twos, mine), height * WIDTH
    while moves:
        orb = moves & -moves
        moves &= ~orb
        proofs.counters[NODES] += 1
        a, b, _, ours = drop(grid, ones, twos, mine & ~mine, mine, orb, live, True)
        left = (a | b) & ~ours
        if live and not left:
            return -1
        proofs.moves[count] = orb
        proofs.replies[count] = position_key(game, proofs, a, b, left)
        proofs.choices[count] = size_of(legal(grid, a | b, left))
        count += 1
    return count - height * WIDTH


def prove(
    game: Game, proofs: Proofs, height: int, ones: int, twos: int, mine: int, most_win: int, most_loss: int
) -> int:
    """Look at a position until one of its two numbers is no longer below its limit, and return them (`sum_up`).

    Once the search is spent they may still be below.
    """
    key = position_key(game, proofs, ones, twos, mine)
    first, count = height * WIDTH, expand_moves(game, proofs, height, ones, twos, mine)
    if count < 0:
        note(proofs, key, sum_up(0, NEVER_MORE))
        return sum_up(0, NEVER_MORE)
    live = is_live(game, height)
    while True:
        win, second, loss, chosen, its_win = NEVER_MORE, NEVER_MORE, 0, first, 0
        for at in range(first, first + count):
            pair = known(proofs, proofs.replies[at], proofs.choices[at])
            loss += to_win(pair)
            if to_lose(pair) < win:
                win, second, chosen, its_win = to_lose(pair), win, at, to_win(pair)
            elif to_lose(pair) < second:
                second = to_lose(pair)
        loss = NEVER_MORE if not win else min(loss, NEVER_MORE - 1) if win < NEVER_MORE else 0
        if win >= most_win or loss >= most_loss or is_spent(proofs.counters):
            note(proofs, key, sum_up(win, loss))
            return sum_up(win, loss)
        orb = proofs.moves[chosen]
        a, b, _, ours = drop(game.grid, ones, twos, mine & ~mine, mine, orb, live, True)
        left = (a | b) & ~ours
        prove(game, proofs, height + 1, a, b, left, most_loss - loss + its_win, min(most_win, second + second // 4 + 1))
