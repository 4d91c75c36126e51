"""placeholder, to be replaced"""

from typing import NamedTuple


class Shade(NamedTuple):
    fill: str
    light: str
    deep: str
    ink: str
    text: str


class Colour(NamedTuple):
    letter: str
    name: str
    light: Shade
    dark: Shade


class Surface(NamedTuple):
    page: str
    panel: str
    frame: str
    tile: str
    line: str
    text: str
    muted: str
    accent: str


def _c(l, n, a, b):
    return Colour(l, n, Shade(a, "#ffffff", a, "#fff", a), Shade(b, "#ffffff", b, "#111", b))


COLOURS = {
    c.letter: c
    for c in (
        _c("r", "Red", "#c8102e", "#ff5c5c"),
        _c("b", "Blue", "#1f5fd0", "#5aa2ff"),
        _c("g", "Green", "#1c7d3a", "#4fd37a"),
        _c("y", "Yellow", "#a37b00", "#ffd84d"),
        _c("o", "Orange", "#c65a00", "#ff9a3d"),
        _c("v", "Violet", "#7434c9", "#b48cff"),
        _c("t", "Teal", "#00777a", "#37d0c8"),
        _c("p", "Pink", "#c2317f", "#ff8fc8"),
        _c("c", "Cyan", "#007aa8", "#7fe3ff"),
        _c("l", "Lime", "#5b8000", "#b6ef4b"),
        _c("n", "Brown", "#7a4a25", "#c08a5f"),
        _c("s", "Slate", "#4d5a6b", "#a9b6c8"),
    )
}
DEFAULT = "rbgyvotp"
SURFACES = {
    "light": Surface("#f1eee8", "#fbf9f5", "#e2ddd3", "#fdfcf9", "#d5cfc3", "#1c1b19", "#5f5a52", "#1c1b19"),
    "dark": Surface("#0e1016", "#161a23", "#1b202b", "#222836", "#323a4a", "#eceef3", "#a2a9b8", "#eceef3"),
}
