"""Setting the table: the form for a new match, the one for who its players are, and the short way to the computer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing.geometry import MARKS
from critmass.engine import Fault
from critmass.engine.rules import MAX_PLAYERS, MAX_SIDE, MIN_PLAYERS, MIN_SIDE
from critmass.formats.wording import fault_told
from critmass.links import (
    COLOUR_NAMES,
    DEFAULT_BOARD,
    DEFAULT_COLOURS,
    DEFAULT_PLAYERS,
    FIRST_GAME,
    GAMES,
    LEVELS,
    Address,
    BadColours,
    Link,
    OptionFault,
    read,
    read_rules,
)
from critmass.links.names import MAX_NAME, visible, write_names
from critmass.links.paste import find_match
from critmass.web.match.board import preview

bp = Blueprint("table", __name__)

PRESETS = {"5x5": "Small", "6x9": "Standard", "8x12": "Large", "10x15": "Huge"}
"""The boards of the classic game that have a name."""
COMPUTER_SEATS = {"first": 2, "second": 1}
"""The seat of the computer, by the side that the person takes."""


@dataclass(frozen=True)
class Seat:
    """A player's place at the table: as it is filled in, which may be wrong."""

    number: int
    colour: str
    name: str
    level: str
    """The level of the computer; empty for a person."""
    taken: bool = False
    """Whether somebody before has the same colour."""

    @property
    def is_name_long(self) -> bool:
        """Whether the name has more characters than a link may carry."""
        return len(visible(self.name)) > MAX_NAME


@dataclass(frozen=True)
class Table:
    """The choices of the form, kept as they were made."""

    game: str
    board: str
    columns: str
    rows: str
    seats: tuple[Seat, ...]
    error: str = ""
    link: Link | None = None
    """The match that the choices make; `None` where they make none."""


@bp.get("/new")
def new() -> AnyResponse:
    """Choose a game, a board and the players; `go` goes to the match."""
    table = _laid(request.args)
    if table.link and "go" in request.args:
        return redirect(_begun(table.link), 303)
    template = "table/preview.html" if "HX-Request" in request.headers else "table/new.html"
    return _answer(template, table)


def _begun(link: Link) -> str:
    """Return where a new match begins: where only computers play, it does so by itself."""
    goes_on = () if link.people else (("play", "1"),)
    return replace(link.address, options=(*link.address.options, *goes_on)).url


@bp.get("/play")
def play() -> AnyResponse:
    """Begin a match against the computer: its `level`, and the `side` that the person takes."""
    seat = COMPUTER_SEATS.get(request.args.get("side", ""))
    table = _laid({f"l{seat}": request.args.get("level", "")})
    if table.link and table.link.people == 1:
        return redirect(_begun(table.link), 303)
    wanted = f"It takes a level, {LEVELS[0]} to {LEVELS[-1]}, and a side, first or second."
    return _answer("table/new.html", replace(table, error=table.error or (wanted if request.args else "")))


@bp.get("/players")
def players() -> AnyResponse:
    """Change who the players of a match are: it only changes the link."""
    link = find_match(request.args.get("link", ""), "at", "ring", "play", "part")
    if link is None:
        return redirect("/open", 303)
    typed = request.args if "c1" in request.args else {}
    seats = _seats(link.rules.players, typed, link)
    table = _dressed(Table(link.rules.name, "", "", "", seats), link.address)
    if table.link and typed:
        return redirect(table.link.address.url, 303)
    return _answer("table/players.html", table, match=link)


def _answer(template: str, table: Table, **more: object) -> Response:
    shown = {
        "table": table,
        "preview": preview(table.link) if table.link else "",
        "games": GAMES.values(),
        "presets": PRESETS,
        "colours": COLOUR_NAMES,
        "levels": LEVELS,
        "marks": MARKS,
        "longest": MAX_NAME,
        "sides": (MIN_SIDE, MAX_SIDE),
        "counts": range(MIN_PLAYERS, MAX_PLAYERS + 1),
    }
    response = Response(render_template(template, **shown, **more), 422 if table.error else 200)
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("HX-Request")
    return response


def _laid(typed: Mapping[str, str]) -> Table:
    """Return the table as the form was filled in."""
    game = typed.get("game", FIRST_GAME)
    game = game if game in GAMES else FIRST_GAME
    board = typed.get("board", DEFAULT_BOARD)
    columns, rows = (
        typed.get(name, usual).strip()
        for name, usual in zip(("columns", "rows"), DEFAULT_BOARD.split("x"), strict=True)
    )
    count = typed.get("players", DEFAULT_PLAYERS).strip()
    prefix = GAMES[game].prefix
    if GAMES[game].rules is None:
        address = Address(prefix, board if board in PRESETS else f"{columns}x{rows}", count)
    else:
        address = Address(prefix)
    try:
        number = read_rules(address).players
    except Fault as fault:
        number = int(count) if count.isascii() and count.isdecimal() and int(count) <= MAX_PLAYERS else MIN_PLAYERS
        return Table(game, board, columns, rows, _seats(max(number, MIN_PLAYERS), typed), fault_told(fault, address))
    return _dressed(Table(game, board, columns, rows, _seats(number, typed)), address)


def _seats(number: int, typed: Mapping[str, str], link: Link | None = None) -> tuple[Seat, ...]:
    seats: list[Seat] = []
    given = link.given_names if link else [""] * number
    levels = link.levels if link else (None,) * number
    for player in range(1, number + 1):
        colour = typed.get(f"c{player}", link.colours[player - 1] if link else DEFAULT_COLOURS[player - 1])
        taken = colour not in COLOUR_NAMES or any(colour == seat.colour for seat in seats)
        name, level = typed.get(f"n{player}", given[player - 1]), typed.get(f"l{player}", str(levels[player - 1] or ""))
        seats.append(Seat(player, colour, name, level, taken))
    return tuple(seats)


def _dressed(table: Table, address: Address) -> Table:
    """Return the table with the match of its address played by those at its seats, or with what is wrong."""
    colours, names = "".join(seat.colour for seat in table.seats), write_names([seat.name for seat in table.seats])
    options = [("colours", colours)] if colours != DEFAULT_COLOURS[: len(table.seats)] else []
    options += [("names", names)] if names else []
    computers = [f"{seat.number}{seat.level}" for seat in table.seats if seat.level]
    options += [("computer", ",".join(computers))] if computers else []
    address = replace(address, options=tuple(options))
    try:
        return replace(table, link=read(address))
    except OptionFault as fault:
        if isinstance(fault, BadColours):
            again = next(seat for seat in table.seats if seat.taken)
            name = COLOUR_NAMES.get(again.colour, "That")
            return replace(table, error=f"{name} is taken: player {again.number} needs a colour of their own.")
        return replace(table, error=fault_told(fault, address))
