"""The command line."""

import json
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from critmass import __version__
from critmass.cli.arena import arena, bot, referee
from critmass.cli.option_types import allowed_host, base_url, listening_host
from critmass.cli.search import add_commands

if TYPE_CHECKING:
    from critmass.formats.notation import Document

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_EXAMPLES = """

Examples:

\b
  critmass serve --port 8000
  critmass show /m/0z7c
  critmass show "https://play.example/classic/6x9/3/a1b2c3?names=Ada,Bo,Cy" --rings
  critmass arena "python3 mybot.py" "critmass bot greedy" --games 200
  critmass bench engine
"""


@click.group(
    help="Chain Reaction in which a match is its link." + _EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="Critical Mass %(version)s")
def main() -> None:
    """Run the command line."""
    # What a terminal cannot show, like the bytes of a name that is no text, must not end anything.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


for command in (arena, referee, bot):
    main.add_command(command)


def _setting(name: str, **how: Any) -> Callable[[F], F]:
    """Return an option of `serve`, which a variable of the same name sets too."""
    variable = "CRITMASS_" + name.removeprefix("--").replace("-", "_").upper()
    return click.option(name, envvar=variable, show_envvar=True, show_default=True, **how)


_RENAMED = {
    "CRITMASS_SEARCHERS": "CRITMASS_SEARCH_PROCESSES",
    "CRITMASS_RATION": "CRITMASS_RATE_LIMIT",
    "CRITMASS_PATIENCE": "CRITMASS_IDLE_TIMEOUT",
}
_GONE = {
    "CRITMASS_WORKERS": "one process answers; run more of them behind a proxy",
    "CRITMASS_GRACE": "what threads are answering when it ends has five seconds",
    "CRITMASS_KEEP_ALIVE": "CRITMASS_IDLE_TIMEOUT is for all connections",
}


def _refuse_old_variables() -> None:
    """Say what a variable is called now that had another name, rather than do without what it says."""
    for old, new in _RENAMED.items():
        if old in os.environ:
            raise click.ClickException(f"{old} is called {new} now. Set that instead, and unset {old}.")
    for old, reason in _GONE.items():
        if old in os.environ:
            raise click.ClickException(f"{old} is gone: {reason}. Unset it.")


