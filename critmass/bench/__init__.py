"""Benchmarks: each prints what was measured, and its ratio to a baseline measured in the same run."""

import random
import statistics
import time
from collections.abc import Callable, Sequence

from critmass.arena.openings import random_match
from critmass.engine import CRITICAL_MASS, Rules
from critmass.links import link_to

SEED = 20261130


def links(count: int, plies: int = 60, rules: Rules = CRITICAL_MASS, seed: int = SEED) -> list[str]:
    """Return the links of that many different random matches, the same ones for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - matches to measure with are no secrets
    found: dict[str, None] = {}
    while len(found) < count:
        found[link_to(random_match(rules, plies, rng)).url()] = None
    return list(found)


def rate(work: Callable[[], object], seconds: float) -> float:
    """Return how often a second `work` runs: the best of five rounds that take `seconds` together."""
    best = 0.0
    for _ in range(5):
        runs, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / 5:
            work()
            runs += 1
        best = max(best, runs / spent)
    return best


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value below which `share` per cent of the values lie."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]
