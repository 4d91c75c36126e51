"""Preview cards: what a chat shows beside a link. The position, and in words how the match stands."""

from itertools import chain
from typing import NamedTuple

from PIL import Image, ImageDraw

from critmass.drawing.colours import SURFACES
from critmass.drawing.geometry import CELL, ORB
from critmass.drawing.lettering import BOLD, PLAIN, broken, font, halved, shortened, width
from critmass.drawing.raster import Plan, orb, picture, rounded, shade_of
from critmass.engine import Board

WIDTH, HEIGHT = 1200, 630

_MARGIN, _GAP = 52, 56
_COLUMN = 560
_STRIPE = 14


class Seat(NamedTuple):
    """A player, as the list at the foot of the card shows it."""

    name: str
    held: str
    """What the player holds, in a word or two."""
    out: bool = False


class Card(NamedTuple):
    """All that a card says."""

    board: Board
    last: int | None
    """The cell just played."""
    mover: int | None
    """The player who played it, counted from 1."""
    about: int | None
    """The player whom the headline is about."""
    game: str
    headline: str
    move: str
    told: str
    seats: tuple[Seat, ...]


def card(it: Card, colours: str, scheme: str) -> Image.Image:
    """Return the picture of a card."""
    surface, grid = SURFACES[scheme], it.board.grid
    image = Image.new("RGB", (WIDTH, HEIGHT), surface.page)
    plan = Plan.within(grid, WIDTH - 2 * _MARGIN - _GAP - 400, HEIGHT - 2 * _MARGIN)
    column = min(_COLUMN, WIDTH - 2 * _MARGIN - _GAP - plan.width)
    left = (WIDTH - plan.width - _GAP - column) // 2
    top = (HEIGHT - plan.height) // 2
    image.paste(picture(plan, it.board, it.last, colours, scheme), (left, top), rounded(plan))
    if it.about:
        image.paste(shade_of(colours[it.about - 1], scheme).fill, (0, 0, _STRIPE, HEIGHT))
    _Column(image, left + plan.width + _GAP, column, colours, scheme).write(it)
    return image


class _Column:
    """The words of a card: how the match stands from the top down, the players at the foot."""

    def __init__(self, image: Image.Image, left: int, room: int, colours: str, scheme: str) -> None:
        self._image = image
        self._canvas = ImageDraw.Draw(image)
        self._left = left
        self._room = room
        self._colours = colours
        self._scheme = scheme
        self._surface = SURFACES[scheme]

    def write(self, it: Card) -> None:
        """Write all the words of a card."""
        text, muted = self._surface.text, self._surface.muted
        lowest = self._players(it.seats)
        self._line(it.game, 27, _MARGIN + 26, muted, PLAIN)
        y = self._headline(it.headline, it.about, _MARGIN + 60)
        self._line(it.move, 32, y, text)
        y += 46
        indent = 40 if it.mover else 0
        if it.mover:
            self._orb(it.mover, self._left + 13, y - 9, 26)
        room = self._room - indent
        lines = broken(it.told, 27, room, PLAIN)
        fit = max(1, (lowest - y) // 36 + 1)
        if len(lines) > fit:
            lines[fit - 1 :] = [" ".join(lines[fit - 1 :])]
        for line in lines:
            self._line(shortened(line, 27, room, PLAIN), 27, y, muted, PLAIN, indent)
            y += 36

    def _line(self, text: str, size: int, y: int, colour: str, name: str = BOLD, indent: int = 0) -> None:
        self._canvas.text((self._left + indent, y), text, colour, font(size, name), anchor="ls")

    def _headline(self, text: str, about: int | None, y: int) -> int:
        """Write how the match stands below a height, with the orb of the player it is about; return where to go on."""
        share = 1.25 if about else 0
        one, two = (
            ((size, (text,)) for size in range(72, 47, -4)),
            ((size, halved(text, size)) for size in range(60, 19, -4)),
        )
        for size, lines in chain(one, two):
            if all(width(line, size) <= self._room - round(share * size) for line in lines):
                break
        y += size
        if about:
            self._orb(about, self._left + size // 2, y - round(size * 0.36), size)
        for line in lines:
            self._line(line, size, y, self._surface.text, indent=round(share * size))
            y += round(size * 1.15)
        return y - round(size * 1.15) + 66

    def _players(self, seats: tuple[Seat, ...]) -> int:
        """Write the list of players; return the lowest line that is free above it."""
        several = len(seats) > 4
        step, largest, columns = (43, 25, 2) if several else (52, 29, 1)
        rows = -(-len(seats) // columns)
        room = (self._room - 32 * (columns - 1)) // columns
        foot = HEIGHT - _MARGIN - 12
        for number, seat in enumerate(seats):
            x = self._left + number // rows * (room + 32)
            y = foot - (rows - 1 - number % rows) * step
            weight, colour = (PLAIN, self._surface.muted) if seat.out else (BOLD, self._surface.text)
            self._orb(number + 1, x + largest // 2, y - round(largest * 0.36), round(largest * 1.1))
            space = room - 56 - width(seat.held, largest, PLAIN)
            size = next((size for size in range(largest, 18, -1) if width(seat.name, size, weight) <= space), 18)
            name = shortened(seat.name, size, space, weight)
            self._canvas.text((x + 42, y), name, colour, font(size, weight), anchor="ls")
            self._canvas.text((x + room, y), seat.held, self._surface.muted, font(largest, PLAIN), anchor="rs")
        return foot - (rows - 1) * step - 44

    def _orb(self, player: int, x: int, y: int, diameter: int) -> None:
        """Paint a player's orb around a point."""
        pitch = round(diameter * CELL / (2 * ORB))
        ball = orb(player, self._colours[player - 1], self._scheme, pitch)
        ball.onto(self._image, x - pitch // 2, y - pitch // 2, pitch)
