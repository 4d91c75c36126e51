"""Outlines: the path data that marks are drawn with, as polygons for those who fill pixels."""

import re
from collections.abc import Iterator
from math import atan2, ceil, cos, hypot, pi, sin, sqrt

Point = tuple[float, float]

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_STEPS = 48
"""Into how many sides a full circle is cut."""


def polygons(path: str) -> list[list[Point]]:
    """Return the closed figures of a path, to be filled by the even-odd rule.

    It takes moves, straight lines and arcs of circles, all that the marks of the players are made of; raises
    `ValueError` for anything else.
    """
    figures: list[list[Point]] = []
    tokens = _TOKEN.findall(path)
    command, x, y, at = "", 0.0, 0.0, 0

    def numbers(count: int) -> Iterator[float]:
        nonlocal at
        at += count
        return map(float, tokens[at - count : at])

    while at < len(tokens):
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
        from_x, from_y = (x, y) if command.islower() else (0.0, 0.0)
        match command:
            case "z" | "Z":
                x, y = figures[-1][0]
                continue
            case "M" | "m":
                x, y = numbers(2)
                x, y, command = x + from_x, y + from_y, "l" if command == "m" else "L"
                figures.append([])
            case "L" | "l":
                x, y = numbers(2)
                x, y = x + from_x, y + from_y
            case "H" | "h":
                x = next(numbers(1)) + from_x
            case "V" | "v":
                y = next(numbers(1)) + from_y
            case "A" | "a":
                radius, other, _, large, sweep, to_x, to_y = numbers(7)
                if radius != other:
                    raise ValueError(f"expected arcs of circles only: {path!r}")
                end = to_x + from_x, to_y + from_y
                figures[-1] += _arc((x, y), end, radius, large=bool(large), sweep=bool(sweep))
                x, y = end
            case _:
                raise ValueError(f"expected moves, straight lines and arcs only: {path!r}")
        figures[-1].append((x, y))
    return figures


def _arc(start: Point, end: Point, radius: float, *, large: bool, sweep: bool) -> Iterator[Point]:
    """Yield the points between both ends of an arc of a circle; y runs down, `sweep` is clockwise."""
    (x, y), (to_x, to_y) = start, end
    across, down = to_x - x, to_y - y
    chord = hypot(across, down)
    radius = max(radius, chord / 2)
    away = sqrt(radius**2 - (chord / 2) ** 2) / chord * (1 if large != sweep else -1)
    middle_x, middle_y = (x + to_x) / 2 - away * down, (y + to_y) / 2 + away * across
    first, last = atan2(y - middle_y, x - middle_x), atan2(to_y - middle_y, to_x - middle_x)
    turn = (last - first) % (2 * pi) if sweep else -((first - last) % (2 * pi))
    steps = ceil(abs(turn) / (2 * pi) * _STEPS)
    for step in range(1, steps):
        angle = first + turn * step / steps
        yield middle_x + radius * cos(angle), middle_y + radius * sin(angle)
