"""The report of a tournament: one page that needs neither a server nor a script."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from critmass.arena.records import read_records
from critmass.arena.schedule import Schedule
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.table import ENDINGS, sprt_text, tables
from critmass.resources import HOME


def write_report(folder: Path, record: Path, schedule: Schedule, base_url: str, sprt: Sprt | None = None) -> None:
    """Write the page of the games in a record into a folder, with links to each as the app at `base_url` shows it.

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
    page.dump(str(folder / "index.html"), encoding="utf-8")
