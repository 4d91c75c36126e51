"""The commands of the computer player."""

import re
from datetime import date

import pytest
from click.testing import CliRunner, Result

from critmass.cli import main
from critmass.puzzles.collection import of_the_day, puzzle


def critmass(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_match_is_analysed_ply_by_ply() -> None:
    link = puzzle(1).path
    done = critmass("analyse", link, "--nodes", "2000")
    assert done.exit_code == 0, done.output
    plies = re.findall(
        r"^ *(\d+)\. (?:Red|Blue) +[a-z]\d+ +(?:\d+ %|wins in \d+|loses in \d+)", done.output, re.MULTILINE
    )
    assert [int(ply) for ply in plies] == list(range(1, len(done.output.splitlines()) + 1))
    assert critmass("analyse", "hello").exit_code == 1


def test_a_win_thrown_away_is_told_with_the_better_line() -> None:
    it = puzzle(1)
    wrong = next(name for name in ("a1", "b1", "c1", "d1", "e1", "a2") if name != it.solution and legal(it.path, name))
    done = critmass("analyse", it.path + move(wrong, it.path), "--nodes", "20000")
    assert f"{wrong} throws a win away; {it.solution} wins in" in done.output.splitlines()[-1]


def legal(path: str, name: str) -> bool:
    return critmass("show", path + move(name, path)).exit_code == 0


def move(name: str, path: str) -> str:
    columns = int(found[1]) if (found := re.search(r"/(\d+)x", path)) else 6
    return "0123456789abcdefghijklmnopqrstuvwxyz"[ord(name[0]) - 97 + columns * (int(name[1:]) - 1)]


def test_a_puzzle_is_shown_and_its_solution_on_request() -> None:
    shown, solved, daily = critmass("puzzle", "1"), critmass("puzzle", "1", "--solution"), critmass("puzzle")
    assert {shown.exit_code, solved.exit_code, daily.exit_code} == {0}
    assert puzzle(1).path in shown.output
    assert "Solution" not in shown.output
    assert f"Solution: {' '.join(puzzle(1).line)}" in solved.output
    assert of_the_day(date.today()).path in daily.output
    assert "puzzles" in critmass("puzzle", "100000").output


@pytest.mark.parametrize("rules", ["classic", "critical-mass"])
def test_a_board_is_solved(rules: str) -> None:
    done = critmass("solve", "3x3", "--rules", rules)
    assert done.exit_code == 0, done.output
    assert f"{rules} on 3x3: the first player wins" in done.output
    assert "the first player wins" in critmass("solve", "3x3", "--rules", rules, "--memory", "1").output


def test_what_cannot_be_solved_is_told() -> None:
    assert "at most 20 cells" in critmass("solve", "9x9").output
    assert "Not solved with 1 million" in critmass("solve", "4x5", "--millions", "1").output
    assert critmass("solve", "3x").exit_code == 2
    assert critmass("solve", "2x2").exit_code == 2


def test_warming_up_says_where_the_code_is_kept() -> None:
    assert re.fullmatch(r"Ready after [\d.]+ s; kept .+\.\n", critmass("warm-up").output)
