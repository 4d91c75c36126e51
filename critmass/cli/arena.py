"""`critmass arena`, `critmass referee` and `critmass bot`: the arena's part of the command line."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from ipaddress import ip_address
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from critmass.cli.option_types import base_url as site_address

if TYPE_CHECKING:
    from critmass.arena.bot import Bot, Limits
    from critmass.arena.records import Record
    from critmass.arena.schedule import Schedule
    from critmass.arena.stats import Sprt
    from critmass.arena.tournament import Tournament
    from critmass.files import Check, Fill

_INTERRUPTED = 130
_QUIET = 10.0
_MAX_ELO = 1000


def _limit(flag: str, default: int, told: str) -> Callable[[Any], Any]:
    span = click.IntRange(1, 3_600_000)
    return click.option(flag, default=default, show_default=True, type=span, help=f"Milliseconds {told}.")


_first_ms = _limit("--first-ms", 1000, "for a bot's first turn, its start-up included")
_later_ms = _limit("--later-ms", 100, "for each later turn")
_shell = click.option("--shell", is_flag=True, help="Give the commands to a shell. Without it, none is ever started.")


@click.command(
    epilog="On Linux nothing that a bot starts outlives its game. Elsewhere that holds for its process group: "
    "what leaves it by setsid is not found."
)
@click.argument("commands", metavar="COMMAND COMMAND...", nargs=-1, required=True)
@click.option(
    "--games",
    default=100,
    show_default=True,
    type=click.IntRange(1),
    help="Games for every two bots, sides swapped each time.",
)
@click.option(
    "--jobs", type=click.IntRange(1), help="Games at a time, at most as many as there are cores. [default: all of them]"
)
@click.option(
    "--openings",
    default=0,
    show_default=True,
    type=click.IntRange(0, 30),
    help="Begin with that many random plies, the same ones for both sides.",
)
@click.option("--seed", default=1, show_default=True, help="What openings and random moves are drawn from.")
@_first_ms
@_later_ms
@click.option("--gauntlet", is_flag=True, help="Only the first bot meets the others.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Stop as soon as the first bot is proven to be ELO1 better than the second, or only ELO0.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the games as JSON lines; a run that was interrupted goes on from there.",
)
@click.option("--csv", "csv_", type=click.Path(dir_okay=False, path_type=Path), help="Write the games as CSV too.")
@click.option(
    "--html", type=click.Path(file_okay=False, path_type=Path), help="Write a report as a page into a folder."
)
@click.option(
    "--base-url",
    default="http://127.0.0.1:5000",
    show_default=True,
    type=site_address,
    metavar="URL",
    help="Where the app runs that the report's links to games lead to.",
)
@click.option("--force", is_flag=True, help="Overwrite files that hold something else, which is lost.")
@click.option("--serve", is_flag=True, help="Show the tournament on a page while it runs, and after it until Ctrl+C.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address that page listens on; 0.0.0.0 or :: shows it to all who can reach this machine.",
)
@click.option("--port", default=5001, show_default=True, type=click.IntRange(0, 65535), help="The port of that page.")
@_shell
@click.option("--name", "names", multiple=True, help="What a bot is called, in the order of the commands.")
def arena(
    commands: tuple[str, ...],
    games: int,
    jobs: int | None,
    openings: int,
    seed: int,
    first_ms: int,
    later_ms: int,
    gauntlet: bool,
    sprt: tuple[float, float] | None,
    out: Path | None,
    csv_: Path | None,
    html: Path | None,
    base_url: str,
    force: bool,
    serve: bool,
    host: str,
    port: int,
    shell: bool,
    names: tuple[str, ...],
) -> None:
    """Let bots play each other, and say how they compare.

    A bot is a command that speaks CodinGame's protocol; docs/write-a-bot.md has it. Two bots play a match, more of them
    a round robin.

    What a file holds that is not this tournament's is never overwritten, unless with --force.

    \b
    Examples:
      critmass arena "python3 mybot.py" "critmass bot greedy" --games 200 --openings 4
      critmass arena ./new ./old --sprt 0 20 --games 10000 --out games.jsonl
      critmass arena ./new ./old "critmass bot random" --gauntlet --jobs 2 --csv games.csv
      critmass arena ./new ./old --games 1000 --out games.jsonl --serve --host 0.0.0.0
    """  # noqa: D301 - click's mark for lines to be left as they are
    from critmass.arena.bot import Limits
    from critmass.arena.records import Record
    from critmass.arena.report import REPORT
    from critmass.arena.schedule import Schedule
    from critmass.arena.stats import Sprt
    from critmass.arena.tournament import Tournament
    from critmass.arena.workers import cores

    if len(commands) < 2:
        raise click.UsageError("It takes two bots or more.")
    if sprt and (len(commands) > 2 or not -_MAX_ELO <= sprt[0] < sprt[1] <= _MAX_ELO):
        raise click.UsageError(f"--sprt is for two bots, its ELO0 less than its ELO1, and both within ±{_MAX_ELO}.")
    schedule = Schedule(_enter(commands, names, shell), games, openings, seed, gauntlet)
    limits = Limits(first_ms / 1000, later_ms / 1000)
    if jobs and jobs > cores():
        most = "One game" if cores() == 1 else f"{cores()} games"
        click.echo(f"{most} at a time: on more than the cores there are, bots take each other's time.", err=True)
    jobs = min(jobs or cores(), cores())
    test = Sprt(*sprt) if sprt else None
    page = html / REPORT if html else None
    _keep_apart({"--out": out, "--csv": csv_, "--html": page})
    with _told(), _record_path(out) as path, Record(path, schedule, limits, force) as record:
        results = _results(record, schedule, limits, test, csv_, page, base_url)
        _prepare(results, html, force)
        tournament = Tournament(schedule, limits, record, test)
        if record.cut:
            told = f"The last line of {path} was cut short: what there is of it was put into {record.cut}."
            click.echo(told, err=True)
        with _shown(path, len(schedule), sprt, host, port) if serve else nullcontext():
            finished = _run(tournament, jobs)
            _write(results, force)
            if serve and finished:
                _stay()
    if not finished:
        kept = f"The same command goes on from there: {out} has them." if out else "Without --out they are not kept."
        click.echo(f"Interrupted. {kept}", err=True)
        raise click.exceptions.Exit(_INTERRUPTED)


@contextmanager
def _told() -> Iterator[None]:
    """Say what keeps a tournament from going on."""
    from critmass.arena.records import BadRecord
    from critmass.arena.workers import RefereeDied
    from critmass.files import NotOverwritten

    try:
        yield
    except (BadRecord, NotOverwritten, RefereeDied, OSError) as error:
        raise click.ClickException(str(error)) from error


# --- Results ------------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """A file that is made of the games in the end."""

    path: Path
    fill: "Fill"
    understood: "Check"


def _results(
    record: "Record",
    schedule: "Schedule",
    limits: "Limits",
    sprt: "Sprt | None",
    csv_: Path | None,
    page: Path | None,
    base_url: str,
) -> list[Result]:
    """Return what is made of the games of a record: a CSV file and a page, where they are wanted."""
    from critmass.arena.csv_file import check_csv, write_csv
    from critmass.arena.records import read_records
    from critmass.arena.report import check_report, write_report

    results = []
    if csv_:
        rows = partial(check_csv, schedule=schedule, known=record.games)
        results.append(Result(csv_, lambda file: write_csv(file, read_records(record.path)), rows))
    if page:
        fill = partial(write_report, record=record.path, schedule=schedule, limits=limits, base_url=base_url, sprt=sprt)
        results.append(Result(page, fill, partial(check_report, schedule=schedule, limits=limits)))
    return results


def _keep_apart(files: "dict[str, Path | None]") -> None:
    """Refuse two results in one file."""
    from critmass.files import are_one

    given = [(option, path) for option, path in files.items() if path]
    for (option, path), (other, another) in combinations(given, 2):
        if are_one(path, another):
            raise click.UsageError(f"{option} and {other} are one file, {path}: give each its own.")


def _prepare(results: list[Result], folder: Path | None, force: bool) -> None:
    """Make sure that the results can be written: afterwards it would be too late."""
    from critmass.files import check, naming

    if folder:
        with naming(folder):
            folder.mkdir(parents=True, exist_ok=True)
    for result in results:
        check(result.path, result.understood, force)


def _write(results: list[Result], force: bool) -> None:
    """Write the results; beside the files that were to have them where others came to be there meanwhile."""
    from critmass.files import write

    for result in results:
        written = write(result.path, result.fill, result.understood, force)
        if written != result.path:
            click.echo(f"Meanwhile {result.path} has become another file: the results are in {written}.", err=True)


@contextmanager
def _record_path(out: Path | None) -> Iterator[Path]:
    """Provide where the games are written: a file that is kept, or one that is not."""
    if out:
        yield out
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        yield Path(folder, "games.jsonl")


# --- The page -----------------------------------------------------------------------------------------------------


@contextmanager
def _shown(path: Path, total: int, sprt: tuple[float, float] | None, host: str, port: int) -> Iterator[None]:
    """Show the tournament of a record on a page, by a process of its own."""
    from critmass.web.http.server import listen, url_of

    try:
        sock = listen(host, port)
    except OSError as error:
        where = f"The page cannot be shown at {host}, port {port}: {error.strerror or error}."
        raise click.ClickException(f"{where} Choose another --host or --port.") from error
    url = url_of(sock)
    everywhere = ip_address(sock.getsockname()[0].partition("%")[0]).is_unspecified
    with sock:
        command = [sys.executable, "-m", "critmass.web.tournament.live", str(sock.fileno()), str(path), str(total)]
        command += map(str, sprt or ())
        fds = [sock.fileno()]
        page = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=fds)  # noqa: S603
    click.echo(f"Watch at {url}arena/", err=True)
    if everywhere:
        click.echo("Other machines reach it by this one's name or address instead of that.", err=True)
    try:
        yield
    finally:
        page.terminate()
        page.wait()


def _stay() -> None:
    """Wait for Ctrl+C or SIGTERM."""
    click.echo("All games are played. The page stays until Ctrl+C.", err=True)
    with _interruptible(), suppress(KeyboardInterrupt):
        while True:
            signal.pause()


def _enter(commands: tuple[str, ...], names: tuple[str, ...], shell: bool) -> "tuple[Bot, ...]":
    """Return the bots that were entered, each with a name of its own."""
    from critmass.arena.bot import NoSuchCommand, enter

    if len(names) > len(commands):
        raise click.UsageError("There are more names than bots.")
    try:
        return enter(commands, names, shell)
    except NoSuchCommand as error:
        raise click.UsageError(str(error)) from error


def _run(tournament: "Tournament", jobs: int) -> bool:
    """Play a tournament and print its tables; return whether it was not interrupted."""
    from critmass.arena.table import sprt_text, table_text, tables

    finished = _play(tournament, jobs)
    click.echo("\n\n".join(map(table_text, tables(tournament.standings))))
    if tournament.sprt:
        click.echo("\n" + sprt_text(tournament.sprt, tournament.standings))
    return finished


def _play(tournament: "Tournament", jobs: int) -> bool:
    with _interruptible(), _progress(tournament) as progress:
        try:
            with closing(tournament.games(jobs)) as games:
                for _ in games:
                    progress()
        except KeyboardInterrupt:
            return False
    return True


@contextmanager
def _interruptible() -> Iterator[None]:
    """Take SIGTERM for Ctrl+C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress(tournament: "Tournament") -> Iterator[Callable[[], None]]:
    """Provide what is to be called after each game: it shows a bar in a terminal, and now and then a line elsewhere."""
    length = len(tournament.schedule)
    if not sys.stderr.isatty():
        yield _Lines(tournament, length)
        return
    bar: Any
    with click.progressbar(
        length=length,
        label="Games",
        show_pos=True,
        item_show_func=lambda score: score or "",
        file=sys.stderr,
        update_min_steps=1,
    ) as bar:
        yield lambda: bar.update(1, _running_score(tournament))


