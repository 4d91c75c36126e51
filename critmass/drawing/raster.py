"""Boards as pixels: the picture of `critmass.drawing.svg`, drawn again with Pillow.

Every orb looks alike but for its player and its heat, so each is painted once and then pasted. A cell's side, the
pitch, is a whole number of pixels, so cells that look alike are the same pixels: each is painted once, too, and a
picture is put together from cells.
"""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, sqrt
from typing import NamedTuple

from PIL import Image, ImageChops, ImageColor, ImageDraw

from critmass.drawing import lettering
from critmass.drawing.colours import COLOURS, SURFACES, Shade
from critmass.drawing.geometry import CELL, MARKS, ORB, PLACES
from critmass.drawing.outline import polygons
from critmass.engine import Board, Grid, cells_of

EDGE = 12
"""The frame around the cells, in the unit of the geometry."""

_GAP, _ROUND, _STROKE = 3, 10, 5
_RIM, _RIM_WIDTH = ORB + 2, 3.5
_GLOW, _GLOW_CORE, _GLOW_ALPHA = 58, 0.3, 0.75
_LIGHT_X, _LIGHT_Y, _LIGHT_REACH = 0.36, 0.3, 0.78
_LABEL, _LEAST_TEXT = 9, 5
_FINE = 8
_KEPT = 4096

Rgb = tuple[int, int, int]


def rgb(colour: str) -> Rgb:
    """Return a colour's parts; `colour` is hex, `#bf072e`."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def shade_of(letter: str, scheme: str) -> Shade:
    """Return a player's colour in a scheme."""
    colour = COLOURS[letter]
    return colour.dark if scheme == "dark" else colour.light


