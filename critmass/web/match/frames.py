"""A game as CodinGame's viewer shows it: a frame for the orb, one for each wave, and a line for every turn."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from critmass.engine import Ply
from critmass.formats.codingame_summary import told_turn
from critmass.formats.wording import name_of
from critmass.links import Link


class Frame(NamedTuple):
    """The board after a ring of a ply, 0 for the orb, and how many cells each side holds then."""

    at: int
    ring: int
    held: tuple[int, int]


class Turn(NamedTuple):
    """A ply as the viewer tells it, and how many cells each side holds after it."""

    number: int
    colour: str
    told: str
    held: tuple[int, int]


class Viewer(NamedTuple):
    """What the page of a game shows besides the board."""

    number: int
    """The frame shown, 0 for the empty board."""
    total: int
    """The number of the last frame."""
    back: str | None
    """The query string that shows the frame before, of any turn; `None` at the start."""
    on: str | None
    """The query string that shows the next one; `None` at the end."""
    held: tuple[int, int]
    """The cells that each side holds in the frame shown."""
    territory: Markup
    """The cells held from the first frame to the last, red from the bottom and blue from the top."""
    turns: list[Turn]


def view_frames(link: Link) -> Viewer:
    """Return what the viewer shows of a game of two players."""
    frames = [Frame(0, 0, (0, 0)), *(frame for ply in link.match.plies for frame in _frames_of(ply))]
    ring = len(link.ply.steps) - 1 if link.ply and link.ring is None else link.ring or 0
    number = next(index for index, frame in enumerate(frames) if (frame.at, frame.ring) == (link.at, ring))

    def query(index: int) -> str:
        frame = frames[index]
        return f"?at={frame.at}{link.tail}" + (f"&ring={frame.ring}" if frame.at else "")

    return Viewer(
        number,
        len(frames) - 1,
        query(number - 1) if number else None,
        query(number + 1) if number + 1 < len(frames) else None,
        frames[number].held,
        _territory(link, [frame.held for frame in frames], number),
        [_turn(link, ply) for ply in link.match.plies],
    )


def _frames_of(ply: Ply) -> Iterable[Frame]:
    for ring, (_, ones, twos, fours, mine) in enumerate(ply.steps):
        held = (mine & (ones | twos | fours)).bit_count()
        theirs = (ones | twos | fours).bit_count() - held
        yield Frame(ply.number, ring, (held, theirs) if ply.player == 1 else (theirs, held))


def _turn(link: Link, ply: Ply) -> Turn:
    *_, last = _frames_of(ply)
    return Turn(ply.number, link.colours[ply.player - 1], told_turn(ply, name_of(link, ply.player)), last.held)


def _territory(link: Link, held: list[tuple[int, int]], number: int) -> Markup:
    size = link.rules.grid.size

    def area(side: int, edge: int, height: Callable[[int], int]) -> str:
        at, drawn = 0, f"M0 {edge}"
        for cells, run in groupby(held, key=lambda both: both[side]):
            at += len(list(run))
            drawn += f"V{height(cells)}H{at}"
        return f'<path class="body {link.colours[side]}" d="{drawn}V{edge}z"/>'

    first, second = held[number]
    label = f"Cells held: {first} and {second} of {size} after frame {number}"
    return Markup(
        f'<svg class="territory" viewBox="0 0 {len(held)} {size}" preserveAspectRatio="none" role="img" '
        f'aria-label="{label}">{area(0, size, lambda cells: size - cells)}{area(1, 0, lambda cells: cells)}'
        f'<path class="here" vector-effect="non-scaling-stroke" d="M{number}.5 0v{size}"/></svg>'
    )
