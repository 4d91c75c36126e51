"""Games written down as JSON lines, which an interrupted run goes on from.

A record is bytes, and its lines are what stands between line feeds and nothing else, whatever the bots have said.
"""

import fcntl
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, fields
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from critmass.arena.bot import Limits
from critmass.arena.game import Ending, Game
from critmass.arena.schedule import Schedule
from critmass.engine import CODINGAME
from critmass.engine.codec import encode
from critmass.files import Unwritable, keep_beside, naming, standard_stream

FORMAT = 1
_SIDES = {1: "first", 2: "second", None: "draw"}
_PLAYERS = {side: player for player, side in _SIDES.items()}
_LINK = re.compile(r"/codingame/([0-9a-z]*)", re.ASCII)
_BEGINNING = b'{"number": '
_LONGER = 1 << 16
_NO_JSON = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What comes of reading JSON that is none, or not what was expected."""
_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What other programs may take for the end of a line, or cannot take at all."""


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
    """Return the game of a line: the inverse of `to_json`. What is none raises one of several errors."""
    link = _LINK.fullmatch(_text(record["link"]))
    if link is None:
        raise ValueError(f"expected a link like /codingame/0z7c: {record['link']!r}")
    first, second = map(_text, record["stderr"])
    return Game(
        number=_whole(record["number"]),
        bots=(_text(record["first"]), _text(record["second"])),
        moves=link[1],
        opening=_whole(record["opening"]),
        winner=_PLAYERS[record["winner"]],
        ending=Ending(record["ending"]),
        detail=_text(record["detail"]),
        times=tuple(map(_number, record["times"])),
        messages=tuple(map(_text, record["messages"])),
        stderr=(first, second),
    )


def _text(value: object) -> str:
    """Return a text; halves of characters in it become question marks, for nothing can be written with them."""
    if not isinstance(value, str):
        raise TypeError(f"expected a text: {value!r}")
    return value.encode("utf-8", "replace").decode()


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"expected a whole number: {value!r}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise TypeError(f"expected a number: {value!r}")
    return value


def settings(schedule: Schedule, limits: Limits) -> dict[str, Any]:
    """Return everything that the games depend on, as the first line of a record holds it.

    How many there are is not among it: a tournament can be made longer.
    """
    bots = [asdict(bot) for bot in schedule.bots]
    others = {it.name: getattr(schedule, it.name) for it in fields(schedule) if it.name not in ("bots", "games")}
    return {"arena": FORMAT, "bots": bots, **others, "limits": asdict(limits)}


def fingerprint(schedule: Schedule, limits: Limits) -> str:
    """Return what tells a tournament from every other, in 64 characters."""
    return hashlib.sha256(_line(settings(schedule, limits))).hexdigest()


def check_games(schedule: Schedule, games: Iterable[Game]) -> None:
    """Raise `BadRecord` where not every game is one of the schedule, or one is there twice."""
    left: dict[int, Game] = {}
    for game in games:
        if left.setdefault(game.number, game) is not game:
            raise BadRecord(f"game {game.number} is there twice")
    if len(left) > len(schedule):
        raise BadRecord(f"expected at most {len(schedule)} games in the record: {len(left)}")
    for pairing in schedule:
        if not left:
            return
        if (known := left.pop(pairing.number, None)) is None:
            continue
        opening = encode(CODINGAME.grid, pairing.opening)
        expected = (*(bot.name for bot in pairing.bots), len(opening), opening)
        if (*known.bots, known.opening, known.moves[: len(opening)]) != expected:
            raise BadRecord(f"game {known.number} is one of another tournament")
    if left:
        raise BadRecord(f"there is no game {min(left)} in this tournament")


def _line(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False)
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def read_line(line: bytes) -> Any:
    """Return what stands on a line of a record; raise `ValueError` where that is no JSON in UTF-8."""
    return json.loads(line.decode())


def read_records(path: Path) -> Iterator[Game]:
    """Yield the games of a record; a line that is still being written is none."""
    with path.open("rb") as file:
        next(file, None)
        for line in file:
            if line.endswith(b"\n"):
                yield from_json(read_line(line))


