"""Finding puzzles in self-play: `python -m critmass.puzzles.make_puzzles FILE --count 350`.

A weak and sometimes careless player plays matches against itself. Where one move wins by force, and it is proven that
no other does, even with one more move of the winner's, there is a puzzle.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

from critmass.engine import CODINGAME, CRITICAL_MASS, Position, Rules, cell_name, cells_of, classic
from critmass.engine.match import Match
from critmass.files import NotOverwritten, Unwritable, check, write
from critmass.links import LEVELS, link_to
from critmass.search import choose
from critmass.search.symmetry import least_image
from critmass.search.thinking import Search, Thought, think, winning_moves

GAMES = (CRITICAL_MASS, classic(5, 5), CODINGAME, CRITICAL_MASS, classic(6, 6), CODINGAME, classic(6, 9))
"""The games that puzzles are made from, in turns."""
SHARES = {3: 0.4, 5: 0.42, 7: 0.16, 9: 0.02}
"""What part of all puzzles may take so many plies."""
MARGIN = 2
"""The plies beyond a win within which no other move may win."""
CARELESS = 0.12
"""How often a move of self-play is random."""
KEYS = {"path", "mover", "plies", "line", "grade", "missed"}
"""What is kept of a puzzle."""
GLANCE, PROOF = 10_000, 2_000_000
"""The nodes for a first look at a position, and for its proof."""


def self_play(rules: Rules, rng: random.Random) -> Match:
    """Play a match that is not played well all through."""
    position, cells = Position.start(rules), list[int]()
    while position.turn is not None:
        careless = len(cells) < 4 or rng.random() < CARELESS
        cells.append(rng.choice(list(cells_of(position.legal))) if careless else Search(position, 2_000).deepen().cell)
        position = position.play(cells[-1]).after
    return Match.replay(rules, cells)


def candidates(match: Match) -> Iterator[tuple[Match, Thought]]:
    """Yield the positions of a match in which the mover wins by force, but not at once."""
    for ply in range(len(match.plies) - 1, 6, -1):
        before = match.until(ply)
        thought = think(before.position(), nodes=GLANCE)
        if thought.end in SHARES and thought.score > 0:
            yield before, thought


def proven(position: Position, plies: int) -> Thought | None:
    """Return the winning move and the line after it, if it is the only one."""
    for within in (plies, plies + MARGIN):
        wins = winning_moves(position, within, PROOF)
        if wins is None or len(wins) != 1:
            return None
    thought = Search(position, PROOF).shortest_end(range(1, plies + 1, 2))
    return thought if thought and {thought.cell} == wins else None


def graded(match: Match, thought: Thought) -> dict[str, Any]:
    """Return a puzzle as it is kept."""
    position = match.position()
    missed = sum(choose(position, level).cell != thought.cell for level in LEVELS)
    plies = len(thought.line)
    return {
        "path": link_to(match).url(),
        "mover": position.turn,
        "plies": plies,
        "line": [cell_name(match.rules.grid, cell) for cell in thought.line],
        "grade": max(1, min(5, plies // 2 + missed - 1)),
        "missed": missed,
    }


def puzzles(seed: int, wanted: dict[int, int]) -> Iterator[dict[str, Any]]:
    """Yield puzzles, at most one from a match, until there are as many as wanted of each number of plies."""
    rng = random.Random(seed)  # noqa: S311 - puzzles are no secrets
    seen: set[tuple[int, ...]] = set()
    while any(wanted.values()):
        for rules in GAMES:
            for match, thought in candidates(self_play(rules, rng)):
                position = match.position()
                shape = least_image(position.board)
                if not wanted.get(thought.end or 0) or shape in seen:
                    continue
                found = proven(position, thought.end or 0)
                if found and len(found.line) == thought.end:
                    seen.add(shape)
                    wanted[len(found.line)] -= 1
                    yield graded(match, found)
                    break


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--count", default=350, show_default=True, help="How many puzzles to find.")
@click.option("--seed", default=1, show_default=True, help="Another seed finds others.")
@click.option("--force", is_flag=True, help="Overwrite the file even where it holds something else than puzzles.")
def main(file: Path, count: int, seed: int, force: bool) -> None:
    """Write puzzles into a file, easy ones first."""
    wanted = {plies: round(count * share) for plies, share in SHARES.items()}
    found: list[dict[str, Any]] = []

    def keep() -> None:
        nonlocal file
        lines = "".join(json.dumps(it) + "\n" for it in found).encode()
        file = write(file, lambda target: target.write(lines), check_puzzles, force)

    try:
        check(file, check_puzzles, force)
        with click.progressbar(puzzles(seed, wanted), length=sum(wanted.values()), label="Puzzles") as bar:
            for puzzle in bar:
                found.append(puzzle)
                keep()
        found.sort(key=lambda it: (it["grade"], it["plies"], it["missed"]))
        keep()
    except (NotOverwritten, Unwritable) as error:
        raise click.ClickException(str(error)) from error


def check_puzzles(file: IO[bytes]) -> None:
    """Raise `ValueError` where a file holds anything but puzzles."""
    for number, line in enumerate(file, 1):
        try:
            whole = line.endswith(b"\n") and json.loads(line).keys() == KEYS
        except (ValueError, AttributeError, RecursionError):
            whole = False
        if not whole:
            raise ValueError(f"line {number} is no puzzle")


if __name__ == "__main__":
    main()
