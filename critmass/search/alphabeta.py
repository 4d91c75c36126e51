"""Alpha-beta: principal variation search over the whole width, to a fixed depth.

Evaluations never come near `PROVEN`, so a value beyond it is a proof: every reply was followed to the end of the match.
Where the search does not reduce, and is deepened ply by ply, the first proof is that of the shortest win. With more
than two players it is a paranoid search: everyone else is in league against the root player
(N. Sturtevant, R. Korf, *On pruning techniques for multi-player games*, AAAI 2000).

Values are those for the side to move: an evaluation, or `WIN` less the plies until the match is won.
"""

from typing import NamedTuple

from critmass.search.bits import cell_of, fold, orb_at
from critmass.search.evaluation import evaluate, near, tense
from critmass.search.kernel import Array, Game, choices, drop, hand_over, is_last, is_live, next_player, side

WIN = 30000
PROVEN = 25000
MAX_HEIGHT = 64
"""No search goes deeper."""
WIDTH = 256
"""The cells of the largest board."""

# The counters of a search.
NODES, BUDGET, STOPPED = 0, 1, 2

# What the value in an entry of the table is.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class Memory(NamedTuple):
    """What a search writes on."""

    keys: Array
    entries: Array
    owners: Array
    line: Array
    """The best play found from each height, `MAX_HEIGHT` moves a height; its length in `lengths`."""
    lengths: Array
    order: Array
    counters: Array
    weights: Array


def mix(key: int, word: int) -> int:
    """Return a key with one more word stirred in (the finaliser of MurmurHash3, by A. Appleby)."""
    key = (key ^ word) * 0xFF51AFD7ED558CCD & 0xFFFFFFFFFFFFFFFF
    key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53 & 0xFFFFFFFFFFFFFFFF
    return key ^ key >> 29


def key_of(game: Game, owners: Array, height: int, player: int, ones: int, twos: int) -> int:
    """Return the hash of a position at rest: of all that its value depends on, the plies played included."""
    key = mix(mix(orb_at(height), orb_at(player + 8 if game.reduces else player)), fold(ones))
    key = mix(key, fold(twos))
    for other in range(game.players - 1):
        key = mix(key, fold(owners[height * game.players + other]))
    return key if height else mix(key, fold(game.allowed))


def packed(value: int, depth: int, bound: int, cell: int) -> int:
    """Return an entry of the table: the inverse of `value_in`, `depth_in`, `bound_in` and `cell_in`."""
    return (value + WIN) << 24 | depth << 16 | bound << 12 | (cell + 1)


def value_in(entry: int, height: int) -> int:
    """Return the value in an entry, as seen from the root: a proven one lies `height` plies further off."""
    value = (entry >> 24) - WIN
    if value > PROVEN:
        return value - height
    return value + height if value < -PROVEN else value


def value_from(value: int, height: int) -> int:
    """Return a value as seen from the position at `height`: the inverse of `value_in`."""
    if value > PROVEN:
        return value + height
    return value - height if value < -PROVEN else value


def depth_in(entry: int) -> int:
    """Return the depth to which the position of an entry was searched."""
    return entry >> 16 & 0xFF


def bound_in(entry: int) -> int:
    """Return what the value in an entry is."""
    return entry >> 12 & 0xF


def cell_in(entry: int) -> int:
    """Return the best move in an entry; -1 if there is none."""
    return (entry & 0xFFF) - 1


def settles(entry: int, height: int, depth: int, alpha: int, beta: int) -> bool:
    """Return whether an entry makes a search to that depth within (alpha, beta) superfluous."""
    if depth_in(entry) < depth:
        return False
    value, bound = value_in(entry, height), bound_in(entry)
    return bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)


def probe(memory: Memory, key: int) -> int:
    """Return the entry of a position; 0 if there is none."""
    slot = slot_of(memory, key)
    return memory.entries[slot] if memory.keys[slot] == key else 0


def slot_of(memory: Memory, key: int) -> int:
    """Return the place in the table for a key."""
    return int(key >> 20) & (len(memory.entries) - 1)


def store(memory: Memory, key: int, entry: int) -> None:
    """Keep an entry in the place of whatever was there."""
    slot = slot_of(memory, key)
    memory.keys[slot] = key
    memory.entries[slot] = entry


