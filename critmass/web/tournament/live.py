"""The page of a running tournament: it reads the record that the games are written to, and has nothing else.

It runs as a process of its own beside the referee, so that whoever watches takes no time from the bots; started by
`critmass arena --serve`.
"""

import os
import signal
import socket
import sys
import threading
from bisect import bisect_left, insort
from contextlib import suppress
from ipaddress import ip_address
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from critmass.arena.game import Ending, Game
from critmass.arena.records import from_json, read_line
from critmass.arena.standings import Standings
from critmass.arena.stats import Sprt
from critmass.arena.table import ENDINGS, Table, sprt_text, tables
from critmass.engine import CODINGAME, Fault, Match, cell_name
from critmass.links import format_query
from critmass.links.names import MAX_NAME, visible, write_names
from critmass.web.http.security_headers import POLICY

PAGE = 100
"""The games that the list shows at once."""
FRAME = "board"
"""What the frame is called in which a game is replayed."""

bp = Blueprint("arena", __name__, url_prefix="/arena")


class Entry(NamedTuple):
    """A game in the list, and where in the record it is."""

    place: int
    """Counted from 1, as the record has the games: numbers may have gaps, and come in another order."""
    number: int
    bots: tuple[str, str]
    winner: int | None
    ending: Ending
    detail: str
    plies: int


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
        self._numbers: list[int] = []
        self._offsets: dict[int, int] = {}
        self._tables: list[Table] = []

    def read(self) -> None:
        """Take in what was written since; at first there may be no record yet."""
        with self._lock, suppress(FileNotFoundError), self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._take(read_line(line))
                self._offset += len(line)

    def _take(self, record: dict[str, object]) -> None:
        if self._standings is None:
            self._standings = Standings(bot["name"] for bot in record["bots"])  # type: ignore[attr-defined]
            return
        game = from_json(record)
        self._standings.add(game)
        self._tables = []
        place = len(self._entries) + 1
        self._entries.append(Entry(place, game.number, game.bots, game.winner, game.ending, game.detail, game.plies))
        self._offsets[game.number] = self._offset
        insort(self._numbers, game.number)

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
        """Return the latest games that ended in that way, the last one first, their places after and before these."""
        latest = reversed(self._entries[after : before and before - 1])
        return list(islice((it for it in latest if ending in (None, it.ending)), PAGE))

    def game(self, number: int) -> Game | None:
        """Return a game of the record; `None` if there is none of that number yet."""
        offset = self._offsets.get(number)
        if offset is None:
            return None
        with self._path.open("rb") as file:
            file.seek(offset)
            return from_json(read_line(file.readline()))

    def around(self, number: int) -> tuple[int | None, int | None]:
        """Return the numbers of the games before and after that one, as far as there are any yet."""
        with self._lock:
            at = bisect_left(self._numbers, number)
            return next(iter(self._numbers[at - 1 : at]), None), next(iter(self._numbers[at + 1 : at + 2]), None)


def make_app(feed: Feed, any_host: bool = False) -> Flask:
    """Return the app with the pages of a tournament in it, which may be called what its visitors call it."""
    from critmass.web import create_app

    app = create_app({"ANY_HOST": any_host})
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
    options = [("names", write_names(names_for_seats(game.bots))), ("embed", "1")]
    page = f"{game.link}{format_query(options[:1])}"
    turns = _turns(game, f"{game.link}{format_query(options)}")
    before, after = feed.around(number)
    context = {"game": game, "turns": turns, "frame": FRAME, "page": page, "called": ENDINGS}
    context |= {"before": before, "after": after}
    response = Response(render_template("arena/game.html", **context))
    response.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    response.headers["Cache-Control"] = "no-store"
    return response


def _turns(game: Game, replay: str) -> list[Turn]:
    """Return the plies of a game with what was said; none where somebody has written it who did not play it."""
    with suppress(Fault, IndexError):
        return _played(game, replay)
    return []


def _played(game: Game, replay: str) -> list[Turn]:
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


def names_for_seats(names: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two bots as a link can have them: so short, and still two."""
    whole = [visible(name) for name in names]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*whole, strict=False)))
    first, second = (visible(_cut(name, same)) for name in whole)
    if first != second:
        return first, second
    later = names[0] > names[1]  # whoever sits where, the same bot has the same number
    return f"{1 + later} {first}"[:MAX_NAME].strip(), f"{2 - later} {second}"[:MAX_NAME].strip()


def _cut(name: str, same: int) -> str:
    """Return the beginning of a name, and its end or what else tells it from another that is the `same` so far."""
    if len(name) <= MAX_NAME:
        return name
    told = MAX_NAME // 2
    at = min(same, len(name) - told)
    rest = name[at : at + told] if same >= MAX_NAME - 1 else ""
    return f"{name[: MAX_NAME - 1 - len(rest)]}…{rest}"


def serve(sock: socket.socket, feed: Feed) -> None:
    """Serve the page on a socket until whoever started this process is gone."""
    from critmass.web.http.server import Settings, run

    threading.Thread(target=_end_with_parent, daemon=True).start()
    # On loopback it is for this machine alone; elsewhere nobody knows by which names and addresses it is reached.
    elsewhere = not ip_address(sock.getsockname()[0].partition("%")[0]).is_loopback
    run([sock], make_app(feed, elsewhere), Settings())


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