class _Lines:
    """Progress where there is no terminal: a line now and then."""

    def __init__(self, tournament: "Tournament", length: int) -> None:
        self._tournament = tournament
        self._length = length
        self._begun = self._told = time.monotonic()

    def __call__(self) -> None:
        now, known = time.monotonic(), len(self._tournament.recorded)
        played = self._tournament.standings.games
        if now - self._told < _QUIET or played <= known:
            return
        self._told = now
        left = (now - self._begun) / (played - known) * (self._length - played)
        score = _running_score(self._tournament)
        click.echo(f"{played} of {self._length} games, {score}, {left / 60:.0f} min left", err=True)


def _running_score(tournament: "Tournament") -> str:
    first, second, *others = tournament.standings.rows.values()
    if others:
        best = max((first, second, *others), key=lambda row: row.score.share)
        return f"{best.name} leads with {100 * best.score.share:.1f} %"
    return f"{first.name} {first.score.points:g} : {second.score.points:g} {second.name}"


@click.command()
@click.argument("commands", metavar="COMMAND [COMMAND]", nargs=-1, required=True)
@click.option("--replay", metavar="LINK", help="Ask one bot for its move in a position of that game.")
@click.option("--ply", type=click.IntRange(0), help="The position after that ply. [default: the last it can move in]")
@click.option("--side", type=click.Choice(["r", "b"]), help="The bot's side. [default: the one to move]")
@click.option("--seed", default=1, show_default=True, help="What random moves are drawn from.")
@_first_ms
@_later_ms
@_shell
def referee(
    commands: tuple[str, ...],
    replay: str | None,
    ply: int | None,
    side: str | None,
    seed: int,
    first_ms: int,
    later_ms: int,
    shell: bool,
) -> None:
    """Play one game and show everything: what each bot is sent, what it says, every frame.

    With --replay, one bot is asked for its move in a position of a game, and that is all.

    \b
    Examples:
      critmass referee "python3 mybot.py" "critmass bot greedy"
      critmass referee --replay /codingame/0z7c --ply 2 --side r "python3 mybot.py"
    """  # noqa: D301 - click's mark for lines to be left as they are
    from critmass.arena.bot import Limits
    from critmass.cli.one_game import NoPosition, show_game, show_turn

    limits = Limits(first_ms / 1000, later_ms / 1000)
    bots = _enter(commands, (), shell)
    if len(bots) != (1 if replay else 2):
        raise click.UsageError("It takes two bots, or one with --replay.")
    if not replay:
        show_game((bots[0], bots[1]), limits, str(seed), click.echo)
        return
    try:
        show_turn(bots[0], replay, ply, side, limits, click.echo)
    except NoPosition as error:
        raise click.ClickException(str(error)) from error


