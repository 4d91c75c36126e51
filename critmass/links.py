"""Addresses: from the path and query of a link to a match, and back.

The contract's order is kept: an address is first made clean (`parse_address`), then read (`read`), and the
first fault found is the one reported.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import ClassVar
from urllib.parse import quote, unquote, unquote_plus, urlsplit

from critmass.drawing.palette import COLOURS, DEFAULT
from critmass.engine import CODINGAME, CRITICAL_MASS, Board, Fault, Match, Ply, Position, Rules, classic
from critmass.engine.codec import encode, encode_move, lower, strip_stuck, width
from critmass.engine.errors import BadBoard, BadPlayers
from critmass.engine.rules import MAX_PLAYERS
from critmass.names import MAX_NAME, join_names, split_names, strip_names, visible
from critmass.search import LEVELS

SUFFIXES = (".json", ".txt", ".svg", ".png", ".gif")
"""The representations of a match; the bare path is the page."""
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

_FIXED = {"m": CRITICAL_MASS, "codingame": CODINGAME}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
_SEAT_AND_LEVEL = re.compile(rf"[1-{MAX_PLAYERS}][{LEVELS[0]}-{LEVELS[-1]}]", re.ASCII)
_BOARD = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", re.ASCII)


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


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a link to a match, clean but not yet read: any of them may still be wrong."""

    game: str
    board: str = ""
    players: str | None = None
    moves: str = ""
    suffix: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """The known options in the order in which they were given; the value of `names` percent-encoded, as in a link."""

    @property
    def path(self) -> str:
        """The path, not percent-encoded."""
        return f"{self.table}{self.moves}{self.suffix}"

    @property
    def table(self) -> str:
        """What the path of every match of this game on this board begins with."""
        if self.game != "classic":
            return f"/{self.game}/"
        return f"/classic/{self.board}" if self.players is None else f"/classic/{self.board}/{self.players}/"

    @property
    def url(self) -> str:
        """Path and query as they stand in a link, percent-encoded."""
        query = format_query(self.options)
        return quote(self.path, errors="replace") + query

    def option(self, name: str) -> str | None:
        """Return the value given for an option."""
        return next((value for known, value in self.options if known == name), None)

    def without(self, *names: str) -> "Address":
        """Return the address without these options."""
        if not self.options:
            return self
        return replace(self, options=tuple(pair for pair in self.options if pair[0] not in names))


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


def clean_path(path: str) -> tuple[str, str]:
    """Return a path in small letters without what got stuck to it, and apart from it the suffix it ends in."""
    path = strip_stuck(lower(path))
    suffix = next((suffix for suffix in SUFFIXES if path.endswith(suffix)), "")
    return strip_stuck(path.removesuffix(suffix)), suffix


def parse_address(path: str, query: Iterable[tuple[str, str]] = ()) -> Address | None:
    """Return the clean address of a decoded path and the pairs of `parse_query`; `None` where no match could be.

    The clean address of `address.path` and `address.options` is `address` again.
    """
    clean, suffix = clean_path(path)
    nothing, _, rest = clean.partition("/")
    game, *parts = rest.split("/")
    if nothing or game not in (*_FIXED, "classic"):
        return None
    options = tuple(
        (name, join_names(split_names(value)) if name == "names" else value) for name, value in clean_options(query)
    )
    if game in _FIXED:
        return Address(game, moves="/".join(parts), suffix=suffix, options=options)
    if not parts:
        return Address(game, "6x9", "2", "", suffix, options)
    board, players = parts[0], parts[1] if len(parts) > 1 else None
    return Address(game, board, players, "/".join(parts[2:]), suffix, options)


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


