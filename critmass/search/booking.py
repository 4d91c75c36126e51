"""Makes the book of openings: solves a board and writes down what is far from the end.

    python -m critmass.search.booking 3x4 3x5

Whoever wins a large board has the moves of one way to win in the book, against everything, as long as it is far from
the end. Of a board of at most `SOLVED` cells all positions of the first plies are in it.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import click

from critmass.engine import Position, cells_of, classic
from critmass.search.book import Moves, key_of
from critmass.search.solve import EVERYTHING, SOLVED, WON, Solver, is_soon_won, slots_in, winning_cell

FILE = Path(__file__).with_name("book.jsonl")
MEMORY = 8192
"""The megabytes that the solver's table takes."""
FIRST = 5
"""The plies after which a small board is soon solved from wherever it stands."""


def first_moves(start: Position, solver: Solver) -> Moves:
    """Return the winning moves of all positions of the first plies."""
    moves, positions = Moves(), [start]
    for _ in range(FIRST + 1):
        found = {}
        for position in positions:
            key, way = key_of(position)
            if key not in found:
                found[key] = position
                cell = winning_cell(solver, position)
                moves[key] = None if cell is None else way[cell]
        afters = (position.play(cell).after for position in found.values() for cell in cells_of(position.legal))
        positions = [after for after in afters if after.outcome is None]
    return moves


def way_to_win(start: Position, solver: Solver, strong: int) -> Moves:
    """Return the moves by which one player wins, from positions where they are not soon found without a book."""
    moves, seen, waiting = Moves(), set[str](), [start]
    while waiting:
        position = waiting.pop()
        key, way = key_of(position)
        if key in seen:
            continue
        seen.add(key)
        played: Iterable[int] = cells_of(position.legal)
        if position.turn == strong:
            if is_soon_won(Solver(position.rules), position):
                continue
            cell = winning_cell(solver, position)
            if cell is None:
                raise ValueError(f"expected a position that player {strong} wins: {position}")
            moves[key], played = way[cell], (cell,)
        afters = (position.play(cell).after for cell in played)
        waiting += [after for after in afters if after.outcome is None]
    return moves


@click.command()
@click.argument("boards", nargs=-1, required=True)
def main(boards: tuple[str, ...]) -> None:
    """Solve boards and write their openings into the book."""
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()] if FILE.exists() else []
    book = {line["board"]: line["moves"] for line in lines}
    for board in boards:
        columns, rows = map(int, board.split("x"))
        rules = classic(columns, rows)
        solver, start = Solver(rules, slots_in(MEMORY)), Position.start(rules)
        strong = 1 if solver.solve(start, EVERYTHING) == WON else 2
        small = rules.grid.size <= SOLVED
        book[board] = first_moves(start, solver) if small else way_to_win(start, solver, strong)
        click.echo(f"{board}: player {strong} wins, {len(book[board])} positions")
    written = (
        json.dumps({"board": board, "moves": moves}, separators=(",", ":")) + "\n"
        for board, moves in sorted(book.items())
    )
    FILE.write_text("".join(written), "utf-8")


if __name__ == "__main__":
    main()
