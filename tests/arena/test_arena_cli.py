"""`critmass arena`, `referee` and `bot`, most of it as processes of their own."""

import contextlib
import csv
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from critmass.arena.records import read_records
from critmass.cli import main
from critmass.engine import CODINGAME, Match
from critmass.web import create_app

from .bots import all_gone, command

CRITMASS = (sys.executable, "-m", "critmass")
FIRST, LAST, RANDOM = (command("plain.py", how) for how in ("first", "last", "random"))
PATIENT = ("--first-ms", "20000", "--later-ms", "10000")


def bot(*arguments: str) -> str:
    return shlex.join([*CRITMASS, "bot", *arguments])


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CRITMASS, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)


def refused(*arguments: str) -> Result:
    """A call that is refused before anything is started."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["true"], "two bots or more"),
        ([], "COMMAND"),
        (["true", "./no-such-bot"], "'./no-such-bot'"),
        (["true", "true 'unclosed"], "No closing quotation"),
        (["true", "true", "true", "--sprt", "0", "5"], "--sprt is for two bots"),
        (["true", "true", "--sprt", "5", "0"], "--sprt"),
        (["true", "true", "--sprt", "0", "nan"], "--sprt"),
        (["true", "true", "--sprt", "0", "inf"], "--sprt"),
        (["true", "true", "--first-ms", "0"], "--first-ms"),
        (["true", "true", "--name", "a", "--name", "b", "--name", "c"], "more names"),
        (["true", "true", "--jobs", "0"], "--jobs"),
        (["true", "true", "--games", "0"], "--games"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_game(arguments: list[str], words: str) -> None:
    assert words in refused("arena", *arguments).stderr


@pytest.mark.parametrize("name", ["arena", "referee", "bot"])
def test_help_has_examples(name: str) -> None:
    told = CliRunner().invoke(main, [name, "--help"])
    assert told.exit_code == 0
    assert len(re.findall(r"^ +critmass ", told.stdout, re.MULTILINE)) >= 2


def test_elsewhere_than_on_linux_less_is_promised_and_help_says_so() -> None:
    assert "setsid" in CliRunner().invoke(main, ["arena", "--help"]).stdout


class Texts(HTMLParser):
    """The texts of a page, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_round_robin_from_start_to_report(tmp_path: Path) -> None:
    out, table, report = tmp_path / "games.jsonl", tmp_path / "games.csv", tmp_path / "report"
    evil = command("plain.py", "says", "<script>alert(1)</script>")
    done = run(
        *("arena", FIRST, RANDOM, evil, "--games", "4", "--openings", "2", "--jobs", "2", *PATIENT),
        *("--name", "first", "--name", "any", "--name", "<b>evil</b>"),
        *("--out", out, "--csv", table, "--html", report, "--base-url", "https://chain.example/"),
    )
    assert done.returncode == 0, done.stderr
    for title in ("Score", "Ratings", "Points against each other", "Head to head", "How the games ended", "Time per"):
        assert re.search(f"^{title}", done.stdout, re.MULTILINE)
    assert re.search(r"^ +Bot .* Drawn +.*Lost: no cell", done.stdout, re.MULTILINE)

    games = list(read_records(out))
    assert len(games) == 12
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["link"] for row in rows] == [game.link for game in games]

    page = (report / "index.html").read_text("utf-8")
    shown = Texts(page)
    assert "script" not in shown.tags
    assert "<b>evil</b>" in shown.texts
    assert shown.links == [f"https://chain.example{game.link}" for game in games]
    assert page.count("<tr data-ending=") == 12
    assert [path.name for path in report.iterdir()] == ["index.html"]
    client = create_app().test_client()
    assert client.get(games[0].link).status_code == 200


def test_two_bots_are_compared(tmp_path: Path) -> None:
    options = ["--games", "4", "--name", "A", "--name", "B", "--sprt", "0", "5", "--html", str(tmp_path)]
    done = run("arena", FIRST, LAST, *options, *PATIENT)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^  A – B +\d \d \d +\d+\.\d % .* to ", done.stdout, re.MULTILINE)
    assert "SPRT 0 against +5 Elo to B: undecided. LLR" in done.stdout
    assert "Ratings" not in done.stdout
    assert "undecided" in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.parametrize("option", ["--csv", "--html", "--out"])
