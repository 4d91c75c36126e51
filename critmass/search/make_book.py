"""Makes the book of openings: solves boards and writes down the moves that win from the first positions.

    python -m critmass.search.make_book 3x4:5 3x5:11 4x4:13

The number behind a board is that of the plies that the book will have of it. The moves that it has already are taken
over: by them less has to be proven than that a board is won.

Of a board of at most `SOLVED` cells all positions of the first plies are in the book, of a larger one those that come
up while the player who wins plays by it.
"""

from collections.abc import Iterable

import click

from critmass.engine import Position, cells_of, classic
from critmass.search.book import Book, Moves, find, key_of, read_book, solved, write_book
from critmass.search.solve import SOLVED, UNKNOWN, WON, Solver, slots_in, winning_cell

MEMORY = 8192
"""The megabytes that the solver's table takes."""
STEP = 200_000_000


def settle(solver: Solver, position: Position) -> int:
    """Return whether the player to move has won or lost.

    A search that begins anew now and then, with all that it knows, does not go on for long where it has become clear
    meanwhile that another part of the tree is nearer to a proof: on 3×5 that makes it much shorter.
    """
    while (result := solver.solve(position, STEP)) == UNKNOWN:
        pass
    return result


def best_cell(solver: Solver, position: Position) -> int | None:
    """Return a move that wins, out of the book if it is in there; `None` if no move does."""
    if opening := find(position):
        return opening.cell
    return winning_cell(solver, position) if settle(solver, position) == WON else None


def first_moves(start: Position, solver: Solver, plies: int, strong: int | None = None) -> Moves:
    """Return the winning moves of all positions up to that many plies.

    With a `strong` player, who wins, only of those that come up when that player makes the moves that are returned.
    """
    moves, positions = Moves(), {key_of(start)[0]: start}
    for _ in range(plies + 1):
        afters = []
        for position in positions.values():
            played: Iterable[int] = cells_of(position.legal)
            if strong in (None, position.turn):
                key, way = key_of(position)
                cell = best_cell(solver, position)
                moves[key] = None if cell is None else way[cell]
                if strong and cell is not None:
                    played = (cell,)
            afters += [position.play(cell).after for cell in played]
        positions = {key_of(after)[0]: after for after in afters if after.outcome is None}
    return moves


@click.command()
@click.argument("boards", nargs=-1, required=True)
def main(boards: tuple[str, ...]) -> None:
    """Solve boards and write their openings into the book."""
    books = read_book()
    for argument in boards:
        board, _, plies = argument.partition(":")
        columns, rows = map(int, board.split("x"))
        rules = classic(columns, rows)
        solver, start, known = Solver(rules, slots_in(MEMORY)), Position.start(rules), solved(rules)
        winner = known.winner if known else 1 if settle(solver, start) == WON else 2
        strong = None if rules.grid.size <= SOLVED else winner
        books[board] = Book.of(first_moves(start, solver, int(plies), strong))
        click.echo(f"{board}: player {winner} wins, {len(books[board].keys)} positions, {solver.nodes} moves tried out")
        write_book(books)


if __name__ == "__main__":
    main()
