"""A bot: the command that it is, and its process during a game."""

import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

from critmass.arena.game import BotFault, Ending
from critmass.arena.reaper import kill_group
from critmass.links.names import visible

MAX_LINE = 8192
"""The bytes that a line of a bot's may have; beyond, it is no cell, whatever follows."""
MAX_STDERR = 4096
"""The bytes of a bot's standard error that are kept, the last ones."""

_MAX_NAME = 32
_NAMELESS = "bot"
_CHUNK = 65536
_GRACE = 0.1
_LAST_CHUNKS = 32


class NoSuchCommand(ValueError):
    """A bot that cannot be started here."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it was entered: a name, and the command line that starts it."""

    name: str
    command: str
    shell: bool = False
    """Whether the command line goes to a shell, or is split into words and started as it is."""

    @property
    def words(self) -> list[str]:
        """The words of the command line; `critmass` is this very program, wherever it is installed."""
        program, *arguments = shlex.split(self.command) or [""]
        if program == "critmass" and shutil.which(program) is None:
            return [sys.executable, "-m", "critmass", *arguments]
        return [program, *arguments]

    def check(self) -> None:
        """Raise `NoSuchCommand` if there is nothing that could be started; what a shell would find, nobody knows."""
        if self.shell:
            return
        try:
            words = self.words
        except ValueError as error:
            raise NoSuchCommand(f"{self.command!r} cannot be split into words: {error}") from error
        if not words[0]:
            raise NoSuchCommand("expected a command: ''")
        if shutil.which(words[0]) is None:
            raise NoSuchCommand(f"expected a program that can be started: {words[0]!r} of {self.command!r}")


def enter(commands: Sequence[str], names: Sequence[str] = (), shell: bool = False) -> tuple[Bot, ...]:
    """Return the bots of some commands, each with a name of its own; raise `NoSuchCommand` for one that is none.

    Those that are given no name are called by their command, without the folders of the program.
    """
    given = map(_shown, [*names, *[""] * (len(commands) - len(names))])
    called = [name or _short(command) for name, command in zip(given, commands, strict=True)]
    bots = tuple(Bot(name, command, shell) for name, command in zip(_unique(called), commands, strict=True))
    for bot in bots:
        bot.check()
    return bots


def _shown(text: str) -> str:
    """Return a text as a name: what cannot be seen is not in it, so that no two look alike and are not."""
    # Bytes of an argument that are no text come as halves of characters.
    seen = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return unicodedata.normalize("NFC", visible(" ".join(seen.split())))


def _short(command: str) -> str:
    program, *rest = _shown(command).split(" ")
    name = " ".join([Path(program).name, *rest]) or _NAMELESS
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"


def _unique(names: Sequence[str]) -> list[str]:
    """Return the names, each that is there more than once with a number after it: its place, unless that is taken."""
    taken = {name for name in names if names.count(name) == 1}
    unique = []
    for place, name in enumerate(names, 1):
        if names.count(name) > 1:
            numbered = (f"{name} #{number}" for number in count(place))
            name = next(it for it in numbered if it not in taken)
            taken.add(name)
        unique.append(name)
    return unique


@dataclass(frozen=True, slots=True)
class Limits:
    """The seconds that a bot has for its first turn, its start-up included, and for each later one."""

    first: float = 1.0
    later: float = 0.1


