"""The part of the style sheet that the code draws up: colours from the palette, and the digits of the clock."""

from critmass.drawing.colours import COLOURS, SURFACES, Colour
from critmass.engine.rules import MAX_SIDE, MIN_SIDE

_SHADES = ("fill", "light", "deep", "ink", "text")


def stylesheet() -> str:
    """Return the rules for the colours of both schemes, the sizes of boards, and numbers written as digits."""
    dark = f"{{color-scheme:dark;{_scheme('dark')}}}"
    rules = [
        f":root{{color-scheme:light;{_scheme('light')}}}",
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-scheme=light]){dark}}}",
        f"@media screen{{:root[data-scheme=dark]{dark}}}",
    ]
    rules += [
        f".{letter}{{{''.join(f'--{shade}:var(--{letter}-{shade});' for shade in _SHADES)}}}" for letter in COLOURS
    ]
    rules += [f".{shade}{{stop-color:var(--{shade})}}" for shade in _SHADES[:3]]
    for digit in range(1, 10):
        rules += [f".{place}{digit}{{--{place}:{digit}}}" for place in "kxyz"]
    for side in range(MIN_SIDE, MAX_SIDE + 1):
        rules += [f".columns{side}{{--columns:{side}}}", f".rows{side}{{--rows:{side}}}"]
    return "\n".join(rules) + "\n"


def _scheme(scheme: str) -> str:
    surface = SURFACES[scheme]
    variables = [f"--{name}:{value};" for name, value in surface._asdict().items()]
    for letter, colour in COLOURS.items():
        variables += [f"--{letter}-{name}:{getattr(_shade(colour, scheme), name)};" for name in _SHADES]
    return "".join(variables)


def _shade(colour: Colour, scheme: str) -> object:
    return getattr(colour, scheme)
