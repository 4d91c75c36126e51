"""The worker processes: each referees one game at a time, and the games come out in their order."""

import contextlib
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait

from critmass.arena.bot import Limits
from critmass.arena.game import Game
from critmass.arena.reaper import no_orphans
from critmass.arena.referee import play_game
from critmass.arena.schedule import Pairing

_AHEAD = 64
_TRIES = 3
_PATIENCE = 15.0


class RefereeDied(RuntimeError):
    """A game whose referee's process broke, or was killed again and again."""


def cores() -> int:
    """Return how many cores this process may use: so many bots can think at once without taking each other's time."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_all(pairings: Iterable[Pairing], limits: Limits, jobs: int = 1) -> Generator[Game]:
    """Play games, `jobs` of them at a time, and yield them in the order of the pairings.

    Close the generator to stop early: then the games under way are given up, and their bots are gone.
    """
    crew: list[_Worker] = []
    try:
        yield from _in_order(iter(pairings), limits, jobs, crew)
    finally:
        for worker in crew:
            worker.stop()
        for worker in crew:
            worker.join()


def _in_order(pairings: Iterator[Pairing], limits: Limits, jobs: int, crew: list["_Worker"]) -> Generator[Game]:
    """Yield the games in order, and let the crew grow to as many as there are jobs."""
    due, finished = deque[int](), dict[int, Game]()
    while True:
        # Not further ahead than that: a slow game must not make a heap of all those after it.
        while len(_busy(crew)) < jobs and len(due) < _AHEAD * jobs and (pairing := next(pairings, None)):
            due.append(pairing.number)
            _idle(crew, limits).play(pairing)
        if not due:
            return
        while due and due[0] in finished:
            yield finished.pop(due.popleft())
        for worker in _ready(crew):
            if game := worker.take():
                finished[game.number] = game


def _busy(crew: list["_Worker"]) -> list["_Worker"]:
    return [worker for worker in crew if worker.pairing]


def _ready(crew: list["_Worker"]) -> list["_Worker"]:
    """Wait for some of those that play to be done, and return them."""
    busy = _busy(crew)
    ready = wait([worker.connection for worker in busy]) if busy else []
    return [worker for worker in busy if worker.connection in ready]


def _idle(crew: list["_Worker"], limits: Limits) -> "_Worker":
    """Return a worker that has nothing to do, a new one if need be."""
    for worker in crew:
        if not worker.pairing:
            return worker
    crew.append(_Worker(limits))
    return crew[-1]


class _Worker:
    """A process that referees one game at a time, and the end of a pipe to it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tries = 0
        self.pairing: Pairing | None = None
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._limits))
        # Ctrl+C reaches the whole foreground group: a worker that is only just starting must not take it for its own.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self._process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        theirs.close()

    def play(self, pairing: Pairing) -> None:
        """Begin a game."""
        self.pairing = pairing
        self._tries += 1
        with contextlib.suppress(BrokenPipeError):  # noticed when the game is taken
            self.connection.send(pairing)

    def take(self) -> Game | None:
        """Return the game that has ended; if the process has, play it once more in another."""
        pairing = self.pairing
        assert pairing is not None  # noqa: S101 - only those that play are waited for
        try:
            game: Game = self.connection.recv()
        except (EOFError, ConnectionError):
            self._again(pairing)
            return None
        self.pairing, self._tries = None, 0
        return game

    def _again(self, pairing: Pairing) -> None:
        self._process.join()
        self.connection.close()
        if self._tries == _TRIES or not self._was_killed:
            red, blue = pairing.bots
            told = f"game {pairing.number}, {red.name} against {blue.name}"
            raise RefereeDied(f"{told}: the referee's process ended with {self._process.exitcode}")
        self._begin()
        self.play(pairing)

    @property
    def _was_killed(self) -> bool:
        return (self._process.exitcode or 0) < 0

    def stop(self) -> None:
        """Tell the process to give up its game and to end."""
        self._process.terminate()

    def join(self) -> None:
        """Wait for the process to end."""
        self._process.join(_PATIENCE)
        self._process.kill()
        self._process.join()
        self._process.close()
        self.connection.close()


def _work(connection: Connection, limits: Limits) -> None:
    """Referee the games that are sent, until told to end or until nobody is there to tell."""
    signal.signal(signal.SIGTERM, _give_up)
    # A handler, not "ignore": that the bots would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    with contextlib.suppress(EOFError, ConnectionError), no_orphans():
        while True:
            connection.send(play_game(connection.recv(), limits))


def _give_up(*_: object) -> None:
    # Only once: what is done on the way out must not be interrupted again.
    signal.signal(signal.SIGTERM, lambda *_: None)
    raise SystemExit
