"""Another time of day for a whole process: as many seconds off as the file says that CLOCK_OFFSET names.

Python imports this before anything else where its folder is on PYTHONPATH. Clocks that only ever go on are left alone.
"""

import datetime
import os
import time

_FILE = os.environ["CLOCK_OFFSET"]
_time, _time_ns, _datetime = time.time, time.time_ns, datetime.datetime
_localtime, _gmtime = time.localtime, time.gmtime


def _offset() -> float:
    with open(_FILE, encoding="ascii") as file:  # noqa: PTH123 - not even pathlib is there yet
        return float(file.read())


class Datetime(_datetime):
    """A moment, which is now at another time."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> "Datetime":
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> "Datetime":
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)  # noqa: UP017


time.time = lambda: _time() + _offset()
time.time_ns = lambda: _time_ns() + int(_offset() * 1e9)
time.localtime = lambda seconds=None: _localtime(time.time() if seconds is None else seconds)
time.gmtime = lambda seconds=None: _gmtime(time.time() if seconds is None else seconds)
datetime.datetime = Datetime  # type: ignore[misc]
