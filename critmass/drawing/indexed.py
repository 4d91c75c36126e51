"""Few colours: the palettes that pictures are stored with, a third of the size and the same to the eye.

A palette is cut out of a board on which every player has every kind of cell, so it depends on colours and scheme
alone, and all pictures of a match share theirs. What lies flat, or is too thin to count, keeps its exact colour.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from PIL import Image

from critmass.drawing.colours import SURFACES
from critmass.drawing.raster import Plan, Rgb, picture, rgb, shade_of
from critmass.engine import Board

_APART = 11
"""How far all others stay from the colours of flat areas: Pillow looks colours up in boxes of four levels a side."""
_AMPLE = 24
"""With so many colours a player there are some for the ends of the glow, of which there is little in the sample."""
_SAMPLE_PITCH = 40
_SAMPLE_ROW = "{0}1{0}2{0}3{0}3{0}1{0}2{0}1"


@lru_cache(maxsize=128)
def palette(colours: str, scheme: str, limit: int, *, lettered: bool = False) -> tuple[Rgb, ...]:
    """Return at most `limit` colours for the pictures of a match; `lettered` with those of text on the page."""
    flat, exact = _flat(scheme, lettered=lettered), _exact(colours, scheme, limit, lettered=lettered)
    taken = list(dict.fromkeys((*flat, *_apart(exact, flat))))
    sample, room = _sample(colours, scheme), limit - len(taken)
    found = _cut(sample, room, taken, flat)
    # Those too near to a flat colour leave places; one more cut fills most of them.
    more = _cut(sample, min(256, 2 * room - len(found)), taken, flat)
    return (*taken, *(more if len(more) <= room else found))


def _cut(sample: Image.Image, number: int, taken: Sequence[Rgb], flat: Sequence[Rgb]) -> list[Rgb]:
    """Cut that many colours out of a picture, and leave out those that are no use beside the ones taken."""
    parts = sample.quantize(number, Image.Quantize.MEDIANCUT).getpalette() or []
    colours = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return [colour for colour in dict.fromkeys(_apart(colours, flat)) if colour not in taken]


def _apart(colours: Iterable[Rgb], flat: Sequence[Rgb]) -> Iterator[Rgb]:
    """Yield those of the colours that are not taken for a flat one, nor a flat one for them."""
    return (colour for colour in colours if all(_distance(colour, other) >= _APART**2 for other in flat))


def _flat(scheme: str, *, lettered: bool) -> tuple[Rgb, ...]:
    surface = SURFACES[scheme]
    return tuple(rgb(part) for part in (surface.tile, surface.frame, *((surface.page,) if lettered else ())))


def _exact(colours: str, scheme: str, limit: int, *, lettered: bool) -> Iterator[Rgb]:
    """Yield the colours, besides the flat ones, that would suffer from a stand-in."""
    surface = SURFACES[scheme]
    tile, frame, accent, muted = (rgb(part) for part in (surface.tile, surface.frame, surface.accent, surface.muted))
    yield from (mixed(tile, frame, 1 / 3), mixed(tile, frame, 2 / 3))
    for letter in colours:
        yield from (rgb(part) for part in shade_of(letter, scheme)[:4])
        if limit >= _AMPLE * len(colours):
            fill = rgb(shade_of(letter, scheme).fill)
            yield from (mixed(frame, fill, share) for share in (0.1, 0.2, 0.3))
            yield from (mixed(tile, fill, share) for share in (0.65, 0.75))
    yield from (accent, muted, mixed(tile, accent, 0.5), mixed(tile, muted, 0.5))
    if lettered:
        page, text = rgb(surface.page), rgb(surface.text)
        yield text
        yield from (mixed(page, text, share / 6) for share in range(1, 6))
        yield from (mixed(page, muted, share / 4) for share in range(1, 4))


def mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    """Return a mixture of two colours, so much of it the second."""
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(first, second, strict=True))
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> int:
    red, green, blue = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return red * red + green * green + blue * blue


def _sample(colours: str, scheme: str) -> Image.Image:
    """Return a board on which every player has every kind of cell."""
    players = len(colours)
    rows = "/".join(_SAMPLE_ROW.format(chr(97 + row % players)) for row in range(max(players, 4)))
    board = Board.parse(rows, players)
    return picture(Plan.of_size(board.grid, _SAMPLE_PITCH * board.grid.columns), board, None, colours, scheme)


def flattened(colours: Iterable[Rgb]) -> list[int]:
    """Return colours as Pillow takes a palette."""
    return [part for colour in colours for part in colour]


@lru_cache(maxsize=32)
def _holder(colours: tuple[Rgb, ...]) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette(flattened(colours))
    return holder


def indexed(image: Image.Image, colours: tuple[Rgb, ...], *, dithered: bool = False) -> Image.Image:
    """Return the picture with the nearest of these colours everywhere, as indices into them."""
    dither = Image.Dither.FLOYDSTEINBERG if dithered else Image.Dither.NONE
    return image.quantize(palette=_holder(colours), dither=dither)