@main.command(
    epilog="SIGTERM and Ctrl+C end it when the requests that threads are answering are finished, for which they have "
    "five seconds; a second one ends it at once."
)
@_setting("--host", default="127.0.0.1", type=listening_host, metavar="HOST", help="The address to listen on.")
@_setting("--port", default=5000, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@_setting(
    "--base-url",
    type=base_url,
    metavar="URL",
    help="The site's address as others see it, like https://chain.example: a host of its own, without a path.",
)
@_setting(
    "--allowed-host",
    multiple=True,
    type=allowed_host,
    metavar="HOST",
    help="A host name that absolute links may be made from, at any port.",
)
@_setting(
    "--trusted-proxies",
    default=0,
    type=click.IntRange(0),
    help="How many proxies in front of it to believe, in X-Forwarded-For, -Proto and -Host.",
)
@_setting("--threads", default=16, type=click.IntRange(1), help="Requests answered at a time.")
@_setting("--connections", default=2000, type=click.IntRange(10), help="Connections open at a time; more wait.")
@_setting(
    "--idle-timeout",
    default=15,
    type=click.IntRange(1),
    help="Seconds after which a connection is closed over which nothing came or went.",
)
@_setting(
    "--search-processes", default=1, type=click.IntRange(1), help="Processes that search for the computer's moves."
)
@_setting("--cache-mb", default=8, type=click.IntRange(0), help="Memory for answers to give again, in MB.")
@_setting(
    "--rate-limit",
    default=240,
    type=click.IntRange(0),
    help="Pictures a minute that are drawn for one client, a film being 5, a move to find 4; 0 is without end.",
)
@_setting("--access-log", metavar="FILE", help="Write a line of JSON for each answer; - is standard output.")
@_setting("--metrics-port", type=click.IntRange(0, 65535), help="Answer /metrics for Prometheus on this port.")
@_setting("--metrics-host", default="127.0.0.1", type=listening_host, metavar="HOST", help="The address of that port.")
def serve(host: str, port: int, metrics_host: str, metrics_port: int | None, **settings: Any) -> None:
    """Serve the app.

    \b
    Examples:
      critmass serve
      critmass serve --host 0.0.0.0 --port 80 --base-url https://chain.example
      critmass serve --trusted-proxies 1 --access-log - --metrics-port 9100
    """  # noqa: D301 - click's mark for lines to be left as they are
    _refuse_old_variables()
    from critmass.web import create_app
    from critmass.web.http.rate_limit import costly_places
    from critmass.web.http.server import Settings, inherited, listen, run

    config = {
        "BASE_URL": settings.pop("base_url"),
        "ALLOWED_HOSTS": settings.pop("allowed_host"),
        "RATE_LIMIT": settings.pop("rate_limit"),
        "CACHE_BYTES": settings.pop("cache_mb") << 20,
        "SEARCH_PROCESSES": settings.pop("search_processes"),
    }
    app = create_app(config)
    if settings["threads"] <= (places := costly_places(app)):
        raise click.UsageError(
            f"{settings['threads']} threads are too few: pictures, films and searches may take {places} at once, and "
            f"pages need one. Give --threads {places + 1} or more."
        )
    sockets = inherited() or [_bound("--port", host, port, listen)]
    metrics = None
    if metrics_port is not None:
        from critmass.web.http.metrics import Metrics

        metrics = Metrics()
        settings["metrics_url"] = _bound("--metrics-port", metrics_host, metrics_port, metrics.serve)
    try:
        run(sockets, app, Settings(**settings), metrics)
    except OSError as error:
        raise click.ClickException(f"It cannot be served: {error}.") from error


def _bound(option: str, host: str, port: int, bind: Callable[[str, int], T]) -> T:
    """Return what listens there, or say why nothing can."""
    from errno import EADDRNOTAVAIL
    from socket import gaierror

    try:
        return bind(host, port)
    except OSError as error:
        taken = f"{host}:{port} cannot be listened on: {error.strerror or error}."
        advice = f"Choose another with {option}, or {option} 0 for any that is free."
        if isinstance(error, gaierror) or error.errno == EADDRNOTAVAIL:
            advice = f"Choose an address of this machine with {option.replace('port', 'host')}."
        raise click.ClickException(f"{taken} {advice}") from error


@main.command()
@click.argument("source", metavar="FILE-OR-LINK-OR-TEXT")
@click.option("--rings", is_flag=True, help="Show the last move frame by frame.")
@click.option("--json", "json_", is_flag=True, help="Print what the app answers for .json.")
@click.option("--notation", is_flag=True, help="Print the whole match in notation, comments included.")
def show(source: str, rings: bool, json_: bool, notation: bool) -> None:
    """Show a match in the terminal.

    It is read from a file, from standard input for -, or from what is given itself: a link or its path, the match in
    notation or as JSON, a list of its moves, or the lines of its summary on CodinGame.

    \b
    Examples:
      critmass show /m/0z7c
      critmass show "http://127.0.0.1:5000/m/0z7c?at=2" --rings
      critmass show "classic 6x9 3 a1 b2 c3" --notation
      critmass show - --json < match.txt
    """  # noqa: D301 - click's mark for lines to be left as they are
    from critmass.drawing.text import rings_text
    from critmass.formats.notation import format_match
    from critmass.formats.plain import as_json, as_text

    document = _read(source)
    shown = document.link
    if notation:
        click.echo(format_match(document), nl=False)
        return
    if json_:
        click.echo(json.dumps(as_json(shown), ensure_ascii=False))
        return
    if rings and shown.ply:
        click.echo(rings_text(shown.ply) + "\n")
    click.echo(as_text(shown), nl=False)


def _read(source: str) -> "Document":
    from critmass.formats.notation import LinkFault, NotationFault, read_document
    from critmass.links.paste import find_readings

    file = source == "-" or _is_file(source)
    # Bytes of an argument that are no text come as halves of characters, which nothing can be written with.
    text = _content(source) if file else source.encode("utf-8", "replace").decode()
    try:
        document = read_document(text)
    except NotationFault as fault:
        message = f"{fault}\n\n{fault.pointed}"
        if not file and isinstance(fault, LinkFault):
            message = fault.message
        elif not file and fault.kind == "no-match":
            message = f"There is no match link in {source!r}. One looks like /m/0z7c."
        raise click.ClickException(message) from fault
    readings = find_readings(text)
    if document.link.address in readings:
        for other in readings:
            if other != document.link.address:
                click.echo(f"With the next line taken otherwise, the link would be {other.url}", err=True)
    return document


def _is_file(source: str) -> bool:
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def _content(source: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    try:
        with click.open_file(source, "rb") as file:
            content: bytes = file.read()
            return content.decode("utf-8-sig")
    except OSError as error:
        raise click.ClickException(f"{source} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{source} is no text in UTF-8.") from error


@main.group()
def bench() -> None:
    """Measure how fast it is here, as ratios to a baseline of the same run."""


@bench.command("engine")
@click.option("--seconds", default=3.0, show_default=True, type=click.FloatRange(0.1), help="How long to measure.")
def bench_engine(seconds: float) -> None:
    """Measure replays of 60-move links, with rings and frames."""
    from critmass.bench.engine import run

    click.echo("\n".join(run(seconds)))


@bench.command("web")
@click.option("--requests", default=600, show_default=True, type=click.IntRange(20), help="How many of each kind.")
@click.option(
    "--against",
    metavar="CHECKOUT",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Measure these sources too, in turns, and say how many times as fast this program is.",
)
def bench_web(requests: int, against: Path | None) -> None:
    """Measure the page of a match, and its part, against a constant page on the same server.

    With --against, against another checkout of the program: a server process each, by its own serve command.
    """
    from critmass.bench.web import compare, run

    try:
        click.echo("\n".join(compare(requests, against.resolve()) if against else run(requests)))
    except RuntimeError as error:
        raise click.ClickException(f"It cannot be measured: {error}.") from error


@bench.command("peers")
@click.option("--requests", default=400, show_default=True, type=click.IntRange(20), help="How many of each kind.")
def bench_peers(requests: int) -> None:
    """Measure the same app on other servers: Flask's own, and gunicorn and granian if they are installed."""
    from critmass.bench.peers import run

    click.echo("\n".join(run(requests)))


@bench.command("search")
@click.option("--seconds", default=8.0, show_default=True, type=click.FloatRange(0.1), help="How long to measure.")
def bench_search(seconds: float) -> None:
    """Measure random matches in the compiled kernel against the same algorithm in C."""
    from critmass.bench.search import run

    click.echo("\n".join(run(seconds)))


@bench.command("levels")
@click.option("--rules", type=click.Choice(["critical-mass", "codingame"]), default="codingame", show_default=True)
@click.option("--pairs", default=20, show_default=True, type=click.IntRange(1), help="Pairs of matches, sides swapped.")
@click.option("--level", "levels", type=click.IntRange(1, 8), multiple=True, help="Only this one; may be repeated.")
@click.option("--strength", is_flag=True, help="Measure full strength against other ways to play instead.")
@click.option("--against", "names", multiple=True, help="Only against this one, by the first letters of its name.")
def bench_levels(rules: str, pairs: int, levels: tuple[int, ...], strength: bool, names: tuple[str, ...]) -> None:
    """Measure each level against the one below, in matches from random openings."""
    from critmass.bench.levels import GAMES, ladder, opponents, strength_report
    from critmass.links import LEVELS

    if strength and levels:
        raise click.UsageError("--level is for the levels, --strength is not: give one of the two.")
    if names and not strength:
        raise click.UsageError("--against is for --strength: give both.")
    known = opponents()
    for name in names:
        if not any(it.startswith(name) for it in known):
            raise click.UsageError(f"expected one of {', '.join(map(repr, known))} or its first letters: {name!r}")
    met = {name: it for name, it in known.items() if not names or name.startswith(names)}
    game = GAMES[rules]
    for line in strength_report(game, pairs, met) if strength else ladder(game, pairs, levels or LEVELS):
        click.echo(line)


@bench.command("serve")
def bench_serve() -> None:
    """Measure how soon a server answers, what it weighs, and what its most costly answers cost."""
    from critmass.bench.running import run

    click.echo("\n".join(run()))


@bench.command("pictures")
@click.option("--seconds", default=8.0, show_default=True, type=click.FloatRange(0.1), help="How long to measure.")
def bench_pictures(seconds: float) -> None:
    """Measure card, board and film of 60-move matches against compressing a card's pixels."""
    from critmass.bench.pictures import run

    click.echo("\n".join(run(seconds)))


@bench.command("arena")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="How many games to referee.")
def bench_arena(games: int) -> None:
    """Measure the referee with two trivial bots, against bare pipes to and from the same bots."""
    from critmass.bench.arena import run

    click.echo("\n".join(run(games)))


add_commands(main, lambda source: _read(source).link)
