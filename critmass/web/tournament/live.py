"""The page of a running tournament: it reads the record that the games are written to, and has nothing else.

It runs as a process of its own beside the referee, so that whoever watches takes no time from the bots; started by
`critmass arena --serve`.
"""

import json
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from critmass.arena.game import Ending, Game
from critmass.arena.records import from_json
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.table import ENDINGS, Table, sprt_text, tables
from critmass.engine import CODINGAME, Match, cell_name
from critmass.links import format_query
from critmass.links.names import cut, write_names
from critmass.web.http.security_headers import POLICY

PAGE = 100
"""The games that the list shows at once."""
FRAME = "board"
"""What the frame is called in which a game is replayed."""

bp = Blueprint("arena", __name__, url_prefix="/arena")


class Entry(NamedTuple):
    """A game in the list, and where in the record it is."""

    number: int
    bots: tuple[str, str]
    winner: int | None
    ending: Ending
    detail: str
    plies: int
    offset: int


class Turn(NamedTuple):
    """A ply on the page of a game: what was played, and what its bot said and took."""

    ply: int
    player: int
    cell: str
    message: str
    time: float | None
    """Milliseconds; `None` for a ply of the opening."""
    url: str


class Feed:
    """A record that grows: the games in it so far, counted and listed."""

    def __init__(self, path: Path, total: int, sprt: Sprt | None = None) -> None:
        """Read the record of a tournament of `total` games, which another process writes."""
        self.total = total
        self._path = path
        self._sprt = sprt
        self._lock = threading.Lock()
        self._offset = 0
        self._standings: Standings | None = None
        self._entries: list[Entry] = []
        self._tables: list[Table] = []

    def read(self) -> None:
        """Take in what was written since; at first there may be no record yet."""
        with self._lock, suppress(FileNotFoundError), self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._take(json.loads(line))
                self._offset += len(line)

    def _take(self, record: dict[str, object]) -> None:
        if self._standings is None:
            self._standings = Standings(bot["name"] for bot in record["bots"])  # type: ignore[attr-defined]
            return
        game = from_json(record)
        self._standings.add(game)
        self._tables = []
        self._entries.append(
            Entry(game.number, game.bots, game.winner, game.ending, game.detail, game.plies, self._offset)
        )

    @property
    def names(self) -> list[str]:
        """The bots, in the order of entry."""
        return list(self._standings.rows) if self._standings else []

    @property
    def played(self) -> int:
        """How many games are in the record."""
        return len(self._entries)

    @property
    def verdict(self) -> str:
        """How the test stands, if there is one."""
        return sprt_text(self._sprt, self._standings) if self._sprt and self._standings and self.played else ""

    def tables(self) -> list[Table]:
        """Return the tables of what was read so far."""
        with self._lock:
            if not self._tables and self._standings and self._entries:
                self._tables = tables(self._standings)
            return self._tables

    def endings(self) -> dict[Ending, int]:
        """Return how many games ended in each way that occurred."""
        entries = list(self._entries)
        counted = {ending: sum(entry.ending is ending for entry in entries) for ending in ENDINGS}
        return {ending: count for ending, count in counted.items() if count}

    def entries(self, ending: Ending | None, after: int = 0, before: int | None = None) -> list[Entry]:
        """Return the latest games that ended in that way, the last one first, numbered between `after` and `before`."""
        latest = reversed(self._entries[after : before and before - 1])
        return list(islice((it for it in latest if ending in (None, it.ending)), PAGE))

    def game(self, number: int) -> Game | None:
        """Return a game of the record; `None` if there is none of that number yet."""
        if not 1 <= number <= self.played:
            return None
        with self._path.open("rb") as file:
            file.seek(self._entries[number - 1].offset)
            return from_json(json.loads(file.readline()))


def make_app(feed: Feed) -> Flask:
    """Return the app with the pages of a tournament in it."""
    from critmass.web import create_app

    app = create_app()
    app.extensions["feed"] = feed
    app.register_blueprint(bp)
    return app


@bp.get("/")
def live() -> AnyResponse:
    """Show the tournament: its score, its tables, and its games; or, for a page that is open, what is new."""
    feed: Feed = current_app.extensions["feed"]
    feed.read()
    ending = _ending()
    after, before = (request.args.get(name, type=int) for name in ("after", "before"))
    part = "HX-Request" in request.headers
    context = {
        "feed": feed,
        "names": feed.names,
        "tables": feed.tables(),
        "called": ENDINGS,
        "ending": ending,
        "entries": feed.entries(ending, after or 0, before),
        "played": feed.played,
    }
    response = Response(render_template("arena/news.html" if part else "arena/live.html", **context))
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("HX-Request")
    return response


def _ending() -> Ending | None:
    """Return the ending that was asked for; all if none, or none such."""
    try:
        return Ending(request.args.get("ending", ""))
    except ValueError:
        return None


@bp.get("/<int:number>")
def show(number: int) -> AnyResponse:
    """Show a game: its replay, and beside it what the bots said with each move."""
    feed: Feed = current_app.extensions["feed"]
    feed.read()
    game = feed.game(number)
    if game is None:
        abort(404)
    options = [("names", write_names(map(cut, game.bots))), ("embed", "1")]
    page = f"{game.link}{format_query(options[:1])}"
    turns = _turns(game, f"{game.link}{format_query(options)}")
    context = {"game": game, "turns": turns, "frame": FRAME, "page": page, "called": ENDINGS, "played": feed.played}
    response = Response(render_template("arena/game.html", **context))
    response.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    response.headers["Cache-Control"] = "no-store"
    return response


def _turns(game: Game, replay: str) -> list[Turn]:
    return [
        Turn(
            ply.number,
            ply.player,
            cell_name(CODINGAME.grid, ply.cell),
            game.messages[asked] if asked >= 0 else "",
            game.times[asked] if asked >= 0 else None,
            f"{replay}&at={ply.number}",
        )
        for ply in Match.read(CODINGAME, game.moves).plies
        for asked in [ply.number - 1 - game.opening]
    ]


def serve(sock: socket.socket, feed: Feed) -> None:
    """Serve the page on a socket until whoever started this process is gone."""
    from critmass.web.http.server import Settings, run

    threading.Thread(target=_end_with_parent, daemon=True).start()
    run([sock], make_app(feed), Settings())


def _end_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve what `critmass arena --serve` passes on: a socket, a record, and what is played."""
    descriptor, path, total, *elos = sys.argv[1:]
    # The referee takes Ctrl+C, and ends this process when it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    test = Sprt(*map(float, elos)) if elos else None
    serve(socket.socket(fileno=int(descriptor)), Feed(Path(path), int(total), test))


if __name__ == "__main__":
    main()
