"""Tables that stand on floors which do not know each other say the same."""

from critmass.drawing.colours import COLOURS
from critmass.engine.rules import MAX_PLAYERS
from critmass.links import COLOUR_NAMES, DEFAULT_COLOURS, LEVELS
from critmass.search.levels import BY_LEVEL


def test_every_colour_of_a_link_is_drawn_and_no_other() -> None:
    assert list(COLOUR_NAMES) == list(COLOURS)
    assert len(set(DEFAULT_COLOURS)) == MAX_PLAYERS
    assert set(DEFAULT_COLOURS) <= set(COLOURS)


def test_every_level_of_a_link_is_played_and_no_other() -> None:
    assert list(LEVELS) == list(BY_LEVEL)
