"""The compiled kernel plays as the engine does."""

import pytest
from engine.test_conformance import MATCHES, rules_of

from critmass.engine import Position, Rules, parse_cell
from critmass.search import kernel
from critmass.search.backend import PLAIN, Backend, fits, game_of, load_compiled

from .samples import WORD_SIZED

PLIES = 1_000_000


@pytest.fixture(scope="module")
def compiled() -> Backend:
    return load_compiled()


def state(position: Position) -> tuple[int, ...]:
    return (*position.board.planes, *position.board.owners)


@pytest.mark.parametrize("vector", MATCHES)
def test_it_plays_the_conformance_vectors(compiled: Backend, vector: dict[str, object]) -> None:
    rules = rules_of(vector)
    backend = compiled if fits(rules) else PLAIN
    game, word = backend.game(game_of(Position.start(rules))), backend.word
    position = Position.start(rules)
    for number, ply in enumerate(vector["plies"], 1):  # type: ignore[arg-type, var-annotated]
        board, player = position.board, position.turn
        assert player is not None
        cell = parse_cell(rules.grid, ply["move"])
        planes = (word(plane) for plane in board.planes)
        *counts, mine = backend.functions["drop"](
            game.grid,
            *planes,
            word(board.cells_of(player)),
            word(1 << cell),
            rules.is_live(number),
            rules.keeps_surplus,
        )
        position = position.play(cell).after
        assert str(position.board) == ply["board"]
        assert tuple(counts) == position.board.planes
        assert mine == position.board.cells_of(player)


def play_in_the_engine(rules: Rules, seed: int) -> tuple[Position, int]:
    position = Position.start(rules)
    while position.turn is not None:
        orb, seed = kernel.random_cell(rules.grid, position.legal, seed)
        position = position.play(orb.bit_length() - 1).after
    return position, position.ply


def play_in_the_kernel(backend: Backend, rules: Rules, seed: int) -> tuple[int, ...]:
    word, owners = backend.word, backend.words(rules.players)
    game = backend.game(game_of(Position.start(rules)))
    winner, plies, *planes, _ = backend.functions["play_randomly"](
        game, owners, 0, 0, word(0), word(0), word(seed), rules.longest
    )
    return winner, plies, *planes, *owners


@pytest.mark.parametrize(
    "rules", WORD_SIZED, ids=lambda rules: f"{rules.name}-{rules.columns}x{rules.rows}-{rules.players}"
)
def test_a_million_random_plies_end_as_in_the_engine(compiled: Backend, rules: Rules) -> None:
    played = seed = 0
    while played < PLIES / len(WORD_SIZED):
        seed += 1
        position, plies = play_in_the_engine(rules, seed)
        assert position.outcome is not None
        winner = position.outcome.winner
        expected = (-2 if winner is None else winner - 1, plies, *state(position))
        assert play_in_the_kernel(compiled, rules, seed) == expected
        played += plies
