"""Moves as text, and text as chat programs leave it."""

import contextlib
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from critmass.engine import Grid, MoveFault, make_grid
from critmass.engine.codec import decode, decode_move, encode, encode_move, lower, split_moves, strip_stuck, width
from critmass.engine.errors import BadCharacter, HalfMove, OutsideBoard

EVERY_CHARACTER = "".join(map(chr, range(sys.maxunicode + 1)))
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SHAPES = [(columns, rows) for columns in range(3, 17) for rows in range(3, 17)]

boards = st.sampled_from(SHAPES).map(lambda shape: make_grid(*shape))
any_text = st.text(st.characters())
link_text = st.text("0az!.)/ \n\u200b\ufeff\ufe0f\u00adé", max_size=12)


@pytest.mark.parametrize(
    ("columns", "rows", "cell", "text"),
    [
        (6, 6, 0, "0"),
        (6, 6, 5, "5"),
        (6, 6, 6, "6"),
        (6, 6, 35, "z"),
        (3, 12, 35, "z"),
        (3, 3, 8, "8"),
        (6, 9, 0, "a1"),
        (6, 9, 20, "c4"),
        (6, 9, 53, "f9"),
        (5, 10, 45, "aa"),
        (16, 16, 255, "pg"),
    ],
)
def test_a_move_is_written_as_the_contract_says(columns: int, rows: int, cell: int, text: str) -> None:
    grid = make_grid(columns, rows)
    assert encode_move(grid, cell) == text
    assert decode_move(grid, text, 1) == cell


@pytest.mark.parametrize(("columns", "rows"), SHAPES)
def test_the_cells_of_every_board_survive_the_link(columns: int, rows: int) -> None:
    grid = make_grid(columns, rows)
    cells = tuple(range(grid.size))
    text = encode(grid, cells)
    assert decode(grid, text) == cells
    assert split_moves(grid, text) == [encode_move(grid, cell) for cell in cells]
    assert len(text) == grid.size * width(grid)
    assert width(grid) == (1 if grid.size <= 36 else 2)
    assert len({*split_moves(grid, text)}) == grid.size
    assert {*text} <= {*DIGITS}


@given(boards, st.data())
def test_a_list_of_moves_survives_the_link(grid: Grid, data: st.DataObject) -> None:
    cells = tuple(data.draw(st.lists(st.integers(0, grid.size - 1))))
    assert decode(grid, encode(grid, cells)) == cells


@given(boards, st.text(DIGITS + "AÉ٣ .", max_size=9))
def test_no_two_texts_are_the_same_moves(grid: Grid, text: str) -> None:
    with contextlib.suppress(MoveFault):
        assert encode(grid, decode(grid, text)) == text


@pytest.mark.parametrize(
    ("columns", "rows", "text", "fault", "ply"),
    [
        (6, 6, "0!", BadCharacter, 2),
        (6, 6, "A", BadCharacter, 1),
        (6, 6, "٣", BadCharacter, 1),
        (6, 6, "0z\u212a", BadCharacter, 3),
        (4, 8, "0w", OutsideBoard, 2),
        (6, 9, "a", HalfMove, 1),
        (6, 9, "a1b", HalfMove, 2),
        (6, 9, "a1-", BadCharacter, 2),
        (6, 9, "g!", BadCharacter, 1),
        (6, 9, "1c", OutsideBoard, 1),
        (6, 9, "a1c0", OutsideBoard, 2),
        (6, 9, "g1", OutsideBoard, 1),
        (6, 9, "aa", OutsideBoard, 1),
        (6, 9, "zz", OutsideBoard, 1),
    ],
)
def test_text_that_is_no_move_is_named_with_its_ply(
    columns: int, rows: int, text: str, fault: type[MoveFault], ply: int
) -> None:
    with pytest.raises(MoveFault) as caught:
        decode(make_grid(columns, rows), text)
    assert (type(caught.value), caught.value.ply) == (fault, ply)


def test_a_fault_carries_what_was_written() -> None:
    with pytest.raises(BadCharacter, match=r"ply 2: .*'!'") as character:
        decode(make_grid(6, 9), "a1b!")
    assert character.value.character == "!"
    with pytest.raises(HalfMove, match=r"ply 2: .*'b'") as half:
        decode(make_grid(6, 9), "a1b")
    assert half.value.text == "b"
    with pytest.raises(OutsideBoard, match=r"ply 2: .*6x9 board: 'c0'") as outside:
        decode(make_grid(6, 9), "a1c0")
    assert (outside.value.text, outside.value.columns, outside.value.rows) == ("c0", 6, 9)


def test_only_ascii_letters_are_lowered() -> None:
    lowered = lower(EVERY_CHARACTER)
    changed = {before: after for before, after in zip(EVERY_CHARACTER, lowered, strict=True) if before != after}
    assert changed == dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", strict=True))


@pytest.mark.parametrize("letter", ["\u212a", "ı", "İ", "ſ", "Å", "Ｋ", "É", "ß"])
def test_a_letter_that_only_folds_to_ascii_stays(letter: str) -> None:
    assert lower(f"A{letter}Z") == f"a{letter}z"


@given(any_text)
def test_lowering_twice_is_lowering_once(text: str) -> None:
    assert lower(lower(text)) == lower(text)


@pytest.mark.parametrize(
    "stuck",
    [
        *(".", ",", "!?", ")", "]", ">", "»", "”", "'", "…", "/", "//", "-", "_", "|", "~", "+", "$", "€", "😀"),
        *(" ", "\t\r\n", "\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff", "\u00ad", "\u202e", "\x00"),
        *("\ue000", "\ud800", "). \u200b\n", "'\ufe0f", "\u0301", "\u20e3", "*\ufe0f\u20e3"),
    ],
)
def test_what_a_chat_program_stuck_to_the_end_goes(stuck: str) -> None:
    assert strip_stuck(f"0z{stuck}") == "0z"
    assert strip_stuck(f"0{stuck}z") == f"0{stuck}z"
    assert strip_stuck(f"{stuck}0z") == f"{stuck}0z"


@pytest.mark.parametrize("kept", ["0", "z", "Z", "é", "٣", "中", "²", "ª"])
def test_letters_and_numbers_at_the_end_stay(kept: str) -> None:
    assert strip_stuck(f"0z{kept}") == f"0z{kept}"


def test_the_unicode_category_decides_what_is_stuck() -> None:
    stuck = {character for character in EVERY_CHARACTER if not strip_stuck(character)}
    assert {unicodedata.category(character)[0] for character in stuck} == {*"PSZCM"}
    assert {unicodedata.category(character)[0] for character in {*EVERY_CHARACTER} - stuck} == {*"LN"}


@given(any_text | link_text)
def test_stripping_takes_a_run_from_the_end_and_all_of_it(text: str) -> None:
    stripped = strip_stuck(text)
    assert text.startswith(stripped)
    assert all(unicodedata.category(character)[0] in "PSZCM" for character in text[len(stripped) :])
    assert not stripped or unicodedata.category(stripped[-1])[0] in "LN"
    assert strip_stuck(stripped) == stripped
