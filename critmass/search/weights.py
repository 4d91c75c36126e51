"""The weights of the evaluation, in the order of its features (see `critmass.search.evaluation`)."""

from critmass.engine import Rules

# fmt: off
KEEPS_SURPLUS = (
    50, 15, 44, 0, 25, 34, 55, 14, 34, 4, 27, 56, -27, -3, -16, -27, -35, -30, -58, -5, -45, -32, -22, -48,
    55, 10, 37, -1, 23, 33, 56, 0, 13, 14, 25, 32, 7, 2, -46, 17, -4, -47, -60, 12, -78, 18, -1, -103,
)
LOSES_SURPLUS = (
    53, 24, 37, 2, 14, 38, 21, 17, 39, 5, 30, 38, -12, -15, 6, -13, -7, 16, -10, 1, 6, -2, 8, 1,
    60, 14, 38, -2, 6, 36, 39, 8, 32, -2, 15, 28, 4, -11, -30, 9, 2, -9, -5, 8, -41, 27, 11, -61,
)
# fmt: on
MATERIAL = (1, 1, 2, 1, 2, 3) * 8
"""Orbs, whatever surrounds them."""
SCALE = 400
"""An evaluation of that much wins e times as often as it loses (the logistic function of 1)."""


def weights_for(rules: Rules) -> tuple[int, ...]:
    """Return the weights that were learned for such rules."""
    return KEEPS_SURPLUS if rules.keeps_surplus else LOSES_SURPLUS
