"""The report of a tournament: one page that needs neither a server nor a script."""

import hashlib
import re
from itertools import chain
from pathlib import Path
from typing import IO

from jinja2 import Environment, FileSystemLoader

from critmass.arena.bot import Limits
from critmass.arena.records import fingerprint, read_records
from critmass.arena.schedule import Schedule
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.table import ENDINGS, sprt_text, tables
from critmass.links.names import isolated
from critmass.resources import HOME

REPORT = "index.html"
"""What the page is called in its folder."""
_SEAL = re.compile(rb"<!-- critmass arena: tournament ([0-9a-f]{64}), page ([0-9a-f]{64}) -->\n")
"""The last line of a page: the fingerprint of its tournament, and the digest of all that is before it."""


def write_report(
    file: IO[bytes], record: Path, schedule: Schedule, limits: Limits, base_url: str, sprt: Sprt | None = None
) -> None:
    """Write the page of the games in a record, with links to each as the app at `base_url` shows it.

    The address has no slash at its end, as `read_base_url` returns it.
    """
    standings = Standings(bot.name for bot in schedule.bots)
    endings = set()
    for game in read_records(record):
        standings.add(game)
        endings.add(game.ending)
    environment = Environment(
        loader=FileSystemLoader(HOME / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["isolated"] = isolated
    page = environment.get_template("arena/report.html").stream(
        schedule=schedule,
        tables=tables(standings),
        endings={ending: called for ending, called in ENDINGS.items() if ending in endings},
        games=read_records(record),
        count=standings.games,
        verdict=sprt_text(sprt, standings) if sprt else "",
        base_url=base_url,
    )
    page.enable_buffering(50)
    digest = hashlib.sha256()
    for part in chain(page, ["\n"]):
        written = part.encode("utf-8", "replace")  # bytes of a command that are no text are halves of characters here
        digest.update(written)
        file.write(written)
    seal = f"tournament {fingerprint(schedule, limits)}, page {digest.hexdigest()}"
    file.write(f"<!-- critmass arena: {seal} -->\n".encode())


def check_report(file: IO[bytes], schedule: Schedule, limits: Limits) -> None:
    """Raise `ValueError` where a file is not the report of a tournament just as it was written."""
    page = file.read()
    seal = _SEAL.search(page, page.rfind(b"<!--"))
    if seal is None or seal.end() != len(page):
        raise ValueError("it is no report of the arena")
    if hashlib.sha256(page[: seal.start()]).hexdigest().encode() != seal[2]:
        raise ValueError("it was changed after the arena had written it")
    if fingerprint(schedule, limits).encode() != seal[1]:
        raise ValueError("it is the report of another tournament")
