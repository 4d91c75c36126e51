"""Torture it for a while: `python -m tests.torture --minutes 60`."""

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from fronts import running_front
from processes import running_server

from torture import hostile, lasting, load, urls
from torture.fuzz import fuzz
from torture.targets import TARGETS

SHARES = {"fuzz": 0.15, "urls": 0.6, "hostile": 0.06, "overload": 0.03, "kills": 0.04, "clock": 0, "disk": 0, "day": 0}
"""Which share of the time each part takes; those without a share take what they need."""
DAY = 50_000
A_MINUTE = 60


def fuzzing(seconds: float, seed: int) -> str:
    """Fuzz all that reads."""
    return "\n".join(fuzz(target, seconds / len(TARGETS), seed) for target in TARGETS)


def asking(seconds: float, seed: int) -> str:
    """Send random requests."""
    with running_server() as server:
        seen = urls.bombard(server.port, until=time.monotonic() + seconds, seed=seed)
    assert not seen.wrong, "\n".join(seen.wrong[:20])
    return str(seen)


def bothering(seconds: float, seed: int) -> str:
    """Attack it in each way, and then in all ways at once."""
    with running_server("--connections", "4000") as server:
        rounds = [[one] for one in hostile.ATTACKS] + [hostile.ATTACKS]
        told = [hostile.attack(server.port, one, seconds / len(rounds), seed) for one in rounds]
    return "\n".join(told)


def overloading(seconds: float, seed: int) -> str:
    """Ask for ten times as much as it can do."""
    with running_server() as server:
        return load.overload(server.port, seconds, seed=seed)


def killing(seconds: float, seed: int) -> str:
    """Kill servers behind nginx while they answer."""
    with tempfile.TemporaryDirectory() as folder, running_front(Path(folder)) as front:
        return load.kill_servers(front, seconds, seed=seed)


def jumping(seconds: float, seed: int) -> str:
    """Let the clock jump."""
    with tempfile.TemporaryDirectory() as folder:
        return lasting.jump(Path(folder), rounds=3)


def filling(seconds: float, seed: int) -> str:
    """Serve without a disk to write to."""
    return lasting.full_disk(2000, seed)


def living(seconds: float, seed: int) -> str:
    """Ask as a village does in a day."""
    with tempfile.TemporaryDirectory() as folder:
        return lasting.a_day(Path(folder), DAY, seed=seed)


PARTS: dict[str, Callable[[float, int], str]] = {
    "fuzz": fuzzing,
    "urls": asking,
    "hostile": bothering,
    "overload": overloading,
    "kills": killing,
    "clock": jumping,
    "disk": filling,
    "day": living,
}


def main() -> int:
    """Run the parts that are asked for, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--minutes", type=float, default=60, help="how long, about")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="another seed, other requests")
    arguments = parser.parse_args()
    chosen = arguments.parts or [*PARTS]
    share = sum(SHARES[name] for name in chosen) if arguments.parts else 1
    failed = []
    print(f"seed {arguments.seed}", flush=True)
    for name in chosen:
        start = time.monotonic()
        try:
            told = PARTS[name](A_MINUTE * arguments.minutes * SHARES[name] / (share or 1), arguments.seed)
        except Exception:
            told, failed = traceback.format_exc(), [*failed, name]
        spent = time.monotonic() - start
        print(f"--- {name}, {spent:.0f} s{' FAILED' * (name in failed)}\n{told}", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "Nothing broke.")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