def test_results_that_cannot_be_written_are_told_before_any_game(tmp_path: Path, option: str) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["arena", "true", "true", option, str(tmp_path / "file" / "in-no-folder")])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "in-no-folder" in done.stderr


def test_progress_is_told_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("critmass.cli.arena._QUIET", 0)
    done = CliRunner().invoke(main, ["arena", "true", "false", "--games", "4", "--jobs", "1"])
    assert done.exit_code == 0
    assert "2 of 4 games, true 1 : 1 false, 0 min left" in done.stderr


def test_a_bar_shows_progress_in_a_terminal() -> None:
    ours, theirs = pty.openpty()
    arguments = [*CRITMASS, "arena", "true", "false", "--games", "4"]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # what Linux says when the other end is closed
            while more := os.read(ours, 4096):
                shown += more
        os.close(ours)
    assert process.returncode == 0
    assert b"4/4  true 2 : 2 false" in shown


def test_a_shell_is_only_started_when_asked_for() -> None:
    line = f"cd / && exec {RANDOM}"
    assert "cd" in refused("arena", line, RANDOM).stderr
    done = run("arena", line, RANDOM, "--games", "2", "--shell", *PATIENT)
    assert "crashed" not in done.stdout
    assert done.returncode == 0


# --- Interrupted runs --------------------------------------------------------------------------------------------


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@contextlib.contextmanager
def running(path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A tournament that has finished a few games, and is in the middle of others."""
    with subprocess.Popen(
        [*CRITMASS, "arena", *arguments, "--out", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while lines_in(path) < 6:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def moves_in(path: Path) -> list[str]:
    for game in read_records(path):
        assert Match.read(CODINGAME, game.moves).outcome
    return [json.loads(line)["link"] for line in path.read_text("utf-8").splitlines()[1:]]


def tournament(mark: str) -> list[str]:
    bots = [command("plain.py", how, mark) for how in ("first", "last")]
    return [*bots, "--games", "24", "--openings", "4", "--seed", "9", *PATIENT]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("whole") / "games.jsonl"
    assert run("arena", *tournament(""), "--out", path).returncode == 0
    return moves_in(path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_goes_on_and_ends_like_one_that_was_not(
    tmp_path: Path, uninterrupted: list[str], number: signal.Signals
) -> None:
    mark, path = uuid.uuid4().hex, tmp_path / "games.jsonl"
    arguments = tournament(mark)
    with running(path, *arguments, "--jobs", "2") as process:
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=60)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert "The same command goes on from there" in err
        assert "Traceback" not in err
        assert re.search("^Score", out, re.MULTILINE)
        assert all_gone(mark, seconds=0)
    # A worker whose parent was killed finishes its game, and ends.
    assert all_gone(mark)
    assert 5 <= lines_in(path) <= 25
    assert run("arena", *arguments, "--jobs", "1", "--out", path).returncode == 0
    assert moves_in(path) == uninterrupted
    assert len(uninterrupted) == 24


def test_a_record_of_other_settings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert run("arena", "true", "false", "--games", "2", "--out", path).returncode == 0
    done = run("arena", "true", "false", "--games", "2", "--out", path, "--seed", "2")
    assert done.returncode == 1
    assert "other settings (seed 1)" in done.stderr
    assert "Traceback" not in done.stderr


# --- The bots that come with it, and the referee -------------------------------------------------------------------


def test_greedy_is_better_than_random(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    done = run("arena", bot("greedy"), bot("random"), "--games", "12", *PATIENT, "--out", path)
    assert done.returncode == 0, done.stderr
    games = list(read_records(path))
    assert not any(game.ending.is_fault for game in games)
    assert sum("greedy" in game.bots[(game.winner or 1) - 1] for game in games) >= 9


def test_a_game_is_shown_frame_by_frame() -> None:
    done = run("referee", bot("greedy", "--seed", "3"), RANDOM, *PATIENT)
    assert done.returncode == 0, done.stderr
    link = done.stdout.splitlines()[-1]
    match = Match.read(CODINGAME, link.removeprefix("/codingame/"))
    assert match.outcome
    assert done.stdout.count("Orb placed") == len(match.plies)
    assert done.stdout.count("\nRing ") == sum(len(ply.rings) for ply in match.plies)
    assert "● r is sent:\n  r\n  null\n  ............\n" in done.stdout
    assert re.search(r"○ b answers after \d+\.\d\d ms:\n  random\n", done.stdout)


def test_what_a_bot_writes_to_stderr_is_shown_and_cannot_harm_the_terminal(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(
        "import sys\nsys.stderr.write('\\x1b[31mhelp')\nsys.stderr.flush()\nprint('\\x1b]0;a1')\n", "utf-8"
    )
    done = run("referee", shlex.join([sys.executable, str(script)]), RANDOM, *PATIENT)
    assert "\x1b" not in done.stdout
    assert "writes to stderr:\n  �[31mhelp" in done.stdout
    assert "no cell" in done.stdout


def test_a_line_is_shown_as_one_whatever_is_in_it(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    told = "import sys\nsys.stderr.buffer.write('a\\u2028b\\x85c\\x1cd\\r\\n\\ne'.encode())\n"
    script.write_text(told + "sys.stderr.flush()\nprint('a1 \\u2029')\n", "utf-8")
    done = run("referee", shlex.join([sys.executable, str(script)]), RANDOM, *PATIENT)
    assert "writes to stderr:\n  a�b�c�d\n  \n  e\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "side", "last"),
    [
        (["/codingame/0z7c"], "r", "a3"),
        (["/codingame/0z7c", "--ply", "3"], "b", "b2"),
        (["/codingame/0z7c", "--side", "b"], "b", "b2"),
        (["/codingame/0z7c", "--ply", "0"], "r", "null"),
        (["http://127.0.0.1:5000/codingame/0z7c?at=1"], "r", "a3"),
    ],
)
def test_a_bot_is_asked_in_a_position_of_a_link(arguments: list[str], side: str, last: str) -> None:
    done = run("referee", FIRST, "--replay", *arguments, *PATIENT)
    assert done.returncode == 0, done.stderr
    assert f" is sent:\n  {side}\n  {last}\n" in done.stdout
    assert done.stdout.endswith("A legal move.\n")


def test_an_illegal_answer_in_a_position_is_told() -> None:
    done = run("referee", command("plain.py", "theirs"), "--replay", "/codingame/0", *PATIENT)
    assert "Opponent's cell: ply 2: expected an empty cell" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/m/0z"], "no link to a CodinGame match"),
        (["hello"], "no link to a CodinGame match"),
        (["/codingame/00"], "ply 2"),
        (["/codingame/0z", "--ply", "3"], "no ply 3"),
        (["/codingame/0z", "--ply", "1", "--side", "r"], "r is to move"),
    ],
)
def test_a_link_that_does_not_do_is_told(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(main, ["referee", "true", "--replay", *arguments])
    assert done.exit_code == 1
    assert words in done.stderr


@pytest.mark.parametrize(
    "arguments", [["true"], ["true", "true", "true"], ["true", "true", "--replay", "/codingame/0"]]
)
def test_a_referee_wants_two_bots_or_one_and_a_link(arguments: list[str]) -> None:
    refused("referee", *arguments)


def test_the_referee_is_measured() -> None:
    done = run("bench", "arena", "--games", "21")
    assert done.returncode == 0, done.stderr
    assert re.search(r"referee +\d+ plies/s +\d\.\d\d of the baseline", done.stdout)
    after = re.search(r"(\d+) processes, (\d+) open files,.*; (\d+) processes, (\d+) open files", done.stdout)
    assert after
    assert after[1] == after[3] == "0"
    assert after[2] == after[4]


def test_never_more_bots_think_than_there_are_cores() -> None:
    """Two games at a time on one core: each game would take the other one's time."""
    call = ["taskset", "--cpu-list", "0", *CRITMASS, "arena", FIRST, LAST, "--games", "2", "--jobs", "2", *PATIENT]
    ran = subprocess.run(call, capture_output=True, text=True, encoding="utf-8", check=False)
    assert ran.returncode == 0
    assert "One game at a time" in ran.stderr


@pytest.mark.parametrize("arguments", [("--level", "2"), ("--level", "6"), ("--ms", "40")])
def test_the_computer_plays_from_its_first_turn_on(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Whether or not its search is compiled by then."""
    out = tmp_path / "games.jsonl"
    done = run("arena", bot("computer", *arguments), bot("random"), "--games", "2", *PATIENT, "--out", out)
    assert done.returncode == 0, done.stderr
    games = [*read_records(out)]
    assert len(games) == 2
    assert not any(game.ending.is_fault for game in games)