@click.group()
def bot() -> None:
    """Speak the arena's protocol as one of the bots that come with it.

    \b
    Examples:
      critmass arena "critmass bot random" "critmass bot greedy"
      critmass referee ./mybot "critmass bot greedy --seed 7"
      critmass arena ./mybot "critmass bot computer --level 4"
    """  # noqa: D301 - click's mark for lines to be left as they are


@bot.command("random")
def bot_random() -> None:
    """Answer `random`: the referee picks the move."""
    from critmass.arena.players import any_cell, speak

    speak(any_cell)


@bot.command("greedy")
@click.option("--seed", default=1, show_default=True, help="What equal moves are drawn by.")
def bot_greedy(seed: int) -> None:
    """Play the move after which it has the most orbs."""
    from critmass.arena.players import greedy, speak

    speak(greedy(seed))


@bot.command("computer")
@click.option("--level", type=click.IntRange(1, 8), help="Play as that level does. [default: full strength]")
@click.option("--ms", default=70.0, show_default=True, type=click.FloatRange(10), help="Milliseconds for a turn.")
def bot_computer(level: int | None, ms: float) -> None:
    """Play as the computer does.

    Until the compiled search is ready, a plain one answers: it is ready in the first turn where it was compiled before,
    by `critmass warm-up` or an earlier game, and else after some ten seconds. The upper levels take up to half a second
    a turn: give them --ms 900, and the arena --later-ms 1000.
    """
    from critmass.arena.players import computer, speak

    speak(computer(ms, level))
