"""The weights of the evaluation, in the order of its features (see `critmass.search.evaluation`)."""

KEEPS_SURPLUS = (10, 10, 20, 10, 20, 30) * 8
LOSES_SURPLUS = (10, 10, 20, 10, 20, 30) * 8
SCALE = 400
"""An evaluation of that much wins e times as often as it loses (the logistic function of 1)."""
