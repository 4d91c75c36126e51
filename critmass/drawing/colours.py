"""The colours of players, boards and pages, in a light and a dark scheme.

Players' colours were searched for by number, then chosen by eye. They stay apart under normal vision, protanopia,
deuteranopia and tritanopia, every orb stands out from its tile, and every text can be read:
`tests/drawing/test_palette.py` measures it.
"""

from typing import NamedTuple


class Shade(NamedTuple):
    """A player's colour as one scheme shows it, in hex."""

    fill: str
    """The body of an orb."""
    light: str
    """The side of an orb that is turned to the light."""
    deep: str
    """The side of an orb that lies in shadow."""
    ink: str
    """The mark engraved on an orb, which lies across its body, its light and its shadow."""
    text: str
    """The colour's name, written on a page or a panel."""


class Colour(NamedTuple):
    """A player's colour; `letter` stands for it in a link."""

    letter: str
    light: Shade
    dark: Shade


class Surface(NamedTuple):
    """What lies beneath the players' colours in one scheme, in hex."""

    page: str
    panel: str
    frame: str
    """The frame of a board, between and around its cells."""
    tile: str
    """A cell of a board."""
    line: str
    text: str
    muted: str
    accent: str
    """Links and buttons; no player's colour comes near it."""


SURFACES = {
    "light": Surface(
        page="#f1eee8",
        panel="#fbf9f5",
        frame="#e2ddd3",
        tile="#fdfcf9",
        line="#cfc8ba",
        text="#1d1f27",
        muted="#625e57",
        accent="#2d3250",
    ),
    "dark": Surface(
        page="#0e1016",
        panel="#161a23",
        frame="#1b202b",
        tile="#222836",
        line="#323a4c",
        text="#eceef4",
        muted="#9aa3b6",
        accent="#e6dcc6",
    ),
}

_PALE = "#fffdf9"
_DARK = "#12141b"

_COLOURS = (
    # letter, then for the light and the dark scheme: fill, light, deep, ink, text
    Colour(
        "r",
        Shade("#bf072e", "#fd5949", "#9e001e", _PALE, "#bf072e"),
        Shade("#f83c4d", "#ffb4a2", "#c5103f", _DARK, "#f83c4d"),
    ),
    Colour(
        "b",
        Shade("#275eef", "#0093ff", "#323ace", _PALE, "#275eef"),
        Shade("#5996ff", "#a5d7ff", "#4b62c7", _DARK, "#5996ff"),
    ),
    Colour(
        "g",
        Shade("#34a46a", "#6ad6aa", "#008558", _DARK, "#007b44"),
        Shade("#47dd8d", "#95fad0", "#00a371", _DARK, "#47dd8d"),
    ),
    Colour(
        "y",
        Shade("#bf8600", "#ffcc05", "#af6e00", _DARK, "#935f00"),
        Shade("#ffd714", "#ffef6b", "#c99200", _DARK, "#ffd714"),
    ),
    Colour(
        "o",
        Shade("#be5500", "#ffa24e", "#ac4113", _DARK, "#b34b00"),
        Shade("#fe8423", "#ffca90", "#c64d09", _DARK, "#fe8423"),
    ),
    Colour(
        "v",
        Shade("#6720bc", "#9c7aff", "#4a01a8", _PALE, "#6720bc"),
        Shade("#8c5ce7", "#c0bdff", "#644ed0", _DARK, "#9768f3"),
    ),
    Colour(
        "t",
        Shade("#056965", "#4b9da0", "#005355", _PALE, "#056965"),
        Shade("#109181", "#92d5d1", "#11706c", _DARK, "#199585"),
    ),
    Colour(
        "p",
        Shade("#e8509f", "#ff98bd", "#bc308d", _DARK, "#c2287e"),
        Shade("#fc98ce", "#ffcde2", "#b766a3", _DARK, "#fc98ce"),
    ),
    Colour(
        "c",
        Shade("#0c93b8", "#6ac8ec", "#00729d", _DARK, "#007397"),
        Shade("#3ce3ff", "#9ef8ff", "#00a2ca", _DARK, "#3ce3ff"),
    ),
    Colour(
        "l",
        Shade("#6f9f2e", "#b7d947", "#41821d", _DARK, "#497600"),
        Shade("#ccf66b", "#f0fc83", "#77b844", _DARK, "#ccf66b"),
    ),
    Colour(
        "n",
        Shade("#7d4a27", "#b9875c", "#68341a", _PALE, "#7d4a27"),
        Shade("#aa7148", "#e3c09f", "#90553a", _DARK, "#b0774e"),
    ),
    Colour(
        "s",
        Shade("#5a657b", "#8293a9", "#474e63", _PALE, "#5a657b"),
        Shade("#8592ab", "#c3d1e1", "#60667e", _DARK, "#8592ab"),
    ),
)

COLOURS: dict[str, Colour] = {colour.letter: colour for colour in _COLOURS}
"""Every colour a player can have, by its letter, in the contract's order."""
