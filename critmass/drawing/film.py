"""Matches as films: a GIF with a frame for every orb placed and every ring.

Of each frame only the cells that changed are stored, within the smallest box around them; all frames share one
palette. Pillow compresses the pixels, the rest of the format is written here: that way a frame costs what changed.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PIL import Image, ImageChops

from critmass.drawing.indexed import flattened, indexed, palette
from critmass.drawing.raster import Look, Painter, Plan, looks
from critmass.engine import Board, Ply

SHADES = 64
"""The colours of a film, the transparent one included."""

START, PLACED, RING, REST, END = 600, 300, 350, 600, 3000
"""How long frames stay, in milliseconds: the first, an orb placed that sets off a chain, a ring, a board at rest,
and the last."""
_LONGEST_CHAIN, _SHORTEST_RING = 15 * RING, 60
_LONGEST_MATCH, _SHORTEST_REST = 60 * REST, 200
_CLEAR = SHADES - 1
_DEPTH = _CLEAR.bit_length()
_KEEP, _SEE_THROUGH = 1 << 2, 1

Box = tuple[int, int, int, int]


class Frame(NamedTuple):
    """A board, the cell just played, and how long it stays in milliseconds."""

    board: Board
    last: int | None
    stays: int


def script(before: Frame, plies: Sequence[Ply], most: int) -> list[Frame]:
    """Return what the film of some plies shows, from the board before them to the one after.

    That is a frame for the start, and for each ply one for the orb placed and one for each ring. Where it would be
    more than `most` frames, every chain is thinned to the same number of them, evenly and with its end, as many as
    fit; and where even one a ply does not fit, only every second ply is shown, or every third, with the last.
    """
    step = -(-len(plies) // max(1, most - 1)) or 1
    plies = plies[::-1][::step][::-1]
    lengths = [len(ply.steps) for ply in plies]
    chain = max(lengths, default=1)
    while chain > 1 and 1 + sum(min(length, chain) for length in lengths) > most:
        chain -= 1
    hurry = max(_SHORTEST_REST / REST, min(1, _LONGEST_MATCH / REST / max(1, len(plies))))
    frames = [before]
    for ply, length in zip(plies, lengths, strict=True):
        shown, boards = min(length, chain), ply.frames
        ring = max(_SHORTEST_RING, min(RING, _LONGEST_CHAIN // shown))
        for number in _spread(length, shown):
            stays = REST * hurry if number == length - 1 else ring if number else PLACED * hurry
            frames.append(Frame(boards[number], ply.cell, round(stays)))
    frames[-1] = frames[-1]._replace(stays=END)
    return frames


def _spread(length: int, most: int) -> list[int]:
    """Return that many of the numbers below `length`, evenly spread, the last among them."""
    if most == 1:
        return [length - 1]
    return [number * (length - 1) // (most - 1) for number in range(most)]


def film(plan: Plan, frames: Iterable[Frame], colours: str, scheme: str) -> bytes:
    """Return the frames as a GIF that begins again at its end."""
    shades = palette(colours, scheme, SHADES - 1)
    painter = Painter(plan, colours, scheme, lambda cell: _indices(indexed(cell, shades, dithered=True)))
    canvas = Image.new("L", (plan.width, plan.height), _CLEAR)
    parts = [_head(plan, flattened(shades))]
    before: Sequence[Look | None] = [None] * plan.grid.size
    for frame in frames:
        now = looks(frame.board, frame.last)
        changed = [cell for cell, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
        box = _around([plan.area(cell) for cell in changed])
        old = canvas.crop(box)
        for cell in changed:
            painter.paint(canvas, cell, now[cell])
        new = canvas.crop(box)
        differs = ImageChops.difference(old, new).point([0] + [255] * 255)
        parts.append(_frame(Image.composite(new, Image.new("L", new.size, _CLEAR), differs), box, frame.stays))
        before = now
    parts.append(b";")
    return b"".join(parts)


def _indices(image: Image.Image) -> Image.Image:
    return Image.frombytes("L", image.size, image.tobytes())


def _around(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around some; a single pixel around none."""
    if not boxes:
        return 0, 0, 1, 1
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _head(plan: Plan, shades: Sequence[int]) -> bytes:
    return b"".join(
        (
            b"GIF89a",
            struct.pack("<HHBBB", plan.width, plan.height, 0x80 | 0x70 | _DEPTH - 1, 0, 0),
            bytes(shades).ljust(3 * SHADES, b"\0"),
            b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",
        )
    )


def _frame(image: Image.Image, box: Box, stays: int) -> bytes:
    """Return the frame that puts a picture into a box of the one before, and leaves what is clear as it was."""
    left, top, right, bottom = box
    return b"".join(
        (
            b"!\xf9\x04" + struct.pack("<BHBB", _KEEP | _SEE_THROUGH, stays // 10, _CLEAR, 0),
            struct.pack("<cHHHHBB", b",", left, top, right - left, bottom - top, 0, _DEPTH),
            image.tobytes("gif", "L", _DEPTH, 0),
            b"\0",
        )
    )
