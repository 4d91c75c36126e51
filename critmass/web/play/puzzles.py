"""Puzzles: positions with one winning move, to be found by playing.

What was tried is in the address, and what comes of it is worked out again from there. A try shows its board at once;
the answer to it is asked for after that.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing.svg import digits
from critmass.engine import Fault, parse_cell
from critmass.engine.codec import encode_move
from critmass.formats.wording import GRADES, count, forced, game_title, name_of, standing, told
from critmass.links import Link, read, split_url
from critmass.pool import Busy
from critmass.puzzles import collection as puzzles
from critmass.puzzles.collection import Puzzle
from critmass.search import Thought
from critmass.search.analysis import loses
from critmass.web.http.origin import site_url
from critmass.web.http.responses import cacheable
from critmass.web.match.board import at_rest, cells, scene
from critmass.web.match.variations import steps
from critmass.web.play import searches as thinking

bp = Blueprint("puzzles", __name__)

_NODES = 4_000_000
"""The moves that are tried out to find all that win in time."""
_AWHILE = 300
"""The seconds for which the way to the puzzle of the day may be kept."""


class Stage(StrEnum):
    """How far a puzzle is solved."""

    ASKED = "asked"
    """Nothing was tried yet."""
    TRIED = "tried"
    """The answer to the last move is still to come."""
    RIGHT = "right"
    """The last move was right, and the defence was played."""
    SLOW = "slow"
    """The last move wins, but not in time."""
    WRONG = "wrong"
    """The last move does not win, or it is not proven to; what speaks against it was played."""
    SOLVED = "solved"
    """The match is won in time."""


@dataclass(frozen=True)
class Try:
    """A puzzle, and what was played in it."""

    puzzle: Puzzle
    moves: str
    """What was played since the beginning of the puzzle, as it stands in the address."""
    stage: Stage = Stage.ASKED
    reply: int | None = None
    """The answer to the last move."""
    against: Thought | None = None
    """What speaks against the last move, where it does not win in time."""

    @cached_property
    def start(self) -> Link:
        """The match up to the puzzle."""
        return _link(self.puzzle.path)

    @cached_property
    def link(self) -> Link:
        """The match after the moves that were played; a `Fault` is raised where they cannot be."""
        return _link(self.puzzle.path + self.moves)

    @cached_property
    def shown(self) -> Link:
        """The match with the answer, if there is one."""
        return self.link if self.reply is None else _link(self.link.next_url(self.reply))

    @property
    def tried(self) -> int:
        """The plies that were played."""
        return self.link.length - self.start.length

    @property
    def left(self) -> int:
        """The plies within which the last move had to win."""
        return self.puzzle.plies - self.tried + 1

    @property
    def line(self) -> tuple[int, ...]:
        """The best play for both, as it is proven."""
        return tuple(parse_cell(self.start.rules.grid, name) for name in self.puzzle.line)

    def until(self, tried: int) -> "Try":
        """Return the try as it stood after so many plies."""
        moves = self.link.moves_until(self.start.length + tried)
        return Try(self.puzzle, moves.removeprefix(self.start.address.moves))

    @property
    def url(self) -> str:
        """The address of the moves that were played."""
        path = url_for("puzzles.show", number=self.puzzle.number)
        return f"{path}/{self.moves}" if self.moves else path

    @property
    def answered_url(self) -> str:
        """The address of the answer to the last of them; of the puzzle itself without any."""
        return f"{self.url}?answer=1" if self.moves else self.url

    @property
    def again_url(self) -> str:
        """The address from which the last move can be tried otherwise."""
        return self.until(max(self.tried - 2, 0)).answered_url


def _link(path: str) -> Link:
    address = split_url(path)
    assert address is not None  # noqa: S101 - it begins with a match that is shipped
    return read(address)


# --- Views ----------------------------------------------------------------------------------------------------------


@bp.get("/puzzle")
def today() -> AnyResponse:
    """Go to the puzzle of the day, the same for everyone: a day begins at midnight, UTC."""
    now = datetime.now(UTC)
    response = redirect(Try(puzzles.of_the_day(now.date()), "").url, 302)
    passed = now.hour * 3600 + now.minute * 60 + now.second
    response.headers["Cache-Control"] = f"public, max-age={min(_AWHILE, 86400 - passed)}"
    return response


@bp.get("/puzzles")
def listed() -> AnyResponse:
    """List all puzzles, by grade."""
    every = [puzzles.puzzle(number) for number in range(1, puzzles.count() + 1)]
    grades = [
        (GRADES[grade - 1], [(it, _task(Try(it, ""))) for it in group])
        for grade, group in groupby(sorted(every, key=lambda it: (it.grade, it.number)), key=lambda it: it.grade)
    ]
    return cacheable(Response(render_template("puzzles/list.html", grades=grades, count=len(every), site=site_url())))


@bp.get("/puzzle/<int:number>")
@bp.get("/puzzle/<int:number>/<moves>")
def show(number: int, moves: str = "") -> AnyResponse:
    """Show a puzzle after the moves that were tried, and with `answer` after the answer to the last one."""
    try:
        asked = Try(puzzles.puzzle(number), moves)
        tried = asked.tried
    except (IndexError, Fault) as fault:
        raise NotFound("There is no such puzzle, or a move in it cannot be played.") from fault
    if tried and tried % 2 == 0:  # the answer is none of the moves that are tried
        return redirect(asked.until(tried - 1).answered_url, 303)
    try:
        return _page(_look(asked, answered="answer" in request.args))
    except Busy as busy:
        return _busy(asked, busy)


def _look(asked: Try, *, answered: bool) -> Try:
    if not asked.tried:
        return asked
    if asked.link.match.outcome:
        return replace(asked, stage=Stage.SOLVED if asked.left > 0 else Stage.SLOW)
    return _answer(asked) if answered else replace(asked, stage=Stage.TRIED)


def _page(found: Try) -> AnyResponse:
    address = found.url if found.reply is None else found.answered_url
    part = "part" in request.args and "HX-Request" in request.headers
    template = "puzzles/part.html" if part else "puzzles/page.html"
    response = Response(render_template(template, page=address, **_view(found)))
    if part:
        response.headers["HX-Push-Url"] = address
    response.vary.add("HX-Request")
    return cacheable(response)


def _busy(asked: Try, busy: Busy) -> AnyResponse:
    other = asked.again_url
    response = Response(
        render_template("puzzles/busy.html", busy=busy, again=asked.answered_url, other=other), busy.status
    )
    response.headers["Retry-After"] = str(busy.seconds)
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("HX-Request")
    return response


# --- The answer -----------------------------------------------------------------------------------------------------


def _answer(asked: Try) -> Try:
    """Return the try with the answer to its last move; raise `Busy`.

    The line of the puzzle is proven, and so is its first move to be the only one; anything else is searched for.
    """
    if asked.link.match.cells[asked.start.length :] == asked.line[: asked.tried]:
        return replace(asked, stage=Stage.RIGHT, reply=asked.line[asked.tried])
    best = thinking.study(asked.link, asked.link.length).best
    if _is_right(asked, best):
        return replace(asked, stage=Stage.RIGHT, reply=best.cell)
    return replace(asked, stage=Stage.SLOW if loses(best) else Stage.WRONG, reply=best.cell, against=best)


def _is_right(asked: Try, best: Thought) -> bool:
    """Return whether the last move, after a right one, wins in time; `best` is the best answer to it."""
    if asked.tried == 1 or asked.left < 1:
        return False
    before = asked.until(asked.tried - 1).link
    wins = thinking.ask("wins", before, asked.left, _NODES)
    if wins is None:
        return loses(best) and (best.end or 0) < asked.left
    return asked.link.match.cells[-1] in wins


# --- What is shown --------------------------------------------------------------------------------------------------


def _view(found: Try) -> dict[str, Any]:
    """Return the context of the templates of a puzzle."""
    puzzle, stage = found.puzzle, found.stage
    link = found.shown if found.moves else at_rest(found.shown)
    rings = len(link.ply.steps) - 1 if link.ply and found.moves else 0
    heading, words = _words(found)
    return {
        "puzzle": puzzle,
        "link": link,
        "stage": stage,
        "task": _task(found),
        "heading": heading,
        "words": words,
        "said": f"{heading}. {words}",
        "position": link.position,
        "colour": link.colours[puzzle.mover - 1],
        "ply": link.ply,
        "rings": rings,
        "clock": digits(rings),
        "scene": scene(link),
        "cells": cells(link, playable=stage in (Stage.ASKED, Stage.RIGHT), path=_onward(found)),
        "game": game_title(link),
        "grade": GRADES[puzzle.grade - 1],
        "answer": found.answered_url if stage is Stage.TRIED else "",
        "again": found.again_url if stage in (Stage.SLOW, Stage.WRONG) else "",
        "refutation": steps(found.link, found.link.length, found.against.line) if found.against else (),
        "solution": steps(found.start, found.start.length, found.line),
        "before": found.start.url(),
        "total": puzzles.count(),
        "site": site_url(),
    }


def _onward(found: Try) -> str:
    """Return what the addresses after the next try begin with."""
    reply = "" if found.reply is None else encode_move(found.link.rules.grid, found.reply)
    return f"{url_for('puzzles.show', number=found.puzzle.number)}/{found.moves}{reply}"


def _words(found: Try) -> tuple[str, str]:
    """Return what is said of a try: as a heading, and in a sentence."""
    link, tried = found.shown, found.link.ply
    if found.stage is Stage.ASKED or link.ply is None or tried is None:
        return _task(found), "One move wins by force. Play it."
    moves, happened = (found.left + 1) // 2, f"{told(link, link.ply)}."
    if found.stage is Stage.TRIED:
        return f"{tried.name}…", happened
    if found.stage is Stage.SOLVED:
        return f"Solved: {standing(link, link.position)}", happened
    if found.stage is Stage.RIGHT:
        return f"{tried.name} is right", f"{happened} Now win in {count(moves - 1, 'move')}."
    if found.against and found.against.end:
        happened += f" {forced(found.link, found.link.position, found.against)} now."
    how = "wins too, but not" if found.stage is Stage.SLOW else "does not win"
    return f"{tried.name} {how} in {count(max(moves, 1), 'move')}", happened


def _task(found: Try) -> str:
    """Return what is to be done: `Red to move: win in 2 moves`."""
    moves = (found.puzzle.plies + 1) // 2
    return f"{name_of(found.start, found.puzzle.mover)} to move: win in {count(moves, 'move')}"
