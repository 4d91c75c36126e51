"""The analysis of a match: who stands better after each ply, where it was thrown away, and what was better.

The page is there at once; what is found out comes in batches of a few plies. A batch depends on nothing but the match
and its own number, so it has an address of its own, and caches keep it.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import Position, cell_name
from critmass.formats.wording import game_title, judged, name_of, standing, stands, told, told_whole
from critmass.links import Link
from critmass.links.paste import find_match
from critmass.pool import Busy
from critmass.search import Thought
from critmass.search.analysis import Study, Verdict, judge
from critmass.web.http.origin import site_url
from critmass.web.http.responses import KEEP, cacheable
from critmass.web.match.board import at_rest, cells, scene
from critmass.web.match.variations import Step, steps
from critmass.web.play import searches as thinking

bp = Blueprint("analysis", __name__, url_prefix="/analysis")

BATCH = 4
"""The plies that are looked at for one answer."""
_AT_A_TIME = 2
"""The batches that a page without a script waits for, at the most, each time it goes on."""
_LINE = 10
"""The moves of a line that are shown; of one that is proven to win, all."""

Studies = dict[int, Study]


class Remark(NamedTuple):
    """Something worth saying about a ply."""

    who: str
    """`Move 23, Red`."""
    words: str
    verdict: Verdict | None
    url: str
    """The analysis of the position that it is about."""
    line: tuple[Step, ...]


class Advice(NamedTuple):
    """What is best in the position shown."""

    part: str = ""
    """Where it comes from as long as it is not known."""
    remark: Remark | None = None
    """What was wrong with the move that led there."""
    words: str = ""
    """`Red wins in 2 moves`."""
    cell: str = ""
    line: tuple[Step, ...] = ()


class Column(NamedTuple):
    """What the graph shows of the position after a ply."""

    at: int
    url: str
    title: str
    drawn: Markup
    """Empty as long as nothing is known."""
    verdict: Verdict | None


class Move(NamedTuple):
    """An item of the move list."""

    at: int
    name: str
    colour: str
    url: str
    verdict: Verdict | None


class Batch(NamedTuple):
    """What is known about a few plies on end."""

    start: int
    """The first position."""
    part: str
    """Where the batch comes from as long as it is not known."""
    known: bool
    columns: list[Column]
    moves: list[Move]
    remarks: list[Remark]


# --- Views ----------------------------------------------------------------------------------------------------------


@bp.get("")
def page() -> AnyResponse:
    """Show a match with a graph of who stands better, which fills as the page asks for it."""
    link = _link()
    if link is None:
        return redirect("/open", 303)
    if "HX-Request" in request.headers:
        response = Response(render_template("analysis/shown.html", **_shown(link)))
        response.headers["HX-Replace-Url"] = _url(link, link.at)
    else:
        if "on" in request.args:
            return _so_far(link)
        response = Response(_page(link, dict.fromkeys(_starts(link)), None, 0))
    response.vary.add("HX-Request")
    return cacheable(response)


@bp.get("/plies")
def plies() -> AnyResponse:
    """Answer with one batch, for the page that asked for it."""
    link = _link()
    start = request.args.get("start", -1, type=int)
    if link is None or start not in _starts(link) or "HX-Request" not in request.headers:
        return _to_the_page(link)
    try:
        studies = {at: thinking.study(link, at) for at in _needed(link, start)}
    except Busy as busy:
        waiting = render_template("analysis/batch.html", it=_batch(link, start, None), delay=busy.seconds, oob=False)
        return _busy(waiting, busy)
    return _part(render_template("analysis/batch.html", it=_batch(link, start, studies), oob=True))


@bp.get("/advice")
def advice() -> AnyResponse:
    """Answer with what is best in the position shown, for the page that asked for it."""
    link = _link()
    if link is None or "HX-Request" not in request.headers:
        return _to_the_page(link)
    try:
        advised = _advice(link)
    except Busy as busy:
        return _busy(render_template("analysis/advice.html", advice=_no_advice(link), delay=busy.seconds), busy)
    return _part(render_template("analysis/advice.html", advice=advised))


def _link() -> Link | None:
    return find_match(request.args.get("link", ""), "ring", "play", "embed", "part")


def _to_the_page(link: Link | None) -> AnyResponse:
    response = redirect(_url(link, link.at) if link else "/open", 303)
    response.vary.add("HX-Request")
    return response


def _part(text: str) -> AnyResponse:
    response = Response(text)
    response.vary.add("HX-Request")
    return cacheable(response)


def _busy(text: str, busy: Busy) -> AnyResponse:
    """Answer with the place that waits, which asks again by itself."""
    response = Response(text, busy.status)
    response.headers["Retry-After"] = str(busy.seconds)
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("HX-Request")
    return response


def _so_far(link: Link) -> AnyResponse:
    """Show what is known by now and a little more each time, for those without a script."""
    wait, studied, room = 0, {}, _AT_A_TIME
    advised = None
    try:
        advised = _advice(link)
        for start in reversed(_starts(link)):
            studied[start], searched = _studies(link, start, search=room > 0)
            room -= searched
    except Busy as busy:
        wait = busy.seconds
    batches: dict[int, Studies | None] = {start: studied.get(start) for start in _starts(link)}
    going_on = None in batches.values() or advised is None
    response = Response(_page(link, batches, advised, (wait or 1) if going_on else None))
    response.headers["Cache-Control"] = "no-store" if going_on else KEEP
    return response


def _studies(link: Link, start: int, *, search: bool) -> tuple[Studies | None, bool]:
    """Return what a batch is made of, `None` if that is not known and not to be searched for; and whether it was."""
    known = {at: thinking.known_study(link, at) for at in _needed(link, start)}
    if None not in known.values():
        return {at: study for at, study in known.items() if study}, False
    if not search:
        return None, False
    return {at: thinking.study(link, at) for at in known}, True


# --- What is shown --------------------------------------------------------------------------------------------------


def _page(link: Link, studied: dict[int, Studies | None], advised: Advice | None, refresh: int | None) -> str:
    return render_template(
        "analysis/page.html",
        title=f"{game_title(link)}, {link.length} moves" if link.length else game_title(link),
        batches=[_batch(link, start, studies) for start, studies in studied.items()],
        later=url_for("analysis.page", link=_address(link, link.at), on=1),
        refresh=refresh,
        canonical=site_url() + _url(link, link.length),
        **_shown(link, advised),
    )


def _shown(link: Link, advised: Advice | None = None) -> dict[str, Any]:
    """Return what the templates take of the position shown."""
    at, length = link.at, link.length
    ways = [
        ("First", 0 if at else None, "M6 5h2.5v14H6zM19 5v14l-9-7z"),
        ("Back", at - 1 if at else None, "M16.5 5v14l-9-7z"),
        ("Forward", at + 1 if at < length else None, "M7.5 5v14l9-7z"),
        ("Last", length if at < length else None, "M15.5 5H18v14h-2.5zM5 5v14l9-7z"),
    ]
    return {
        "link": link,
        "game": game_title(link),
        "position": link.position,
        "standing": standing(link, link.position),
        "told": told(link, link.ply) if link.ply else "",
        "said": told_whole(link),
        "scene": scene(at_rest(link)),
        "cells": cells(link, playable=True, swap=False),
        "ply": link.ply,
        "steps": [(name, to if to is None else _url(link, to), sign) for name, to, sign in ways],
        "advice": advised or _no_advice(link),
        "match": link.url() if link.at_end else f"{link.plain_path}?at={at}{link.tail}",
    }


def _no_advice(link: Link) -> Advice:
    """Return the place of the advice, for the page to ask for it."""
    return Advice(url_for("analysis.advice", link=_address(link, link.at)))


def _advice(link: Link) -> Advice:
    at, position = link.at, link.position
    best = thinking.study(link, at).best if position.turn else None
    remark = _remark(link, at, thinking.study(link, at - 1), best) if at else None
    return Advice(
        remark=remark if remark and remark.verdict else None,
        words=stands(link, position, best),
        cell=cell_name(link.rules.grid, best.cell) if best else "",
        line=_line(link, at, best) if best else (),
    )


def _address(link: Link, at: int) -> str:
    return f"{link.plain_path}?at={at}{link.tail}"


def _url(link: Link, at: int) -> str:
    """Return the address of the analysis with the position after a ply on the board."""
    return url_for("analysis.page", link=link.url() if at == link.length else _address(link, at))


# --- Batches --------------------------------------------------------------------------------------------------------


def _starts(link: Link) -> range:
    return range(0, link.length + 1, BATCH)


def _positions(link: Link, start: int) -> range:
    return range(start, min(start + BATCH, link.length + 1))


def _needed(link: Link, start: int) -> list[int]:
    """Return the positions to be studied for a batch: its own, and the one before, whose best move tells its first."""
    first = max(start - 1, 0)
    return [at for at in range(first, _positions(link, start).stop) if link.match.position(at).turn]


def _batch(link: Link, start: int, studies: Studies | None) -> Batch:
    remarks: dict[int, Remark | None] = {}
    if studies is not None:
        for at in _positions(link, start):
            best = studies[at].best if at in studies else None
            remarks[at] = _remark(link, at, studies[at - 1], best) if at else None
    found = {at: remark.verdict for at, remark in remarks.items() if remark}
    return Batch(
        start,
        url_for("analysis.plies", link=link.url(), start=start),
        studies is not None,
        [_column(link, at, studies, found.get(at)) for at in _positions(link, start)],
        [_move(link, at, found.get(at)) for at in _positions(link, start) if at],
        [remark for remark in remarks.values() if remark],
    )


def _remark(link: Link, at: int, before: Study, after: Thought | None) -> Remark | None:
    """Return what is to be said about ply `at`: what was wrong with it, or that the match is decided from now on."""
    player = link.match.plies[at - 1].player
    verdict = judge(before, after)
    who = f"Move {at}, {name_of(link, player)}"
    if verdict:
        words = judged(link, before, after, verdict)
        return Remark(who, words, verdict, _url(link, at - 1), _line(link, at - 1, before.best))
    if after and after.end is not None and before.best.end is None:
        words = stands(link, link.match.position(at), after)
        return Remark(f"After move {at}", words, None, _url(link, at), _line(link, at, after))
    return None


def _line(link: Link, at: int, thought: Thought) -> tuple[Step, ...]:
    return steps(link, at, thought.line if thought.end is not None else thought.line[:_LINE])


def _move(link: Link, at: int, verdict: Verdict | None) -> Move:
    ply = link.match.plies[at - 1]
    return Move(at, ply.name, link.colours[ply.player - 1], _url(link, at), verdict)


def _column(link: Link, at: int, studies: Studies | None, verdict: Verdict | None) -> Column:
    position, drawn, title = link.match.position(at), Markup(), f"Move {at}"
    if studies is not None:
        best = studies[at].best if at in studies else None
        drawn = _drawn(link, position, best, verdict)
        title += f": {stands(link, position, best)}"
    return Column(at, _url(link, at), title, drawn, verdict)


def _drawn(link: Link, position: Position, best: Thought | None, verdict: Verdict | None) -> Markup:
    """Return a column: the shares of two players, the first from the bottom; of more, the share of the mover alone."""
    shares = list(_shares(link, position, best))
    top = 100
    paths = []
    for letter, share in shares:
        height = round(100 * share)
        if height:
            paths.append(f'<path class="body {letter}" d="M0 {top}h1v-{height}H0z"/>')
        top -= height
    if verdict:
        edge = min(max(100 - round(100 * shares[0][1]), 8), 92)
        paths.append(f'<path class="fault" vector-effect="non-scaling-stroke" d="M.5 {edge}v.01"/>')
    return Markup(f'<svg viewBox="0 0 1 100" preserveAspectRatio="none">{"".join(paths)}</svg>')


def _shares(link: Link, position: Position, best: Thought | None) -> Iterable[tuple[str, float]]:
    turn = position.turn
    if turn and best:
        player, share = turn, (1 + best.score) / 2
    else:
        winner = position.outcome.winner if position.outcome else None
        player, share = winner or 1, 1.0 if winner else 0.5
    if link.rules.players > 2:
        return [(link.colours[player - 1], share)]
    first = share if player == 1 else 1 - share
    return [(link.colours[0], first), (link.colours[1], 1 - first)]
