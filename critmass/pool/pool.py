"""Searches, asked for by pages and made by processes of their own, so that a page is never kept by one.

There is one pool of them, empty until the first question. How many search at a time, how many may wait, and for how
long, is bounded; whoever finds no room is told when to come again.
"""

import json
import selectors
import subprocess
import sys
import weakref
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, dataclass
from threading import Condition
from typing import Any

KEPT = 1024
"""The answers that are given again without a search."""
_SOON, _LATER = 2, 5
"""The seconds after which to come again: when a search ends soon, and when one took too long."""


class Busy(Exception):
    """There is no answer now; there may be one in so many seconds."""

    def __init__(self, message: str, seconds: int, status: int = 503) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.status = status
        """What it is answered with: 503, or 429 where it is the client who asks for too much."""


class Ended(Exception):
    """The process that was asked is no more."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be found out about the position at the end of a match."""

    kind: str
    """One of `critmass.pool.process.KINDS`."""
    path: str
    """The match as it stood then: its path."""
    numbers: tuple[int, ...]
    """What that kind takes besides the position."""


class Searcher:
    """A process that searches, one question at a time."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "critmass.pool.process"]
        # In a session of its own: a Ctrl+C is for the server, whose end is the end of the pipes.
        self._process = subprocess.Popen(  # noqa: S603 - nothing of it comes from outside
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def ask(self, question: Question, seconds: float) -> dict[str, Any]:
        """Return what it says; raise `TimeoutError` if that takes longer, `Ended` if it has come to its end."""
        asked, said = self._process.stdin, self._process.stdout
        assert asked is not None and said is not None  # noqa: S101, PT018 - they are pipes
        try:
            asked.write(json.dumps(asdict(question)) + "\n")
            asked.flush()
        except OSError as error:
            raise Ended from error
        with selectors.DefaultSelector() as readable:
            readable.register(said, selectors.EVENT_READ)
            if not readable.select(seconds):
                raise TimeoutError
        line = said.readline()
        if not line.endswith("\n"):
            raise Ended
        told: dict[str, Any] = json.loads(line)
        return told

    def end(self) -> None:
        """Have it end, whatever it is doing."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None  # noqa: S101
            with suppress(OSError):  # what was not written yet has nobody to read it
                pipe.close()
        self._process.wait()


class Pool:
    """So many processes that search, and a place for each answer that they gave."""

    def __init__(self, size: int, waiting: int, seconds: float) -> None:
        """Let `size` searches run at a time, `waiting` more wait, and each search and wait take `seconds` at most."""
        self._size = size
        self._most_waiting = waiting
        self._seconds = seconds
        self._begin()

    def _begin(self) -> None:
        self._free = Condition()
        self._idle: list[Searcher] = []
        self._running = self._waiting = self._players = 0
        self._answers: OrderedDict[Question, Any] = OrderedDict()
        self._searchers: set[Searcher] = set()
        self._end = weakref.finalize(self, _end_all, self._searchers)

    def close(self) -> None:
        """End all processes."""
        self._end()
        self._begin()

    def ask(self, question: Question) -> Any:
        """Return the answer to a question, of late or by a search; raise `Busy` where there is none in time."""
        with self._free:
            if question in self._answers:
                self._answers.move_to_end(question)
                return self._answers[question]
            self._wait(question)
        try:
            # Somebody before may have asked the same.
            return self._answers[question] if question in self._answers else self._search(question)
        finally:
            with self._free:
                self._running -= 1
                self._free.notify_all()

    def kept(self, question: Question) -> Any:
        """Return the answer that was given of late to a question; `None` where none was."""
        with self._free:
            return self._answers.get(question)

    def _wait(self, question: Question) -> None:
        """Wait for a free place; raise `Busy` where too many wait, or it takes too long.

        Whoever studies a match lets pass who plays one, and leaves them half of the places to wait in.
        """
        studies = question.kind == "study"
        most = (self._most_waiting + 1) // 2 if studies else self._most_waiting

        def is_next() -> bool:
            return self._running < self._size and not (studies and self._players)

        if not is_next():
            if self._waiting >= most:
                raise Busy("Too many are asking.", _SOON)
            self._waiting += 1
            self._players += not studies
            try:
                if not self._free.wait_for(is_next, self._seconds):
                    raise Busy("Too many are asking.", _SOON)
            finally:
                self._waiting -= 1
                self._players -= not studies
                self._free.notify_all()
        self._running += 1

    def _search(self, question: Question) -> Any:
        """Have a searcher answer; another one where the first has come to its end."""
        for _ in range(2):
            searcher = self._take()
            try:
                told = searcher.ask(question, self._seconds)
            except BaseException as error:
                self._searchers.discard(searcher)
                searcher.end()
                if isinstance(error, Ended):
                    continue
                if isinstance(error, TimeoutError):
                    raise Busy("The search took too long.", _LATER) from error
                raise
            with self._free:
                self._idle.append(searcher)
            if "warming" in told:
                raise Busy("It is just waking up.", _SOON)
            return self._keep(question, told["answer"])
        raise Busy("The search broke off.", _LATER)

    def _take(self) -> Searcher:
        with self._free:
            if self._idle:
                return self._idle.pop()
        searcher = Searcher()
        self._searchers.add(searcher)
        return searcher

    def _keep(self, question: Question, answer: Any) -> Any:
        with self._free:
            self._answers[question] = answer
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return answer


def _end_all(searchers: set[Searcher]) -> None:
    while searchers:
        searchers.pop().end()
