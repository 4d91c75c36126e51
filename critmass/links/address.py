"""Addresses: the path and query of a link, cleaned of what chat programs and people do to them, not yet read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, urlsplit

from critmass.engine.codec import lower, strip_stuck
from critmass.links.games import DEFAULT_BOARD, DEFAULT_PLAYERS, game_of
from critmass.links.names import join_names, split_names
from critmass.links.options import clean_options, format_query, parse_query

SUFFIXES = (".json", ".txt", ".svg", ".png", ".gif")
"""The representations of a match; the bare path is the page."""


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a link to a match, clean but not yet read: any of them may still be wrong."""

    game: str
    """The first part of the path, which says what is played."""
    board: str = ""
    players: str | None = None
    moves: str = ""
    suffix: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """The known options in the order in which they were given; the value of `names` percent-encoded, as in a link."""

    @property
    def path(self) -> str:
        """The path, not percent-encoded."""
        return f"{self.prefix}{self.moves}{self.suffix}"

    @property
    def prefix(self) -> str:
        """What the path of every match of this game on this board begins with."""
        if self.is_board_fixed:
            return f"/{self.game}/"
        return f"/{self.game}/{self.board}" if self.players is None else f"/{self.game}/{self.board}/{self.players}/"

    @property
    def is_board_fixed(self) -> bool:
        """Whether the game has one board, so that neither it nor the players are a part of the path."""
        game = game_of(self.game)
        return game is None or game.rules is not None

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
    played = game_of(game)
    if nothing or played is None:
        return None
    options = tuple(
        (name, join_names(split_names(value)) if name == "names" else value) for name, value in clean_options(query)
    )
    if played.rules:
        return Address(game, moves="/".join(parts), suffix=suffix, options=options)
    if not parts:
        return Address(game, DEFAULT_BOARD, DEFAULT_PLAYERS, "", suffix, options)
    board, players = parts[0], parts[1] if len(parts) > 1 else None
    return Address(game, board, players, "/".join(parts[2:]), suffix, options)


def split_url(url: str) -> Address | None:
    """Return the address of a URL or path as it stands in a link, percent-encoded."""
    parts = urlsplit(url)
    return parse_address(unquote(parts.path), parse_query(parts.query))
