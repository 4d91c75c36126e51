"""Boards as SVG: at rest, and the layers of a move's chain for the page's style sheet to play.

Orbs are drawn as the markers of a path: a path visits the middles of all cells that look alike, and the marker
stands at each. So a whole board takes a few elements, however many orbs it holds, and a chain a few for each ring.
"""

from functools import cache, lru_cache
from typing import Protocol

from critmass.drawing.colours import COLOURS, SURFACES
from critmass.drawing.geometry import CELL, FACES, MARKS, ORB, PLACES, WORRIED
from critmass.engine import Board, Grid, Ply, cells_of
from critmass.engine.cascade import spread

_ROUND = 10
_GAP = 3


class Paint(Protocol):
    """Says how an attribute gets its colour: a surface's by its name, a player's by the shade and the letter."""

    def __call__(self, attribute: str, name: str, letter: str = "") -> str:
        """Return the attribute as it is written in an element."""

    def __hash__(self) -> int:
        """Return what tells it from others: what it painted is kept."""


def classes(attribute: str, name: str, letter: str = "") -> str:
    """Leave the colour to the page's style sheet; `attribute` and `letter` are known there by the class."""
    del attribute, letter
    return f'class="{name}"'


@cache
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
def _middles(grid: Grid) -> dict[int, str]:
    """Return the middle of each cell, by its bit, as the coordinates of a path."""
    half = CELL // 2
    origins = (_origin(grid, cell) for cell in range(grid.size))
    return {1 << cell: f"{x + half} {y + half}" for cell, (x, y) in enumerate(origins)}


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


def _path(marker: str, grid: Grid, cells: int) -> str:
    """Return a path whose inner vertices, in the middle of cells, carry a marker; its ends do not."""
    middles, points = _middles(grid), []
    while cells:
        lowest = cells & -cells
        points.append(middles[lowest])
        cells ^= lowest
    return f'<path fill="none" marker-mid="url(#{marker})" d="M0 0 {" ".join(points)} 0 0"/>'


@cache
def _balls(player: int, count: int, hot: bool, skins: bool) -> str:
    """Return the orbs of a cell around its middle; with skins the number too."""
    orb = f"{'hot' if hot else 'orb'}{player}"
    orbs = "".join(f'<use href="#{orb}"' + (f' x="{x}" y="{y}"/>' if x or y else "/>") for x, y in PLACES[count])
    if not skins:
        return orbs
    mark = f'<path class="text" transform="translate(30 -29) scale(.8)" d="{MARKS[player - 1]}"/>'
    number = f'<text class="text" text-anchor="middle" y="22" font-size="62" font-weight="700">{count}</text>'
    return f'<g class="balls">{orbs}</g><g class="number">{mark}{number}</g>'


@cache
def _orb(player: int, letter: str, paint: Paint, skins: bool) -> str:
    """Return the definitions of a player's orb, calm and hot; with skins the faces too."""
    light, fill, deep = (paint("stop-color", name, letter) for name in ("light", "fill", "deep"))
    ink, rim = paint("fill", "ink", letter), paint("stroke", "light", letter)
    scope = f' class="{letter}"' if paint is classes else ""
    body = f'<circle r="{ORB}" fill="url(#body{player})"/>'
    rim = f'<circle r="{ORB + 2}" {rim} stroke-width="3.500" fill="none"/>'
    mark = f'<path {ink} fill-rule="evenodd" d="{MARKS[player - 1]}"/>'
    calm = tense = mark
    if skins:
        mark = f'<g class="mark">{mark}</g>'
        calm, tense = (
            f'{mark}<path class="ink face" fill-rule="evenodd" d="{faces[player - 1]}"/>' for faces in (FACES, WORRIED)
        )
    return (
        f'<radialGradient id="body{player}" cx=".36" cy=".3" r=".78"{scope}><stop offset="0" {light}/>'
        f'<stop offset=".5" {fill}/><stop offset="1" {deep}/></radialGradient>'
        f'<radialGradient id="haze{player}"{scope}><stop offset=".3" {fill} stop-opacity=".75"/>'
        f'<stop offset="1" {fill} stop-opacity="0"/></radialGradient>'
        f'<g id="orb{player}"{scope}>{body}{calm}</g><g id="hot{player}"{scope}>{rim}{body}{tense}</g>'
    )


