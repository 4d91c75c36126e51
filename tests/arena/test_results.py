"""The files of a tournament: what others made is never lost, whatever is said reads back, and a run goes on."""

import csv
import fcntl
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from critmass.arena.bot import enter
from critmass.arena.csv_file import check_csv, csv_row, harmless, write_csv
from critmass.arena.game import Ending, Game
from critmass.arena.records import BadRecord, Record, read_records, to_json
from critmass.arena.report import check_report, write_report
from critmass.arena.schedule import Schedule
from critmass.arena.standings import Standings
from critmass.arena.table import table_text, tables
from critmass.arena.tournament import Tournament
from critmass.cli import main
from critmass.engine import CODINGAME
from critmass.engine.codec import encode
from critmass.files import Unwritable
from critmass.web.tournament.live import Feed, make_app

from .bots import PATIENT, command, plain

CRITMASS = (sys.executable, "-m", "critmass")
QUICK = ("true", "false", "--games", "4", "--openings", "2")
"""A tournament that is over soon: none of its bots says anything."""
FILES = {"--out": "games.jsonl", "--csv": "games.csv", "--html": "index.html"}
SAYS = "x\u2028y\u2029z\x85\x1c\x1d\x1e\x0b\x0cv\rw\0\x7f\ufeff=1\U0001f600 ü\u202e"
"""What other programs take for the ends of lines, and what they stumble over otherwise."""

SCHEDULE = Schedule((plain("first"), plain("last")), 6, openings=3, seed=11)