@dataclass(frozen=True)
class Link:
    """A link that was read: the match, and how it is to be shown."""

    address: Address
    match: Match
    at: int
    """The ply after which the match is shown."""
    colours: str
    """One letter a player, in turn order."""
    names: tuple[str, ...]
    """What each player is called, in turn order."""
    levels: tuple[int | None, ...]
    """The level at which the computer plays for each player, in turn order; `None` for a person."""
    ring: int | None = None
    """The ring of the shown ply after which the board is shown, 0 for the orb just placed; `None` at rest."""
    play: bool = False
    """Whether the replay goes on to the next ply by itself."""
    scheme: str = "light"
    """The scheme of a picture of its own, `light` or `dark`."""
    part: bool = False
    """Whether only the match area is asked for, to be put into a page that is already open."""
    size: int | None = None
    """The longer side of a picture of the board, in pixels."""
    card: bool = False
    """Whether the picture is the wide card that a chat shows beside a link."""
    start: int = 0
    """The ply after which a film of the match begins; it ends with the position shown."""
    embed: bool = False
    """Whether the page is the bare board for a frame in a page of somebody else's."""

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.match.rules

    @property
    def length(self) -> int:
        """The plies of the whole match."""
        return len(self.match.plies)

    @property
    def at_end(self) -> bool:
        """Whether the position shown is the last."""
        return self.at == self.length

    @cached_property
    def position(self) -> Position:
        """The position shown."""
        return self.match.position(self.at)

    @property
    def level(self) -> int | None:
        """The level of the computer whose turn it is in the position shown; `None` if it is nobody's, or a person's."""
        turn = self.position.turn
        return self.levels[turn - 1] if turn else None

    @property
    def people(self) -> int:
        """How many players are no computer."""
        return self.levels.count(None)

    @property
    def is_thinking(self) -> bool:
        """Whether the computer moves next, and by itself: where only computers play, as long as the match plays."""
        shown = self.at_end and self.ring is None and not self.embed
        return shown and self.level is not None and (self.people > 0 or self.play)

    @property
    def goes_on(self) -> bool:
        """Whether the replay goes on to the next ply by itself."""
        return self.play and not self.at_end

    @property
    def back(self) -> int | None:
        """The ply to which a person takes a move back: before the last that was a person's; `None` if none was."""
        plies = self.match.plies
        return next((at for at in reversed(range(self.length)) if self.levels[plies[at].player - 1] is None), None)

    @cached_property
    def board(self) -> Board:
        """The board shown: at rest, or after a ring of the ply shown."""
        if self.ply and self.ring is not None:
            return self.ply.frames[self.ring]
        return self.position.board

    @property
    def ply(self) -> Ply | None:
        """The ply that led to the position shown; `None` at the start."""
        return self.match.plies[self.at - 1] if self.at else None

    @cached_property
    def dress(self) -> tuple[tuple[str, str], ...]:
        """The options that every link on to this match carries: who plays, and in a frame what makes it one."""
        carried = (*PLAYER_OPTIONS, *(FRAME_OPTIONS if self.embed else ()))
        return tuple(pair for pair in self.address.options if pair[0] in carried)

    @cached_property
    def query(self) -> str:
        """The query string that every link on to this match carries."""
        return format_query(self.dress)

    @property
    def given_names(self) -> list[str]:
        """What was given for each player's name, in turn order; empty where the colour's name stands in."""
        return given_names(self.address.option("names"), self.rules.players)

    def moves_until(self, ply: int) -> str:
        """Return the text of the first `ply` moves."""
        return self.address.moves[: ply * width(self.rules.grid)]

    def url(self, ply: int | None = None, suffix: str = "") -> str:
        """Return the link to the match, or to the match as it stood after a ply, as one may send it on."""
        moves = self.address.moves if ply is None else self.moves_until(ply)
        return f"{self.game}{moves}{suffix}{self.query}"

    @cached_property
    def tail(self) -> str:
        """What follows `?at=K` in the query string of every other view of this match."""
        return self.query.replace("?", "&", 1)

    @property
    def game(self) -> str:
        """What the path of every match of this game on this board begins with."""
        return self.address.table

    @cached_property
    def plain_path(self) -> str:
        """The path of the whole match, without suffix and query."""
        return self.game + self.address.moves

    @cached_property
    def page(self) -> str:
        """The link to this very view, without the options that nobody but the page itself uses."""
        kept = FRAME_OPTIONS if self.embed else ()
        dropped = (name for name in ("embed", "part", *PICTURE_OPTIONS) if name not in kept)
        return replace(self.address.without(*dropped), suffix="").url

    @property
    def whole(self) -> str:
        """The link to this view as a page of its own, out of any frame."""
        address = self.address.without("play", *FRAME_OPTIONS) if self.embed else self.address
        return replace(self, address=address, embed=False).page

    def page_of(self, at: int) -> str:
        """Return the link to the view of the replay after ply `at`, going on to the next by itself."""
        return f"{self.plain_path}?at={at}{self.tail}&play=1"

    def next_url(self, cell: int) -> str:
        """Return the link to the match after one more move."""
        return self.next_path + encode_move(self.rules.grid, cell) + self.query

    @property
    def next_path(self) -> str:
        """What the path of every next match begins with."""
        return self.game + self.moves_until(self.at)


