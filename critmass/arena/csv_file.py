"""Games as a CSV file, for spreadsheets: they need a mark to read UTF-8, and take some texts for formulas."""

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from typing import IO, Any

from critmass.arena.game import Ending, Game
from critmass.arena.records import BadRecord, check_games, to_json
from critmass.arena.schedule import Schedule

COLUMNS = (
    *("number", "first", "second", "link", "opening", "winner", "ending", "detail"),
    *("times", "messages", "first_stderr", "second_stderr"),
)
"""The columns of a CSV file; see `csv_row`."""
_FORMULA = re.compile("((?:^|[;\t\r\n])[\"' ]*)(?=[=+\\-@\t\r＝＋－＠])")
"""Before what a spreadsheet takes for a formula: at the beginning of a cell, and where another one begins for a
spreadsheet that sets cells apart by semicolons or tabs."""


def csv_row(game: Game) -> list[Any]:
    """Return a game as a row of a CSV file, `COLUMNS` its header.

    The values are those of `to_json`; times are joined by blanks, messages by line breaks. Where a text could be taken
    for a formula there is an apostrophe before it.
    """
    record = to_json(game)
    times = " ".join(f"{time:g}" for time in game.times)
    cells = [*(record[name] for name in COLUMNS[:8]), times, "\n".join(game.messages), *game.stderr]
    return [harmless(cell) if isinstance(cell, str) else cell for cell in cells]


def harmless(text: str) -> str:
    """Return the text of a cell so that no spreadsheet runs it as a formula."""
    return _FORMULA.sub(r"\1'", text)


def write_csv(file: IO[bytes], games: Iterable[Game]) -> None:
    """Write games into a CSV file."""
    file.write(BOM_UTF8)
    text = TextIOWrapper(file, "utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(map(csv_row, games))
    text.detach()  # or it would be closed


def check_csv(file: IO[bytes], schedule: Schedule, known: Iterable[Game]) -> None:
    """Raise `ValueError` where a CSV file holds anything but games of a schedule.

    Those of them that are `known` must be there as they would be written, or somebody has changed them since.
    """
    rows = {game.number: list(map(str, csv_row(game))) for game in known}
    try:
        check_games(schedule, _read_csv(file, schedule, rows))
    except (csv.Error, BadRecord, UnicodeDecodeError) as error:
        raise ValueError(f"it holds something else than games of this tournament ({error})") from error


def _read_csv(file: IO[bytes], schedule: Schedule, known: dict[int, list[str]]) -> Iterator[Game]:
    text = TextIOWrapper(file, "utf-8-sig", newline="")
    rows = csv.reader(text, strict=True)
    called = {harmless(bot.name): bot.name for bot in schedule.bots}
    try:
        if next(rows, None) != list(COLUMNS):
            raise BadRecord("its columns are not those of the arena")
        for row in rows:
            game = _game(row, called)
            if game is None or known.get(game.number, row) != row:
                raise BadRecord(f"line {rows.line_num}")
            yield game
    finally:
        text.detach()


def _game(row: list[str], called: dict[str, str]) -> Game | None:
    """Return the game of a row, as far as it can be told; `None` if it is none."""
    try:
        number, first, second, link, opening, winner, ending, detail, times, messages, *stderr = row
        return Game(
            number=int(number),
            bots=(called[first], called[second]),
            moves=link.removeprefix("/codingame/"),
            opening=int(opening),
            winner={"first": 1, "second": 2, "draw": None}[winner],
            ending=Ending(ending),
            detail=detail,
            times=tuple(map(float, times.split())),
            messages=tuple(messages.split("\n")),
            stderr=(stderr[0], stderr[1]),
        )
    except (ValueError, LookupError):
        return None
