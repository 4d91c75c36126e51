"""The commands of the computer player."""

import time
from collections.abc import Callable
from datetime import date

import click

from critmass.engine import Grid, Position, Rules, classic
from critmass.engine.errors import BadBoard
from critmass.formats.wording import judged, name_of
from critmass.links import Link, parse_address, read
from critmass.search.analysis import NODES
from critmass.search.thinking import Thought

Read = Callable[[str], Link]
"""Reads the match that an argument of a command means."""


def add_commands(main: click.Group, read_match: Read) -> None:
    """Add the commands to the command line."""
    for command in (analyse_command(read_match), puzzle_command, solve_command, warm_up_command):
        main.add_command(command)


# --- Analysis -----------------------------------------------------------------------------------------------------


def analyse_command(read_match: Read) -> click.Command:
    """Return the command `critmass analyse`."""

    @click.command("analyse")
    @click.argument("source", metavar="LINK")
    @click.option(
        "--nodes", default=NODES, show_default=True, type=click.IntRange(100), help="Moves tried out a question."
    )
    def command(source: str, nodes: int) -> None:
        """Say who stood better after each ply of a match, and which moves threw something away.

        \b
        Example:
          critmass analyse /m/160287006
        """  # noqa: D301 - click's mark for lines to be left as they are
        from critmass.search.analysis import analyse, judge

        link = read_match(source)
        for ply, before, after in analyse(link.match, nodes):
            verdict = judge(before, after)
            remark = f"  {judged(link, before, after, verdict)}" if verdict else ""
            played = chance_text(before.played or before.best)
            click.echo(f"{ply.number:3}. {name_of(link, ply.player):16} {ply.name:3} {played:10}{remark}".rstrip())

    return command


def chance_text(thought: Thought) -> str:
    """Return the mover's chance to win, or in how many moves of the winner it is decided."""
    if thought.end is None:
        return f"{50 + 50 * thought.score:3.0f} %"
    return f"wins in {(thought.end + 1) // 2}" if thought.end % 2 else f"loses in {thought.end // 2}"


# --- Puzzles ------------------------------------------------------------------------------------------------------


@click.command("puzzle")
@click.argument("number", required=False, type=click.IntRange(1))
@click.option("--solution", is_flag=True, help="Tell the solution.")
def puzzle_command(number: int | None, solution: bool) -> None:
    """Show a puzzle: a position in which exactly one move wins. Without a number it is that of the day."""
    from critmass.drawing.text import board_text
    from critmass.puzzles.collection import count, of_the_day, puzzle

    if number is not None and number > count():
        raise click.ClickException(f"There are {count()} puzzles.")
    it = of_the_day(date.today()) if number is None else puzzle(number)
    address = parse_address(it.path)
    assert address is not None  # noqa: S101 - it is a link of ours
    link = read(address)
    click.echo(board_text(link.board))
    moves = (it.plies + 1) // 2
    click.echo(f"Puzzle {it.number}, grade {it.grade} of 5: {name_of(link, it.mover)} to move wins in {moves}.")
    click.echo(it.path)
    if solution:
        click.echo(f"Solution: {' '.join(it.line)}")


# --- Solving ------------------------------------------------------------------------------------------------------


class BoardSize(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A board size on the command line, like `3x4`."""

    name = "board"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> Grid:
        """Return the grid of that size."""
        columns, _, rows = str(value).partition("x")
        try:
            return classic(int(columns), int(rows)).grid
        except (ValueError, BadBoard):
            self.fail(f"{value!r} is no board, one looks like 3x4", parameter, context)


@click.command("solve")
@click.argument("board", type=BoardSize())
@click.option("--rules", type=click.Choice(["classic", "critical-mass"]), default="classic", show_default=True)
@click.option(
    "--millions", default=2000, show_default=True, type=click.IntRange(1), help="Give up after so many moves."
)
@click.option(
    "--memory",
    "megabytes",
    default=256,
    show_default=True,
    type=click.IntRange(1),
    help="Megabytes for what was found out so far; a power of two is used. Large boards take some thousand.",
)
def solve_command(board: Grid, rules: str, millions: int, megabytes: int) -> None:
    """Prove who wins on a small board with two players.

    With critical-mass the first seven plies are graced, as on the large board.

    \b
    Examples:
      critmass solve 3x3
      critmass solve 3x4 --rules critical-mass
      critmass solve 3x5 --millions 6000 --memory 4096
    """  # noqa: D301 - click's mark for lines to be left as they are
    from critmass.search.solve import LARGEST, UNKNOWN, Solver, is_solvable, slots_in

    first_live = 2 if rules == "classic" else 8
    game = Rules(rules, board.columns, board.rows, 2, first_live)
    if not is_solvable(game):
        raise click.ClickException(f"A board of at most {LARGEST} cells can be solved.")
    solver, result = Solver(game, slots_in(megabytes)), UNKNOWN
    with click.progressbar(range(millions), label="Million moves tried out", show_pos=True) as bar:
        for _ in bar:
            result = solver.solve(Position.start(game), 1_000_000)
            if result != UNKNOWN:
                break
    click.echo()
    if result == UNKNOWN:
        raise click.ClickException(f"Not solved with {millions} million moves; try more with --millions.")
    winner = "first" if result else "second"
    click.echo(f"{rules} on {board.columns}x{board.rows}: the {winner} player wins ({solver.nodes:,} moves tried out).")


# --- The kernel ---------------------------------------------------------------------------------------------------


@click.command("warm-up")
def warm_up_command() -> None:
    """Compile what the computer player needs, once, so that nobody has to wait for it."""
    from critmass.search import warm_up
    from critmass.search.code_cache import troubles
    from critmass.search.compiled import cache_folder

    start = time.perf_counter()
    warm_up()
    folder = cache_folder()
    kept = f"kept in {folder}" if folder else "kept nowhere, as no folder can be written to"
    if troubles:
        kept = f"not all of it could be kept in {folder}: {troubles[0]}"
    click.echo(f"Ready after {time.perf_counter() - start:.1f} s; {kept}.")
