"""What the three rule sets make of a wipe, a chain, a surplus and a long match."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import (
    CODINGAME,
    CRITICAL_MASS,
    Board,
    Match,
    Outcome,
    Position,
    Reason,
    Rules,
    cell_name,
    cells_of,
    classic,
)
from critmass.engine.errors import MatchOver, OwnedCell

from .samples import matches, patient


def rings_of(match: Match) -> list[str]:
    grid = match.rules.grid
    return [" ".join(cell_name(grid, cell) for cell in ring) for ring in match.plies[-1].rings]


@pytest.mark.parametrize("moves", ["010", "7601001", "2121062"])
def test_a_wipe_in_the_grace_decides_nothing(moves: str) -> None:
    match = Match.read(CRITICAL_MASS, moves)
    position = match.position()
    assert position.board.orbs_of(2) == 0
    assert not position.board.critical
    assert (position.turn, position.out, position.outcome) == (2, (), None)
    assert match.plies[-1].eliminated == ()


@pytest.mark.parametrize("moves", ["010", "7601001", "2121062"])
def test_who_was_wiped_in_the_grace_comes_back_on_any_empty_cell(moves: str) -> None:
    match = Match.read(CRITICAL_MASS, moves)
    board = match.position().board
    assert match.position().legal == CRITICAL_MASS.grid.cells & ~board.occupied
    with pytest.raises(OwnedCell):
        match.play(next(cells_of(board.occupied)))
    for cell in cells_of(match.position().legal):
        back = match.play(cell).position()
        assert (back.board.owner(cell), back.turn, back.outcome) == (2, 1, None)


def test_a_chain_in_the_grace_runs_on_after_the_wipe() -> None:
    match = Match.read(CRITICAL_MASS, "7601001")
    assert rings_of(match) == ["b1", "a1", "a2"]
    assert [frame.orbs_of(2) for frame in match.plies[-1].frames] == [1, 0, 0, 0]
    assert not match.position().board.critical


def test_the_same_chain_is_cut_where_the_wipe_counts() -> None:
    match = Match.read(Rules("house", 6, 6, 2, first_live_ply=7), "7601001")
    assert rings_of(match) == ["b1"]
    assert match.outcome == Outcome(Reason.CUT, 1)


@pytest.mark.parametrize(
    ("moves", "rings", "reason"),
    [
        ("70607667", ["b2"], Reason.WIPED),
        ("82621010", ["a1", "b1", "c1"], Reason.WIPED),
        ("86828212", ["c1"], Reason.CUT),
        ("62101270", ["a1", "b1"], Reason.CUT),
        ("10262006", ["a2", "a1", "b1"], Reason.CUT),
    ],
)
def test_a_wipe_on_ply_8_wins(moves: str, rings: list[str], reason: Reason) -> None:
    match = Match.read(CRITICAL_MASS, moves)
    position = match.position()
    assert rings_of(match) == rings
    assert position.outcome == Outcome(reason, 2)
    assert bool(position.board.critical) == (reason is Reason.CUT)
    assert (position.turn, position.out, position.legal) == (None, (1,), 0)
    assert match.plies[-1].eliminated == (1,)
    with pytest.raises(MatchOver):
        match.play(35)


def test_a_cut_leaves_the_board_as_it_is_at_that_moment() -> None:
    board = Match.read(CRITICAL_MASS, "62101270").position().board
    assert str(board) == "............/............/............/............/b2b2......../b1..b3......"


@pytest.mark.parametrize("rules", [CODINGAME, classic(6, 6)])
def test_without_a_grace_the_first_wipe_wins(rules: Rules) -> None:
    assert Match.read(rules, "010").outcome == Outcome(Reason.WIPED, 1)


@pytest.mark.parametrize(
    ("rules", "board"),
    [
        (CODINGAME, "..........a1/............/............/b1b2......../b2..b2....../..b2b1......"),
        (CRITICAL_MASS, "..........a1/............/............/b1b2......../b2b1b2....../..b2b1......"),
        (classic(6, 6), "..........a1/............/............/b1b2......../b2b1b2....../..b2b1......"),
    ],
)
def test_only_codingame_loses_the_surplus(rules: Rules, board: str) -> None:
    match = Match.read(rules, "076707z0d810")
    assert rings_of(match) == ["a1", "b1 a2", "a1 b2"]
    assert str(match.plies[-1].frames[-2]) == (
        "..........a1/............/............/b1a1......../..b5b1....../b2..b1......"
    )
    assert str(match.position().board) == board


@pytest.mark.parametrize(
    ("players", "moves", "out", "turn"),
    [
        (3, "2352", (3,), 2),
        (3, "2162", (2,), 3),
        (3, "63165", (2,), 1),
        (3, "65761", (3,), 1),
        (3, "340120", (1,), 2),
        (4, "85738", (2, 3), 4),
        (4, "2170220", (1, 2), 3),
        (4, "021502", (3, 4), 1),
        (5, "253712", (2, 5), 3),
        (5, "3041530", (1, 3, 4), 5),
        (5, "241602280", (1, 2, 3), 4),
        (6, "58742358", (1, 3, 4, 5), 6),
        (7, "527618452", (1, 3, 5, 6, 7), 4),
        (8, "57261830572", (1, 2, 4, 5, 6, 7), 8),
        (8, "75601482756", (1, 2, 5, 6, 7, 8), 4),
    ],
)
def test_the_turn_passes_over_players_who_are_out(players: int, moves: str, out: tuple[int, ...], turn: int) -> None:
    position = Match.read(classic(3, 3, players), moves).position()
    assert (position.out, position.turn, position.outcome) == (out, turn, None)


def test_one_chain_can_put_several_players_out() -> None:
    match = Match.read(classic(3, 3, 5), "3041530")
    assert [ply.eliminated for ply in match.plies[-2:]] == [(), (1, 3, 4)]


@pytest.mark.parametrize(
    ("players", "moves", "winner"),
    [(2, "010", 1), (3, "8578", 1), (4, "306430", 2), (5, "3647036", 2), (6, "12350412", 2), (8, "37045861370", 3)],
)
def test_the_last_player_left_wins(players: int, moves: str, winner: int) -> None:
    match = Match.read(classic(3, 3, players), moves)
    assert match.outcome is not None
    assert match.outcome.winner == winner
    assert match.position().out == tuple(player for player in range(1, players + 1) if player != winner)


@pytest.mark.parametrize("players", range(2, 9))
@given(data=st.data())
@settings(patient, max_examples=20)
def test_players_move_in_turn_until_they_are_out_for_good(players: int, data: st.DataObject) -> None:
    match = data.draw(matches(st.builds(classic, st.integers(3, 7), st.integers(3, 7), st.just(players))))
    movers = [ply.player for ply in match.plies]
    assert movers[:players] == [*range(1, players + 1)][: len(movers)]
    for earlier, later in pairwise(match.plies):
        between = [player % players + 1 for player in range(earlier.player, earlier.player + players)]
        skipped = between[: between.index(later.player)]
        assert {*skipped} <= {*earlier.after.out}
        assert later.player not in earlier.after.out
        assert {*earlier.after.out} <= {*later.after.out}
    if match.outcome:
        assert match.outcome.winner == movers[-1]
        assert len(match.position().out) == players - 1


def late(ply: int, board: str) -> Position:
    return Position(CODINGAME, ply, Board.parse(board, 2), turn=ply % 2 + 1)


def test_codingame_is_a_draw_after_ply_200() -> None:
    position = late(198, "..........b1/............/............/............/............/a1..........")
    before_last = position.play(6).after
    assert (before_last.turn, before_last.outcome) == (2, None)
    last = before_last.play(34).after
    assert (last.turn, last.out, last.outcome) == (None, (), Outcome(Reason.TURN_LIMIT, None))
    with pytest.raises(MatchOver, match=r"ply 201: .* ended at ply 200"):
        last.play(0)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("............/........a1b2/............/............/............/............", Reason.WIPED),
        ("..........a1/........a3b2/..........b2/............/............/............", Reason.CUT),
    ],
)
def test_a_win_on_ply_200_is_a_win(board: str, reason: Reason) -> None:
    position = late(199, board)
    assert position.play(29).after.outcome == Outcome(reason, 2)


def test_a_turn_limit_holds_with_the_surplus_kept_too() -> None:
    rules = Rules("house", 3, 3, 2, first_live_ply=2, turn_limit=3)
    assert Match.read(rules, "081").outcome == Outcome(Reason.TURN_LIMIT, None)
    assert Match.read(rules, "010").outcome == Outcome(Reason.WIPED, 1)
