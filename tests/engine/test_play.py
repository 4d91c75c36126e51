"""What holds of every move of every match."""

from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import (
    CRITICAL_MASS,
    Board,
    Match,
    MoveFault,
    Outcome,
    Reason,
    Rules,
    cell_name,
    cells_of,
    classic,
    make_grid,
)
from critmass.engine.codec import encode
from critmass.engine.errors import BadCharacter, HalfMove, MatchOver, OutsideBoard, OwnedCell

from .samples import matches, patient, rule_sets

some = settings(patient, max_examples=150)


@given(matches())
@some
def test_orbs_are_neither_made_nor_destroyed_but_where_the_surplus_is_lost(match: Match) -> None:
    for ply in match.plies:
        for frame in ply.frames:
            if match.rules.keeps_surplus:
                assert frame.orbs == ply.number
            else:
                assert frame.orbs <= ply.before.board.orbs + 1
        players = range(1, match.rules.players + 1)
        assert sum(ply.after.board.orbs_of(player) for player in players) == ply.after.board.orbs


@given(matches())
@some
def test_a_board_is_at_rest_unless_a_cut_ended_the_match(match: Match) -> None:
    for ply in match.plies:
        cut = ply.after.outcome is not None and ply.after.outcome.reason is Reason.CUT
        assert bool(ply.after.board.critical) == cut


@given(matches())
@some
def test_every_occupied_cell_has_one_owner_and_an_empty_cell_none(match: Match) -> None:
    for ply in match.plies:
        for board in ply.frames:
            owners = [set(cells_of(board.cells_of(player))) for player in range(1, match.rules.players + 1)]
            assert sum(map(len, owners)) == len(set().union(*owners))
            assert set().union(*owners) == set(cells_of(board.occupied))
            for cell in cells_of(match.rules.grid.cells):
                owner = board.owner(cell)
                assert (owner is None) == (board.orbs_at(cell) == 0)
                assert owner is None or cell in owners[owner - 1]


@given(matches())
@some
def test_nobody_gains_by_a_move_but_the_mover(match: Match) -> None:
    for ply in match.plies:
        for earlier, later in pairwise((ply.before.board, *ply.frames)):
            for player in {*range(1, match.rules.players + 1)} - {ply.player}:
                held, holds = earlier.cells_of(player), later.cells_of(player)
                assert held & holds == holds
                assert all(earlier.orbs_at(cell) == later.orbs_at(cell) for cell in cells_of(holds))


@given(matches())
@some
def test_captured_counts_the_cells_that_the_others_lost(match: Match) -> None:
    for ply in match.plies:
        before, after = (
            {cell for cell in cells_of(board.occupied) if board.owner(cell) != ply.player}
            for board in (ply.before.board, ply.after.board)
        )
        assert ply.captured == len(before - after)


@given(matches())
@some
def test_out_is_who_lost_everything_and_only_grows(match: Match) -> None:
    for ply in match.plies:
        assert {*ply.after.out} == {*ply.before.out} | {*ply.eliminated}
        assert not {*ply.before.out} & {*ply.eliminated}
        assert list(ply.after.out) == sorted(ply.after.out)
        assert list(ply.eliminated) == sorted(ply.eliminated)
        if match.rules.is_live(ply.number):
            players = range(1, match.rules.players + 1)
            assert {*ply.after.out} == {player for player in players if not ply.after.board.orbs_of(player)}
        else:
            assert not ply.after.out


@given(matches())
@some
def test_the_middle_of_a_ring_is_the_frame_without_the_orbs_under_way(match: Match) -> None:
    for ply in match.plies:
        assert len(ply.in_flight) == len(ply.rings) == len(ply.frames) - 1
        for frame, ring, middle in zip(ply.frames, ply.rings, ply.in_flight, strict=False):
            for cell in cells_of(match.rules.grid.cells):
                left = frame.orbs_at(cell)
                if cell in ring:
                    left = left - match.rules.grid.capacity(cell) if match.rules.keeps_surplus else 0
                assert middle.orbs_at(cell) == left
                assert middle.owner(cell) == (frame.owner(cell) if left else None)


