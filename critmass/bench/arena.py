"""`critmass bench arena`: how fast games between bots are refereed, and what they leave behind."""

import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from critmass.arena.bot import Bot, Limits
from critmass.arena.reaper import children
from critmass.arena.referee import Watcher, play_game
from critmass.arena.schedule import Schedule
from critmass.bench import rate
from critmass.engine import Ply

# It answers whatever it reads: less a bot cannot do.
_TRIVIAL = (sys.executable, "-I", "-S", "-c", "import os\nwhile os.read(0, 4096): os.write(1, b'random\\n')")
_TURN = b"a1\n" + 6 * b"..r1........\n"
_STARTED = 4
_SETTLED = 20


class _Stopwatch(Watcher):
    """Measures a game from its fourth ply on: by then both bots have started."""

    def __init__(self) -> None:
        self._plies = 0
        self._begun = self._last = 0.0

    def played(self, _: Ply) -> None:
        """Take the time of a move."""
        self._plies += 1
        self._last = perf_counter()
        if self._plies == _STARTED:
            self._begun = self._last

    @property
    def measured(self) -> tuple[int, float]:
        """The plies measured, and the seconds they took; a game that was over before has none."""
        if self._plies < _STARTED:
            return 0, 0.0
        return self._plies - _STARTED, self._last - self._begun


def run(games: int) -> list[str]:
    """Return the lines of the report: plies a second, their ratio to the baseline, and what is left afterwards.

    The baseline is what no referee can do without: lines as long as those of a turn go through a pipe to the same bot,
    and its answer is read; no rules, no clock, no limits.
    """
    if sys.platform == "linux":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    command = shlex.join(_TRIVIAL)
    bots = (Bot("one", command), Bot("other", command))
    plies, seconds, begun = 0, 0.0, perf_counter()
    for pairing in Schedule(bots, games):
        watch = _Stopwatch()
        play_game(pairing, Limits(), watch)
        more, spent = watch.measured
        plies, seconds = plies + more, seconds + spent
        if pairing.number == min(_SETTLED, games):
            before = _left()
    spent, after = perf_counter() - begun, _left()
    refereed, baseline = plies / seconds, _ping_pong()
    return [
        f"{games} games between two trivial bots in Python, {plies} plies, all on one core",
        f"  referee    {refereed:8.0f} plies/s   {refereed / baseline:5.2f} of the baseline; start-up aside",
        f"  baseline   {baseline:8.0f} turns/s   lines of a turn through pipes to such a bot and back, nothing else",
        f"  games      {games / spent:8.1f} /s        start-up and clearing away included",
        f"  after game {min(_SETTLED, games):4}, then after the last: {before}; {after}",
    ]


def _left() -> str:
    files = len([*Path("/dev/fd").iterdir()])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{len(children(os.getpid()))} processes, {files} open files, at most {peak / 1024:.1f} MB"


def _ping_pong() -> float:
    """Return how many turns a second go to a trivial bot and back."""
    with subprocess.Popen(_TRIVIAL, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:  # noqa: S603
        assert bot.stdin is not None  # noqa: S101 - both are pipes
        assert bot.stdout is not None  # noqa: S101
        there, back = bot.stdin.fileno(), bot.stdout.fileno()

        def turn() -> None:
            os.write(there, _TURN)
            os.read(back, 4096)

        turn()
        return rate(turn, 1.0)
