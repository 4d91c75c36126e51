"""`critmass bench pictures`: what drawing a match takes, and how large it is."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import cycle

from PIL import Image

from critmass.bench import links, rate
from critmass.formats.pictures import encoded, gif, png
from critmass.links import Link, read, split_url


def run(seconds: float) -> list[str]:
    """Return the lines of the report: milliseconds, size, and ratio to the baseline.

    The baseline is what no card can do without: the pixels of one, drawn already, are compressed.
    """
    matches = [read(address) for url in links(20) if (address := split_url(url))]
    cards = [replace(link, card=True) for link in matches]
    drawn = Image.open(BytesIO(png(cards[0])))
    drawn.load()
    spent = seconds / 4

    def each(picture: Callable[[Link], bytes], of: list[Link]) -> tuple[float, float]:
        """Return the milliseconds and the mean size in kB of the pictures of some matches, drawn one after another."""
        waiting: Iterator[Link] = cycle(of)
        milliseconds = 1000 / rate(lambda: picture(next(waiting)), spent)
        return milliseconds, sum(len(picture(link)) for link in of) / len(of) / 1000

    compressed = 1000 / rate(lambda: encoded(drawn), spent), len(encoded(drawn)) / 1000
    figures = {
        "card, 1200×630, PNG": each(png, cards),
        "board, 1024×1024, PNG": each(png, matches),
        "film, 480×480, GIF": each(gif, matches),
        "baseline": compressed,
    }
    lines = ["Pictures of 60-move Critical Mass matches, each another, one process"]
    for name, (milliseconds, size) in figures.items():
        share = milliseconds / compressed[0]
        lines.append(f"  {name:22} {milliseconds:7.1f} ms  {size:6.1f} kB  {share:6.1f} × the baseline")
    lines.append("  The baseline compresses the pixels of a card and draws nothing.")
    return lines