def arena(folder: Path, *arguments: str, options: tuple[str, ...] = tuple(FILES)) -> Result:
    """Run a tournament in this process, with results in that folder."""
    paths = {option: folder if option == "--html" else folder / FILES[option] for option in options}
    given = [str(word) for option in paths for word in (option, paths[option])]
    return CliRunner().invoke(main, ["arena", *(arguments or QUICK), *given])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def game(number: int, said: str = "", schedule: Schedule = SCHEDULE) -> Game:
    """A game of the schedule that was lost at once."""
    pairing = next(pairing for pairing in schedule if pairing.number == number)
    moves = encode(CODINGAME.grid, pairing.opening)
    bots = (pairing.bots[0].name, pairing.bots[1].name)
    told = (said, said[::-1])
    return Game(number, bots, moves, len(moves), 2, Ending.NO_CELL, said, (1.5,), (said,), told)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All that a tournament writes."""
    folder = tmp_path_factory.mktemp("finished")
    done = arena(folder)
    assert done.exit_code == 0, done.output
    made = contents(folder)
    assert sorted(made) == sorted(FILES.values())
    return made


@pytest.fixture
def folder(tmp_path: Path, finished: dict[str, bytes]) -> Path:
    """A folder with all that a tournament has written."""
    for name, content in finished.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


# --- What others made ---------------------------------------------------------------------------------------------

FOREIGN = [
    b"notes",
    b"one line\nand another",
    b"hello\n",
    b"\n",
    b"\0" * 5000,
    b"\xff\xfe\0\xe2\x82",
    b"\xef\xbb\xbf",
    b"{}\n",
    b"[]",
    b'{"arena": 1}\n',
    b"[" * 100_000,
    b"1" * 10_000,
    b"<!doctype html>\n<p>mine</p>\n",
    b"number,first,second\n1,a,b\n",
]


@pytest.mark.parametrize("option", FILES)
@pytest.mark.parametrize("content", FOREIGN)
def test_files_of_others_stay_as_they_are(tmp_path: Path, option: str, content: bytes) -> None:
    (tmp_path / FILES[option]).write_bytes(content)
    done = arena(tmp_path)
    assert done.exit_code == 1
    assert done.stdout == "", "games were played"
    assert FILES[option] in done.stderr
    assert "--force" in done.stderr
    assert "Traceback" not in done.output
    assert contents(tmp_path) == {FILES[option]: content}


@pytest.mark.parametrize("option", FILES)
def test_they_are_overwritten_by_force_alone(tmp_path: Path, option: str) -> None:
    (tmp_path / FILES[option]).write_bytes(b"theirs\n")
    done = arena(tmp_path, *QUICK, "--force")
    assert done.exit_code == 0, done.output
    assert sorted(contents(tmp_path)) == sorted(FILES.values())
    assert b"theirs" not in contents(tmp_path)[FILES[option]]
    assert arena(tmp_path).exit_code == 0


@pytest.mark.parametrize("option", FILES)
@pytest.mark.parametrize(
    "changed",
    [
        lambda content: content + b"one more line\n",
        lambda content: content + b"a note",
        lambda content: b"\n" + content,
        lambda content: content.replace(b"false", b"other"),
        lambda content: content.replace(b"/codingame/", b"/codingame/0"),
        lambda content: content.replace(b"ended with", b"nearly won with", 1),
    ],
)
def test_what_somebody_has_added_to_results_stays(folder: Path, option: str, changed: Callable[[bytes], bytes]) -> None:
    path = folder / FILES[option]
    path.write_bytes(changed(path.read_bytes()))
    before = contents(folder)
    if option == "--out" and b"nearly" in before[path.name]:
        return  # which is only ever added to
    done = arena(folder)
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    assert contents(folder) == before


@pytest.mark.parametrize("option", FILES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("true", "false", "--games", "4", "--openings", "2", "--seed", "2"),
        ("true", "false", "--games", "4"),
        ("true", "false", "--games", "4", "--openings", "2", "--name", "A"),
        ("false", "true", "--games", "4", "--openings", "2"),
    ],
)
def test_results_of_another_tournament_stay(folder: Path, option: str, arguments: tuple[str, ...]) -> None:
    before = contents(folder)
    done = arena(folder, *arguments, options=(option,))
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    assert contents(folder) == before


def test_a_longer_tournament_is_not_cut_to_a_shorter_one(folder: Path) -> None:
    before = contents(folder)
    for option in ("--out", "--csv"):
        assert arena(folder, *QUICK, "--games", "2", options=(option,)).exit_code == 1
    assert contents(folder) == before


@pytest.mark.parametrize("options", [tuple(FILES), ("--csv", "--html"), ("--out",)])
def test_the_same_command_and_a_longer_one_go_on(folder: Path, options: tuple[str, ...]) -> None:
    record = (folder / "games.jsonl").read_bytes()
    for length in (4, 4, 6):
        done = arena(folder, *QUICK, "--games", str(length), options=options)
        assert done.exit_code == 0, done.output
    after = contents(folder)
    assert sorted(after) == sorted(FILES.values())
    assert after["games.jsonl"].startswith(record)
    if "--csv" in options:
        assert b"6 of 6 games" in after["index.html"]
        assert len(after["games.csv"].splitlines()) == 7


def test_empty_files_are_nobodys(tmp_path: Path) -> None:
    for name in FILES.values():
        (tmp_path / name).touch()
    assert arena(tmp_path).exit_code == 0
    assert all(contents(tmp_path).values())


def test_a_record_that_was_made_for_nothing_goes_again(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_bytes(b"theirs")
    assert arena(tmp_path).exit_code == 1
    assert sorted(contents(tmp_path)) == ["games.csv"]


def test_what_comes_meanwhile_stays_and_the_results_are_beside_it(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    script = tmp_path / "bot.py"
    script.write_text(f"open({str(table)!r}, 'w').write('theirs')", "utf-8")
    bot = shlex.join([sys.executable, "-I", "-S", str(script)])
    done = arena(tmp_path, bot, "false", "--games", "2", "--first-ms", "20000", options=("--csv",))
    assert done.exit_code == 0, done.output
    assert table.read_text("utf-8") == "theirs"
    assert f"the results are in {table}.new" in done.stderr
    assert Path(f"{table}.new").read_text("utf-8-sig").startswith("number,")


# --- Files that are none, and files twice --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["/dev/null", "/dev/full", "pipe", "folder"])
def test_a_record_must_be_a_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    done = CliRunner().invoke(main, ["arena", *QUICK, "--out", str(path)])
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert "Traceback" not in done.output


def test_a_record_is_not_where_the_tables_go(tmp_path: Path) -> None:
    path = tmp_path / "all"
    for name in (str(path), "/dev/stdout"):
        with path.open("wb") as out:
            done = subprocess.run(
                [*CRITMASS, "arena", *QUICK, "--out", name], stdout=out, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 1
        assert "where the tables go" in done.stderr
        assert path.read_bytes() == b""


def test_a_table_can_go_to_standard_output_and_into_a_pipe(tmp_path: Path) -> None:
    shown = subprocess.run([*CRITMASS, "arena", *QUICK, "--csv", "/dev/stdout"], capture_output=True, check=True)
    tables_, _, rows = shown.stdout.partition(b"\xef\xbb\xbfnumber,")
    assert tables_.startswith(b"Score")
    assert rows.count(b"/codingame/") == 4
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert CliRunner().invoke(main, ["arena", *QUICK, "--csv", str(pipe)]).exit_code == 0
    reader.join()
    assert got[0].count(b"/codingame/") == 4


@pytest.mark.parametrize("way", ["same", "link", "hard"])
@pytest.mark.parametrize("options", [("--out", "--csv"), ("--csv", "--html"), ("--out", "--html")])
def test_each_result_has_a_file_of_its_own(tmp_path: Path, options: tuple[str, str], way: str) -> None:
    first, second = tmp_path / "first", tmp_path / "folder" / "index.html"
    second.parent.mkdir()
    second.touch()
    if way == "link":
        first.symlink_to(second)
    elif way == "hard":
        first.hardlink_to(second)
    else:
        first = second
    given = [options[0], first, options[1], second.parent if options[1] == "--html" else second]
    done = CliRunner().invoke(main, ["arena", *QUICK, *map(str, given)])
    assert done.exit_code == 2
    assert f"{options[0]} and {options[1]} are one file" in done.stderr
    assert second.read_bytes() == b""


def test_results_go_where_links_lead(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    for name in FILES.values():
        (tmp_path / name).symlink_to(tmp_path / "real" / name)
    for _ in range(2):
        assert arena(tmp_path).exit_code == 0
    assert all((tmp_path / name).is_symlink() for name in FILES.values())
    assert all(contents(tmp_path / "real").values())


def test_two_runs_do_not_write_one_record_by_whatever_name(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "games.jsonl")
    (folder / "hard").hardlink_to(folder / "games.jsonl")
    before = contents(folder)
    with (folder / "games.jsonl").open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for name in ("games.jsonl", "link", "hard"):
            done = CliRunner().invoke(main, ["arena", *QUICK, "--force", "--out", str(folder / name)])
            assert done.exit_code == 1
            assert "written by another run" in done.stderr
    assert contents(folder) == before


def test_a_record_that_is_another_run_s_is_not_taken_away(tmp_path: Path) -> None:
    """Not even where this one had made it a moment before."""
    path = tmp_path / "games.jsonl"
    held = []

    class Slow(Record):
        def _lock(self) -> None:
            held.append(other := path.open("rb"))
            fcntl.flock(other, fcntl.LOCK_EX)
            super()._lock()

    with pytest.raises(BadRecord, match="another run"):
        Slow(path, SCHEDULE, PATIENT)
    assert path.exists()
    held[0].close()


# --- Half a line --------------------------------------------------------------------------------------------------


def record_of(path: Path, games: list[Game], schedule: Schedule = SCHEDULE) -> bytes:
    with Record(path, schedule, PATIENT) as record:
        record.begin()
        for it in games:
            record.add(it)
    return path.read_bytes()


def test_a_record_that_was_cut_short_anywhere_goes_on(tmp_path: Path) -> None:
    games = [game(number, SAYS) for number in (1, 2)]
    path = tmp_path / "games.jsonl"
    whole = record_of(path, games)
    assert any(byte > 127 for byte in whole)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with Record(path, SCHEDULE, PATIENT) as record:
            assert path.read_bytes() == whole[:length], "it was touched before it was to be"
            Tournament(SCHEDULE, PATIENT, record)
            kept = path.read_bytes()
            assert kept.endswith(b"\n")
            assert whole.startswith(kept)
            if record.cut:
                cut = record.cut.read_bytes()
                record.cut.unlink()
                assert kept + cut == whole[:length]
            else:
                assert kept.startswith(whole[:length])
            for it in games[len(record.games) :]:
                record.add(it)
        assert path.read_bytes() == whole
    assert [it.name for it in tmp_path.iterdir()] == ["games.jsonl"]


def test_zeros_at_the_end_are_cut_off_and_kept(tmp_path: Path) -> None:
    """What some file systems leave where the machine has lost its power."""
    path = tmp_path / "games.jsonl"
    whole = record_of(path, [game(1)])
    for rest in (b"\0" * 4096, b'{"number": 2, "fir' + b"\0" * 99):
        path.write_bytes(whole + rest)
        with Record(path, SCHEDULE, PATIENT) as record:
            assert record.games == [game(1)]
            record.begin()
            assert record.cut
            assert record.cut.read_bytes() == rest
        assert path.read_bytes() == whole


def test_what_is_cut_off_is_told(folder: Path) -> None:
    path = folder / "games.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    done = arena(folder)
    assert done.exit_code == 0, done.output
    assert f"what there is of it was put into {path}.cut" in done.stderr
    half = whole[:-20].rpartition(b"\n")[2]
    assert Path(f"{path}.cut").read_bytes() == half
    assert len([*read_records(path)]) == 4


def test_nothing_is_cut_where_it_cannot_be_kept(tmp_path: Path) -> None:
    """Here because a name beside that of the file would be too long."""
    path = tmp_path / (252 * "g")
    path.write_bytes(half := record_of(tmp_path / "games.jsonl", [game(1), game(2)])[:-10])
    with Record(path, SCHEDULE, PATIENT) as record, pytest.raises(Unwritable, match="cannot be written"):
        record.begin()
    assert path.read_bytes() == half


def test_a_record_that_changes_while_it_is_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record_of(path, [game(1)])
    path.write_bytes(path.read_bytes()[:-10])
    with Record(path, SCHEDULE, PATIENT) as record:
        with path.open("ab") as file:
            file.write(b"theirs")
        with pytest.raises(BadRecord, match="another program"):
            record.begin()
    assert path.read_bytes().endswith(b"theirs")


def test_a_disk_that_is_full_leaves_whole_lines_and_the_run_goes_on_later(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    call = [*CRITMASS, "arena", *QUICK, "--games", "40", "--out", str(path)]
    limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))  # noqa: E731
    done = subprocess.run(call, preexec_fn=limited, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{path} cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    before = path.read_bytes()
    assert 2000 < len(before) <= 3000
    assert before.endswith(b"\n")
    again = subprocess.run(call, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert "cut short" not in again.stderr
    assert path.read_bytes().startswith(before)
    assert len([*read_records(path)]) == 40


# --- Whatever is said reads back ------------------------------------------------------------------------------------


def test_the_lines_of_a_record_end_where_everybody_sees_them_end(tmp_path: Path) -> None:
    games = [game(number, SAYS) for number in (1, 2)]
    text = record_of(tmp_path / "games.jsonl", games).decode()
    assert len(text.splitlines()) == text.count("\n") == 3
    assert [*read_records(tmp_path / "games.jsonl")] == games


def test_a_record_with_such_characters_as_they_are_is_read(tmp_path: Path) -> None:
    """As earlier versions wrote them, and other programs may."""
    path = tmp_path / "games.jsonl"
    whole = record_of(path, [])
    games = [game(number, SAYS) for number in (1, 2)]
    for it in games:
        whole += json.dumps(to_json(it), ensure_ascii=False).encode() + b"\n"
    path.write_bytes(whole)
    with Record(path, SCHEDULE, PATIENT) as record:
        assert record.games == games
    feed = Feed(path, 6)
    feed.read()
    assert [feed.game(it.number) for it in games] == games


TALKER = """
import sys
say = bytes.fromhex(sys.argv[1])
while sys.stdin.buffer.readline():
    sys.stdout.buffer.write(b"random " + say + b"\\n")
    sys.stderr.buffer.write(say)
    sys.stdout.flush()
