"""What a bot is told, and what its answers mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from critmass.arena.game import BotFault, Ending
from critmass.arena.protocol import MAX_MESSAGE, SIDES, Answer, read_answer, read_turn, turn_text
from critmass.engine import CODINGAME, Match, cell_name, cells_of


def match_of(choices: list[int]) -> Match:
    """A match that goes on, its moves picked by number from the legal ones."""
    match = Match(CODINGAME)
    for choice in choices:
        legal = list(cells_of(match.position().legal))
        longer = match.play(legal[choice % len(legal)])
        if longer.outcome:
            break
        match = longer
    return match


matches = st.lists(st.integers(0, 35), max_size=80).map(match_of)


def test_a_turn_is_written_as_the_contract_says() -> None:
    empty = "............"
    assert turn_text(Match(CODINGAME).position(), None).splitlines() == ["null", *6 * [empty]]
    # Red plays a1, Blue f6, Red b1.
    lines = turn_text(Match.replay(CODINGAME, [0, 35, 1]).position(), 1).splitlines()
    assert lines == ["b1", "..........b1", *4 * [empty], "r1r1........"]


@given(matches)
def test_a_turn_is_read_back(match: Match) -> None:
    position = match.position()
    assert position.turn
    _, *rows = turn_text(position, None).splitlines()
    read = read_turn(SIDES[position.turn - 1], rows)
    assert (read.board, read.turn, read.legal) == (position.board, position.turn, position.legal)
    for cell in cells_of(position.legal):
        assert read.play(cell).after.board == position.play(cell).after.board
        assert bool(read.play(cell).after.outcome) == bool(position.play(cell).after.outcome)


@given(matches)
def test_only_what_the_contract_names_is_on_the_board(match: Match) -> None:
    _, *rows = turn_text(match.position(), None).splitlines()
    assert [len(row) for row in rows] == 6 * [12]
    pairs = {row[start : start + 2] for row in rows for start in range(0, 12, 2)}
    assert pairs <= {"..", "r1", "r2", "r3", "b1", "b2", "b3"}


@pytest.mark.parametrize("cell", range(36))
def test_every_cell_can_be_answered(cell: int) -> None:
    assert read_answer(cell_name(CODINGAME.grid, cell).encode()) == Answer(cell)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"c4\r", Answer(20)),
        (b" \t c4 \r", Answer(20)),
        (b"c4 good luck", Answer(20, "good luck")),
        (b"c4 good luck \r", Answer(20, "good luck")),
        ("c4 günstig ✓".encode(), Answer(20, "günstig ✓")),
        (b"c4 \xff", Answer(20, "\ufffd")),
        (b"c4 " + 999 * b"x", Answer(20, MAX_MESSAGE * "x")),
        (b"random", Answer(None)),
        (b"RANDOM\r", Answer(None)),
        (b"rAnDoM why not", Answer(None, "why not")),
    ],
)
def test_answers_are_read_leniently_where_the_contract_says_so(line: bytes, answer: Answer) -> None:
    assert read_answer(line) == answer


@pytest.mark.parametrize("line", [b"c4", b"c4\r", b" c4 hello\r", b"random", b"RANDOM x"])
def test_a_byte_order_mark_before_the_first_line_is_forgiven(line: bytes) -> None:
    """And nowhere else: neither before a later line, nor twice, nor after a blank."""
    mark = b"\xef\xbb\xbf"
    assert read_answer(mark + line, first=True) == read_answer(line, first=True) == read_answer(line)
    for wrong, first in ((mark + line, False), (mark + mark + line, True), (b" " + mark + line, True)):
        with pytest.raises(BotFault, match="feff") as fault:
            read_answer(wrong, first)
        assert fault.value.ending is Ending.NO_CELL


@pytest.mark.parametrize(
    ("ending", "lines"),
    [
        (Ending.OUTSIDE, [b"g1", b"a7", b"a0", b"z9", b"a10", b"a" + 5000 * b"9"]),
        (Ending.NO_CELL, [b"", b"\r", b"C4", b"hello", b"4c", b"c", b"c4x", b"c04", b"c-4", b"randomly", b"c\xb24"]),
        (Ending.NO_CELL, ["c４".encode(), "ｃ4".encode(), b"\0", b"null", b"c4,hello", b"c4\thello"]),
    ],
)
def test_other_answers_lose(ending: Ending, lines: list[bytes]) -> None:
    for line in lines:
        with pytest.raises(BotFault) as fault:
            read_answer(line)
        assert fault.value.ending is ending
        assert len(str(fault.value)) < 200


@given(st.binary(max_size=60))
def test_no_answer_breaks_the_referee(line: bytes) -> None:
    try:
        answer = read_answer(line)
    except BotFault:
        return
    assert answer.cell is None or 0 <= answer.cell < 36
