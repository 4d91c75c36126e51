"""Makes the book of openings: solves a board and writes down what is far from the end.

    python -m critmass.search.booking 3x4 3x5

Whoever wins a large board has the moves of one way to win in the book, against everything. Of a board of at most
`SOLVED` cells all positions are in it, from which it is still far.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from critmass.engine import Position, cells_of, classic
from critmass.search.book import Moves, key_of
from critmass.search.solve import EVERYTHING, SOLVED, SOLVING_NODES, UNKNOWN, WON, Solver, outcome_of, winning_cell

FILE = Path(__file__).with_name("book.jsonl")
SLOTS = 1 << 28
"""The places in the table of the solver, of 16 bytes each."""
NEAR = 3_000_000
"""The moves that may be tried out during a match to solve a small board: some tenths of a second."""

Winner = Callable[[Position], int | None]
"""Returns a move that wins with best play, or `None` where none does."""


def winner_by(solver: Solver) -> Winner:
    """Return what finds the winning moves of all positions, those first that take the least to find out."""

    def winner(position: Position) -> int | None:
        nodes = 1
        while True:
            results = []
            for cell in cells_of(position.legal):
                results.append(outcome_of(solver, position, cell, nodes))
                if results[-1] == WON:
                    return cell
            if UNKNOWN not in results:
                return None
            nodes = min(nodes * 100, EVERYTHING)

    return winner


def is_near(position: Position) -> bool:
    """Return whether a player at the board finds out without a book who wins, and how."""
    solver = Solver(position.rules)
    if position.rules.grid.size > SOLVED:
        return winning_cell(solver, position, SOLVING_NODES) is not None
    return solver.solve(position, NEAR) != UNKNOWN


def collect(start: Position, winner: Winner, strong: int | None) -> Moves:
    """Return the winning moves of the positions that can come up after one, as far as they are far from the end.

    With a `strong` player, who wins, only those are returned in which that player is to move, and only as far as the
    moves of the book lead to them.
    """
    moves, seen, waiting = Moves(), set[str](), [start]
    while waiting:
        position = waiting.pop()
        key, way = key_of(position)
        if key in seen:
            continue
        seen.add(key)
        played: Iterable[int] = cells_of(position.legal)
        if position.turn == strong or not strong:
            if is_near(position):
                continue
            cell = winner(position)
            moves[key] = None if cell is None else way[cell]
            if strong and cell is not None:
                played = [cell]
        afters = [position.play(cell).after for cell in played]
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
        solver, start = Solver(rules, SLOTS), Position.start(rules)
        strong = 1 if solver.solve(start, EVERYTHING) == WON else 2
        book[board] = collect(start, winner_by(solver), None if rules.grid.size <= SOLVED else strong)
        click.echo(f"{board}: player {strong} wins, {len(book[board])} positions")
    written = (json.dumps({"board": board, "moves": moves}) + "\n" for board, moves in sorted(book.items()))
    FILE.write_text("".join(written), "utf-8")


if __name__ == "__main__":
    main()
