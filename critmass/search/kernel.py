"""Moves without the match around them: what search, playouts and solver play with.

Like `critmass.engine.cascade`, on which they stand, these functions take and return plain integers, or tuples and
arrays of them, so that one text runs in Python on any board and compiled on boards of up to 64 cells. Sets of cells
are only ever combined with sets: a compiler that tells signed from unsigned would not forgive a stray `1`.
"""

from collections.abc import MutableSequence
from typing import NamedTuple

from critmass.engine.cascade import place, ring
from critmass.engine.grid import Grid
from critmass.search.bits import orb_at, size_of

Array = MutableSequence[int]
"""Integers in place: a list, or an array of machine words."""


ONGOING, DRAWN = -1, -2
"""What stands for the winner of a match without one."""


class Game(NamedTuple):
    """What stays the same all through a search."""

    grid: Grid
    players: int
    first_live_ply: int
    keeps_surplus: bool
    turn_limit: int
    """The ply after which an undecided match is a draw; beyond every match where there is none."""
    ply: int
    """The plies played before the search began."""
    root: int
    """The player, counted from 0, for whom the search is made. All others are taken to be in league (see `side`)."""
    allowed: int
    """The cells that the first move is chosen from."""
    reduces: bool
    """Whether moves that look bad are searched less deeply at first."""


def legal(grid: Grid, occupied: int, own: int) -> int:
    """Return the set of cells that a player may play: empty ones and their own."""
    return grid.cells & ~occupied | own


def choices(game: Game, height: int, occupied: int, own: int) -> int:
    """Return the set of cells that are considered `height` plies into the search."""
    moves = legal(game.grid, occupied, own)
    return moves if height else moves & game.allowed


def drop(
    grid: Grid, ones: int, twos: int, fours: int, mine: int, orb: int, live: bool, keeps_surplus: bool
) -> tuple[int, int, int, int]:
    """Put an orb into a cell and let the chain run; return (ones, twos, fours, mine) after it."""
    ones, twos, fours = place(ones, twos, fours, orb)
    mine |= orb
    detonated = orb
    while detonated:
        detonated, ones, twos, fours, mine = ring(grid, ones, twos, fours, mine, live, keeps_surplus)
    return ones, twos, fours, mine


def is_live(game: Game, height: int) -> bool:
    """Return whether a wipe counts on the ply that is played `height` plies into the search."""
    return game.ply + height + 1 >= game.first_live_ply


def is_last(game: Game, height: int) -> bool:
    """Return whether the ply that is played `height` plies into the search is the last that the rules allow."""
    return game.ply + height + 1 >= game.turn_limit


def seat_after(game: Game, player: int) -> int:
    """Return the player who sits next to one in the order of turns."""
    return player + 1 if player + 1 < game.players else 0


def next_player(game: Game, owners: Array, height: int, player: int) -> int:
    """Return who moves `height` plies into the search, after `player`: the next in order who is not out."""
    graced = not is_live(game, height - 1)
    player = seat_after(game, player)
    while not (graced or owners[height * game.players + player]):
        player = seat_after(game, player)
    return player


def hand_over(game: Game, owners: Array, height: int, player: int, mine: int, left: int) -> None:
    """Write down who holds what after a move at `height`: `player` holds `mine`, the others what is `left` to them."""
    before = height * game.players
    after = before + game.players
    for other in range(game.players):
        owners[after + other] = owners[before + other] & left
    owners[after + player] = mine


def side(game: Game, owners: Array, height: int, player: int, occupied: int) -> tuple[int, int]:
    """Return the cells of the side that `player` is on, and those of the other side.

    With two players these are the players. With more it is the root player against all others (paranoid search).
    """
    roots = owners[height * game.players + game.root]
    others = occupied & ~roots
    if player == game.root:
        return roots, others
    return others, roots


def spin(seed: int) -> int:
    """Return the next of a sequence of random words (G. Marsaglia, *Xorshift RNGs*, 2003)."""
    seed ^= seed << 13 & 0xFFFFFFFFFFFFFFFF
    seed ^= seed >> 7
    return seed ^ (seed << 17 & 0xFFFFFFFFFFFFFFFF)


def random_cell(grid: Grid, legal_cells: int, seed: int) -> tuple[int, int]:
    """Return a random cell of a set, as a set of one, and the next seed."""
    while True:
        seed = spin(seed)
        orb = orb_at((seed >> 40) * size_of(grid.cells) >> 24)
        if legal_cells & orb:
            return orb, seed


def play_randomly(
    game: Game, owners: Array, height: int, player: int, ones: int, twos: int, seed: int, plies: int
) -> tuple[int, int, int, int, int, int]:
    """Play at most that many random plies, the first at `height`.

    Return (winner, plies played, ones, twos, fours, player to move).

    The winner is counted from 0, or `ONGOING` or `DRAWN`. The first row of `owners` is overwritten.
    """
    fours = ones & ~ones
    for played in range(1, plies + 1):
        live, last = is_live(game, height), is_last(game, height)
        height += 1
        orb, seed = random_cell(game.grid, legal(game.grid, ones | twos | fours, owners[player]), seed)
        ones, twos, fours, mine = drop(game.grid, ones, twos, fours, owners[player], orb, live, game.keeps_surplus)
        for other in range(game.players):
            owners[other] &= (ones | twos) & ~mine
        owners[player] = mine
        if live and mine == ones | twos | fours:
            return player, played, ones, twos, fours, player
        if last:
            return DRAWN, played, ones, twos, fours, player
        player = seat_after(game, player)
        while live and not owners[player]:
            player = seat_after(game, player)
    return ONGOING, plies, ones, twos, fours, player


def play_many(game: Game, owners: Array, matches: int, seed: int) -> int:
    """Play random matches of two players from the empty board, one after another; return how many plies they took."""
    none = seed & ~seed
    total = 0
    for _ in range(matches):
        owners[0] = owners[1] = none
        seed = spin(seed)
        total += play_randomly(game, owners, 0, 0, none, none, seed, game.turn_limit)[1]
    return total
