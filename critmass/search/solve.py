"""Solved boards: who wins with best play, and how to play them perfectly."""

from collections.abc import Callable
from functools import cache

from critmass.engine import Grid, Position, Rules, cells_of
from critmass.search.alphabeta import BUDGET, MAX_HEIGHT, NODES, WIDTH
from critmass.search.backend import Backend, backend_for, game_of
from critmass.search.book import find, solved
from critmass.search.dfpn import NEVER_MORE, Proofs, to_lose, to_win
from critmass.search.kernel import Array
from critmass.search.symmetry import symmetries

LARGEST = 20
"""The cells of the largest board whose positions fit a key."""
SOLVED = 12
"""The cells of the largest board that is solved from its first ply."""
SOLVING_NODES = 1_500_000
"""What may be spent during a match to prove a win on a larger one: some tenths of a second."""
WINNING_NODES = 5_000_000
"""The same where the board is solved and it is the winner's turn; hardly ever needed where the book has just ended."""
EVERYTHING = 1 << 40
SLOTS, ROOMY = 1 << 18, 1 << 22
"""The places in the table of a solver, if nobody says otherwise, and where more is at stake."""
_PLACE = 16
"""The bytes of a place in the table."""
UNKNOWN, LOST, WON = -1, 0, 1
"""What a position is to the player to move."""


def slots_in(megabytes: int) -> int:
    """Return how many places a table has that takes that much memory at the most: a power of two."""
    return 1 << ((megabytes << 20) // _PLACE).bit_length() - 1


def is_solvable(rules: Rules) -> bool:
    """Return whether the proof search is for such games."""
    return rules.keeps_surplus and rules.players == 2 and not rules.turn_limit and rules.grid.size <= LARGEST


class Solver:
    """Proves who wins, on a small board; what it has proven helps with what is asked next."""

    def __init__(self, rules: Rules, slots: int = SLOTS) -> None:
        if not is_solvable(rules):
            raise ValueError(f"expected two players, kept surplus, no limit, at most {LARGEST} cells: {rules}")
        self.backend = backend_for(rules)
        words, numbers, width = self.backend.words, self.backend.numbers, (MAX_HEIGHT + 1) * WIDTH
        starts = tuple(number << rules.grid.size for number in range(len(symmetries(rules.grid))))
        self.proofs = Proofs(
            keys=words(slots),
            numbers=numbers(slots),
            starts=self.backend.filled(words, starts),
            images=_images(rules.grid, self.backend),
            moves=words(width),
            replies=words(width),
            choices=numbers(width),
            counters=numbers(3),
        )

    def solve(self, position: Position, nodes: int) -> int:
        """Return whether the player to move has `WON` or `LOST`; `UNKNOWN` if that takes more nodes."""
        backend, board, counters = self.backend, position.board, self.proofs.counters
        counters[BUDGET] = counters[NODES] + nodes
        assert position.turn is not None  # noqa: S101 - nobody solves a match that is over
        sets = map(backend.word, (board.ones, board.twos, board.cells_of(position.turn)))
        prove: Callable[..., int] = backend.functions["prove"]
        pair = int(prove(backend.game(game_of(position)), self.proofs, 0, *sets, NEVER_MORE, NEVER_MORE))
        return WON if not to_win(pair) else LOST if not to_lose(pair) else UNKNOWN

    @property
    def nodes(self) -> int:
        """The moves tried out so far."""
        return int(self.proofs.counters[NODES])


@cache
def _images(grid: Grid, backend: Backend) -> Array:
    """Return the image of each set of cells under each symmetry of a board."""
    images: list[int] = []
    for symmetry in symmetries(grid):
        part = [0]
        for cell in range(grid.size):
            part += [image | 1 << symmetry[cell] for image in part]
        images += part
    return backend.filled(backend.words, tuple(images))


def outcome_of(solver: Solver, position: Position, cell: int, nodes: int) -> int:
    """Return whether a move has `WON` or `LOST` for the player who makes it, as far as so many nodes tell."""
    after = position.play(cell).after
    if after.outcome is not None:
        return WON
    return {WON: LOST, LOST: WON}.get(solver.solve(after, nodes), UNKNOWN)


@cache
def _solver_of(rules: Rules) -> Solver:
    return Solver(rules, ROOMY)


def winning_cell(solver: Solver, position: Position) -> int | None:
    """Return a move that wins with best play, found with the least that it takes; `None` if no move does."""
    nodes = 1
    while True:
        results = []
        for cell in cells_of(position.legal):
            results.append(outcome_of(solver, position, cell, nodes))
            if results[-1] == WON:
                return cell
        if UNKNOWN not in results:
            return None
        nodes = min(100 * nodes, EVERYTHING)


def winning_move(position: Position) -> int | None:
    """Return a move that wins with best play, if there is one.

    On boards of more than `SOLVED` cells it may be missed, where the position is not in the book of openings and it
    takes more to find it than may be spent.
    """
    if opening := find(position):
        return opening.cell
    rules = position.rules
    if rules.grid.size <= SOLVED:
        solver, cells = _solver_of(rules), cells_of(position.legal)
        return next((cell for cell in cells if outcome_of(solver, position, cell, EVERYTHING) == WON), None)
    board = solved(rules)
    winning = board is not None and board.winner == position.turn
    # A new one: what was found out before, or not, must not change the answer.
    solver = Solver(rules, ROOMY if winning else SLOTS)
    proven = solver.solve(position, WINNING_NODES if winning else SOLVING_NODES) == WON
    return winning_cell(solver, position) if proven else None
