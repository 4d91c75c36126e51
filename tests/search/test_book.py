"""The openings of solved boards: what the book says is true, and whoever wins by it wins in fact."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from critmass.arena.openings import random_match
from critmass.bench.duels import Player, play
from critmass.bench.opponents import anybody, greedy
from critmass.engine import Board, Position, Rules, classic
from critmass.search import book, choose
from critmass.search.book import Book, Opening, find
from critmass.search.make_book import first_moves
from critmass.search.solve import EVERYTHING, LOST, SOLVED, WON, Solver, outcome_of, winning_move

WINNERS = {(3, 3): 1, (3, 4): 1, (4, 3): 1, (3, 5): 2, (5, 3): 2, (4, 4): 2}
"""Who wins, as docs/solved.md has it."""


@pytest.mark.parametrize("size", [(3, 4), (4, 3)])
def test_what_is_in_the_book_is_proven(size: tuple[int, int]) -> None:
    rules = classic(*size)
    solver, seen = Solver(rules, 1 << 22), set()
    for position in early(rules, 40, seed=3):
        opening = find(position)
        assert opening is not None
        seen.add(opening.cell is None)
        if opening.cell is None:
            assert solver.solve(position, EVERYTHING) == LOST
        else:
            assert outcome_of(solver, position, opening.cell, EVERYTHING) == WON
    assert seen == {True, False}


@pytest.mark.parametrize("size", WINNERS)
def test_who_wins_a_solved_board_knows_how_all_along(size: tuple[int, int]) -> None:
    """By the book first, then by proofs."""
    rules, winner = classic(*size), WINNERS[size]
    known = []

    def perfect(position: Position) -> int:
        known.append(find(position) is not None)
        cell = winning_move(position)
        assert cell is not None, str(position.board)
        return cell

    is_large = rules.grid.size > SOLVED
    others: list[Player] = [*map(anybody, range(2 if is_large else 6)), greedy(), strong(6)]
    for other in others:
        assert winner_of(rules, winner, perfect, other) == winner
    if is_large:
        assert known.count(True) >= 6 * len(others), "the book ended early"


@pytest.mark.parametrize("size", [(3, 4), (5, 3)])
def test_level_8_plays_by_the_book(size: tuple[int, int]) -> None:
    rules, winner = classic(*size), WINNERS[size]
    assert winner_of(rules, winner, strong(8), anybody(7)) == winner
    position = Position.start(rules) if winner == 1 else Position.start(rules).play(7).after
    opening = find(position)
    assert opening is not None
    assert choose(position, 8).cell == opening.cell


def strong(level: int) -> Player:
    """The player of a level."""

    def player(position: Position) -> int:
        return choose(position, level).cell

    return player


def winner_of(rules: Rules, seat: int, player: Player, other: Player) -> int | None:
    """Who wins when a player sits in that seat and the other one in the other."""
    outcome = play(Position.start(rules), *((player, other) if seat == 1 else (other, player))).outcome
    assert outcome is not None
    return outcome.winner


def test_a_position_is_found_however_it_lies() -> None:
    upright, wide = classic(3, 4), classic(4, 3)
    found = 0
    for position in early(upright, 40, seed=5):
        laid = Position(wide, position.ply, transposed(position.board), position.turn)
        one, other = find(position), find(laid)
        assert one is not None
        assert other is not None
        assert (one.cell is None) == (other.cell is None)
        if other.cell is not None:
            found += 1
            after = laid.play(other.cell).after
            assert after.outcome is not None or winning_move(after) is None
    assert found


def test_a_book_that_is_made_is_found_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "FILE", tmp_path / "book.npz")
    assert book.read_book() == {}
    start, solver = Position.start(classic(3, 3)), Solver(classic(3, 3))
    moves = first_moves(start, solver, 3)
    book.write_book({"3x3": Book.of(moves)})
    (made,) = book.read_book().values()
    assert {key: made.find(key) for key in moves} == {key: Opening(cell) for key, cell in moves.items()}
    assert {made.find(key + 1) for key in moves if key + 1 not in moves} == {None}
    assert made.winner == 1
    assert None in moves.values()
    of_the_winner = first_moves(start, solver, 3, strong=1)
    assert len(of_the_winner) < len(moves)
    assert of_the_winner.keys() <= moves.keys()
    assert None not in of_the_winner.values()


def test_a_book_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "book.npz"
    monkeypatch.setattr(book, "FILE", file)
    start, solver = Position.start(classic(3, 3)), Solver(classic(3, 3))
    made = {"3x3": Book.of(first_moves(start, solver, 2))}
    book.write_book(made)
    before = file.read_bytes()

    def full(file: IO[bytes], **_: object) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        book.write_book(made)
    assert [path.name for path in tmp_path.iterdir()] == ["book.npz"]
    assert file.read_bytes() == before


def transposed(board: Board) -> Board:
    """The board mirrored along its diagonal."""
    rows = [[row[at : at + 2] for at in range(0, len(row), 2)] for row in str(board).split("/")][::-1]
    return Board.parse("/".join("".join(column) for column in list(zip(*rows, strict=True))[::-1]), 2)


def early(rules: Rules, count: int, seed: int) -> Iterator[Position]:
    """Positions of the first plies."""
    rng = random.Random(seed)
    for _ in range(count):
        yield random_match(rules, rng.randrange(6), rng).position()


def test_other_games_have_no_book() -> None:
    for rules in (classic(3, 3), classic(4, 5), classic(3, 4, 3), classic(16, 16)):
        assert find(Position.start(rules)) is None
