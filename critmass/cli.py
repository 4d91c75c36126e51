"""The command line."""

import json
from pathlib import Path

import click

from critmass import __version__
from critmass.drawing.text import rings_text
from critmass.notation import Document, LinkFault, NotationFault, format_match, read_document
from critmass.report import as_json, as_text
from critmass.search.cli import add_commands

_EXAMPLES = """

Examples:

\b
  critmass serve --port 8000
  critmass show /m/0z7c
  critmass show "https://play.example/classic/6x9/3/a1b2c3?names=Ada,Bo,Cy" --rings
  critmass bench engine
"""


@click.group(
    help="Chain Reaction in which a match is its link." + _EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="Critical Mass %(version)s")
def main() -> None:
    """Run the command line."""


@main.command(epilog="Stop it with Ctrl+C or SIGTERM: requests under way are finished.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=5000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port; 0 takes a free one.",
)
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes that answer.")
@click.option(
    "--searchers",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Processes that search for the computer's moves, for each worker.",
)
@click.option("--base-url", envvar="CRITMASS_BASE_URL", help="The site's address as others see it.")
@click.option("--allowed-host", multiple=True, help="A host name that absolute links may be made from.")
def serve(
    host: str, port: int, workers: int, searchers: int, base_url: str | None, allowed_host: tuple[str, ...]
) -> None:
    """Serve the app.

    \b
    Examples:
      critmass serve
      critmass serve --host 0.0.0.0 --port 80 --base-url https://chain.example
    """  # noqa: D301 - click's mark for lines to be left as they are
    from critmass.web import create_app
    from critmass.web.server import listen, run

    try:
        sock = listen(host, port)
    except OSError as error:
        taken = f"{host}:{port} cannot be listened on: {error.strerror or error}."
        raise click.ClickException(f"{taken} Choose another with --port, or --port 0 for any that is free.") from error
    hosts = tuple(name.lower() for name in allowed_host)
    config = {"BASE_URL": base_url, "ALLOWED_HOSTS": hosts, "SEARCHERS": searchers}
    run(sock, lambda: create_app(config), workers)


@main.command()
@click.argument("source", metavar="FILE-OR-LINK-OR-TEXT")
@click.option("--rings", is_flag=True, help="Show the last move frame by frame.")
@click.option("--json", "json_", is_flag=True, help="Print what the app answers for .json.")
@click.option("--notation", is_flag=True, help="Print the whole match in notation, comments included.")
def show(source: str, rings: bool, json_: bool, notation: bool) -> None:
    """Show a match in the terminal.

    It is read from a file, from standard input for -, or from what is given itself: a link or its path, the match in
    notation or as JSON, or a list of its moves.

    \b
    Examples:
      critmass show /m/0z7c
      critmass show "http://127.0.0.1:5000/m/0z7c?at=2" --rings
      critmass show "classic 6x9 3 a1 b2 c3" --notation
      critmass show - --json < match.txt
    """  # noqa: D301 - click's mark for lines to be left as they are
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


def _read(source: str) -> Document:
    file = source == "-" or _is_file(source)
    try:
        # Bytes of an argument that are no text come as halves of characters, which nothing can be written with.
        return read_document(_content(source) if file else source.encode("utf-8", "replace").decode())
    except NotationFault as fault:
        message = f"{fault}\n\n{fault.pointed}"
        if not file and isinstance(fault, LinkFault):
            message = fault.message
        elif not file and fault.kind == "no-match":
            message = f"There is no match link in {source!r}. One looks like /m/0z7c."
        raise click.ClickException(message) from fault


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
def bench_web(requests: int) -> None:
    """Measure the page of a match, and its part, against a constant page on the same server."""
    from critmass.bench.web import run

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
@click.option("--strength", is_flag=True, help="Measure full strength against other ways to play instead.")
def bench_levels(rules: str, pairs: int, strength: bool) -> None:
    """Measure each level against the one below, in matches from random openings."""
    from critmass.bench.levels import GAMES, ladder, strength_report

    report = strength_report if strength else ladder
    for line in report(GAMES[rules], pairs):
        click.echo(line)


@bench.command("pictures")
@click.option("--seconds", default=8.0, show_default=True, type=click.FloatRange(0.1), help="How long to measure.")
def bench_pictures(seconds: float) -> None:
    """Measure card, board and film of 60-move matches against compressing a card's pixels."""
    from critmass.bench.pictures import run

    click.echo("\n".join(run(seconds)))


add_commands(main, lambda source: _read(source).link)
