"""Details of the engine that nothing else depends on: the words of its faults, and that its values stay as they are."""

import re
from dataclasses import FrozenInstanceError

import pytest

from critmass.engine import (
    CODINGAME,
    CRITICAL_MASS,
    Board,
    Match,
    Outcome,
    Position,
    Reason,
    Rules,
    classic,
    make_grid,
    parse_cell,
)
from critmass.engine.codec import move_fault
from critmass.engine.errors import (
    BadBoard,
    BadCharacter,
    BadPlayers,
    Fault,
    HalfMove,
    MatchOver,
    OutsideBoard,
    OwnedCell,
)


@pytest.mark.parametrize(
    ("fault", "message", "told"),
    [
        (MatchOver(3), "ply 3: expected no move, the match ended at ply 2", {"ply": 3}),
        (BadCharacter(1, "~"), "ply 1: expected 0-9 or a-z: '~'", {"ply": 1, "character": "~"}),
        (HalfMove(2, "a"), "ply 2: expected a column letter and a row digit: 'a'", {"ply": 2, "text": "a"}),
        (
            OutsideBoard(2, "z9", 6, 9),
            "ply 2: expected a cell of the 6x9 board: 'z9'",
            {"ply": 2, "text": "z9", "columns": 6, "rows": 9},
        ),
        (
            OwnedCell(4, "a1", 1, 2),
            "ply 4: expected an empty cell or one of player 2: a1 is player 1's",
            {"ply": 4, "cell": "a1", "owner": 1, "player": 2},
        ),
    ],
)
def test_a_fault_says_what_was_expected(fault: Fault, message: str, told: dict[str, object]) -> None:
    assert str(fault) == message
    assert vars(fault) == told


@pytest.mark.parametrize("value", [CRITICAL_MASS, CODINGAME, classic(), Outcome(Reason.CUT, 1), Match(CRITICAL_MASS)])
def test_values_stay_as_they_are(value: object) -> None:
    name = "rules" if isinstance(value, Match) else "winner" if isinstance(value, Outcome) else "players"
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, 3)
    assert not hasattr(value, "__dict__")


def test_other_faults_have_no_ply() -> None:
    assert Fault.ply is None
    assert {BadBoard.code, BadPlayers.code} == {"bad-board", "bad-players"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a1../..", "expected rows of equal length, two characters a cell: 'a1../..'"),
        ("a1../..c1", "expected '..' or an owner and 1 to 7 orbs: 'c1'"),
        ("a1../..a~", "expected '..' or an owner and 1 to 7 orbs: 'a~'"),
        ("a1../..a8", "expected '..' or an owner and 1 to 7 orbs: 'a8'"),
    ],
)
def test_a_text_that_is_no_board_is_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        Board.parse(text, 2)


def test_what_is_no_grid_and_no_cell_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"^expected at least 2 columns and 2 rows: 1x5$"):
        make_grid(1, 5)
    with pytest.raises(ValueError, match=r"^expected a cell of the 6x9 board, like c3: 'z9'$"):
        parse_cell(make_grid(6, 9), "z9")


def test_a_match_that_goes_on_has_no_outcome_at_all() -> None:
    position = Position.start(CRITICAL_MASS)
    for after in (position, position.play(0).after):
        assert after.outcome is None
        assert after.out == ()
    assert Match(CRITICAL_MASS).plies == ()


def test_values_are_shown_as_they_are_made() -> None:
    rules = "Rules(name='house', columns=3, rows=4, players=2, first_live_ply=2, keeps_surplus=True, turn_limit=None)"
    house = Rules("house", 3, 4, 2, 2)
    assert repr(house) == rules
    match = Match(house)
    assert repr(match) == repr(match.play(0)) == f"Match(rules={rules})"
    assert repr(match.play(5).plies[0]) == f"Ply({match.position()!r}, 5)"


def test_a_game_that_is_not_played_is_refused_in_words() -> None:
    with pytest.raises(BadBoard, match=r"^expected 3 to 16 columns and rows: 17x9$"):
        classic(17, 9, 2)
    with pytest.raises(BadPlayers, match=r"^expected 2 to 8 players: 9$"):
        classic(6, 9, 9)
    with pytest.raises(ValueError, match=r"^expected a first live ply from 2 to 17: 18$"):
        Rules("house", 3, 4, 2, 18)
    with pytest.raises(ValueError, match=r"^expected a turn limit of at least 2: 1$"):
        Rules("house", 3, 4, 2, 2, turn_limit=1)


@pytest.mark.parametrize("character", sorted({*map(chr, range(256))} - {*"0123456789abcdefghijklmnopqrstuvwxyz"}))
@pytest.mark.parametrize("size", [6, 9])
def test_all_but_digits_and_small_letters_is_a_bad_character(character: str, size: int) -> None:
    fault = move_fault(make_grid(size, size), character, 1)
    assert isinstance(fault, BadCharacter)
    assert fault.character == character