def child_value(
    game: Game, memory: Memory, height: int, player: int, ones: int, twos: int, orb: int, mine: int, theirs: int
) -> int:
    """Return what a move is worth to the mover's side, without looking beyond it.

    `mine` are the mover's own cells, `theirs` those of the other side.
    """
    live = is_live(game, height)
    ones, twos, _, mine = drop(game.grid, ones, twos, mine & ~mine, mine, orb, live, game.keeps_surplus)
    left = (ones | twos) & ~mine
    if live and not theirs & left:
        return WIN - height - 1
    if is_last(game, height):
        return 0
    theirs &= left
    ours = (ones | twos) & ~theirs
    if game.players > 2 and stays(game, memory, height, player, mine, left):
        return evaluate(game.grid, memory.weights, ones, twos, ours, theirs)
    return -evaluate(game.grid, memory.weights, ones, twos, theirs, ours)


def same_side(game: Game, player: int, other: int) -> bool:
    """Return whether two players are in league."""
    return (player == game.root) == (other == game.root)


def window(sign: int, low: int, high: int) -> tuple[int, int]:
    """Return the values between two as the next to move sees them: on the same side, or for `sign` -1 on the other."""
    if sign > 0:
        return low, high
    return -high, -low


def stays(game: Game, memory: Memory, height: int, player: int, mine: int, left: int) -> bool:
    """Return whether the turn stays with the mover's side after a move (see `hand_over`)."""
    hand_over(game, memory.owners, height, player, mine, left)
    follower = next_player(game, memory.owners, height + 1, player)
    return same_side(game, player, follower)


def worst_reply(
    game: Game, memory: Memory, height: int, ones: int, twos: int, orb: int, own: int, value: int, alpha: int
) -> int:
    """Return what the value of a move comes down to when the other of two players takes the most there is to take.

    That is not followed once it is down to `alpha`. `own` are the cells of the player who makes the move.
    """
    grid, live = game.grid, is_live(game, height + 1)
    a, b, _, ours = drop(grid, ones, twos, own & ~own, own, orb, is_live(game, height), game.keeps_surplus)
    theirs = (a | b) & ~ours
    replies = tense(grid, a, b) & theirs & near(grid, ours)
    while replies and value > alpha:
        reply = replies & -replies
        replies &= ~reply
        memory.counters[NODES] += 1
        c, d, _, taken = drop(grid, a, b, own & ~own, theirs, reply, live, game.keeps_surplus)
        left = (c | d) & ~taken
        if live and not left:
            memory.line[(height + 1) * MAX_HEIGHT] = cell_of(reply)
            memory.lengths[height + 1] = 1
            return height + 2 - WIN
        value = min(value, evaluate(grid, memory.weights, c, d, left, taken))
    return value


def frontier(game: Game, memory: Memory, height: int, player: int, ones: int, twos: int, alpha: int, beta: int) -> int:
    """Return the value of a position one ply before the horizon: that of its best move, or any not below `beta`."""
    grid = game.grid
    occupied = ones | twos
    own = memory.owners[height * game.players + player]
    _, theirs = side(game, memory.owners, height, player, occupied)
    moves = choices(game, height, occupied, own)
    ready = tense(grid, ones, twos) & own
    best = -WIN
    if alpha > PROVEN:  # Only a win at once would do, and that takes an explosion.
        best, moves = alpha, moves & ready
    for stage in range(3):
        stage_moves = moves
        if stage < 2:
            stage_moves &= ready
        if stage < 1:
            stage_moves &= near(grid, theirs)
        moves &= ~stage_moves
        while stage_moves:
            orb = stage_moves & -stage_moves
            stage_moves &= ~orb
            memory.counters[NODES] += 1
            memory.lengths[height + 1] = 0
            value = child_value(game, memory, height, player, ones, twos, orb, own, theirs)
            if game.players == 2 and alpha < value < PROVEN and not is_last(game, height):
                value = worst_reply(game, memory, height, ones, twos, orb, own, value, alpha)
            if value > best:
                best = value
                if best > alpha:
                    alpha = best
                    keep_line(memory, height, cell_of(orb))
                    if best >= beta:
                        return best
    return best


def rank(game: Game, memory: Memory, height: int, player: int, ones: int, twos: int, known: int) -> int:
    """Write the moves into `order`, with their value at first sight, the known best one first; return their number."""
    occupied = ones | twos
    own = memory.owners[height * game.players + player]
    _, theirs = side(game, memory.owners, height, player, occupied)
    moves = choices(game, height, occupied, own)
    count = 0
    while moves:
        orb = moves & -moves
        moves &= ~orb
        cell = cell_of(orb)
        value = child_value(game, memory, height, player, ones, twos, orb, own, theirs) if cell != known else WIN
        memory.order[height * WIDTH + count] = (value + WIN) << 8 | cell
        count += 1
    memory.counters[NODES] += count
    return count


