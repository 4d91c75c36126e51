"""The engine against a second one that works on a dict of cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import Grid, Rules, cells_of
from critmass.engine.cascade import hand_out, place, ring, spread

from . import naive
from .samples import board_of, grids, most_orbs, patient, random_cells, random_plies, rule_sets, seeds


def agree(rules: Rules, seed: int, caution: float, length: int) -> None:
    plain = naive.NaiveMatch(rules)
    column_row = rules.grid.column_row
    for ply, _ in zip(random_plies(rules, seed, caution), range(length), strict=False):
        assert [column_row(cell) for cell in cells_of(ply.before.legal)] == plain.legal()
        plain.play(column_row(ply.cell))
        assert [[column_row(cell) for cell in detonated] for detonated in ply.rings] == plain.rings
        assert [str(frame) for frame in ply.frames] == plain.frames
        assert ply.captured == plain.captured
        after = ply.after
        assert str(after.board) == plain.frames[-1]
        assert (after.ply, after.turn, list(after.out)) == (plain.ply, plain.turn, plain.out)
        outcome = (after.outcome.winner, after.outcome.reason) if after.outcome else (None, None)
        assert outcome == (plain.winner, plain.reason)


@given(rule_sets(largest=8), seeds, st.sampled_from([0.0, 0.5, 0.9, 1.0]), st.integers(0, 300))
@settings(patient, max_examples=300)
def test_matches_are_those_of_the_plain_engine(rules: Rules, seed: int, caution: float, length: int) -> None:
    agree(rules, seed, caution, length)


@given(rule_sets(), seeds, st.sampled_from([0.0, 0.9, 1.0]), st.integers(100, 800))
@settings(patient, max_examples=60)
def test_so_are_long_matches_on_large_boards(rules: Rules, seed: int, caution: float, length: int) -> None:
    agree(rules, seed, caution, length)


@given(grids(), st.floats(0, 1), seeds, st.sampled_from([0.0, 0.1, 1.0]), st.booleans())
@settings(patient, max_examples=300)
def test_a_ring_is_right_on_every_board_that_the_planes_hold(
    grid: Grid, fill: float, seed: int, lumpiness: float, keeps_surplus: bool
) -> None:
    cells = random_cells(grid, round(fill * most_orbs(grid)), seed, lumpiness, owners=2)
    board = board_of(grid, cells)
    mine = board.cells_of(1)
    step = ring(grid, *board.planes, mine, False, keeps_surplus)
    critical = naive.critical(grid.columns, grid.rows, cells)
    assert [grid.column_row(cell) for cell in cells_of(step[0])] == critical
    after = naive.detonate(grid.columns, grid.rows, cells, 1, keeps_surplus)
    assert board.taken(1, *step[1:5]) == board_of(grid, after)

    left = hand_out(grid, *board.planes, step[0], keeps_surplus)
    for way, (right, up) in zip(spread(grid, step[0]), ((0, 1), (0, -1), (1, 0), (-1, 0)), strict=True):
        moved = [(column + right, row + up) for column, row in critical]
        inside = [cell for cell in moved if 0 <= cell[0] < grid.columns and 0 <= cell[1] < grid.rows]
        assert [grid.column_row(cell) for cell in cells_of(way)] == inside
        left = place(*left, way)
    assert left == step[1:4]


@given(grids(), st.floats(0, 1), seeds, st.sampled_from([0.0, 1.0]))
@settings(patient, max_examples=100)
def test_a_board_knows_its_critical_and_its_tense_cells(grid: Grid, fill: float, seed: int, lumpiness: float) -> None:
    cells = random_cells(grid, round(fill * most_orbs(grid)), seed, lumpiness)
    board = board_of(grid, cells)
    count = {cell: cells.get(grid.column_row(cell), (0, 0))[1] for cell in cells_of(grid.cells)}
    capacity = {cell: len(naive.neighbours(grid.columns, grid.rows, grid.column_row(cell))) for cell in count}
    assert {cell: grid.capacity(cell) for cell in count} == capacity
    assert {*cells_of(board.critical)} == {cell for cell in count if count[cell] >= capacity[cell]}
    assert {*cells_of(board.tense)} == {cell for cell in count if count[cell] == capacity[cell] - 1}
    assert {*cells_of(board.hot)} == {cell for cell in count if count[cell] >= capacity[cell] - 1}
    assert sum(capacity.values()) == 2 * grid.edges
