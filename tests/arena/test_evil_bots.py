"""Evil bots lose their games, the run goes on, and nothing of them is left."""

import os
import shlex
import sys
import tracemalloc
import uuid
from pathlib import Path

import pytest

from critmass.arena.bot import MAX_STDERR, Bot, BotProcess, Limits
from critmass.arena.game import BotFault, Ending, Game
from critmass.arena.reaper import children
from critmass.arena.referee import play_game
from critmass.arena.schedule import Pairing
from critmass.arena.workers import play_all
from critmass.engine import CODINGAME, Match

from .bots import PATIENT, all_gone, evil, plain

ENDINGS = {
    "hang": Ending.TOO_LATE,
    "slow": Ending.TOO_LATE,
    "stubborn": Ending.TOO_LATE,
    "endless_stderr": Ending.TOO_LATE,
    "fork": Ending.TOO_LATE,
    "hop": Ending.TOO_LATE,
    "crash": Ending.CRASHED,
    "segfault": Ending.CRASHED,
    "leave": Ending.CRASHED,
    "fork_and_leave": Ending.CRASHED,
    "close_output": Ending.NO_OUTPUT,
    "close_all": Ending.NO_OUTPUT,
    "flood": Ending.NO_CELL,
    "long_line": Ending.NO_CELL,
}
PLAY_ON = ("escape_and_play", "chatty", "deaf")
QUICK = Limits(20.0, 0.5)

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere only the process group is promised")


@pytest.fixture(scope="module")
def marks() -> dict[str, str]:
    return {kind: uuid.uuid4().hex for kind in (*ENDINGS, *PLAY_ON)}


@pytest.fixture(scope="module")
def games(marks: dict[str, str]) -> dict[str, Game]:
    """One game of each evil bot, refereed by one process one after another."""
    good = plain("random")
    pairings = [Pairing(number, (good, evil(*it)), seed=str(number)) for number, it in enumerate(marks.items(), 1)]
    return {game.bots[1]: game for game in play_all(pairings, QUICK)}


@pytest.mark.parametrize("kind", ENDINGS)
def test_an_evil_bot_loses_and_the_result_says_by_what(games: dict[str, Game], kind: str) -> None:
    game = games[kind]
    assert (game.winner, game.ending) == (1, ENDINGS[kind])
    assert game.detail
    assert game.plies == 3
    assert len(game.times) == len(game.messages) == 4


@pytest.mark.parametrize("kind", PLAY_ON)
def test_a_bot_that_only_wastes_its_own_time_plays_on(games: dict[str, Game], kind: str) -> None:
    game = games[kind]
    assert not game.ending.is_fault, game.detail
    assert game.plies > 10


@linux
@pytest.mark.parametrize("kind", [*ENDINGS, *PLAY_ON])
def test_nothing_of_it_is_left(games: dict[str, Game], marks: dict[str, str], kind: str) -> None:
    assert games
    assert all_gone(marks[kind], seconds=0)


def test_what_is_said_on_the_way_out_is_kept(games: dict[str, Game]) -> None:
    assert games["crash"].detail == "ended with exit code 3"
    assert games["leave"].detail == "ended with exit code 0"
    assert games["segfault"].detail == "killed by SIGSEGV"
    assert games["crash"].stderr == ("", "Traceback: it hurts\n")


def test_only_the_end_of_stderr_is_kept(games: dict[str, Game]) -> None:
    assert len(games["chatty"].stderr[1]) == MAX_STDERR
    assert all(len(text) <= MAX_STDERR for game in games.values() for text in game.stderr)


@linux
def test_the_processes_of_others_are_spared() -> None:
    """The referee's process may have children that are none of the bots'."""
    child = os.fork()
    if not child:
        os.execvp("sleep", ["sleep", "60"])
    play_game(Pairing(1, (plain("random"), evil("fork"))), QUICK)
    assert os.waitpid(child, os.WNOHANG) == (0, 0)
    os.kill(child, 9)
    os.waitpid(child, 0)


