"""Links to test with: the referee's matches cut anywhere, dressed in options, and mangled as chat programs do."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

Options = list[tuple[str, str]]

VECTORS = Path(__file__).parents[1] / "conformance"
MATCHES: list[dict[str, Any]] = [
    json.loads(line)
    for file in ("critical-mass", "classic", "codingame")
    for line in (VECTORS / f"{file}.jsonl").read_text("utf-8").splitlines()
]
BAD_LINKS: list[dict[str, Any]] = [
    json.loads(line) for line in (VECTORS / "bad-links.jsonl").read_text("utf-8").splitlines()
]
SUFFIXES = ("", ".json", ".txt", ".svg")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
COLOURS = "rbgyvotpclns"

quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def width(match: dict[str, Any]) -> int:
    """The characters of a move."""
    return 1 if match["columns"] * match["rows"] <= 36 else 2


def path_of(match: dict[str, Any], length: int) -> str:
    """The path of a match of the referee's, cut after that many plies."""
    base, moves = match["path"].rsplit("/", 1)
    return f"{base}/{moves[: length * width(match)]}"


@dataclass(frozen=True)
class Sample:
    """A clean link to a match of the referee's, cut after some ply."""

    number: int
    length: int
    suffix: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def match(self) -> dict[str, Any]:
        """The whole match, as the referee tells it."""
        return MATCHES[self.number]

    @property
    def path(self) -> str:
        """The path of the match, without suffix."""
        return path_of(self.match, self.length)

    @property
    def url(self) -> str:
        return url(self.path + self.suffix, self.options)

    @property
    def at(self) -> int:
        return int(dict(self.options).get("at", self.length))

    def as_page(self) -> "Sample":
        return replace(self, suffix="")

    def encode(self, cell: str) -> str:
        """A move as the contract writes it in this match."""
        column, row = ord(cell[0]) - 97, int(cell[1:])
        return DIGITS[(row - 1) * self.match["columns"] + column] if width(self.match) == 1 else cell[0] + DIGITS[row]


def url(path: str, options: Iterable[tuple[str, str]] = ()) -> str:
    """A path and options as they stand in a link; the value of `names` is taken as it is, escaped: see `named`."""
    pairs = ((name, value if name.lower() == "names" else quote(value, ",")) for name, value in options)
    query = "&".join(f"{quote(name)}={value}" for name, value in pairs)
    return quote(path) + (f"?{query}" if query else "")


def parts(link: str) -> tuple[str, Options]:
    """The inverse of `url`."""
    split = urlsplit(link)
    pairs = (piece.partition("=") for piece in split.query.split("&") if piece)
    return unquote(split.path), [
        (unquote(name), value if name.lower() == "names" else unquote(value)) for name, _, value in pairs
    ]


def named(*names: str) -> str:
    """The value of `names` as the contract has the app write it: all escaped but ASCII letters and digits."""
    return ",".join(
        re.sub("[^0-9A-Za-z]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)
        for name in names
    )


letters = st.sampled_from("abcXYZéß漢Ж")
# A name may end in anything but what every link loses at its end: other scripts' punctuation, blanks and controls.
name = st.builds(
    "{}{}{}".format, letters, st.text("abcXYZéß漢Ж -'&<\",.%+", max_size=14), letters | st.sampled_from(".!+🚀)")
)


@st.composite
def samples(
    draw: st.DrawFn, *, longest: int = 60, options: bool = True, suffixes: tuple[str, ...] = SUFFIXES
) -> Sample:
    """Clean links, with options and suffix."""
    number = draw(st.integers(0, len(MATCHES) - 1))
    match = MATCHES[number]
    length = draw(st.integers(0, min(longest, len(match["plies"]))))
    players, shown = match["players"], length
    given: dict[str, str] = {}
    if options:
        if draw(st.booleans()):
            shown = draw(st.integers(0, length))
            given["at"] = str(shown)
        if draw(st.booleans()):
            given["colours"] = "".join(draw(st.permutations(COLOURS))[:players])
        if draw(st.booleans()):
            names = draw(st.lists(name, min_size=1, max_size=players))
            given["names"] = named(*names) + (",%20" if len(names) == 1 and "," in names[0] else "")
        if shown and draw(st.booleans()):
            given["ring"] = str(draw(st.integers(0, len(match["plies"][shown - 1]["rings"]))))
        if draw(st.booleans()):
            given["play"] = "1"
    return Sample(number, length, draw(st.sampled_from(suffixes)), tuple(draw(st.permutations([*given.items()]))))


# Not what Unicode has not assigned yet: there a browser may be of another version.
stuck = st.text(st.characters(codec="utf-8", categories=["P", "S", "Z", "Cc", "Cf", "Co", "M"]), max_size=4)
# What gets stuck to names, as it stands in a link: ASCII as it is, other scripts' escaped.
stuck_to_names = st.lists(
    st.sampled_from("!.,;:'()*/?@$-_~")
    | st.characters(min_codepoint=128, codec="utf-8", categories=["P", "Z", "Cc", "Cf"]).map(quote),
    max_size=4,
).map("".join)
anything = st.text(st.characters(codec="utf-8"), max_size=12)
KNOWN = {"at", "colours", "names", "ring", "play", "part"}
STRANGER = "str4nger"
strangers = st.lists(
    st.tuples(
        st.sampled_from(["fbclid", "utm_source", "AT2", "name", "", "ring "]) | anything, anything.map(STRANGER.__add__)
    ).filter(lambda pair: pair[0].lower() not in KNOWN),
    max_size=3,
)


@st.composite
def capitals(draw: st.DrawFn, text: str) -> str:
    """The text with any of its ASCII letters capital."""
    which = draw(st.integers(0, 2 ** len(text) - 1))
    return "".join(
        character.upper() if which >> place & 1 and character.isascii() else character
        for place, character in enumerate(text)
    )


@st.composite
def mangled(draw: st.DrawFn, sample: Sample) -> tuple[str, Options]:
    """What people make of a link: path and options, not yet percent-encoded."""
    path = draw(capitals(sample.path)) + draw(stuck)
    if sample.suffix:
        path += draw(capitals(sample.suffix)) + draw(stuck)
    options = [
        (draw(capitals(key)), value + draw(stuck_to_names) if key == "names" else draw(capitals(value)) + draw(stuck))
        for key, value in sample.options
    ]
    return path, options
