"""Small boards are solved, and played perfectly."""

import pytest

from critmass.bench.duels import play
from critmass.bench.opponents import anybody
from critmass.engine import CODINGAME, Position, Rules, cells_of, classic
from critmass.search import choose
from critmass.search.solve import LOST, UNKNOWN, WON, Solver
from critmass.search.symmetry import image, least_image, symmetries

from .samples import random_positions

TINY = [classic(3, 3), Rules("critical-mass", 3, 3, 2, first_live_ply=8)]


def wins(position: Position, known: dict[tuple[int, ...], bool]) -> bool:
    """Whether the player to move wins, by trying everything."""
    assert position.turn is not None
    key = (*position.board.planes, *position.board.owners)
    if key not in known:
        afters = [position.play(cell).after for cell in cells_of(position.legal)]
        known[key] = any(after.outcome is not None or not wins(after, known) for after in afters)
    return known[key]


@pytest.mark.parametrize("rules", TINY, ids=lambda rules: rules.name)
def test_the_solver_agrees_with_trying_everything(rules: Rules) -> None:
    solver, known = Solver(rules), dict[tuple[int, ...], bool]()
    positions = [*random_positions(rules, 40, seed=8, least=3), *random_positions(rules, 40, seed=9, least=6)]
    found = {solver.solve(position, 10_000_000) for position in positions if position.ply >= 5}
    assert found == {WON, LOST}
    for position in positions:
        if position.ply >= 5:
            assert solver.solve(position, 10_000_000) == (WON if wins(position, known) else LOST)


@pytest.mark.parametrize("rules", TINY, ids=lambda rules: rules.name)
def test_the_first_player_wins_on_3x3_and_the_top_level_does(rules: Rules) -> None:
    start = Position.start(rules)
    assert Solver(rules).solve(start, 1_000_000) == WON
    for seed in range(5):
        end = play(start, lambda position: choose(position, 8).cell, anybody(seed))
        assert end.outcome is not None
        assert end.outcome.winner == 1
    end = play(start, *[lambda position: choose(position, 8).cell] * 2)
    assert end.outcome is not None
    assert end.outcome.winner == 1


def test_a_solver_that_may_not_look_does_not_know() -> None:
    assert Solver(classic(4, 4)).solve(Position.start(classic(4, 4)), 1000) == UNKNOWN


def test_other_games_are_refused() -> None:
    for rules in (CODINGAME, classic(6, 6), classic(3, 3, 3)):
        with pytest.raises(ValueError, match="expected two players"):
            Solver(rules)


@pytest.mark.parametrize(("columns", "rows", "count"), [(3, 4, 4), (4, 4, 8)])
def test_symmetries_keep_neighbours(columns: int, rows: int, count: int) -> None:
    rules = classic(columns, rows)
    grid = rules.grid
    assert len(set(map(tuple, symmetries(grid)))) == count
    assert symmetries(grid)[0] == list(range(grid.size))
    for symmetry in symmetries(grid):
        assert image(grid.corners, symmetry) == grid.corners
        assert image(grid.sides, symmetry) == grid.sides
    corners = [Position.start(rules).play(cell).after.board for cell in cells_of(grid.corners)]
    assert len({least_image(board) for board in corners}) == 1
