"""Every chain stops: by itself below as many orbs as edges, by the cut above it."""

import random
from itertools import chain as flatten

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import (
    CRITICAL_MASS,
    Board,
    Grid,
    Match,
    Outcome,
    Reason,
    Rules,
    cells_of,
    classic,
    make_grid,
)
from critmass.engine.cascade import ring

from . import naive
from .samples import board_of, grids, most_orbs, patient, random_cells, seeds

SLOW_BURNER = [
    "2222222222221221",
    "2120212122033332",
    "2322333333333001",
    "1223231212212232",
    "2212123323233132",
    "0121303132332332",
    "1231212312211231",
    "2133332222321331",
    "2313131032333022",
    "1123311331210301",
    "2133201322223330",
    "2210333313111022",
    "2032332033110120",
    "1312333122312120",
    "1231133033301330",
    "1122222112201001",
]
"""The orbs of a 16×16 board, row by row upward, on which a1 has just become critical."""

SHAPES = [(columns, rows) for columns in range(3, 17) for rows in range(columns, 17)]


def chain(board: Board, live: bool = False, keeps_surplus: bool = True) -> tuple[int, Board, bool]:
    """Let a board detonate as player 1's: the rings, the board they left, and whether it repeats for ever."""
    state = (*board.planes, board.cells_of(1))
    seen = {state}
    while (step := ring(board.grid, *state, live, keeps_surplus))[0]:
        state = step[1:]
        if state in seen:
            return len(seen), board.taken(1, *state[:4]), True
        seen.add(state)
    return len(seen) - 1, board.taken(1, *state[:4]), False


def downhill(grid: Grid, order: list[int], rival: int | None = None) -> naive.Cells:
    """As many orbs as edges: in each cell one for every neighbour that comes later in the order.

    The first cell is critical; once it has detonated it may as well stand last, and then the next is.
    """
    rank = {grid.column_row(cell): place for place, cell in enumerate(order)}
    counts = {
        cell: sum(rank[neighbour] > place for neighbour in naive.neighbours(grid.columns, grid.rows, cell))
        for cell, place in rank.items()
    }
    board = {cell: (1, count) for cell, count in counts.items() if count}
    if rival is not None:
        cell = grid.column_row(rival)
        board[cell] = (2, counts[cell] + 1)
    return board


def without_an_orb(cells: naive.Cells, cell: naive.Cell) -> naive.Cells:
    owner, count = cells[cell]
    rest = {other: held for other, held in cells.items() if other != cell}
    return rest | ({cell: (owner, count - 1)} if count > 1 else {})


def snake(grid: Grid) -> list[int]:
    rows = [[grid.cell(column, row) for column in range(grid.columns)] for row in range(grid.rows)]
    return [*flatten.from_iterable(row[::-1] if number % 2 else row for number, row in enumerate(rows))]


@given(grids(), st.integers(0, 480), seeds, st.sampled_from([0.0, 0.05, 1.0]), st.booleans())
@settings(patient, max_examples=400)
def test_fewer_orbs_than_edges_come_to_rest_without_the_cut(
    grid: Grid, missing: int, seed: int, lumpiness: float, keeps_surplus: bool
) -> None:
    orbs = max(0, grid.edges - 1 - missing)
    board = board_of(grid, random_cells(grid, orbs, seed, lumpiness))
    assert board.orbs == orbs
    _, after, repeats = chain(board, keeps_surplus=keeps_surplus)
    assert not repeats
    assert not after.critical
    assert after.orbs == orbs or not keeps_surplus


@given(grids(), seeds, st.data())
@settings(patient, max_examples=150)
def test_as_many_orbs_as_edges_may_never_rest_and_one_less_always_do(
    grid: Grid, seed: int, data: st.DataObject
) -> None:
    order = [*range(grid.size)]
    random.Random(seed).shuffle(order)
    cells = downhill(grid, order)
    board = board_of(grid, cells)
    assert board.orbs == grid.edges
    assert chain(board)[2]

    lighter = without_an_orb(cells, data.draw(st.sampled_from(sorted(cells))))
    _, after, repeats = chain(board_of(grid, lighter))
    assert not repeats
    assert not after.critical


@pytest.mark.parametrize(("columns", "rows"), SHAPES)
def test_the_last_board_that_must_rest_does_so_on_every_size(columns: int, rows: int) -> None:
    grid = make_grid(columns, rows)
    cells = downhill(grid, snake(grid))
    assert chain(board_of(grid, cells))[2]
    last = next(cell for cell in map(grid.column_row, reversed(snake(grid))) if cell in cells)
    _, after, repeats = chain(board_of(grid, without_an_orb(cells, last)))
    assert not repeats
    assert not after.critical
    assert after.orbs == grid.edges - 1


