"""Every puzzle has exactly one solution, and it is proven."""

from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from critmass.engine import Position, parse_cell
from critmass.links import Link, parse_address, read
from critmass.puzzles import make_puzzles as puzzling
from critmass.puzzles.collection import Puzzle, count, of_the_day, puzzle
from critmass.search import winning_moves
from critmass.search.symmetry import least_image

PUZZLES = [puzzle(number) for number in range(1, count() + 1)]
SAMPLE = 12


def link_of(it: Puzzle) -> Link:
    address = parse_address(it.path)
    assert address is not None
    return read(address)


def replay(it: Puzzle) -> list[Position]:
    link = link_of(it)
    positions = [link.match.position()]
    for name in it.line:
        positions.append(positions[-1].play(parse_cell(link.rules.grid, name)).after)
    return positions


def test_there_are_enough_of_every_game_and_grade() -> None:
    assert len(PUZZLES) >= 300
    assert {it.path.split("/")[1] for it in PUZZLES} == {"m", "classic", "codingame"}
    assert {it.plies for it in PUZZLES} >= {3, 5, 7}
    assert {it.grade for it in PUZZLES} == {1, 2, 3, 4, 5}
    assert [it.grade for it in PUZZLES] == sorted(it.grade for it in PUZZLES)


def test_their_lines_end_with_the_win_of_the_mover() -> None:
    for it in PUZZLES:
        first, *_, last = replay(it)
        assert first.turn == it.mover
        assert last.outcome is not None
        assert last.outcome.winner == it.mover
        assert len(it.line) == it.plies


def test_no_two_are_the_same() -> None:
    shapes = {(it.path.split("/")[1], least_image(link_of(it).match.position().board)) for it in PUZZLES}
    assert len(shapes) == len(PUZZLES)


@pytest.mark.parametrize("it", [it for it in PUZZLES if it.plies == 3], ids=lambda it: str(it.number))
def test_short_ones_have_no_other_solution(it: Puzzle) -> None:
    position = replay(it)[0]
    solution = parse_cell(position.rules.grid, it.solution)
    assert winning_moves(position, 1, 10_000_000) == set()
    assert winning_moves(position, 3, 10_000_000) == {solution}


@pytest.mark.parametrize("it", PUZZLES[:: len(PUZZLES) // SAMPLE], ids=lambda it: str(it.number))
def test_a_sample_is_proven_in_full(it: Puzzle) -> None:
    position = replay(it)[0]
    solution = parse_cell(position.rules.grid, it.solution)
    assert winning_moves(position, it.plies - 2, 10_000_000) == set()
    assert winning_moves(position, it.plies + 2, 10_000_000) == {solution}


def test_every_day_has_another_one() -> None:
    days = [date(2026, 11, 1) + timedelta(days) for days in range(count())]
    assert len({of_the_day(day).number for day in days}) == count()
    assert of_the_day(days[0]) == of_the_day(date(2026, 11, 1))


@pytest.mark.parametrize("number", [0, -1, 10_000])
def test_there_is_no_other_number(number: int) -> None:
    with pytest.raises(IndexError):
        puzzle(number)


OURS = files("critmass.puzzles").joinpath("collection.jsonl").read_bytes()


@pytest.mark.parametrize("content", [b"mine", b"mine\n", b"{}\n", b"[]\n", OURS + b"mine", OURS + b"\n", OURS[:-1]])
def test_a_file_of_something_else_is_overwritten_by_force_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    done = CliRunner().invoke(puzzling.main, [str(file), "--count", "1"])
    assert done.exit_code == 1
    assert "--force" in done.stderr
    assert file.read_bytes() == content
    assert CliRunner().invoke(puzzling.main, [str(file), "--count", "1", "--force"]).exit_code == 0
    assert file.read_bytes() != content


def test_other_puzzles_are_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(OURS)
    assert CliRunner().invoke(puzzling.main, [str(file), "--count", "1"]).exit_code == 0
    missing = CliRunner().invoke(puzzling.main, [str(tmp_path / "none" / "file"), "--count", "1"])
    assert missing.exit_code == 1
    assert "cannot be written" in missing.stderr
