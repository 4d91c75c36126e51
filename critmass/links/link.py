"""A link that was read: the match, and how it is to be shown.

The contract's order is kept: an address is first made clean (`parse_address`), then read (`read`), and the first fault
found is the one reported.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from critmass.engine import Board, Match, Ply, Position, Rules, classic
from critmass.engine.codec import encode, encode_move, width
from critmass.engine.errors import BadBoard, BadPlayers
from critmass.links.address import Address
from critmass.links.games import GAMES, game_of
from critmass.links.options import (
    DEFAULT_COLOURS,
    FILM_SIZES,
    FRAME_OPTIONS,
    PICTURE_OPTIONS,
    PLAYER_OPTIONS,
    SIZES,
    BadAt,
    BadOption,
    format_query,
    given_names,
    read_colours,
    read_flag,
    read_levels,
    read_names,
    read_number,
)

_NUMBER = re.compile(r"[1-9][0-9]{0,3}|0", re.ASCII)
_BOARD = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", re.ASCII)


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
        return self.address.prefix

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
    game = game_of(address.game)
    if game and game.rules:
        return game.rules
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
    at = read_number("at", address.option("at"), len(match.plies), BadAt)
    colours = read_colours(address.option("colours"), rules.players)
    levels = read_levels(address.option("computer"), rules.players)
    names = read_names(address.option("names"), colours, levels)
    shown = len(match.plies) if at is None else at
    rings = len(match.plies[shown - 1].steps) - 1 if shown else -1
    ring = read_number("ring", address.option("ring"), rings, BadOption)
    flags = ("play", "part", "card", "last", "embed")
    play, part, card, only_last, embed = (read_flag(name, address.option(name)) for name in flags)
    embed = embed and not address.suffix
    scheme = address.option("scheme")
    if scheme not in (None, "light", "dark"):
        raise BadOption("scheme", scheme, f"expected light or dark: {scheme!r}")
    sizes = FILM_SIZES if address.suffix == ".gif" else SIZES
    size = read_number("size", address.option("size"), sizes[-1], BadOption, sizes[0])
    start = read_number("from", address.option("from"), shown, BadOption) or 0
    if only_last:
        start = max(shown - 1, 0)
    look = (ring, play, scheme or "light", part, size, card, start, embed)
    return Link(address, match, shown, colours, names, levels, *look)


def link_to(match: Match) -> Link:
    """Return the plain link of a match."""
    rules = match.rules
    moves = encode(rules.grid, match.cells)
    game = GAMES[rules.name]
    if game.rules:
        address = Address(game.prefix, moves=moves)
    else:
        address = Address(game.prefix, f"{rules.columns}x{rules.rows}", str(rules.players), moves)
    colours = DEFAULT_COLOURS[: rules.players]
    levels = (None,) * rules.players
    return Link(address, match, len(match.plies), colours, read_names(None, colours, levels), levels)
