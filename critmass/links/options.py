"""The options of a link: which there are, how they are cleaned, read and written. One place for each."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import ClassVar
from urllib.parse import quote, unquote_plus

from critmass.engine import Fault
from critmass.engine.codec import lower, strip_stuck
from critmass.engine.rules import MAX_PLAYERS
from critmass.links.names import MAX_NAME, split_names, strip_names, visible

PICTURE_OPTIONS = ("size", "card", "from", "last")
"""The options that only pictures know."""
FRAME_OPTIONS = ("embed", "scheme", "size")
"""The options that a page in a frame carries on."""
OPTIONS = ("at", "colours", "names", "computer", "ring", "play", "scheme", "embed", "part", *PICTURE_OPTIONS)
"""The options that an address may have; all others are strangers and ignored."""
PLAYER_OPTIONS = ("colours", "names", "computer")
"""The options that say who plays: all links of a match carry them on."""
SIZES = range(128, 2049)
"""The longer side that a picture of a board can have, in pixels."""
FILM_SIZES = range(128, 1025)
"""The same of a film: beyond, it would be too much to draw and to send."""
COLOUR_NAMES = {
    "r": "Red",
    "b": "Blue",
    "g": "Green",
    "y": "Yellow",
    "o": "Orange",
    "v": "Violet",
    "t": "Teal",
    "p": "Pink",
    "c": "Cyan",
    "l": "Lime",
    "n": "Brown",
    "s": "Slate",
}
"""What the colours that a player can have are called, by their letters, in the contract's order."""
DEFAULT_COLOURS = "rbgyvotp"
"""The colours of players who chose none, in turn order."""
LEVELS = range(1, 9)
"""The levels of the computer, from a beginner who overlooks most captures to full strength."""

_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
_SEAT_AND_LEVEL = re.compile(rf"[1-{MAX_PLAYERS}][{LEVELS[0]}-{LEVELS[-1]}]", re.ASCII)


class OptionFault(Fault):
    """An option whose value makes no sense; `option` is its name, `value` what was given for it."""

    def __init__(self, option: str, value: str, message: str) -> None:
        super().__init__(message)
        self.option = option
        self.value = value


class BadAt(OptionFault):
    """A ply to show that the match does not have."""

    code: ClassVar[str] = "bad-at"


class BadColours(OptionFault):
    """Colours that do not tell the players apart."""

    code: ClassVar[str] = "bad-colours"


class BadOption(OptionFault):
    """Any other option out of range."""

    code: ClassVar[str] = "bad-option"


class LongName(BadOption):
    """A name of more than `MAX_NAME` characters; `player` is whose, `name` what was given for it, `visible`."""

    def __init__(self, value: str, player: int, name: str) -> None:
        super().__init__("names", value, f"expected at most {MAX_NAME} characters for player {player}: {name!r}")
        self.player = player
        self.name = name


def format_query(options: Iterable[tuple[str, str]]) -> str:
    """Return the query string, question mark included, of some options; empty without any.

    The value of `names` is taken as it is, percent-encoded; names of options are never anything but ASCII letters.
    """
    pairs = (f"{name}={value if name == 'names' else quote(value, ',', errors='replace')}" for name, value in options)
    query = "&".join(pairs)
    return f"?{query}" if query else ""


def parse_query(query: str) -> list[tuple[str, str]]:
    """Return the pairs of a query string, decoded, but for the value of `names`: only there escaping has a meaning."""
    pairs = []
    for piece in filter(None, query.split("&")):
        key, _, value = piece.partition("=")
        name = unquote_plus(key, errors="replace")
        pairs.append((name, value if lower(name) == "names" else unquote_plus(value, errors="replace")))
    return pairs


def known_options(query: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the first of each known option of a query, as written."""
    first: dict[str, tuple[str, str]] = {}
    for name, value in query:
        if lower(name) in OPTIONS:
            first.setdefault(lower(name), (name, value))
    return tuple(first.values())


def clean_options(query: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the first of each known option of a query, cleaned."""
    pairs = ((lower(name), value) for name, value in known_options(query))
    return tuple((name, strip_names(value) if name == "names" else lower(strip_stuck(value))) for name, value in pairs)


def read_number(name: str, value: str | None, last: int, fault: type[OptionFault], first: int = 0) -> int | None:
    """Return the number that an option gives, from `first` to `last`; raise the fault where it gives another value."""
    if value is None:
        return None
    if _NUMBER.fullmatch(value) and first <= int(value) <= last:
        return int(value)
    span = f"a number from {first} to {last}" if last >= 0 else "none, no move is shown"
    raise fault(name, value, f"expected {span}: {value!r}")


def read_flag(name: str, value: str | None) -> bool:
    """Return whether an option is set; raise `BadOption` for a value that is not 1."""
    if value not in (None, "1"):
        raise BadOption(name, value or "", f"expected 1: {value!r}")
    return value is not None


def read_colours(value: str | None, players: int) -> str:
    """Return one letter a player, the default without a value; raise `BadColours`."""
    if value is None:
        return DEFAULT_COLOURS[:players]
    if len(value) != players or len(set(value)) != players or not set(value) <= COLOUR_NAMES.keys():
        letters = "".join(COLOUR_NAMES)
        raise BadColours("colours", value, f"expected {players} different letters of {letters}: {value!r}")
    return value


def read_levels(value: str | None, players: int) -> tuple[int | None, ...]:
    """Return the computer's level for each player, `None` for a person; raise `BadOption`.

    The value is a seat and a level, two digits, for each player that is a computer.
    """
    pairs = value.split(",") if value is not None else []
    levels = {pair[0]: int(pair[1]) for pair in pairs if _SEAT_AND_LEVEL.fullmatch(pair)}
    if len(levels) < len(pairs) or any(int(seat) > players for seat in levels):
        expected = f"a seat, 1 to {players}, and a level, {LEVELS[0]} to {LEVELS[-1]}, for each computer"
        raise BadOption("computer", value or "", f"expected {expected}: {value!r}")
    return tuple(levels.get(str(seat)) for seat in range(1, players + 1))


def write_levels(levels: Iterable[int | None]) -> str:
    """Return the value of the option `computer` for a level or none a player: the inverse of `read_levels`."""
    return ",".join(f"{seat}{level}" for seat, level in enumerate(levels, 1) if level is not None)


def given_names(value: str | None, players: int) -> list[str]:
    """Return what the option `names` gives each player, `visible`; empty where the colour's name stands in."""
    given = [visible(name) for name in split_names(value or "")]
    return given + [""] * (players - len(given))


def read_names(value: str | None, colours: str, levels: Sequence[int | None] = ()) -> tuple[str, ...]:
    """Return what each player is called: the given name, or else the colour's, or `Computer`; raise `BadOption`."""
    given = given_names(value, len(colours))
    if len(given) > len(colours):
        raise BadOption("names", value or "", f"expected at most {len(colours)} names: {value!r}")
    for player, name in enumerate(given, 1):
        if len(name) > MAX_NAME:
            raise LongName(value or "", player, name)
    # Several computers are told apart by their colours.
    alone = len(levels) - levels.count(None) == 1
    return tuple(
        name or ("Computer" if level and alone else COLOUR_NAMES[colour])
        for name, colour, level in zip_longest(given, colours, levels)
    )
