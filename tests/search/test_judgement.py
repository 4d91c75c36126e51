"""What is said about the moves of a match, against proofs of its own."""

import pytest

from critmass.engine import CRITICAL_MASS, Match, Position, classic
from critmass.search import Thought, winning_moves
from critmass.search.analysis import DROP, Study, Verdict, judge, study

LONG = "vzdnbxg4o1p4efu1m7yipwpa5nma6zqyj7rny7bm3skxoy8mqrjw0wzw6lcmck3n9rdlb"


def thought(cell: int, score: float, end: int | None = None) -> Thought:
    return Thought(cell, score, end, (cell,), 1, 1)


WON, LOST, EVEN, GOOD = thought(1, 1.0, 3), thought(2, -1.0, 4), thought(3, 0.0), thought(4, 0.8)


@pytest.mark.parametrize(
    ("best", "played", "after", "verdict"),
    [
        (WON, WON, None, None),
        (WON, thought(5, 1.0, 5), None, None),
        (WON, EVEN, None, Verdict.THROWN),
        (WON, GOOD, None, Verdict.MISSED),
        (WON, GOOD, thought(6, 1.0, 7), Verdict.THROWN),
        (WON, GOOD, thought(6, -1.0, 8), None),
        (EVEN, LOST, None, Verdict.LOST),
        (EVEN, thought(5, -0.1), thought(6, 1.0, 7), Verdict.LOST),
        (EVEN, thought(5, -DROP), None, Verdict.WEAK),
        (EVEN, thought(5, 0.01 - DROP), None, None),
        (thought(3, -0.9), LOST, None, None),
        (LOST, thought(5, -1.0, 2), None, None),
        (EVEN, None, None, None),
    ],
)
def test_a_move_is_judged(
    best: Thought, played: Thought | None, after: Thought | None, verdict: Verdict | None
) -> None:
    assert judge(Study(best, played), after) is verdict


def line_of(position: Position, told: Thought) -> Position:
    for cell in told.line:
        position = position.play(cell).after
    return position


def test_what_is_proven_of_a_match_is_so() -> None:
    match = Match.read(CRITICAL_MASS, LONG)
    verdicts = {}
    for at in range(54, len(match.plies)):
        position, cell = match.position(at), match.cells[at]
        found = study(position, cell)
        assert found.played is not None
        assert found.played.cell == cell
        for told in (found.best, found.played):
            if told.end is None:
                continue
            assert len(told.line) == told.end
            outcome = line_of(position, told).outcome
            assert outcome is not None
            assert outcome.winner == (position.turn if told.end % 2 else 3 - (position.turn or 0))
        verdicts[at + 1] = judge(found)
        if verdicts[at + 1] is Verdict.THROWN:
            wins = winning_moves(position, found.best.end or 0, 1 << 24)
            assert wins is not None
            assert found.best.cell in wins
            assert cell not in wins
    assert [ply for ply, it in verdicts.items() if ply > 60 and it is Verdict.THROWN] == list(range(62, 69))


@pytest.mark.parametrize("rules", [classic(10, 10, 2), classic(5, 5, 4)])
def test_any_board_and_any_number_of_players_can_be_studied(rules) -> None:  # type: ignore[no-untyped-def]
    position = Position.start(rules)
    for cell in (0, 12, 24, 3, 15):
        position = position.play(cell).after
    found = study(position, 20)
    assert position.legal >> found.best.cell & 1
    assert found.best.end is None
    best = study(position).best
    assert study(position, best.cell) == Study(best, best)
