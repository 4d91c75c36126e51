"""Boards as SVG: at rest, and the layers of a move's chain for the page's style sheet to play.

Orbs are drawn as the markers of a path: a path visits the centres of all orbs that look alike, and the marker
(body, highlight and the player's mark) stands at each. So a whole board takes a few elements, however
many orbs it holds, and a chain a few for each ring.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Protocol

from critmass.drawing.geometry import CELL, MARKS, ORB, PLACES
from critmass.drawing.palette import COLOURS, SURFACES
from critmass.engine import Board, Grid, Ply, cells_of
from critmass.engine.cascade import spread

_ROUND = 10
_GAP = 3


class Paint(Protocol):
    """Says how an attribute gets its colour: a surface's by its name, a player's by the shade and the letter."""

    def __call__(self, attribute: str, name: str, letter: str = "") -> str:
        """Return the attribute as it is written in an element."""


def classes(attribute: str, name: str, letter: str = "") -> str:
    """Leave the colour to the page's style sheet; `attribute` and `letter` are known there by the class."""
    del attribute, letter
    return f'class="{name}"'


def literal(scheme: str) -> Paint:
    """Return a painter that writes the colours of a scheme, `light` or `dark`, into the picture itself."""
    surface = SURFACES[scheme]

    def paint(attribute: str, name: str, letter: str = "") -> str:
        if letter:
            shade = COLOURS[letter].dark if scheme == "dark" else COLOURS[letter].light
            return f'{attribute}="{getattr(shade, name)}"'
        return f'{attribute}="{getattr(surface, name)}"'

    return paint


@cache
def _vertices(grid: Grid) -> tuple[tuple[str, ...], ...]:
    """Return, for each count and cell, where its orbs lie, as the coordinates of a path."""
    origins = [_origin(grid, cell) for cell in range(grid.size)]
    return tuple(tuple(" ".join(f"{x + dx} {y + dy}" for dx, dy in places) for x, y in origins) for places in PLACES)


def _origin(grid: Grid, cell: int) -> tuple[int, int]:
    column, row = grid.column_row(cell)
    return column * CELL, (grid.rows - 1 - row) * CELL


@cache
def _tile(grid: Grid, cell: int) -> str:
    x, y = _origin(grid, cell)
    straight, turn = CELL - 2 * (_GAP + _ROUND), f"a{_ROUND} {_ROUND} 0 0 1 "
    return (
        f"M{x + _GAP + _ROUND} {y + _GAP}h{straight}{turn}{_ROUND} {_ROUND}v{straight}"
        f"{turn}-{_ROUND} {_ROUND}h-{straight}{turn}-{_ROUND}-{_ROUND}v-{straight}{turn}{_ROUND}-{_ROUND}z"
    )


def tiles(grid: Grid, cells: int) -> str:
    """Return the outline of the tiles of a set of cells, as path data."""
    return "".join(_tile(grid, cell) for cell in cells_of(cells))


def _path(marker: str, points: Iterable[str]) -> str:
    return f'<path fill="none" marker-mid="url(#{marker})" d="M0 0 {" ".join(points)} 0 0"/>'


def _by_count(board: Board, cells: int) -> Iterator[str]:
    """Yield the coordinates of all orbs in a set of cells."""
    vertices = _vertices(board.grid)
    for cell in cells_of(cells):
        yield vertices[board.count(cell)][cell]


def orbs(board: Board, cells: int) -> str:
    """Return the orbs in a set of cells; those of cells that the next orb sets off are drawn hot."""
    hot = (board.tense | board.critical) & cells
    drawn = []
    for player, held in enumerate(board.owners, 1):
        if calm := held & cells & ~hot:
            drawn.append(_path(f"orb{player}", _by_count(board, calm)))
        if held := held & hot:
            drawn.append(_path(f"hot{player}", _by_count(board, held)))
    return "".join(drawn)


def halos(board: Board) -> str:
    """Return the glow around the cells that the next orb sets off."""
    centres = _vertices(board.grid)[1]
    tense = board.tense | board.critical
    return "".join(
        _path(f"glow{player}", (centres[cell] for cell in cells_of(held & tense)))
        for player, held in enumerate(board.owners, 1)
        if held & tense
    )


def definitions(colours: str, paint: Paint = classes) -> str:
    """Return the definitions that orbs are drawn with, one set a player."""
    return "<defs>" + "".join(_defined(n, letter, paint) for n, letter in enumerate(colours, 1)) + "</defs>"


