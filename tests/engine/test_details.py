"""Details of the engine that nothing else depends on: the words of its faults, and that its values stay as they are."""

import re
from dataclasses import FrozenInstanceError

import pytest

from critmass.engine import CODINGAME, CRITICAL_MASS, Board, Match, Outcome, Reason, classic
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
