"""Links: which games there are, addresses and their options, and the match that a link shows.

`parse_address` or `split_url` clean what was sent, `read` plays it, `link_to` goes the other way. What people paste is
read by `critmass.links.paste`, names by `critmass.links.names`.
"""

from critmass.links.address import SUFFIXES, Address, clean_path, parse_address, split_url
from critmass.links.games import DEFAULT_BOARD, DEFAULT_PLAYERS, FIRST_GAME, GAMES, Game, prefixes
from critmass.links.link import Link, link_to, read, read_rules
from critmass.links.options import (
    COLOUR_NAMES,
    DEFAULT_COLOURS,
    FILM_SIZES,
    FRAME_OPTIONS,
    LEVELS,
    OPTIONS,
    PICTURE_OPTIONS,
    PLAYER_OPTIONS,
    SIZES,
    BadAt,
    BadColours,
    BadOption,
    LongName,
    OptionFault,
    clean_options,
    format_query,
    given_names,
    known_options,
    parse_query,
    read_colours,
    read_names,
    write_levels,
)

__all__ = [
    "COLOUR_NAMES",
    "DEFAULT_BOARD",
    "DEFAULT_COLOURS",
    "DEFAULT_PLAYERS",
    "FILM_SIZES",
    "FIRST_GAME",
    "FRAME_OPTIONS",
    "GAMES",
    "LEVELS",
    "OPTIONS",
    "PICTURE_OPTIONS",
    "PLAYER_OPTIONS",
    "SIZES",
    "SUFFIXES",
    "Address",
    "BadAt",
    "BadColours",
    "BadOption",
    "Game",
    "Link",
    "LongName",
    "OptionFault",
    "clean_options",
    "clean_path",
    "format_query",
    "given_names",
    "known_options",
    "link_to",
    "parse_address",
    "parse_query",
    "prefixes",
    "read",
    "read_colours",
    "read_names",
    "read_rules",
    "split_url",
    "write_levels",
]