class Record:
    """The file of a tournament: what it holds already, and where each finished game is added.

    Nothing in it is touched before `begin`, and nothing at all unless each line of it was understood as one of this
    tournament. A run that was killed while it wrote leaves half a line at the end: that is kept in a file beside it,
    and cut off.
    """

    def __init__(self, path: Path, schedule: Schedule, limits: Limits, force: bool = False) -> None:
        """Open the file and read it; raise `BadRecord` where it is not this tournament's; `Unwritable`.

        With `force`, what is not this tournament's is going to be overwritten.
        """
        self.path = path
        self.games: list[Game] = []
        """The games of an earlier run."""
        self.cut: Path | None = None
        """Where half a line went that had to be cut off."""
        self._header = _line(settings(schedule, limits))
        self._begun = self._made = False
        self._file, made = self._open()
        try:
            self._lock()
            self._made = made
            self._size = os.fstat(self._file.fileno()).st_size
            self._take_in(schedule, force)
        except BaseException:
            self._close()
            raise

    # --- What is there --------------------------------------------------------------------------------------------

    def _open(self) -> tuple[IO[bytes], bool]:
        """Open the file, and say whether it was made by that; what is no file is not even opened."""
        flags = os.O_RDWR | os.O_APPEND | os.O_NONBLOCK | os.O_NOCTTY | os.O_CREAT
        with naming(self.path):
            with suppress(FileNotFoundError):
                self._demand_file(self.path.stat())
            try:
                made, descriptor = True, os.open(self.path, flags | os.O_EXCL, 0o666)
            except FileExistsError:
                made, descriptor = False, os.open(self.path, flags, 0o666)
        file = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            self._demand_file(os.fstat(descriptor))
        except BaseException:
            file.close()
            raise
        return file, made

    def _demand_file(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise BadRecord(f"{self.path} is no file that can be read back: choose another, or do without --out.")
        if standard_stream(self.path) is not None:
            raise BadRecord(f"{self.path} is where the tables go: choose another file for --out.")

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadRecord(f"{self.path} is being written by another run.") from error
        except OSError as error:
            raise Unwritable(error.errno, f"it cannot be locked, {error.strerror}", str(self.path)) from error
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                return
        raise BadRecord(f"{self.path} was taken away just now: start once more.")

    def _take_in(self, schedule: Schedule, force: bool) -> None:
        """Read the file: so many bytes of it are kept, half a line after them is cut off, and something may lack."""
        self._kept, self._half, self._lacking = self._size, b"", b""
        try:
            with open(self._file.fileno(), "rb", closefd=False) as file:
                self._read(file)
            check_games(schedule, self.games)
        except BadRecord as error:
            if not force:
                told = f"{self.path} is left as it is: {error}. Choose another file, or have it overwritten by --force."
                raise BadRecord(told) from error
            self.games, self._kept, self._half, self._lacking = [], 0, b"", self._header

    def _read(self, file: IO[bytes]) -> None:
        header = file.readline(len(self._header) + _LONGER)
        if self._header.startswith(header):
            self._lacking = self._header[len(header) :]
        else:
            self._compare(header)
            self._lacking = b"" if header.endswith(b"\n") else b"\n"
        for number, line in enumerate(file, 2):
            self._take(number, line)

    def _take(self, number: int, line: bytes) -> None:
        try:
            self.games.append(from_json(read_line(line)))
        except _NO_JSON as error:
            # A file system may leave zeros at the end where the machine lost its power.
            beginning = line.rstrip(b"\0")[: len(_BEGINNING)]
            if line.endswith(b"\n") or not _BEGINNING.startswith(beginning):
                raise BadRecord(f"line {number} is no game of an arena") from error
            self._kept, self._half = self._size - len(line), line
        else:
            self._lacking = b"" if line.endswith(b"\n") else b"\n"

    def _compare(self, header: bytes) -> None:
        wanted = json.loads(self._header)
        try:
            found = read_line(header)
            given = {key: found.get(key) for key in wanted}
        except _NO_JSON as error:
            raise BadRecord("it holds no games of an arena") from error
        if other := [key for key in wanted if given[key] != wanted[key]]:
            was = ", ".join(f"{key} {_line(given[key]).decode().strip()}" for key in other)
            raise BadRecord(f"it holds a tournament with other settings ({was})")

    # --- What is added --------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Get the file ready for more games; raise `BadRecord` where it has changed since it was read.

        Half a line is cut off, which is first written into a file beside it.
        """
        if self._begun:
            return
        if os.fstat(self._file.fileno()).st_size != self._size:
            raise BadRecord(f"{self.path} was written to by another program just now: start once more.")
        with naming(self.path):
            if self._half:
                self.cut = keep_beside(self.path, self._half, "cut")
            os.ftruncate(self._file.fileno(), self._kept)
        self._begun = True
        self._write(self._lacking)

    def add(self, game: Game) -> None:
        """Write a finished game."""
        self.begin()
        self._write(_line(to_json(game)))

    def _write(self, data: bytes) -> None:
        """Write all of it or, where that cannot be, nothing."""
        end = os.fstat(self._file.fileno()).st_size
        try:
            with naming(self.path):
                while data:
                    data = data[self._file.write(data) :]
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file.fileno(), end)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self._made and not self._begun:
            self.path.unlink(missing_ok=True)
        self._file.close()