class BotProcess:
    """A bot's process during one game, in a session of its own.

    It is talked to in turns. What it writes to its standard error is taken away during its own turns alone: so a bot
    that writes without end waits while the other one thinks, and what that costs is its own time.
    """

    def __init__(self, bot: Bot, on_stderr: Callable[[bytes], None]) -> None:
        self._bot = bot
        self._on_stderr = on_stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._poll = select.poll()
        self._heard = bytearray()
        self._stderr = bytearray()
        self._closed = False
        self.spent = 0.0
        """The seconds that the last turn took."""

    def ask(self, text: str, limit: float) -> bytes:
        """Return the line that the bot answers; raise `BotFault` if there is none within `limit` seconds.

        The time runs from the last byte written to the first complete line read.
        """
        process = self._process or self._start()
        written = self._write(process, text.encode(), limit)
        self.spent = 0.0
        while (end := self._heard.find(b"\n")) < 0 and len(self._heard) <= MAX_LINE and not self._closed:
            self._wait(self._poll, written + limit - perf_counter())
            self.spent = perf_counter() - written
            if self.spent > limit:
                raise self._too_late(process, limit)
        if end > MAX_LINE or (end < 0 and len(self._heard) > MAX_LINE):
            raise BotFault(Ending.NO_CELL, f"expected a line of at most {MAX_LINE} bytes")
        if end < 0:
            raise self._silent(process)
        self._take_stderr()
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return line

    def _start(self) -> subprocess.Popen[bytes]:
        bot = self._bot
        try:
            process = subprocess.Popen(  # noqa: S603 - to start what was asked for is what it is for
                bot.command if bot.shell else bot.words,
                shell=bot.shell,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFault(Ending.CRASHED, f"could not be started: {error.strerror or error}") from error
        self._process = process
        for pipe in _pipes(process):
            os.set_blocking(pipe, False)
        _, self._out, self._err = _pipes(process)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        return process

    def _write(self, process: subprocess.Popen[bytes], data: bytes, limit: float) -> float:
        """Write to the bot, and return when the last byte was written. What it no longer reads may be unwanted."""
        pipe, begun = _pipes(process)[0], perf_counter()
        while data:
            try:
                data = data[os.write(pipe, data) :]
            except BrokenPipeError:
                break
            except BlockingIOError:
                self._wait_to_write(process, pipe, begun, limit)
        return perf_counter()

    def _wait_to_write(self, process: subprocess.Popen[bytes], pipe: int, begun: float, limit: float) -> None:
        """Wait until a bot that has left what it was sent unread takes some of it. Answers can wait meanwhile."""
        poll = select.poll()
        poll.register(pipe, select.POLLOUT)
        poll.register(self._err, select.POLLIN)
        self._wait(poll, begun + limit - perf_counter())
        self.spent = perf_counter() - begun
        if self.spent > limit:
            raise self._too_late(process, limit)

    def _wait(self, poll: select.poll, seconds: float) -> None:
        """Wait for something to happen, and take what the bot has written."""
        for pipe, _ in poll.poll(max(0.0, 1000 * seconds)):
            if pipe == self._out:
                self._hear()
            elif pipe == self._err and not self._take_stderr():
                poll.unregister(self._err)

    def _hear(self) -> None:
        # Not more than a line can hold: a bot that writes without end is read no further.
        if heard := os.read(self._out, MAX_LINE + 1):
            self._heard += heard
        else:
            self._closed = True
            self._poll.unregister(self._out)

    def _take_stderr(self) -> bool:
        """Take what the bot has written to its standard error; return whether more may come."""
        try:
            written = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return False
        self._on_stderr(written)
        self._stderr += written
        del self._stderr[:-MAX_STDERR]
        return bool(written)

    def _too_late(self, process: subprocess.Popen[bytes], limit: float) -> BotFault:
        if (code := process.poll()) is not None:
            return _crashed(code)
        return BotFault(Ending.TOO_LATE, f"expected a line within {1000 * limit:g} ms")

    def _silent(self, process: subprocess.Popen[bytes]) -> BotFault:
        """Return what is wrong with a bot whose output is closed: that of one that ends is closed a moment before."""
        try:
            return _crashed(process.wait(_GRACE))
        except subprocess.TimeoutExpired:
            return BotFault(Ending.NO_OUTPUT, "closed its output without an answer")

    def end(self) -> None:
        """Kill the bot with its process group, and close its pipes."""
        process = self._process
        if process is None:
            return
        kill_group(process.pid)
        process.kill()
        process.wait()
        for _ in range(_LAST_CHUNKS):
            if not self._take_stderr():
                break
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None  # noqa: S101 - it is a pipe
            pipe.close()

    @property
    def stderr(self) -> str:
        """The end of what it wrote to its standard error."""
        return self._stderr.decode("utf-8", "replace")


def _pipes(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    assert process.stdin is not None  # noqa: S101 - all three are pipes
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    return process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()


def _crashed(code: int) -> BotFault:
    if code >= 0:
        return BotFault(Ending.CRASHED, f"ended with exit code {code}")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return BotFault(Ending.CRASHED, f"killed by {name}")
