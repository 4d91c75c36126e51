"""Solved boards: who wins with best play, and how to play them perfectly."""

from collections.abc import Callable

from critmass.engine import Position, Rules
from critmass.search.alphabeta import BUDGET, MAX_HEIGHT, NODES, WIDTH
from critmass.search.backend import backend_for, game_of
from critmass.search.kernel import Array
from critmass.search.proof import NEVER_MORE, Proofs, to_lose, to_win
from critmass.search.symmetry import symmetries

LARGEST = 20
"""The cells of the largest board whose positions fit a key."""


UNKNOWN, LOST, WON = -1, 0, 1
"""What a position is to the player to move."""


class Solver:
    """Proves who wins, on a small board; what it has proven helps with what is asked next."""

    def __init__(self, rules: Rules, slots: int = 1 << 20) -> None:
        if not rules.keeps_surplus or rules.players != 2 or rules.turn_limit or rules.grid.size > LARGEST:
            raise ValueError(f"expected two players, kept surplus and at most {LARGEST} cells: {rules}")
        self.rules = rules
        self.backend = backend_for(rules)
        self.proofs = Proofs(
            keys=self.backend.words(slots),
            numbers=self.backend.numbers(slots),
            starts=self.backend.words(len(symmetries(rules.grid))),
            images=self._images(),
            moves=self.backend.words((MAX_HEIGHT + 1) * WIDTH),
            replies=self.backend.words((MAX_HEIGHT + 1) * WIDTH),
            choices=self.backend.numbers((MAX_HEIGHT + 1) * WIDTH),
            counters=self.backend.numbers(3),
        )
        for number in range(len(self.proofs.starts)):
            self.proofs.starts[number] = self.backend.word(number << rules.grid.size)

    def _images(self) -> Array:
        size, word = self.rules.grid.size, self.backend.word
        found = symmetries(self.rules.grid)
        images = self.backend.words(len(found) << size)
        for number, symmetry in enumerate(found):
            start = number << size
            for cell in range(size):
                # A set is its highest cell and a set that came before.
                for rest in range(1 << cell):
                    images[start | 1 << cell | rest] = word(int(images[start | rest]) | 1 << symmetry[cell])
        return images

    def solve(self, position: Position, nodes: int) -> int:
        """Return whether the player to move has `WON` or `LOST`; `UNKNOWN` if that takes more nodes."""
        backend, board = self.backend, position.board
        counters = self.proofs.counters
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
