"""Games written down: as JSON lines, which an interrupted run goes on from, and as CSV."""

import csv
import fcntl
import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from critmass.arena.bot import Limits
from critmass.arena.game import Ending, Game
from critmass.arena.schedule import Schedule

FORMAT = 1
COLUMNS = (
    *("number", "first", "second", "link", "opening", "winner", "ending", "detail"),
    *("times", "messages", "first_stderr", "second_stderr"),
)
"""The columns of a CSV file; see `csv_row`."""
_SIDES = {1: "first", 2: "second", None: "draw"}
_PLAYERS = {side: player for player, side in _SIDES.items()}


class BadRecord(ValueError):
    """A file that is no record of games, or one of another tournament."""


def to_json(game: Game) -> dict[str, Any]:
    """Return a game as it is written on a line of its own.

    - `number`: counted from 1, in the order of the schedule;
    - `first`, `second`: the names of the bots, by who moved first;
    - `link`: the path under which the app shows the game;
    - `opening`: how many of its moves the arena made;
    - `winner`: `first`, `second` or `draw`;
    - `ending`: `cut`, `wiped`, `turn-limit`, or the loser's fault: `too-late`, `no-output`, `crashed`, `no-cell`,
      `outside`, `owned`;
    - `detail`: the fault in words, or empty;
    - `times`: milliseconds for every turn of the bots, the one that lost by a fault included;
    - `messages`: what was said with each of these, or empty;
    - `stderr`: the end of what the first and the second bot wrote to their standard error.
    """
    return {
        "number": game.number,
        "first": game.bots[0],
        "second": game.bots[1],
        "link": game.link,
        "opening": game.opening,
        "winner": _SIDES[game.winner],
        "ending": game.ending.value,
        "detail": game.detail,
        "times": list(game.times),
        "messages": list(game.messages),
        "stderr": list(game.stderr),
    }


def from_json(record: dict[str, Any]) -> Game:
    """Return the game of a line: the inverse of `to_json`."""
    return Game(
        number=record["number"],
        bots=(record["first"], record["second"]),
        moves=record["link"].removeprefix("/codingame/"),
        opening=record["opening"],
        winner=_PLAYERS[record["winner"]],
        ending=Ending(record["ending"]),
        detail=record["detail"],
        times=tuple(record["times"]),
        messages=tuple(record["messages"]),
        stderr=(record["stderr"][0], record["stderr"][1]),
    )


def csv_row(game: Game) -> list[Any]:
    """Return a game as a row of a CSV file, `COLUMNS` its header.

    The values are those of `to_json`; times are joined by blanks, messages by line breaks.
    """
    record = to_json(game)
    times = " ".join(f"{time:g}" for time in game.times)
    return [*(record[name] for name in COLUMNS[:8]), times, "\n".join(game.messages), *game.stderr]


def settings(schedule: Schedule, limits: Limits) -> dict[str, Any]:
    """Return everything that the games depend on, as the first line of a record holds it.

    How many there are is not among it: a tournament can be made longer.
    """
    bots = [asdict(bot) for bot in schedule.bots]
    others = {it.name: getattr(schedule, it.name) for it in fields(schedule) if it.name not in ("bots", "games")}
    return {"arena": FORMAT, "bots": bots, **others, "limits": asdict(limits)}


def read_records(path: Path) -> Iterator[Game]:
    """Yield the games of a record."""
    with path.open(encoding="utf-8") as file:
        next(file)
        for line in file:
            yield from_json(json.loads(line))


class Record:
    """The file of a tournament: what it holds already, and where each finished game is added.

    A run that was killed while it wrote leaves half a line at the end, which is dropped.
    """

    def __init__(self, path: Path, wanted: dict[str, Any]) -> None:
        self.path = path
        self._file: IO[str] = path.open("a+", encoding="utf-8")
        try:
            self._lock()
            self.games = self._read(wanted)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadRecord(f"{self.path} is being written by another run.") from error

    def _read(self, wanted: dict[str, Any]) -> list[Game]:
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind("\n") + 1]
        self._file.truncate(len(whole.encode()))
        header, *lines = whole.splitlines() or [""]
        if header:
            self._compare(header, wanted)
        else:
            self._write(wanted)
        return [self._game(number, line) for number, line in enumerate(lines, 2)]

    def _compare(self, header: str, wanted: dict[str, Any]) -> None:
        try:
            found = json.loads(header)
            given = {key: found.get(key) for key in wanted}
        except (ValueError, AttributeError) as error:
            raise BadRecord(f"{self.path} holds no games of an arena; choose another file.") from error
        if other := [key for key in wanted if given[key] != wanted[key]]:
            was = ", ".join(f"{key} {json.dumps(given[key], ensure_ascii=False)}" for key in other)
            raise BadRecord(f"{self.path} holds a tournament with other settings ({was}); choose another file.")

    def _game(self, number: int, line: str) -> Game:
        try:
            return from_json(json.loads(line))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise BadRecord(f"{self.path}, line {number}: no game of an arena.") from error

    def add(self, game: Game) -> None:
        """Write a finished game."""
        self._write(to_json(game))

    def _write(self, value: dict[str, Any]) -> None:
        self._file.write(json.dumps(value, ensure_ascii=False) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def write_csv(path: Path, games: Iterator[Game]) -> None:
    """Write games as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(map(csv_row, games))