@given(matches())
@some
def test_touched_is_the_cell_played_and_all_that_an_orb_came_to(match: Match) -> None:
    grid = match.rules.grid
    for ply in match.plies:
        touched = {ply.cell}
        for column, row in (grid.column_row(cell) for ring in ply.rings for cell in ring):
            around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
            touched |= {grid.cell(c, r) for c, r in around if 0 <= c < grid.columns and 0 <= r < grid.rows}
        assert {*cells_of(ply.touched)} == touched


@given(matches())
@some
def test_a_cell_is_legal_if_and_only_if_it_can_be_played(match: Match) -> None:
    for position in (match.position(at) for at in range(0, len(match.plies) + 1, 5)):
        playable = set()
        for cell in range(-1, match.rules.grid.size + 1):
            try:
                position.play(cell)
            except MoveFault:
                continue
            playable.add(cell)
        assert playable == {*cells_of(position.legal)}


@given(matches())
@some
def test_whose_turn_it_is_can_move(match: Match) -> None:
    for at in range(len(match.plies) + 1):
        position = match.position(at)
        assert bool(position.legal) == (position.turn is not None) == (position.outcome is None)


@given(matches())
@some
def test_no_match_outlasts_its_bound(match: Match) -> None:
    assert len(match.plies) <= match.rules.longest
    if len(match.plies) == match.rules.longest:
        assert match.outcome is not None


@given(matches(), st.data())
@some
def test_a_match_is_the_same_whichever_way_it_is_come_by(match: Match, data: st.DataObject) -> None:
    rules, cells = match.rules, match.cells
    at = data.draw(st.integers(0, len(cells)))
    played = match.until(at)
    assert played == Match.replay(rules, cells[:at]) == Match.read(rules, encode(rules.grid, cells[:at]))
    assert played.position() == match.position(at)
    assert match.position() == match.position(len(cells))
    assert match.outcome == match.position().outcome
    for cell in cells[at:]:
        longer = played.play(cell)
        assert longer.plies[-1] == played.position().play(cell)
        assert longer.until(len(played.plies)) == played
        played = longer
    assert played == match
    assert hash(played) == hash(match)


def test_a_match_begins_with_player_1_on_an_empty_board() -> None:
    match = Match(classic(4, 3, 5))
    assert match == Match.read(match.rules, "") == Match.replay(match.rules, [])
    position = match.position()
    assert (position.ply, position.turn, position.out, position.outcome) == (0, 1, (), None)
    assert str(position.board) == "......../......../........"
    assert position.legal == match.rules.grid.cells


@pytest.mark.parametrize("at", [-1, 4])
def test_there_is_no_position_before_the_first_or_beyond_the_last(at: int) -> None:
    match = Match.read(CRITICAL_MASS, "0z0")
    with pytest.raises(IndexError, match=rf"from 0 to 3: {at}"):
        match.position(at)
    with pytest.raises(IndexError, match=rf"from 0 to 3: {at}"):
        match.until(at)


def test_an_opponents_cell_is_refused_and_the_fault_says_whose_it_is() -> None:
    match = Match.read(CRITICAL_MASS, "0z")
    with pytest.raises(OwnedCell, match=r"ply 3: .* player 1: f6 is player 2's") as caught:
        match.play(35)
    fault = caught.value
    assert (fault.ply, fault.cell, fault.owner, fault.player) == (3, "f6", 2, 1)
    assert match == Match.read(CRITICAL_MASS, "0z")


@pytest.mark.parametrize("cell", [-1, 12, 10**9])
def test_a_cell_off_the_board_is_refused_and_the_fault_says_which(cell: int) -> None:
    match = Match.read(classic(4, 3), "0b")
    with pytest.raises(OutsideBoard, match=rf"ply 3: .* 4x3 board: '{cell}'") as caught:
        match.play(cell)
    fault = caught.value
    assert (fault.ply, fault.text, fault.columns, fault.rows) == (3, str(cell), 4, 3)
    assert match == Match.read(classic(4, 3), "0b")


@pytest.mark.parametrize("cell", [0, 8, -1, 99])
def test_a_move_after_the_end_is_refused_whatever_it_is(cell: int) -> None:
    match = Match.read(classic(3, 3), "010")
    assert match.outcome
    with pytest.raises(MatchOver, match=r"ply 4: .* ended at ply 3") as caught:
        match.play(cell)
    assert caught.value.ply == 4
    assert match == Match.read(classic(3, 3), "010")


