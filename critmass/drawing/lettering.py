"""Lettering: the text of pictures, in a font of the project's own, so that it looks alike on every machine."""

import unicodedata
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).parent / "fonts"
BOLD, PLAIN = "Inter-SemiBold.ttf", "Inter-Regular.ttf"

_SMALLEST = 4


@lru_cache(maxsize=64)
def font(size: float, name: str = BOLD) -> ImageFont.FreeTypeFont:
    """Return the font in a size in pixels. Layout is the basic one: it needs no library that may be missing."""
    return ImageFont.truetype(str(FONTS / name), max(size, _SMALLEST), layout_engine=ImageFont.Layout.BASIC)


def width(text: str, size: float, name: str = BOLD) -> float:
    """Return how many pixels a line of text takes."""
    return font(size, name).getlength(text)


@lru_cache(maxsize=1024)
def _shape(character: str) -> bytes:
    canvas = Image.new("L", (48, 48))
    ImageDraw.Draw(canvas).text((8, 8), character, 255, font(24))
    return canvas.tobytes()


def _drawn(character: str) -> bool:
    """Whether the font has a character, and it takes no art to set it."""
    return character == " " or (not unicodedata.combining(character) and _shape(character) != _shape("\U0010fffd"))


def legible(text: str) -> str:
    """Return a text as the font can show it; empty where a letter is missing, for then it would be another text.

    Letters and their accents become one where such a letter exists. Symbols that the font lacks are left out.
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        if _drawn(character):
            kept.append(character)
        elif unicodedata.category(character)[0] != "S":
            return ""
    return " ".join("".join(kept).split())


def broken(text: str, size: float, room: float, name: str = BOLD) -> list[str]:
    """Return a text broken into lines that are no wider than `room`, unless a single word is."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, name) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def halved(text: str, size: float, name: str = BOLD) -> tuple[str, ...]:
    """Return a text as the two lines whose longer one is shortest; one line where there is no space to break at."""
    words = text.split()
    broken = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(broken, key=lambda lines: max(width(line, size, name) for line in lines), default=(text,))


def shortened(text: str, size: float, room: float, name: str = BOLD) -> str:
    """Return a text, cut and with an ellipsis where it is wider than `room`."""
    if width(text, size, name) <= room:
        return text
    while text and width(f"{text}…", size, name) > room:
        text = text[:-1].rstrip()
    return f"{text}…"
