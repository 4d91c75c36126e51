"""The pool of searches: bounded, and back on its feet whatever happens to its processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from critmass.pool.pool import KEPT, Busy, Pool, Question

PATHS = [f"/m/{first}{second}" for first in "0123456789abcdef" for second in "ghijklmnop"]


def quick(number: int = 0) -> Question:
    """A question that is answered within a blink, without a compiled kernel; each number is another one."""
    return Question("move", PATHS[number], (2,))


def endless(number: int = 0) -> Question:
    """A question that takes minutes on this board, for which there is no compiled kernel."""
    return Question("values", f"/classic/16x16/2/a1{'bcdefghij'[number]}2", (100_000_000,))


@contextmanager
def pool(size: int = 1, waiting: int = 4, seconds: float = 30) -> Iterator[Pool]:
    pool = Pool(size, waiting, seconds)
    try:
        yield pool
    finally:
        pool.close()


def children() -> set[int]:
    """The processes that search for this one."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(") ")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if int(state[1]) == os.getpid() and state[0] != "Z" and b"critmass.pool.process" in command:
            found.add(int(folder.name))
    return found


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_nothing_runs_before_the_first_question() -> None:
    before = children()
    with pool() as it:
        assert children() == before
        it.ask(quick())
        (process,) = children() - before
        it.ask(quick(1))
        assert children() - before == {process}
    wait_until(lambda: not is_running(process))


def test_an_answer_is_that_of_the_search() -> None:
    with pool() as it:
        told = it.ask(Question("move", "/m/0z", (1,)))
        assert told.keys() == {"cell", "score", "end", "line", "depth", "nodes"}
        assert it.ask(Question("move", "/m/0z", (1,))) is told


def test_answers_are_kept_so_many_of_them() -> None:
    with pool() as it:
        for number in range(KEPT + 5):
            it._keep(Question("move", str(number), ()), number)
        assert len(it._answers) == KEPT
        assert Question("move", "4", ()) not in it._answers
        assert it.ask(Question("move", "5", ())) == 5


def test_who_finds_no_room_is_told_at_once_when_to_come_again() -> None:
    with pool(waiting=1, seconds=3) as it:
        raised: list[Busy] = []

        def ask(number: int) -> None:
            try:
                it.ask(endless(number))
            except Busy as busy:
                raised.append(busy)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(5)]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(raised) == 3, seconds=2)  # one searches, one waits, and three hear about it
        assert all(busy.seconds > 0 for busy in raised)
        for thread in threads:
            thread.join()
        assert len(raised) == 5
        assert it.ask(quick())["depth"] >= 1


def test_who_plays_passes_who_studies() -> None:
    """And finds a place to wait in, however many of them there are."""
    with pool(waiting=2) as it:
        searched: list[str] = []
        refused: list[str] = []
        search = it._search

        def note(question: Question) -> Any:
            searched.append(question.path)
            return search(question)

        it._search = note  # type: ignore[method-assign]

        def ask(question: Question) -> None:
            try:
                it.ask(question)
            except Busy:
                refused.append(question.path)

        def begin(question: Question, until: Callable[[], object]) -> threading.Thread:
            thread = threading.Thread(target=ask, args=(question,))
            thread.start()
            wait_until(until)
            return thread

        first = begin(Question("values", "/classic/16x16/2/a1b2", (100_000,)), lambda: it._running == 1)
        studies = begin(Question("study", PATHS[0], ()), lambda: it._waiting == 1)
        begin(Question("study", PATHS[1], ()), lambda: refused == [PATHS[1]])
        plays = begin(quick(2), lambda: it._waiting == 2)
        for thread in (first, studies, plays):
            thread.join()
        assert searched == ["/classic/16x16/2/a1b2", PATHS[2], PATHS[0]]
        assert (it._running, it._waiting, it._players) == (0, 0, 0)


def test_a_flood_is_answered_or_refused_and_leaves_no_more_than_the_pool() -> None:
    before = children()
    with pool(size=2, waiting=2) as it:
        outcomes: list[str] = []

        def ask(number: int) -> None:
            try:
                it.ask(quick(number))
                outcomes.append("answered")
            except Busy:
                outcomes.append("busy")

        threads = [threading.Thread(target=ask, args=(number % 40,)) for number in range(80)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(outcomes) == 80
        assert "answered" in outcomes
        assert "busy" in outcomes
        assert len(children() - before) <= 2
        assert (it._running, it._waiting) == (0, 0)
        it.ask(quick(99))


def test_a_search_that_takes_too_long_is_ended_and_replaced() -> None:
    before = children()
    with pool(seconds=1.5) as it:
        started = time.monotonic()
        with pytest.raises(Busy):
            it.ask(endless())
        assert time.monotonic() - started < 4
        assert children() == before
    with pool() as it:
        it.ask(quick())


def test_a_killed_process_is_replaced_within_the_request() -> None:
    before = children()
    with pool() as it:
        it.ask(quick())
        for number in range(1, 4):
            (process,) = children() - before
            os.kill(process, signal.SIGKILL)
            it.ask(quick(number))
            assert process not in children()


def test_a_process_killed_in_the_middle_of_a_search() -> None:
    before = children()
    with pool(seconds=20) as it:
        raised: list[Busy] = []

        def ask() -> None:
            with pytest.raises(Busy) as caught:
                it.ask(endless())
            raised.append(caught.value)

        thread = threading.Thread(target=ask)
        thread.start()
        for _ in range(2):  # it is asked once more, of a new one
            wait_until(lambda: children() - before)
            (process,) = children() - before
            os.kill(process, signal.SIGKILL)
            wait_until(lambda gone=process: gone not in children())
        thread.join()
        assert raised
        it.ask(quick())


def test_what_breaks_a_search_breaks_no_more_than_it(capfd: pytest.CaptureFixture[str]) -> None:
    with pool() as it:
        with pytest.raises(Busy):
            it.ask(Question("move", "/m/", (99,)))
        it.ask(quick())
    assert "KeyError: 99" in capfd.readouterr().err


ASKING = """
import sys, threading, time
from critmass.web.play.searches import Pool, Question
pool = Pool(1, 4, 60)
pool.ask(Question("move", "/m/0z", (2,)))
searcher = next(iter(pool._searchers))._process.pid
if "searching" in sys.argv:
    ask = lambda: pool.ask(Question("values", "/classic/16x16/2/a1b2", (100_000_000,)))
    threading.Thread(target=ask, daemon=True).start()
    time.sleep(0.5)
print(searcher, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("doing", ["waiting", "searching"])
def test_no_orphan_stays(how: signal.Signals, doing: str) -> None:
    asking = [sys.executable, "-c", ASKING, doing]
    with subprocess.Popen(asking, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as parent:
        assert parent.stdout
        searcher = int(parent.stdout.readline())
        assert is_running(searcher)
        parent.send_signal(how)
        parent.wait(20)
        wait_until(lambda: not is_running(searcher), seconds=5)


def test_a_page_needs_no_compiler() -> None:
    code = (
        "import sys; from critmass.web import create_app; client = create_app().test_client();"
        "assert client.get('/m/0?computer=21').status_code == 200;"
        "assert client.get('/computer?link=/m/0%3Fcomputer=21').status_code == 303;"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
