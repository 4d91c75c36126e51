"""Grids, the names of cells, and boards as text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import Board, Grid, Match, cell_name, cell_names, cells_of, classic, make_grid, parse_cell

from .samples import board_of, grids, matches, most_orbs, patient, random_cells, seeds

BOARD = Board.parse("..b1..../a4....b3/a1a3..c1", 3)


def test_a_board_is_read_from_the_top_row_down() -> None:
    grid = make_grid(4, 3)
    assert BOARD.grid == grid
    told = {cell_name(grid, cell): (BOARD.owner(cell), BOARD.orbs_at(cell)) for cell in cells_of(BOARD.occupied)}
    assert told == {"a1": (1, 1), "b1": (1, 3), "d1": (3, 1), "a2": (1, 4), "d2": (2, 3), "b3": (2, 1)}
    assert (BOARD.owner(grid.cell(2, 0)), BOARD.orbs_at(grid.cell(2, 0))) == (None, 0)


def test_a_board_counts_orbs_and_cells_for_each_player() -> None:
    assert BOARD.orbs == 13
    assert [BOARD.orbs_of(player) for player in (1, 2, 3)] == [8, 4, 1]
    cells = [[*cells_of(BOARD.cells_of(player))] for player in (1, 2, 3)]
    assert cells == [[0, 1, 4], [7, 9], [3]]


@given(grids(), st.floats(0, 1), seeds, st.integers(1, 8))
@settings(patient, max_examples=100)
def test_a_board_is_written_as_it_was_read(grid: Grid, fill: float, seed: int, players: int) -> None:
    board = board_of(grid, random_cells(grid, round(fill * most_orbs(grid)), seed, 0.1, players), players)
    assert Board.parse(str(board), players) == board
    assert len(str(board)) == 2 * grid.size + grid.rows - 1


EVERY = Board.parse("a1a2a3a4a5/a6a7b1b2b3/b4b5b6b7../........c4", 3)
"""Every number of orbs that a cell can hold, for two players."""


@pytest.mark.parametrize("cells", [EVERY.grid.cells, EVERY.occupied, 0b1010_1010_1010_1010_1010, 1 << 14, 0])
def test_cells_that_look_alike_are_told_together(cells: int) -> None:
    alike = list(EVERY.alike(cells))
    assert [(player, count) for player, count, _ in alike] == sorted({(player, count) for player, count, _ in alike})
    told = {cell: (player, count) for player, count, holding in alike for cell in cells_of(holding)}
    assert all(holding for _, _, holding in alike)
    assert told == {cell: (EVERY.owner(cell), EVERY.orbs_at(cell)) for cell in cells_of(cells & EVERY.occupied)}


def test_a_board_at_rest_is_told_by_players_and_numbers() -> None:
    board = Board.parse("a1b1b2/a1b2b3/....a2", 2)
    assert [(player, count, [*cells_of(cells)]) for player, count, cells in board.alike(board.occupied)] == [
        (1, 1, [3, 6]),
        (1, 2, [2]),
        (2, 1, [7]),
        (2, 2, [4, 8]),
        (2, 3, [5]),
    ]


@given(matches())
@settings(patient, max_examples=40)
def test_every_board_of_a_match_survives_its_text(match: Match) -> None:
    for ply in match.plies:
        for frame in ply.frames:
            assert Board.parse(str(frame), match.rules.players) == frame


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("a1..", id="one row"),
        pytest.param("a1/..", id="one column"),
        pytest.param("a1../..", id="a short row"),
        pytest.param("a1../..../", id="an empty row"),
        pytest.param("a1..b/.....", id="half a cell"),
        pytest.param("c1../....", id="a third of two players"),
        pytest.param("A1../....", id="a capital"),
        pytest.param("`1../....", id="an owner before a"),
        pytest.param("a0../....", id="no orbs"),
        pytest.param("a8../....", id="eight orbs"),
        pytest.param("a²../....", id="a superscript"),
        pytest.param("a.../....", id="an owner of nothing"),
        pytest.param(".1../....", id="orbs of nobody"),
    ],
)
def test_text_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        Board.parse(text, 2)


@given(grids())
def test_cells_are_named_by_column_and_row_and_numbered_along_the_rows(grid: Grid) -> None:
    names = [f"{letter}{row}" for row in range(1, grid.rows + 1) for letter in "abcdefghijklmnop"[: grid.columns]]
    assert [cell_name(grid, cell) for cell in range(grid.size)] == list(cell_names(grid)) == names
    assert [parse_cell(grid, name) for name in names] == [*range(grid.size)]
    assert [grid.cell(*grid.column_row(cell)) for cell in range(grid.size)] == [*range(grid.size)]


@pytest.mark.parametrize(
    "name",
    [
        *("", "a", "1", "1a", "aa1", "A1", "`1", "g1", "a0", "a01", "a10", "a010", "a1111111111"),
        *(" a1", "a1 ", "a1\n", "a-1", "a+1", "a1_0", "a²", "a١", "а1"),
        pytest.param("a" + "1" * 5000, id="thousands of digits"),
    ],
)
def test_text_that_names_no_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="6x9 board"):
        parse_cell(make_grid(6, 9), name)


@given(grids(), st.text(max_size=4))
def test_a_name_is_one_cells_or_nobodys(grid: Grid, text: str) -> None:
    try:
        cell = parse_cell(grid, text)
    except ValueError:
        assert text not in [cell_name(grid, cell) for cell in range(grid.size)]
    else:
        assert cell_name(grid, cell) == text


@pytest.mark.parametrize(("columns", "rows"), [(1, 5), (5, 1), (0, 0), (-3, 4)])
def test_a_grid_has_at_least_two_columns_and_rows(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match=f"{columns}x{rows}"):
        make_grid(columns, rows)


@given(st.integers(2, 16), st.integers(2, 16))
def test_a_grid_is_made_of_corners_sides_and_middle(columns: int, rows: int) -> None:
    grid = make_grid(columns, rows)
    assert grid.corners.bit_count() == 4
    assert grid.sides.bit_count() == 2 * (columns + rows) - 8
    assert grid.middle.bit_count() == (columns - 2) * (rows - 2)
    assert grid.corners | grid.sides | grid.middle == grid.cells
    assert sum(grid.capacity(cell) for cell in range(grid.size)) == 2 * grid.edges
    assert {grid.column_row(cell)[0] for cell in cells_of(grid.cells & ~grid.not_west)} == {0}
    assert {grid.column_row(cell)[0] for cell in cells_of(grid.cells & ~grid.not_east)} == {columns - 1}


@given(st.sets(st.integers(0, 255)))
def test_a_set_of_cells_is_listed_lowest_first(cells: set[int]) -> None:
    assert [*cells_of(sum(1 << cell for cell in cells))] == sorted(cells)


def test_the_empty_board_of_a_game_is_of_its_size() -> None:
    rules = classic(3, 4, 5)
    assert str(Board.empty(rules.grid, rules.players)) == "/".join(["......"] * 4)
