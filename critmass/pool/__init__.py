"""Processes that search, so that whoever asks is never kept by it: a pool of them for pages, and one for a bot.

`Pool.ask` answers a `Question` or raises `Busy`; `critmass.pool.companion` thinks beside a bot that plays by the clock.
"""

from critmass.pool.pool import Busy, Pool, Question

__all__ = ["Busy", "Pool", "Question"]