@given(grids(), seeds)
@settings(patient, max_examples=150)
def test_the_cut_stops_a_chain_that_would_go_on_for_ever(grid: Grid, seed: int) -> None:
    order = [*range(grid.size)]
    random.Random(seed).shuffle(order)
    board = board_of(grid, downhill(grid, order, rival=order[-1]))
    assert board.owner(order[-1]) == 2
    assert chain(board)[2]
    _, after, repeats = chain(board, live=True)
    assert not repeats
    assert after.orbs_of(2) == 0
    assert after.critical


@given(grids(), st.floats(0, 1), seeds, st.sampled_from([0.0, 0.05, 1.0]), st.booleans())
@settings(patient, max_examples=400)
def test_with_the_cut_every_board_comes_to_its_end(
    grid: Grid, fill: float, seed: int, lumpiness: float, keeps_surplus: bool
) -> None:
    cells = random_cells(grid, round(fill * most_orbs(grid)), seed, lumpiness, owners=2)
    _, after, repeats = chain(board_of(grid, cells), live=True, keeps_surplus=keeps_surplus)
    assert not repeats
    assert not after.critical or after.orbs_of(2) == 0


def cells_on(board: Board) -> naive.Cells:
    cells = cells_of(board.occupied)
    return {board.grid.column_row(cell): (board.owner(cell) or 0, board.orbs_at(cell)) for cell in cells}


def filled(rules: Rules) -> list[int]:
    """Fill each player's part of the board, half or quarter, to one orb short of every capacity."""
    grid = rules.grid
    shares: list[list[int]] = [[] for _ in range(rules.players)]
    for cell in range(grid.size):
        column, row = grid.column_row(cell)
        part = (2 * column >= grid.columns) + 2 * (2 * row >= grid.rows)
        shares[part % rules.players] += [cell] * (grid.capacity(cell) - 1)
    return [*flatten.from_iterable(zip(*shares, strict=True))]


@pytest.mark.parametrize(
    ("rules", "plies"),
    [
        (CRITICAL_MASS, 85),
        (classic(6, 6), 85),
        (classic(6, 9), 133),
        (classic(6, 6, 4), 85),
        (classic(16, 16), 705),
        (classic(16, 16, 4), 705),
    ],
)
def test_the_longest_match_ends_at_the_bound_and_no_later(rules: Rules, plies: int) -> None:
    match = Match.replay(rules, filled(rules))
    full = match.position()
    assert len(match.plies) == plies - 1 == sum(rules.grid.capacity(cell) - 1 for cell in range(rules.grid.size))
    assert (full.turn, full.outcome, full.board.critical) == (1, None, 0)
    assert full.board.tense == rules.grid.cells
    for cell in cells_of(full.legal):
        last = full.play(cell).after
        assert (last.ply, last.outcome) == (plies, Outcome(Reason.CUT, 1))
    assert rules.longest == plies
    assert chain(full.play(0).frames[0])[2]


def test_the_longest_match_on_an_odd_board_ends_at_the_bound_too() -> None:
    sides, others = [1, 3, 5, 7] * 2, [0, 2, 6, 8, 4, 4, 4]
    moves = [*flatten.from_iterable(zip(sides, others, strict=False)), sides[-1]]
    full = Match.replay(classic(3, 3), moves).position()
    assert (full.ply, full.board.critical) == (15, 0)
    for cell in cells_of(full.legal):
        assert full.play(cell).after.outcome == Outcome(Reason.CUT, 2)


def test_nothing_but_the_cut_stops_the_last_chain_of_the_longest_match() -> None:
    match = Match.replay(CRITICAL_MASS, [*filled(CRITICAL_MASS), 0])
    frames = [str(frame) for frame in match.plies[-1].frames]
    board = cells_on(match.plies[-1].frames[0])
    uncut = [naive.text(6, 6, board)]
    while uncut[-1] not in uncut[:-1]:
        board = naive.detonate(6, 6, board, mover=1, keeps_surplus=True)
        uncut.append(naive.text(6, 6, board))
    assert uncut[: len(frames)] == frames
    assert len(uncut) > len(frames)
    assert [("b" in frame) for frame in frames] == [True] * (len(frames) - 1) + [False]


def test_a_chain_of_thousands_of_rings_is_played_to_its_end() -> None:
    rules = classic(16, 16)
    orbs = [cell for cell, count in enumerate("".join(SLOW_BURNER)) for _ in range(int(count))]
    half = len(orbs) // 2
    moves = [*flatten.from_iterable(zip(orbs[half:], reversed(orbs[:half]), strict=True))]
    ply = Match.replay(rules, moves).plies[-1]
    assert (ply.number, ply.name, len(ply.rings)) == (482, "a1", 2669)
    assert (ply.after.turn, ply.after.board.critical) == (1, 0)

    board = cells_on(ply.frames[0])
    for _ in ply.rings:
        board = naive.detonate(16, 16, board, mover=2, keeps_surplus=True)
    assert not naive.critical(16, 16, board)
    assert str(ply.after.board) == naive.text(16, 16, board)
