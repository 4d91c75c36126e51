"""Links as pictures: what `.png` and `.gif` answer."""

from dataclasses import replace
from io import BytesIO

from PIL import Image

from critmass.drawing import raster
from critmass.drawing.card import Card, Seat, card
from critmass.drawing.film import START, Frame, film, script
from critmass.drawing.indexed import indexed, palette
from critmass.drawing.lettering import legible
from critmass.formats.wording import count, game_title, standing, told
from critmass.links import COLOUR_NAMES, Link
from critmass.links.names import visible

BOARD_SIZE, FILM_SIZE = 1024, 480
_SHADES, _SMOOTH = 256, 3
"""The colours of a PNG, and for how many players they are enough to look smooth without dithering."""
_EFFORT = 6
"""How hard a PNG is compressed: beyond, it takes ten times as long and is 4 % smaller."""
_MOST_FRAMES, _MOST_PIXELS = 1500, 400_000_000
"""What a film may come to, in frames and in the pixels of all of them; a longer one is thinned."""


def png(link: Link) -> bytes:
    """Return the position shown as a PNG: its board, or its preview card if that is asked for."""
    if link.card:
        image = card(_card(link), link.colours, link.scheme)
    else:
        plan = raster.Plan.of_size(link.rules.grid, link.size or BOARD_SIZE)
        last = link.ply.cell if link.ply else None
        image = raster.picture(plan, link.position.board, last, link.colours, link.scheme)
    shades = palette(link.colours, link.scheme, _SHADES, lettered=link.card)
    return encoded(indexed(image, shades, dithered=link.rules.players > _SMOOTH))


def encoded(image: Image.Image) -> bytes:
    """Return the picture as a PNG, always the same for the same pixels."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=_EFFORT)
    return file.getvalue()


def gif(link: Link) -> bytes:
    """Return the match, up to the position shown, as a film.

    One of more than 1500 frames, or of more than 400 million pixels in all its frames, is thinned as `script` says: so
    none takes more than some seconds and megabytes.
    """
    plan = raster.Plan.of_size(link.rules.grid, link.size or FILM_SIZE)
    plies = link.match.plies
    start = link.start
    before = Frame(link.match.position(start).board, plies[start - 1].cell if start else None, START)
    most = min(_MOST_FRAMES, _MOST_PIXELS // (plan.width * plan.height))
    frames = script(before, plies[start : link.at], most)
    return film(plan, frames, link.colours, link.scheme)


def _lettered(name: str) -> str:
    """Return a name as the font has it, without the joiners and selectors that only other fonts' emoji need."""
    return legible("".join(char for char in name if char.isspace() or visible(char)))


def _card(link: Link) -> Card:
    names = tuple(
        _lettered(name) or COLOUR_NAMES[colour] for name, colour in zip(link.names, link.colours, strict=True)
    )
    link, position, ply = replace(link, names=names), link.position, link.ply
    seats = []
    for player, name in enumerate(names, 1):
        out, orbs = player in position.out, position.board.orbs_of(player)
        seats.append(Seat(name, "out" if out else count(orbs, "orb") if len(names) <= 4 else str(orbs), out))
    winner = position.outcome.winner if position.outcome else None
    return Card(
        board=position.board,
        last=ply.cell if ply else None,
        mover=ply.player if ply else None,
        about=position.turn or winner,
        game=game_title(link),
        headline=standing(link, position),
        move=f"Move {link.at}" if link.at_end else f"Move {link.at} of {link.length}",
        told=told(link, ply) if ply else "",
        seats=tuple(seats),
    )