def read_rules(address: Address) -> Rules:
    """Return the rules of an address; raise `BadBoard` or `BadPlayers`."""
    if address.game in _FIXED:
        return _FIXED[address.game]
    board = _BOARD.fullmatch(address.board)
    if board is None:
        raise BadBoard(f"expected columns x rows, like 6x9: {address.board!r}")
    columns, rows = int(board[1]), int(board[2])
    classic(columns, rows)
    if address.players is None or not _NUMBER.fullmatch(address.players):
        raise BadPlayers(f"expected a number of players: {address.players or ''!r}")
    return classic(columns, rows, int(address.players))


def read(address: Address) -> Link:
    """Play the match of an address; raise the `Fault` that the contract names first."""
    rules = read_rules(address)
    match = Match.read(rules, address.moves)
    at = _read_number(address, "at", len(match.plies), BadAt)
    colours = read_colours(address.option("colours"), rules.players)
    levels = read_levels(address.option("computer"), rules.players)
    names = read_names(address.option("names"), colours, levels)
    shown = len(match.plies) if at is None else at
    rings = len(match.plies[shown - 1].steps) - 1 if shown else -1
    ring = _read_number(address, "ring", rings, BadOption)
    flags = ("play", "part", "card", "last", "embed")
    play, part, card, only_last, embed = (_read_flag(address, name) for name in flags)
    embed = embed and not address.suffix
    scheme = address.option("scheme")
    if scheme not in (None, "light", "dark"):
        raise BadOption("scheme", scheme, f"expected light or dark: {scheme!r}")
    sizes = FILM_SIZES if address.suffix == ".gif" else SIZES
    size = _read_number(address, "size", sizes[-1], BadOption, sizes[0])
    start = _read_number(address, "from", shown, BadOption) or 0
    if only_last:
        start = max(shown - 1, 0)
    look = (ring, play, scheme or "light", part, size, card, start, embed)
    return Link(address, match, shown, colours, names, levels, *look)


def _read_number(address: Address, name: str, last: int, fault: type[OptionFault], first: int = 0) -> int | None:
    value = address.option(name)
    if value is None:
        return None
    if _NUMBER.fullmatch(value) and first <= int(value) <= last:
        return int(value)
    span = f"a number from {first} to {last}" if last >= 0 else "none, no move is shown"
    raise fault(name, value, f"expected {span}: {value!r}")


def _read_flag(address: Address, name: str) -> bool:
    value = address.option(name)
    if value not in (None, "1"):
        raise BadOption(name, value or "", f"expected 1: {value!r}")
    return value is not None


def read_colours(value: str | None, players: int) -> str:
    """Return one letter a player, the default without a value; raise `BadColours`."""
    if value is None:
        return DEFAULT[:players]
    if len(value) != players or len(set(value)) != players or not set(value) <= COLOURS.keys():
        letters = "".join(COLOURS)
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
        name or ("Computer" if level and alone else COLOURS[colour].name)
        for name, colour, level in zip_longest(given, colours, levels)
    )


def split_url(url: str) -> Address | None:
    """Return the address of a URL or path as it stands in a link, percent-encoded."""
    parts = urlsplit(url)
    return parse_address(unquote(parts.path), parse_query(parts.query))


def link_to(match: Match) -> Link:
    """Return the plain link of a match."""
    rules = match.rules
    moves = encode(rules.grid, match.cells)
    if rules.name == "classic":
        address = Address("classic", f"{rules.columns}x{rules.rows}", str(rules.players), moves)
    else:
        address = Address("m" if rules.name == "critical-mass" else rules.name, moves=moves)
    colours = DEFAULT[: rules.players]
    levels = (None,) * rules.players
    return Link(address, match, len(match.plies), colours, read_names(None, colours, levels), levels)
