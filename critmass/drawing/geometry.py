"""Where orbs lie in a cell, and what tells the players apart: one geometry for every kind of picture.

The unit is a hundredth of a cell's side. Places are relative to the middle of the cell, marks and faces to the middle
of an orb; y runs down, as in SVG.
"""

CELL = 100
ORB = 20
"""The radius of an orb."""

PLACES: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-16, -16), (16, 16)),
    ((0, -22), (-21, 16), (21, 16)),
    ((-21, -21), (21, -21), (-21, 21), (21, 21)),
    ((-22, -22), (22, -22), (0, 0), (-22, 22), (22, 22)),
    ((-22, -26), (22, -26), (-22, 0), (22, 0), (-22, 26), (22, 26)),
    ((-22, -26), (22, -26), (-22, 26), (22, 26), (0, 0), (-26, 0), (26, 0)),
)
"""The middles of the orbs of a cell that holds 0 to 7."""

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
"""The mark of each player, engraved on every orb: a dot, a ring, a triangle, a square, a cross, a diamond, two bars, a
crown. It tells the players apart without colour."""

_EYES = (
    "M-7-8a3 3 0 1 0 .01 0zM7-8a3 3 0 1 0 .01 0z",
    "M-6-10a2.500 4.500 0 1 0 .01 0zM6-10a2.500 4.500 0 1 0 .01 0z",
    "M-7-11a6 6 0 1 0 .01 0zM-7-8.500a3.500 3.500 0 1 1-.01 0zM7-11a6 6 0 1 0 .01 0zM7-8.500a3.500 3.500 0 1 1-.01 0z",
    "M-11-6h8a4 4 0 0 1-8 0zM3-6h8a4 4 0 0 1-8 0z",
    "M-11-5.500h8v2.500h-8zM7-8a3 3 0 1 0 .01 0z",
    "M-7-10l4 5-4 5-4-5zM7-10l4 5-4 5-4-5z",
    "M-10-8h6v6h-6zM4-8h6v6h-6z",
    "M-7-11l2.500 6-2.500 6-2.500-6zM7-11l2.500 6-2.500 6-2.500-6z",
)
_MOUTHS = (
    "M-10 4a10.500 10.500 0 0 0 20 0a12 9 0 0 1-20 0z",
    "M-8 4H8a8 8 0 0 1-16 0z",
    "M-8 6H8v3H-8z",
    "M-9 8a9 9 0 0 0 18-5a11 9 0 0 1-18 5z",
    "M-9 4H9a9 9 0 0 1-18 0zM-4 4v4h8v-4z",
    "M-9 5q4.500 6 9 1q4.500 5 9-1v2.500q-4.500 5-9 .5q-4.500 4.500-9-.5z",
    "M-5 5H5v6H-5z",
    "M-10 4q10 9 20 0l-4 7-3-4-3 5-3-5-3 4z",
)
_WORRY = "M-12-12l8-4v2.500l-8 4zM12-12l-8-4v2.500l8 4zM0 3a4.500 5 0 1 0 .01 0z"

FACES = tuple(eyes + mouth for eyes, mouth in zip(_EYES, _MOUTHS, strict=True))
"""The face of each player, for those who would rather see faces than marks."""
WORRIED = tuple(eyes + _WORRY for eyes in _EYES)
"""The same faces one orb short of going off."""
