"""Boards as text for a terminal."""

from critmass.engine import Board, Ply

MARKS = "●○▲■✚◆=♛"
"""Each player's mark, as on the orbs of the picture."""


def board_text(board: Board, last: int | None = None) -> str:
    """Return a board as lines of text, the cell just played in brackets.

    A cell is a player's mark and its number of orbs; `!` follows where the next orb sets it off.
    """
    grid = board.grid
    hot = board.hot
    lines = []
    for row in range(grid.rows - 1, -1, -1):
        shown = []
        for column in range(grid.columns):
            cell = grid.cell(column, row)
            owner = board.owner(cell)
            inside = f"{MARKS[owner - 1]}{board.orbs_at(cell)}" if owner else " ·"
            inside += "!" if hot >> cell & 1 and owner else " "
            shown.append(f"[{inside}]" if cell == last else f" {inside} ")
        lines.append(f"{row + 1:>3} {''.join(shown)}".rstrip())
    letters = "".join(f"  {chr(97 + column)}  " for column in range(grid.columns))
    return "\n".join([*lines, f"    {letters}".rstrip()])


def rings_text(ply: Ply) -> str:
    """Return the frames of a move one under another: the orb placed, then each ring."""
    titles = ["Orb placed", *(f"Ring {number}" for number in range(1, len(ply.frames)))]
    parts = [f"{title}\n{board_text(frame, ply.cell)}" for title, frame in zip(titles, ply.frames, strict=True)]
    return "\n\n".join(parts)
