"""The palette, measured: contrast by WCAG 2.1, difference by CIEDE2000, deficiencies simulated at full severity."""

import re
from itertools import combinations

import pytest
from coloraide import Color

from critmass.drawing.colours import COLOURS, SURFACES, Shade
from critmass.links import DEFAULT_COLOURS

SIGHTS = {
    "normal": None,
    "protan, Brettel": ("protan", "brettel"),
    "deutan, Brettel": ("deutan", "brettel"),
    "tritan, Brettel": ("tritan", "brettel"),
    "protan, Machado": ("protan", "machado"),
    "deutan, Machado": ("deutan", "machado"),
    "tritan, Machado": ("tritan", "machado"),
    "protan, Viénot": ("protan", "vienot"),
    "deutan, Viénot": ("deutan", "vienot"),
}
# Where a hue has its name, in degrees of OKLCH.
HUES = {
    "r": (15, 30),
    "o": (40, 65),
    "n": (40, 65),
    "y": (75, 102),
    "l": (115, 135),
    "g": (142, 158),
    "t": (175, 202),
    "c": (205, 235),
    "s": (245, 275),
    "b": (250, 270),
    "v": (285, 310),
    "p": (340, 362),
}

both_schemes = pytest.mark.parametrize("scheme", SURFACES)


def shades(scheme: str) -> dict[str, Shade]:
    return {letter: getattr(colour, scheme) for letter, colour in COLOURS.items()}


def contrast(one: str, other: str) -> float:
    return Color(one).contrast(other, method="wcag21")


def seen(colour: str, sight: str) -> Color:
    """What of `colour` reaches somebody, as far as a screen can show it."""
    if (simulation := SIGHTS[sight]) is None:
        return Color(colour)
    deficiency, method = simulation
    return Color(colour).filter(deficiency, method=method).convert("srgb").clip()


def differences(scheme: str, letters: str, sight: str) -> dict[str, float]:
    looks = {letter: seen(shades(scheme)[letter].fill, sight) for letter in letters}
    return {a + b: looks[a].delta_e(looks[b], method="2000") for a, b in combinations(letters, 2)}


def test_the_letters_are_those_of_the_contract() -> None:
    assert "".join(COLOURS) == "rbgyovtpclns"
    assert all(colour.letter == letter for letter, colour in COLOURS.items())
    assert DEFAULT_COLOURS == "rbgyvotp"


@both_schemes
def test_every_value_is_plain_hex(scheme: str) -> None:
    values = [*SURFACES[scheme], *(value for shade in shades(scheme).values() for value in shade)]
    assert all(re.fullmatch("#[0-9a-f]{6}", value) for value in values)


@both_schemes
@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("letters", "least"), [(DEFAULT_COLOURS[:4], 10), (DEFAULT_COLOURS, 7)])
def test_players_can_be_told_apart(scheme: str, sight: str, letters: str, least: float) -> None:
    assert {pair: d for pair, d in differences(scheme, letters, sight).items() if d < least} == {}


@both_schemes
def test_normal_vision_tells_all_twelve_apart(scheme: str) -> None:
    assert min(differences(scheme, "".join(COLOURS), "normal").values()) >= 13


@both_schemes
@pytest.mark.parametrize("letter", COLOURS)
def test_a_fill_looks_like_its_name(scheme: str, letter: str) -> None:
    _, chroma, hue = Color(shades(scheme)[letter].fill).convert("oklch").coords()
    low, high = HUES[letter]
    assert low <= hue <= high or low <= hue + 360 <= high
    match letter:
        case "s":
            assert chroma < 0.05
        case "n":
            assert 0.05 < chroma < 0.11
        case _:
            assert chroma > 0.075


@both_schemes
@pytest.mark.parametrize("letter", COLOURS)
def test_an_orb_stands_out_and_so_does_its_mark(scheme: str, letter: str) -> None:
    shade = shades(scheme)[letter]
    assert contrast(shade.fill, SURFACES[scheme].tile) >= 3
    assert min(contrast(shade.ink, under) for under in (shade.light, shade.fill, shade.deep)) >= 3


@both_schemes
@pytest.mark.parametrize("letter", COLOURS)
def test_an_orb_is_lit_from_one_side(scheme: str, letter: str) -> None:
    shade = shades(scheme)[letter]
    light, fill, deep = (Color(c).luminance() for c in (shade.light, shade.fill, shade.deep))
    assert light > fill > deep


@both_schemes
@pytest.mark.parametrize("letter", COLOURS)
def test_the_name_of_a_colour_can_be_read(scheme: str, letter: str) -> None:
    surface = SURFACES[scheme]
    text = shades(scheme)[letter].text
    assert min(contrast(text, surface.page), contrast(text, surface.panel)) >= 4.5


@both_schemes
@pytest.mark.parametrize("kind", ["text", "muted", "accent"])
def test_words_can_be_read(scheme: str, kind: str) -> None:
    surface = SURFACES[scheme]
    words = getattr(surface, kind)
    assert min(contrast(words, under) for under in (surface.page, surface.panel, surface.frame, surface.tile)) >= 4.5
    assert contrast(surface.page, surface.accent) >= 4.5  # words on a button


@both_schemes
def test_no_player_has_the_accent(scheme: str) -> None:
    accent = Color(SURFACES[scheme].accent)
    assert min(accent.delta_e(shade.fill, method="2000") for shade in shades(scheme).values()) >= 15