class Pen:
    """Draws orbs in the players' colours, and remembers which definitions the drawing needs.

    A path visits the middles of all cells that look alike: same player, same count, as hot. Draw first, then ask
    for the `definitions`, and put them before or after the drawing. With `skins` they hold the faces and the numbers
    too, for the page's style sheet to choose from.
    """

    def __init__(self, colours: str, paint: Paint = classes, *, skins: bool = False) -> None:
        self._colours = colours
        self._paint = paint
        self._skins = skins
        self._used: dict[str, str] = {}

    def orbs(self, board: Board, cells: int) -> str:
        """Return the orbs in a set of cells; those of cells that the next orb sets off are drawn hot."""
        grid, hot = board.grid, board.hot
        drawn = []
        for player, count, alike in board.alike(cells):
            if calm := alike & ~hot:
                drawn.append(_path(self._cluster(player, count, hot=False), grid, calm))
            if heated := alike & hot:
                drawn.append(_path(self._cluster(player, count, hot=True), grid, heated))
        return "".join(drawn)

    def halos(self, board: Board) -> str:
        """Return the glow around the cells that the next orb sets off."""
        hot = board.hot
        return "".join(self.glow(board.grid, number, held & hot) for number, held in enumerate(board.owners, 1))

    def glow(self, grid: Grid, player: int, cells: int) -> str:
        """Return a glow in a player's colour around each of a set of cells."""
        return self._visit(f"glow{player}", f'<circle r="58" fill="url(#haze{player})"/>', player, grid, cells)

    def flying(self, grid: Grid, player: int, cells: int) -> str:
        """Return one orb of a player in each of a set of cells."""
        return self._visit(f"fly{player}", f'<use href="#orb{player}"/>', player, grid, cells)

    def _visit(self, marker: str, content: str, player: int, grid: Grid, cells: int) -> str:
        if not cells:
            return ""
        if marker not in self._used:
            self._define(marker, content, player)
        return _path(marker, grid, cells)

    def _cluster(self, player: int, count: int, *, hot: bool) -> str:
        marker = f"{'hot' if hot else 'orbs'}{player}-{count}"
        if marker not in self._used:
            self._define(marker, _balls(player, count, hot, self._skins), player)
        return marker

    def _define(self, marker: str, content: str, player: int) -> None:
        scope = f' class="{self._colours[player - 1]}"' if self._paint is classes else ""
        self._used[marker] = (
            f'<marker id="{marker}" markerUnits="userSpaceOnUse" markerWidth="120" markerHeight="120" '
            f'overflow="visible"{scope}>{content}</marker>'
        )

    def definitions(self) -> str:
        """Return the definitions of all that was drawn."""
        letters = enumerate(self._colours, 1)
        players = [_orb(number, letter, self._paint, self._skins) for number, letter in letters]
        return f"<defs>{''.join(players)}{''.join(self._used.values())}</defs>"

    def chain(self, ply: Ply) -> tuple[str, str, tuple[str, ...]]:
        """Return the layers of a move's animation: the boards, the flashes, and the orbs in flight.

        The boards are the one before the move (class `w`), the falling orb (`d`), then those after the orb and after
        each ring (`f`, numbered from 0), and, for each ring (`e`, numbered from 0), the cells that have just handed
        out their orbs, with what stays behind. The orbs in flight (`e` too) lie where they will arrive, in four
        layers: going north, south, east and west.
        """
        grid, touched, player, before = ply.before.rules.grid, ply.touched, ply.player, ply.before.board
        boards = [
            self.orbs(before, grid.cells & ~touched),
            f'<g class="w">{self.orbs(before, touched)}</g>',
            f'<g class="d">{self.flying(grid, player, 1 << ply.cell)}</g>',
        ]
        boards += [
            f'<g class="f {digits(number)}">{self.orbs(frame, touched)}</g>' for number, frame in enumerate(ply.frames)
        ]
        flashes: list[str] = []
        flights: tuple[list[str], ...] = ([], [], [], [])
        for number, (board, step) in enumerate(zip(ply.in_flight, ply.steps[1:], strict=True)):
            ring, group = step[0], f'<g class="e {digits(number)}">'
            boards.append(f'{group}<path class="tile" d="{tiles(grid, ring)}"/>{self.orbs(board, ring)}</g>')
            flashes.append(f"{group}{self.glow(grid, player, ring)}</g>")
            for layer, arriving in zip(flights, spread(grid, ring), strict=True):
                if arriving:
                    layer.append(f"{group}{self.flying(grid, player, arriving)}</g>")
        return "".join(boards), "".join(flashes), tuple("".join(layer) for layer in flights)