"""


def test_bots_say_what_they_like_and_the_run_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "talker.py"
    script.write_text(TALKER, "utf-8")
    said = b"<" + SAYS.encode() + b"\xff\xed\xa0\x80\xf0\x9f\x98>"
    bot = shlex.join([sys.executable, "-I", "-S", str(script), said.hex()])
    results = tmp_path / "results"
    results.mkdir()
    names = ("--name", "talker", "--name", "=other", "--first-ms", "20000", "--later-ms", "10000")
    for games in ("2", "4", "4"):
        done = arena(results, bot, command("plain.py", "random"), "--games", games, *names)
        assert done.exit_code == 0, done.output
    known = said.decode("utf-8", "replace")
    played = [*read_records(results / "games.jsonl")]
    assert len(played) == 4
    for it in played:
        side = it.bots.index("talker")
        assert it.messages[side] == known
        assert it.stderr[side].endswith(known)

    feed = Feed(results / "games.jsonl", 4)
    client = make_app(feed).test_client()
    assert client.get("/arena/").text.count('<th scope="row"><a href="/arena/') == 4
    assert [feed.game(it.number) for it in played] == played
    shown = unescape(client.get("/arena/1").text.replace("&#39;", "'"))
    assert known.replace("\r", "") in shown.replace("\r", "")

    with (results / "games.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [*csv.reader(file)][1:]
    assert rows == [list(map(str, csv_row(it))) for it in played]
    assert "=other" in (results / "index.html").read_text("utf-8")


def test_halves_of_characters_in_a_record_break_no_page(tmp_path: Path) -> None:
    """No bot can say them, but whoever writes JSON."""
    path = tmp_path / "games.jsonl"
    whole = record_of(path, [])
    path.write_bytes(whole + json.dumps(to_json(game(1, "\ud83d"))).encode() + b"\n")
    feed = Feed(path, 6)
    client = make_app(feed).test_client()
    for page in ("/arena/", "/arena/1"):
        assert client.get(page).status_code == 200
    with (tmp_path / "games.csv").open("wb") as file:
        write_csv(file, read_records(path))
    with (tmp_path / "index.html").open("wb") as file:
        write_report(file, path, SCHEDULE, PATIENT, "http://chain.example")


# --- Spreadsheets -------------------------------------------------------------------------------------------------

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "＝1",
    "-",
    "=",
    '"=1"',
    "'=1",
    "a;=1",
    "a\t=1",
    "a\n=1",
    'a;"=1',
]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula_however_a_spreadsheet_sets_cells_apart(text: str) -> None:
    for cell in re.split("[;\t\r\n]", harmless(text)):
        assert not re.match("[\"' ]*(?<!')[=+@＝-]", cell), cell
    assert harmless(text).replace("'", "") == text.replace("'", "")


@pytest.mark.parametrize("text", ["", "plain", "a=b", "1-2", "x@y", "/codingame/0", "a; b", "ü\u2028"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_no_formulas_in_any_column(tmp_path: Path, text: str) -> None:
    bots = (replace(plain("first"), name=text), plain("last"))
    schedule = replace(SCHEDULE, bots=bots, games=2)
    games = [replace(game(number, text, schedule), ending=Ending.NO_CELL) for number in (1, 2)]
    path = tmp_path / "games.csv"
    with path.open("wb") as file:
        write_csv(file, games)
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = [*csv.reader(content.decode("utf-8-sig").splitlines(keepends=True))]
    cells = {cell for row in rows for cell in row}
    assert harmless(text) in cells
    assert not any(re.match("[=+@\t\r＝-]", cell) for cell in cells)
    with path.open("rb") as file:
        check_csv(file, schedule, games)


def test_the_results_are_known_again_only_by_their_own_tournament(folder: Path) -> None:
    limits = replace(PATIENT, first=3.0)
    bots = enter(["true", "false"])
    schedule = Schedule(bots, 4, openings=2, seed=1)
    with (folder / "index.html").open("rb") as file, pytest.raises(ValueError, match="another tournament"):
        check_report(file, schedule, limits)


# --- Names --------------------------------------------------------------------------------------------------------

NAMES = [
    ["x", "x", "x #1"],
    ["x #1", "x", "x"],
    ["x", "x #2", "x", "x #3", "x", "x #1"],
    ["x #1", "x #1", "x #1 #1"],
    ["", " ", "\u200b", "\u202e"],
    ["a  b", "a b", " a b "],
    ["x", "x\u200b", "x\n", "\tx"],
    ["é", "e\u0301"],
    ["\udcff", "\udcfe", "\ufffd"],
    ["x" * 40, "x" * 40],
]


@pytest.mark.parametrize("given", NAMES)
def test_every_bot_has_a_name_that_no_other_has(given: list[str]) -> None:
    names = [bot.name for bot in enter(["true"] * len(given), given)]
    assert len(set(names)) == len(given)
    assert all(name.isprintable() and name == " ".join(name.split()) and name for name in names)
    assert [bot.name for bot in enter(["true"] * len(given), given)] == names


def test_names_that_are_no_others_stay_and_the_others_have_their_place() -> None:
    for given, names in (
        (["x", "y", "z"], ["x", "y", "z"]),
        (["x", "x", "y"], ["x #1", "x #2", "y"]),
        (["x", "x", "x #1"], ["x #2", "x #3", "x #1"]),
    ):
        assert [bot.name for bot in enter(["true"] * 3, given)] == names


def test_names_are_told_apart_in_tables_files_pages_and_when_resumed(tmp_path: Path) -> None:
    arguments = ("true", "true", "false", "--name", "x", "--name", "x", "--name", "x #1", "--games")
    for games in ("1", "3"):
        done = arena(tmp_path, *arguments, games)
        assert done.exit_code == 0, done.output
    names = ["x #2", "x #3", "x #1"]
    found = re.findall(r"^  (x #\d) +6 ", done.stdout, re.MULTILINE)
    assert found == names
    standings = Standings(names)
    for it in read_records(tmp_path / "games.jsonl"):
        standings.add(it)
    assert [row.score.games for row in standings.rows.values()] == [6, 6, 6]
    assert "\n\n".join(map(table_text, tables(standings))) + "\n" == done.stdout
    page = (tmp_path / "index.html").read_text("utf-8")
    assert re.findall("<dt><bdi>(.*?)</bdi></dt>", page) == names


# --- Bytes of the command line --------------------------------------------------------------------------------------


def test_a_command_that_is_no_utf_8_plays_and_is_written(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff\xfe"
    script = folder + b"/bot\xe9.py"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(script)).write_bytes(b"while True:\n    input()\n    print('random', flush=True)\n")
    bot = os.fsencode(sys.executable) + b" -I -S '" + script + b"' \xa0"
    names = [b"--name", b"caf\xe9", b"--name", b"\xff"]
    files = [b"--out", folder + b"/g.jsonl", b"--csv", folder + b"/g.csv", b"--html", folder]
    limits = ["--first-ms", "20000", "--later-ms", "10000", "--games", "2"]
    call = [*CRITMASS, "arena", bot, bot, *limits, *names, *files]
    for environment in ({}, {"PYTHONIOENCODING": "latin-1"}):
        for _ in range(2):
            done = subprocess.run(call, capture_output=True, env={**os.environ, **environment}, check=False)
            assert (done.returncode, done.stderr) == (0, b"")
            assert done.stdout.startswith(b"Score")
            assert b"crashed" not in done.stdout
    assert len([*read_records(Path(os.fsdecode(folder + b"/g.jsonl")))]) == 2
    other = subprocess.run([*call, "--seed", "2"], capture_output=True, check=False)
    assert other.returncode == 1
    assert b"Traceback" not in other.stderr
    shown = subprocess.run([*CRITMASS, "referee", bot, bot, *limits[:4]], capture_output=True, check=False)
    assert shown.returncode == 0, shown.stderr


def test_ctrl_c_leaves_results_that_the_same_command_knows_again(tmp_path: Path) -> None:
    bots = [command("plain.py", "random"), command("plain.py", "first")]
    files = ["--out", "g.jsonl", "--csv", "g.csv", "--html", "."]
    patient = ["--first-ms", "20000", "--later-ms", "10000", "--jobs", "1"]
    call = [*CRITMASS, "arena", *bots, *files, *patient, "--games"]
    with subprocess.Popen([*call, "100000"], cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        while not (tmp_path / "g.jsonl").exists() or len([*read_records(tmp_path / "g.jsonl")]) < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    known = len([*read_records(tmp_path / "g.jsonl")])
    done = subprocess.run([*call, str(known + 2)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len([*read_records(tmp_path / "g.jsonl")]) == known + 2