@given(matches(), st.data())
@some
def test_a_refused_move_leaves_the_match_as_it_was(match: Match, data: st.DataObject) -> None:
    position = match.position()
    cells = range(-2, match.rules.grid.size + 2)
    cell = data.draw(st.sampled_from([cell for cell in cells if cell < 0 or not position.legal >> cell & 1]))
    board, cells_before = str(position.board), match.cells
    with pytest.raises(MoveFault) as caught:
        match.play(cell)
    fault = caught.value
    assert (fault.ply, str(fault)[: len(f"ply {fault.ply}:")]) == (len(match.plies) + 1, f"ply {fault.ply}:")
    if position.turn is None:
        assert isinstance(fault, MatchOver)
    elif not 0 <= cell < match.rules.grid.size:
        assert isinstance(fault, OutsideBoard)
    else:
        assert isinstance(fault, OwnedCell)
        assert fault.cell == cell_name(match.rules.grid, cell)
        assert (fault.owner, fault.player) == (position.board.owner(cell), position.turn)
    assert (str(match.position().board), match.cells, match.position()) == (board, cells_before, position)


@pytest.mark.parametrize(
    ("rules", "moves", "fault", "ply"),
    [
        pytest.param(CRITICAL_MASS, "0!z", BadCharacter, 2, id="a character"),
        pytest.param(CRITICAL_MASS, "00!", OwnedCell, 2, id="an owned cell before a character"),
        pytest.param(classic(3, 3), "0102", MatchOver, 4, id="the end"),
        pytest.param(classic(3, 3), "010!!", MatchOver, 4, id="the end before a character"),
        pytest.param(classic(), "a1b1a1a", MatchOver, 4, id="the end before half a move"),
        pytest.param(classic(3, 3), "08z0", OutsideBoard, 3, id="a cell off the board"),
        pytest.param(classic(), "a1b", HalfMove, 2, id="half a move"),
        pytest.param(classic(), "a1!", BadCharacter, 2, id="a character before half a move"),
        pytest.param(classic(), "a1g!", BadCharacter, 2, id="a character before a cell off the board"),
        pytest.param(classic(), "a1a1b", OwnedCell, 2, id="an owned cell before half a move"),
    ],
)
def test_the_first_fault_of_a_link_is_the_one_reported(
    rules: Rules, moves: str, fault: type[MoveFault], ply: int
) -> None:
    with pytest.raises(MoveFault) as caught:
        Match.read(rules, moves)
    assert (type(caught.value), caught.value.ply) == (fault, ply)


@given(rule_sets(largest=7), st.text("0123456789abcdefghijklmnopqrstuvwxyz!Zé", max_size=40))
@some
def test_a_link_with_a_fault_is_a_match_up_to_it(rules: Rules, text: str) -> None:
    width = 1 if rules.grid.size <= 36 else 2
    fault = None
    try:
        match = Match.read(rules, text)
    except MoveFault as caught:
        fault = caught
        match = Match.read(rules, text[: width * (fault.ply - 1)])
    assert len(match.plies) == (fault.ply - 1 if fault else len(text) // width)
    assert text.startswith(encode(rules.grid, match.cells))
    assert not fault or (match.outcome is not None) == isinstance(fault, MatchOver)


def short_match() -> Match:
    return Match.read(classic(3, 3), "010")


VALUES = {
    "match": short_match,
    "rules": lambda: classic(3, 3),
    "ply": lambda: short_match().plies[-1],
    "position": lambda: short_match().position(),
    "board": lambda: Board.parse("a1b2../....../......", 2),
    "outcome": lambda: Outcome(Reason.WIPED, 1),
    "grid": lambda: make_grid(3, 3),
}


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_a_value_cannot_be_changed(make: Callable[[], Any]) -> None:
    value = make()
    for name in value._fields if isinstance(value, tuple) else [field.name for field in fields(value)]:
        with pytest.raises(AttributeError):
            setattr(value, name, None)


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_equal_values_are_one_key(make: Callable[[], object]) -> None:
    assert {make(): "first", make(): "second"} == {make(): "second"}