def _defined(player: int, letter: str, paint: Paint) -> str:
    light, fill, deep = (paint("stop-color", name, letter) for name in ("light", "fill", "deep"))
    ink, rim = paint("fill", "ink", letter), paint("stroke", "rim" if paint is classes else "light", letter)
    scope = f' class="{letter}"' if paint is classes else ""
    mark = f'<path {ink} fill-rule="evenodd" d="{MARKS[player - 1]}"/>'
    body = f'<circle r="{ORB}" fill="url(#body{player})"/>'
    marker = 'markerUnits="userSpaceOnUse" markerWidth="120" markerHeight="120" overflow="visible"'
    return (
        f'<radialGradient id="body{player}" cx=".36" cy=".3" r=".78"{scope}><stop offset="0" {light}/>'
        f'<stop offset=".5" {fill}/><stop offset="1" {deep}/></radialGradient>'
        f'<radialGradient id="haze{player}"{scope}><stop offset=".3" {fill} stop-opacity=".75"/>'
        f'<stop offset="1" {fill} stop-opacity="0"/></radialGradient>'
        f'<marker id="orb{player}" {marker}{scope}>{body}{mark}</marker>'
        f'<marker id="hot{player}" {marker}{scope}><circle r="{ORB + 2}" {rim} stroke-width="4" fill="none"/>'
        f"{body}{mark}</marker>"
        f'<marker id="glow{player}" {marker}><circle r="58" fill="url(#haze{player})"/></marker>'
    )


def ground(grid: Grid, last: int | None = None, paint: Paint = classes) -> str:
    """Return the empty board: tiles, coordinates along two edges, and the outline of the cell just played."""
    text = 15 if grid.columns <= 8 else 24
    parts = [f'<path {paint("fill", "tile")} d="{tiles(grid, grid.cells)}"/>']
    if last is not None:
        mark = tiles(grid, 1 << last)
        parts.append(f'<path {paint("stroke", "accent")} fill="none" stroke-width="5" d="{mark}"/>')
    letters = "".join(
        f'<text x="{column * CELL + CELL - 9}" y="{grid.rows * CELL - 9}" text-anchor="end">{chr(97 + column)}</text>'
        for column in range(grid.columns)
    )
    numbers = "".join(
        f'<text x="9" y="{(grid.rows - 1 - row) * CELL + 5 + text}">{row + 1}</text>' for row in range(grid.rows)
    )
    label = f'font-family="system-ui,sans-serif" font-size="{text}" font-weight="600"'
    return "".join(parts) + f"<g {paint('fill', 'muted')} {label}>{letters}{numbers}</g>"


def view_box(grid: Grid) -> str:
    """Return the extent of a board's picture."""
    return f"0 0 {grid.columns * CELL} {grid.rows * CELL}"


def picture(board: Board, last: int | None, colours: str, scheme: str, title: str) -> str:
    """Return a board at rest as a file of its own, colours included; `title` is escaped already."""
    paint, grid, edge = literal(scheme), board.grid, 12
    width, height = grid.columns * CELL + 2 * edge, grid.rows * CELL + 2 * edge
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-edge} {-edge} {width} {height}" role="img">'
        f"<title>{title}</title>{definitions(colours, paint)}"
        f'<rect x="{-edge}" y="{-edge}" width="{width}" height="{height}" rx="20" {paint("fill", "frame")}/>'
        f"{ground(grid, last, paint)}{halos(board)}{orbs(board, grid.cells)}</svg>"
    )


def digits(number: int) -> str:
    """Return a number below 1000 as the classes that tell the style sheet its digits."""
    hundreds, rest = divmod(number, 100)
    tens, units = divmod(rest, 10)
    return " ".join(f"{name}{digit}" for name, digit in zip("xyz", (hundreds, tens, units), strict=True) if digit)


def chain(ply: Ply) -> tuple[str, str, tuple[str, ...]]:
    """Return the layers of a move's animation: the boards, the flashes, and the orbs in flight.

    The boards are the one before the move (class `w`), the falling orb (`d`), then those after the orb and after
    each ring (`f`, numbered from 0), and, for each ring (`e`, numbered from 0), the cells that have just handed out
    their orbs, with what stays behind. The orbs in flight (`e` too) lie where they will arrive, in four layers:
    going north, south, east and west.
    """
    grid, touched = ply.before.rules.grid, ply.touched
    before, centres, mover = ply.before.board, _vertices(ply.before.rules.grid)[1], ply.player

    def at_centres(marker: str, cells: int) -> str:
        return _path(marker, (centres[cell] for cell in cells_of(cells)))

    boards = [
        orbs(before, grid.cells & ~touched),
        f'<g class="w">{orbs(before, touched)}</g><g class="d">{at_centres(f"orb{mover}", 1 << ply.cell)}</g>',
    ]
    flashes: list[str] = []
    flights: tuple[list[str], ...] = ([], [], [], [])
    for number, frame in enumerate(ply.frames):
        boards.append(f'<g class="f {digits(number)}">{orbs(frame, touched)}</g>')
    for number, (board, step) in enumerate(zip(ply.in_flight, ply.steps[1:], strict=True)):
        ring, group = step[0], f'<g class="e {digits(number)}">'
        boards.append(f'{group}<path class="tile" d="{tiles(grid, ring)}"/>{orbs(board, ring)}</g>')
        flashes.append(f"{group}{at_centres(f'glow{mover}', ring)}</g>")
        for layer, arriving in zip(flights, spread(grid, ring), strict=True):
            if arriving:
                layer.append(f"{group}{at_centres(f'orb{mover}', arriving)}</g>")
    return "".join(boards), "".join(flashes), tuple("".join(layer) for layer in flights)