def ground(grid: Grid, last: int | None = None, paint: Paint = classes) -> str:
    """Return the empty board: tiles, coordinates along two edges, and the outline of the cell just played."""
    floor, lettering = _floor(grid, paint)
    if last is None:
        return floor + lettering
    stroke = paint("stroke", "accent")
    return f'{floor}<path {stroke} fill="none" stroke-width="5" d="{_tile(grid, last)}"/>{lettering}'


@lru_cache(32)
def _floor(grid: Grid, paint: Paint) -> tuple[str, str]:
    """Return the tiles of a board and its coordinates."""
    text = 15 if grid.columns <= 8 else 24
    floor = f'<path {paint("fill", "tile")} d="{tiles(grid, grid.cells)}"/>'
    letters = "".join(
        f'<text x="{column * CELL + CELL - 9}" y="{grid.rows * CELL - 9}" text-anchor="end">{chr(97 + column)}</text>'
        for column in range(grid.columns)
    )
    numbers = "".join(
        f'<text x="9" y="{(grid.rows - 1 - row) * CELL + 5 + text}">{row + 1}</text>' for row in range(grid.rows)
    )
    label = f'font-family="system-ui,sans-serif" font-size="{text}" font-weight="600"'
    lettering = f"<g {paint('fill', 'muted')} {label}>{letters}{numbers}</g>"
    return floor, f'<g class="coordinates">{lettering}</g>' if paint is classes else lettering


def view_box(grid: Grid) -> str:
    """Return the extent of a board's picture."""
    return f"0 0 {grid.columns * CELL} {grid.rows * CELL}"


def picture(board: Board, last: int | None, colours: str, scheme: str, title: str) -> str:
    """Return a board at rest as a file of its own, colours included; `title` is escaped already."""
    paint, grid, edge = literal(scheme), board.grid, 12
    pen = Pen(colours, paint)
    width, height = grid.columns * CELL + 2 * edge, grid.rows * CELL + 2 * edge
    drawn = pen.halos(board) + pen.orbs(board, grid.cells)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-edge} {-edge} {width} {height}" role="img">'
        f"<title>{title}</title>{pen.definitions()}"
        f'<rect x="{-edge}" y="{-edge}" width="{width}" height="{height}" rx="20" {paint("fill", "frame")}/>'
        f"{ground(grid, last, paint)}{drawn}</svg>"
    )


@cache
def digits(number: int) -> str:
    """Return a number below 10,000 as the classes that tell the style sheet its digits.

    The longest chain that was found, on a 16×16 board, has 2,669 rings.
    """
    return " ".join(f"{name}{digit}" for name, digit in zip("kxyz", f"{number:04}", strict=True) if digit != "0")