def draw_best(order: Array, height: int, at: int, count: int) -> int:
    """Bring the best of the moves from `at` on to that place, and return its cell."""
    start = height * WIDTH
    best = at
    for other in range(at + 1, count):
        if order[start + other] > order[start + best]:
            best = other
    chosen = order[start + best]
    order[start + best] = order[start + at]
    order[start + at] = chosen
    return chosen & 0xFF


def keep_line(memory: Memory, height: int, cell: int) -> None:
    """Write down that `cell` and the line that was found after it are the best play from `height`."""
    here, there = height * MAX_HEIGHT, (height + 1) * MAX_HEIGHT
    length = memory.lengths[height + 1]
    memory.line[here] = cell
    for step in range(length):
        memory.line[here + 1 + step] = memory.line[there + step]
    memory.lengths[height] = length + 1


def is_spent(counters: Array) -> bool:
    """Return whether the search has to stop: its budget of nodes is used up, or it was told to."""
    return counters[NODES] >= counters[BUDGET] or counters[STOPPED] > 0


def reduction(depth: int, at: int) -> int:
    """Return by how many plies less a quiet move is searched at first, `at` moves having looked better."""
    if depth < 3 or at < 3:
        return 0
    return 2 if depth > 3 and at >= 10 else 1


def search(
    game: Game, memory: Memory, height: int, player: int, ones: int, twos: int, depth: int, alpha: int, beta: int
) -> int:
    """Return the value of a position at rest, searched `depth` plies deep, or a bound if it is not in (alpha, beta).

    Once the search is spent (see `is_spent`) its values mean nothing.
    """
    memory.lengths[height] = 0
    if depth <= 1:
        return frontier(game, memory, height, player, ones, twos, alpha, beta)
    if is_spent(memory.counters):
        return 0
    # Nothing is better than to win at once, nothing as bad as to have lost already.
    alpha, beta = max(alpha, height + 1 - WIN), min(beta, WIN - height - 1)
    if alpha >= beta:
        return alpha
    key = key_of(game, memory.owners, height, player, ones, twos)
    entry = probe(memory, key)
    if entry and beta - alpha == 1 and settles(entry, height, depth, alpha, beta):
        return value_in(entry, height)

    first_alpha, best, best_cell = alpha, -WIN, -1
    occupied = ones | twos
    own = memory.owners[height * game.players + player]
    _, theirs = side(game, memory.owners, height, player, occupied)
    ready = tense(game.grid, ones, twos) & own
    live, last = is_live(game, height), is_last(game, height)
    known = cell_in(entry)
    memory.order[height * WIDTH] = known
    at, count = 0, 1
    if known < 0:
        count = rank(game, memory, height, player, ones, twos, known)
    while at < count:
        cell = draw_best(memory.order, height, at, count)
        a, b, _, mine = drop(game.grid, ones, twos, own & ~own, own, orb_at(cell), live, game.keeps_surplus)
        memory.counters[NODES] += 1
        memory.lengths[height + 1] = 0
        left = (a | b) & ~mine
        if live and not theirs & left:
            value = WIN - height - 1
        elif last:
            value = 0
        else:
            hand_over(game, memory.owners, height, player, mine, left)
            follower = next_player(game, memory.owners, height + 1, player)
            sign = 1 if same_side(game, player, follower) else -1
            low, high = window(sign, alpha, alpha + 1 if at else beta)
            less = reduction(depth, at) if game.reduces and not orb_at(cell) & ready else 0
            value = sign * search(game, memory, height + 1, follower, a, b, depth - 1 - less, low, high)
            if less and value > alpha:
                value = sign * search(game, memory, height + 1, follower, a, b, depth - 1, low, high)
            if at and alpha < value < beta:
                low, high = window(sign, alpha, beta)
                value = sign * search(game, memory, height + 1, follower, a, b, depth - 1, low, high)
            if is_spent(memory.counters):
                return 0
        if value > best:
            best, best_cell = value, cell
            if value > alpha:
                alpha = value
                keep_line(memory, height, cell)
                if value >= beta:
                    break
        at += 1
        if at == 1 and known >= 0:
            count = rank(game, memory, height, player, ones, twos, known)
            draw_best(memory.order, height, 0, count)
    bound = AT_LEAST if best >= beta else AT_MOST if best <= first_alpha else EXACT
    store(memory, key, packed(value_from(best, height), depth, bound, best_cell))
    return best