class Plan(NamedTuple):
    """Where the cells of a board lie in its picture, in pixels."""

    grid: Grid
    pitch: int
    """The side of a cell."""
    left: int
    top: int
    width: int
    height: int

    @classmethod
    def of_size(cls, grid: Grid, size: int) -> "Plan":
        """Return the plan of a picture whose longer side has that many pixels."""
        cells = max(grid.columns, grid.rows)
        pitch = int(size * CELL // (cells * CELL + 2 * EDGE))
        rest = size - cells * pitch
        return cls(grid, pitch, rest // 2, rest // 2, grid.columns * pitch + rest, grid.rows * pitch + rest)

    @classmethod
    def within(cls, grid: Grid, width: int, height: int) -> "Plan":
        """Return the plan of the largest picture that fits."""
        across, down = (side * CELL + 2 * EDGE for side in (grid.columns, grid.rows))
        pitch = min(width * CELL // across, height * CELL // down)
        edge = round(EDGE * pitch / CELL)
        return cls(grid, pitch, edge, edge, grid.columns * pitch + 2 * edge, grid.rows * pitch + 2 * edge)

    def corner(self, cell: int) -> tuple[int, int]:
        """Return the upper left corner of a cell."""
        column, row = self.grid.column_row(cell)
        return self.left + column * self.pitch, self.top + (self.grid.rows - 1 - row) * self.pitch

    def area(self, cell: int) -> tuple[int, int, int, int]:
        """Return the box that is a cell's to paint: the cell, and of the frame what lies beside it."""
        column, row = self.grid.column_row(cell)
        x, y = self.corner(cell)
        return (
            0 if column == 0 else x,
            0 if row == self.grid.rows - 1 else y,
            self.width if column == self.grid.columns - 1 else x + self.pitch,
            self.height if row == 0 else y + self.pitch,
        )


Stencil = Callable[[Image.Image, float], None]
"""Draws a figure into a mask, whose middle is the origin, given the pixels a unit."""


def _mask(side: int, pitch: int, *stencils: Stencil) -> Image.Image:
    """Return a square mask with smooth edges of what the stencils draw one after another."""
    fine = max(2, min(_FINE, 800 // pitch))
    large = Image.new("L", (side * fine, side * fine))
    for stencil in stencils:
        stencil(large, pitch * fine / CELL)
    return large.reduce(fine)


def _disc(radius: float, fill: int = 255) -> Stencil:
    def draw(image: Image.Image, scale: float) -> None:
        near, far = image.width / 2 - radius * scale, image.width / 2 + radius * scale - 1
        ImageDraw.Draw(image).ellipse((near, near, far, far), fill)

    return draw


def _engraving(path: str) -> Stencil:
    def draw(image: Image.Image, scale: float) -> None:
        middle = image.width / 2
        for figure in polygons(path):
            one = Image.new("L", image.size)
            ImageDraw.Draw(one).polygon([(middle + x * scale, middle + y * scale) for x, y in figure], 255)
            image.paste(ImageChops.difference(image, one))

    return draw


def _square(inset: float, corner: float, fill: int = 255) -> Stencil:
    """Return the stencil of a cell's square, so far inside the cell, with round corners."""

    def draw(image: Image.Image, scale: float) -> None:
        near, far = inset * scale, image.width - inset * scale - 1
        ImageDraw.Draw(image).rounded_rectangle((near, near, far, far), corner * scale, fill)

    return draw


def _fading(diameter: int) -> Image.Image:
    """Return a disc that runs evenly from 0 in its middle to 255 at its rim, and 255 around it."""
    # Pillow's reaches 255 in the corners of its square, whose side is 256.
    even = Image.radial_gradient("L").point([min(255, round(level * sqrt(2) * 255 / 256)) for level in range(256)])
    return even.resize((diameter, diameter), Image.Resampling.BICUBIC)


def _like(size: float, pitch: int) -> int:
    """Return the next whole number that is as odd or even as the pitch, so that a sprite has a cell's middle."""
    whole = ceil(size)
    return whole + (whole - pitch) % 2


class Sprite(NamedTuple):
    """A square to paste: a picture or a single colour, and where it covers."""

    image: Image.Image | str
    mask: Image.Image

    def onto(self, canvas: Image.Image, x: int, y: int, pitch: int, place: tuple[int, int] = (0, 0)) -> None:
        """Paste it into the cell whose corner is at x, y, that far from the cell's middle."""
        margin = (pitch - self.mask.width) // 2
        along, down = (_nearest(offset * pitch, CELL) for offset in place)
        canvas.paste(self.image, (x + margin + along, y + margin + down), self.mask)


def _nearest(value: int, by: int) -> int:
    """Divide to the nearest whole number, halves away from 0, so that places stay mirror images of each other."""
    whole = (2 * abs(value) + by) // (2 * by)
    return whole if value > 0 else -whole


def _lit(shade: Shade, pitch: int) -> Image.Image:
    """Return the square that an orb is cut from, lit from the upper left."""
    unit = pitch / CELL
    side = _like(2 * (_RIM + _RIM_WIDTH / 2) * unit + 1, pitch)
    reach = _LIGHT_REACH * 2 * ORB * unit
    x, y = (round(side / 2 + (at - 0.5) * 2 * ORB * unit - reach) for at in (_LIGHT_X, _LIGHT_Y))
    lit = Image.new("L", (side, side), 255)
    lit.paste(_fading(round(2 * reach)), (x, y))
    light, fill, deep = rgb(shade.light), rgb(shade.fill), rgb(shade.deep)
    return Image.merge("RGB", [lit.point(_ramp(*parts)) for parts in zip(light, fill, deep, strict=True)])


def plain_orb(letter: str, scheme: str, pitch: int) -> Sprite:
    """Return an orb without a mark, as the site's own sign has it."""
    body = _lit(shade_of(letter, scheme), pitch)
    return Sprite(body, _mask(body.width, pitch, _disc(ORB)))


@lru_cache(maxsize=96)
def orb(player: int, letter: str, scheme: str, pitch: int, *, hot: bool = False) -> Sprite:
    """Return a player's orb: lit from the upper left, the mark engraved, and with a rim if it is hot."""
    shade = shade_of(letter, scheme)
    body = _lit(shade, pitch)
    side = body.width
    body.paste(shade.ink, (0, 0), _mask(side, pitch, _engraving(MARKS[player - 1])))
    ball = _mask(side, pitch, _disc(ORB))
    if not hot:
        return Sprite(body, ball)
    rimmed = Image.new("RGB", (side, side), shade.light)
    rimmed.paste(body, (0, 0), ball)
    outer, inner = _RIM + _RIM_WIDTH / 2, _RIM - _RIM_WIDTH / 2
    return Sprite(rimmed, _mask(side, pitch, _disc(outer), _disc(inner, 0), _disc(ORB)))


def _ramp(light: int, fill: int, deep: int) -> list[int]:
    """Return what each level of light makes of one part of a colour."""
    half = 127.5
    near = [light + (fill - light) * level / half for level in range(128)]
    far = [fill + (deep - fill) * (level - half) / half for level in range(128, 256)]
    return [round(value) for value in near + far]


@lru_cache(maxsize=16)
def glow(letter: str, scheme: str, pitch: int) -> Sprite:
    """Return the glow around a hot cell, which reaches a little beyond it."""
    side = _like(2 * _GLOW * pitch / CELL, pitch)
    fall = [min(1, (255 - level) / 255 / (1 - _GLOW_CORE)) for level in range(256)]
    mask = _fading(side).point([round(255 * _GLOW_ALPHA * share) for share in fall])
    return Sprite(shade_of(letter, scheme).fill, mask)


def _ground(plan: Plan, scheme: str) -> Image.Image:
    """Return the empty board: tiles, and coordinates along two edges."""
    surface, grid, pitch = SURFACES[scheme], plan.grid, plan.pitch
    image = Image.new("RGB", (plan.width, plan.height), surface.frame)
    tile = _mask(pitch, pitch, _square(_gap(pitch), _ROUND))
    for cell in cells_of(grid.cells):
        image.paste(surface.tile, plan.corner(cell), tile)
    unit = pitch / CELL
    size = (15 if grid.columns <= 8 else 24) * unit
    if size < _LEAST_TEXT:
        return image
    canvas, letters = ImageDraw.Draw(image), lettering.font(size)
    for column in range(grid.columns):
        x, y = plan.corner(grid.cell(column, 0))
        at = x + (CELL - _LABEL) * unit, y + (CELL - _LABEL) * unit
        canvas.text(at, chr(97 + column), surface.muted, letters, anchor="rs")
    for row in range(grid.rows):
        x, y = plan.corner(grid.cell(0, row))
        canvas.text((x + _LABEL * unit, y + 5 * unit + size), str(row + 1), surface.muted, letters, anchor="ls")
    return image


class Look(NamedTuple):
    """All that a cell's looks depend on but its place: players are counted from 1, 0 is nobody."""

    owner: int
    orbs: int
    hot: bool
    just: bool
    """Whether it was just played."""
    glows: tuple[int, int, int, int]
    """Whose glow comes in from the south, the west, the east and the north."""


def looks(board: Board, last: int | None) -> list[Look]:
    """Return the looks of every cell of a board; `last` is the cell just played."""
    grid, hot = board.grid, board.hot
    owners = [0] * grid.size
    for player, held in enumerate(board.owners, 1):
        for cell in cells_of(held):
            owners[cell] = player
    glowing = [owner if hot >> cell & 1 else 0 for cell, owner in enumerate(owners)]
    columns, end = grid.columns, grid.columns - 1
    beyond = [0] * columns
    south, north = beyond + glowing[:-columns], glowing[columns:] + beyond
    west = [glowing[cell - 1] if cell % columns else 0 for cell in range(grid.size)]
    east = [glowing[cell + 1] if cell % columns != end else 0 for cell in range(grid.size)]
    return [
        Look(owner, board.orbs_at(cell), bool(glowing[cell]), cell == last, around)
        for cell, (owner, around) in enumerate(zip(owners, zip(south, west, east, north, strict=True), strict=True))
    ]


class Painter:
    """Paints the boards of one match cell by cell, and keeps what it has painted.

    `finish` is what becomes of a painted cell before it is kept.
    """

    def __init__(
        self, plan: Plan, colours: str, scheme: str, finish: Callable[[Image.Image], Image.Image] | None = None
    ) -> None:
        self.plan = plan
        self._colours = colours
        self._scheme = scheme
        self._finish = finish
        self._ground = _ground(plan, scheme)
        self._just = _mask(plan.pitch, plan.pitch, *_outline(plan.pitch))
        self._painted: dict[tuple[int, Look], Image.Image] = {}

    def paint(self, canvas: Image.Image, cell: int, look: Look, corner: tuple[int, int] = (0, 0)) -> None:
        """Paint a cell into the part of the board's picture that has its upper left corner there."""
        x, y, *_ = self.plan.area(cell)
        canvas.paste(self._cell(cell, look), (x - corner[0], y - corner[1]))

    def _cell(self, cell: int, look: Look) -> Image.Image:
        column, row = self.plan.grid.column_row(cell)
        inner = 0 < column < self.plan.grid.columns - 1 and 0 < row < self.plan.grid.rows - 1
        key = -1 if inner else cell, look
        if key not in self._painted:
            if len(self._painted) >= _KEPT:
                self._painted.clear()
            image = self._draw(cell, look)
            self._painted[key] = self._finish(image) if self._finish else image
        return self._painted[key]

    def _draw(self, cell: int, look: Look) -> Image.Image:
        plan, pitch = self.plan, self.plan.pitch
        area = plan.area(cell)
        image = self._ground.crop(area)
        x, y = (at - start for at, start in zip(plan.corner(cell), area[:2], strict=True))
        if look.just:
            image.paste(SURFACES[self._scheme].accent, (x, y), self._just)
        south, west, east, north = look.glows
        own = look.owner if look.hot else 0
        hazes = ((south, 0, 1), (west, -1, 0), (own, 0, 0), (east, 1, 0), (north, 0, -1))
        for player, across, down in sorted(hazes, key=lambda haze: haze[0]):
            if player:
                haze = glow(self._colours[player - 1], self._scheme, pitch)
                haze.onto(image, x + across * pitch, y + down * pitch, pitch)
        if look.owner:
            ball = orb(look.owner, self._colours[look.owner - 1], self._scheme, pitch, hot=look.hot)
            for place in PLACES[look.orbs]:
                ball.onto(image, x, y, pitch, place)
        return image


def _gap(pitch: int) -> float:
    """Return the space around a tile, in whole pixels unless it is but a line, so that edges are sharp."""
    pixels = _GAP * pitch / CELL
    return _GAP if pixels < 1 else round(pixels) * CELL / pitch


def _outline(pitch: int) -> tuple[Stencil, Stencil]:
    """Return what draws the outline of a tile, and what clears its inside."""
    gap, half = _gap(pitch), _STROKE / 2
    return _square(gap - half, _ROUND + half), _square(gap + half, _ROUND - half, 0)


def picture(plan: Plan, board: Board, last: int | None, colours: str, scheme: str) -> Image.Image:
    """Return a board at rest; `last` is the cell just played."""
    painter = Painter(plan, colours, scheme)
    image = Image.new("RGB", (plan.width, plan.height), SURFACES[scheme].frame)
    for cell, look in enumerate(looks(board, last)):
        painter.paint(image, cell, look)
    return image


def rounded(plan: Plan) -> Image.Image:
    """Return the mask that makes the corners of a board's picture round."""
    fine = 4
    large = Image.new("L", (plan.width * fine, plan.height * fine))
    corner = 20 * plan.pitch * fine / CELL
    ImageDraw.Draw(large).rounded_rectangle((0, 0, large.width - 1, large.height - 1), corner, 255)
    return large.reduce(fine)