@pytest.mark.parametrize("kind", ["hang", "flood", "endless_stderr"])
def test_a_bot_that_does_not_read_does_not_block_the_referee(kind: str) -> None:
    bot = BotProcess(evil(kind), lambda _: None)
    text = "x" * 1_000_000
    tracemalloc.start()
    try:
        assert bot.ask("x" * 100, 20.0) == b"random"
        with pytest.raises(BotFault) as fault:
            bot.ask(text, 0.2)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
        bot.end()
    assert fault.value.ending is Ending.TOO_LATE


@pytest.mark.parametrize(
    ("bot", "ending"),
    [
        (plain("theirs"), Ending.OWNED),
        (plain("says", "g7"), Ending.OUTSIDE),
        (plain("says", "hello there"), Ending.NO_CELL),
        (plain("says"), Ending.NO_CELL),
        (plain("says", "A1"), Ending.NO_CELL),
        (Bot("none", "true"), Ending.CRASHED),
        (Bot("missing", "./no-such-bot"), Ending.CRASHED),
        (Bot("mute", "sleep 60"), Ending.TOO_LATE),
    ],
)
def test_what_is_no_move_loses_at_once(bot: Bot, ending: Ending) -> None:
    limits = Limits(1.0, 1.0) if ending is Ending.TOO_LATE else PATIENT
    game = play_game(Pairing(1, (plain("first"), bot)), limits)
    assert (game.winner, game.ending, game.moves) == (1, ending, "0")


def test_the_limits_are_those_of_the_protocol() -> None:
    assert Limits() == Limits(first=1.0, later=0.1)
    game = play_game(Pairing(1, (evil("hang"), plain("first"))), Limits(first=20.0))
    assert game.detail == "expected a line within 100 ms"
    assert game.times[-1] > 100


@pytest.mark.parametrize("answer", ["random", "RANDOM", " Random hello \r", "random\r"])
def test_random_is_played_by_the_referee(answer: str) -> None:
    bots = (plain("says", answer), plain("random"))
    game, again, other = (play_game(Pairing(1, bots, seed=seed), PATIENT) for seed in ("a", "a", "b"))
    assert not game.ending.is_fault
    assert Match.read(CODINGAME, game.moves).outcome
    assert game.moves == again.moves != other.moves
    assert set(game.messages[::2]) == {"hello" if "hello" in answer else ""}


def marking(lines: str, tmp_path: Path) -> Bot:
    """A bot that writes a byte-order mark before some of its lines: `first` or `every`."""
    script = tmp_path / f"{lines}.py"
    script.write_text(
        "import sys\nmark = b'\\xef\\xbb\\xbf'\nsys.stdin.readline()\n"
        "while sys.stdin.readline():\n"
        "    for _ in range(6): sys.stdin.readline()\n"
        "    sys.stdout.buffer.write(mark + b'random\\r\\n')\n"
        "    sys.stdout.buffer.flush()\n" + ("    mark = b''\n" if lines == "first" else ""),
        "utf-8",
    )
    return Bot(lines, shlex.join([sys.executable, "-I", "-S", str(script)]))


def test_a_bot_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    bot, other = marking("first", tmp_path), plain("random")
    for bots in ((bot, other), (other, bot)):
        game = play_game(Pairing(1, bots), PATIENT)
        assert not game.ending.is_fault, game.detail
    game = play_game(Pairing(1, (marking("every", tmp_path), other)), PATIENT)
    assert (game.winner, game.ending, game.plies) == (2, Ending.NO_CELL, 2)
    assert "feff" in game.detail


@linux
def test_hundreds_of_games_leave_nothing() -> None:
    def left() -> tuple[frozenset[int], int]:
        return children(os.getpid()), len([*Path("/dev/fd").iterdir()])

    def memory() -> int:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    pairing = Pairing(1, (plain("random"), plain("first")))
    before = left()
    for number in range(80):
        play_game(pairing, PATIENT)
        if number == 20:
            settled = memory()
    assert left() == before
    assert memory() - settled < 4_000_000
