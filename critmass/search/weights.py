"""The weights of the evaluation, in the order of its features (see `critmass.search.evaluation`)."""

from critmass.engine import Rules

KEEPS_SURPLUS = (10, 10, 20, 10, 20, 30) * 8
LOSES_SURPLUS = (10, 10, 20, 10, 20, 30) * 8
MATERIAL = (1, 1, 2, 1, 2, 3) * 8
"""Orbs, whatever surrounds them."""
SCALE = 400
"""An evaluation of that much wins e times as often as it loses (the logistic function of 1)."""


def weights_for(rules: Rules) -> tuple[int, ...]:
    """Return the weights that were learned for such rules."""
    return KEEPS_SURPLUS if rules.keeps_surplus else LOSES_SURPLUS
