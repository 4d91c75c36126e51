"""The sign of the site, for the screens of phones: an orb that has just handed one to each of its neighbours."""

from PIL import Image, ImageDraw

from critmass.drawing.colours import SURFACES
from critmass.drawing.raster import Sprite, glow, plain_orb

_LETTER, _SCHEME = "r", "dark"
_FINE = 2
_CORNER = 0.22
_SAFE, _WIDE = 0.8, 0.97
"""The part of the square that the sign takes: with and without a margin that may be cut off."""


def icon(size: int, *, bleed: bool) -> Image.Image:
    """Return the icon of that side: a square full of colour for others to cut, with `bleed`, or with round corners."""
    side = size * _FINE
    image = Image.new("RGB", (side, side), SURFACES[_SCHEME].frame)
    unit, middle = side * (_SAFE if bleed else _WIDE), side / 2

    def put(sprite: Sprite, along: float, down: float, pitch: int) -> None:
        sprite.onto(image, round(middle + along * unit - pitch / 2), round(middle + down * unit - pitch / 2), pitch)

    haze, large, small = (round(unit * share) for share in (0.84, 0.98, 0.42))
    put(glow(_LETTER, _SCHEME, haze), 0, 0, haze)
    neighbour, orb = plain_orb(_LETTER, _SCHEME, small), plain_orb(_LETTER, _SCHEME, large)
    for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        put(neighbour, x * 0.37, y * 0.37, small)
    put(orb, 0, 0, large)
    image = image.resize((size, size), Image.Resampling.LANCZOS)
    if bleed:
        return image
    mask = Image.new("L", (size * 4, size * 4))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size * 4 - 1, size * 4 - 1), size * 4 * _CORNER, 255)
    image.putalpha(mask.reduce(4))
    return image
