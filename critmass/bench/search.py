"""`critmass bench search`: how fast the compiled kernel plays, against the same algorithm in C."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from critmass.bench import SEED
from critmass.engine import CODINGAME, CRITICAL_MASS, Grid, Position, Rules, classic
from critmass.search.backend import NEVER, PLAIN, Backend, game_of, load_compiled

SOURCE = Path(__file__).with_name("kernel.c")
MATCHES = 1_000
Work = Callable[[int], int]
"""Plays so many random matches, and returns how many plies they took."""


def in_kernel(backend: Backend, rules: Rules) -> Work:
    """Return the random matches of the kernel."""
    game, owners, seed = backend.game(game_of(Position.start(rules))), backend.words(2), backend.word(SEED)
    play: Callable[..., int] = backend.functions["play_many"]
    return lambda matches: int(play(game, owners, matches, seed))


def in_c(rules: Rules) -> Work:
    """Return the random matches in C, compiled for this machine."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise FileNotFoundError("a C compiler (cc) is needed for the baseline")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "kernel.so"
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
        subprocess.run(command, check=True)  # noqa: S603 - our own source
        play = ctypes.CDLL(str(library)).play_many
    play.restype = ctypes.c_int64
    grid = (ctypes.c_uint64 * len(Grid._fields))(*rules.grid)
    limit = ctypes.c_int64(rules.turn_limit or NEVER)
    live, keeps, seed = rules.first_live_ply, int(rules.keeps_surplus), ctypes.c_uint64(SEED)
    return lambda matches: int(play(grid, live, keeps, limit, ctypes.c_int64(matches), seed))


def moves_a_second(works: Sequence[Work], matches: int, seconds: float) -> list[float]:
    """Return how many random moves each of them plays a second: the best of rounds in which they take turns."""
    plies, best = works[0](matches), [0.0] * len(works)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for place, work in enumerate(works):
            start = time.perf_counter()
            work(matches)
            best[place] = max(best[place], plies / (time.perf_counter() - start))
    return best


def run(seconds: float) -> list[str]:
    """Return the lines of the report: random moves a second, single games, and their ratio to C."""
    lines = ["Random matches, one after another, million moves a second, one core"]
    compiled = load_compiled()
    for rules in (CRITICAL_MASS, CODINGAME, classic(8, 8)):
        fast, baseline = in_kernel(compiled, rules), in_c(rules)
        if fast(MATCHES) != baseline(MATCHES):
            raise RuntimeError("expected the same matches in both")
        speed, c = moves_a_second((fast, baseline), MATCHES, seconds / 4)
        (plain,) = moves_a_second((in_kernel(PLAIN, rules),), 20, seconds / 12)
        name = f"{rules.name} {rules.columns}×{rules.rows}"
        lines.append(
            f"  {name:18} compiled {speed / 1e6:6.2f}   C {c / 1e6:6.2f}   ratio {speed / c:5.2f}"
            f"   plain Python {plain / 1e6:5.2f}"
        )
    lines.append("  C is the same algorithm, compiled with -O3 -march=native; both play the very same matches.")
    return lines
