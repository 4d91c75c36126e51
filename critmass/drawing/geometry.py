"""Where orbs lie in a cell, and the shape of each player's mark: one geometry for every kind of picture.

The unit is a hundredth of a cell's side; a cell's origin is its upper left corner, y runs down, as in SVG.
"""

CELL = 100
ORB = 20
"""The radius of an orb."""

PLACES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((50, 50),),
    ((34, 34), (66, 66)),
    ((50, 28), (29, 66), (71, 66)),
    ((29, 29), (71, 29), (29, 71), (71, 71)),
    ((28, 28), (72, 28), (50, 50), (28, 72), (72, 72)),
    ((28, 24), (72, 24), (28, 50), (72, 50), (28, 76), (72, 76)),
    ((28, 24), (72, 24), (28, 76), (72, 76), (50, 50), (24, 50), (76, 50)),
)
"""The centres of the orbs of a cell that holds 0 to 7."""

MARKS = (
    "M0-9a9 9 0 1 0 .01 0z",
    "M0-11a11 11 0 1 0 .01 0zM0-5a5 5 0 1 1-.01 0z",
    "M0-12 11 8H-11z",
    "M-9-9H9V9H-9z",
    "M-4-12H4V-4H12V4H4V12H-4V4H-12V-4H-4z",
    "M0-13 11 0 0 13-11 0z",
    "M-11-9H11V-3H-11zM-11 3H11V9H-11z",
    "M-12 10V-8L-5 0 0-11 5 0 12-8V10z",
)
"""The mark of each player, engraved on every orb, as an SVG path around the orb's centre: what tells the players
apart without colour. A dot, a ring, a triangle, a square, a cross, a diamond, two bars, a crown."""
