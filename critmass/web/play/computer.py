"""The computer as an opponent and as a teacher: the move it answers with, and a hint."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import cell_name
from critmass.engine.codec import encode_move
from critmass.formats.wording import hinted
from critmass.links import Link, format_query, read
from critmass.links.paste import find_match
from critmass.pool import Busy
from critmass.web.http.responses import KEEP
from critmass.web.match.board import Figures
from critmass.web.play import searches as thinking

bp = Blueprint("computer", __name__)

View = Callable[[Link], AnyResponse]


def _of_a_match(view: View) -> Callable[[], AnyResponse]:
    """Make a view of the match that a request is about, as it stands at its end, out of one of a link."""

    @wraps(view)
    def answer() -> AnyResponse:
        link = find_match(request.args.get("link", ""), "at", "ring", "part")
        if link is None:
            return redirect("/open", 303)
        try:
            response = view(link)
        except Busy as busy:
            response = _busy(link, busy)
        response.vary.add("HX-Request")
        return response

    return answer


def _is_part() -> bool:
    return "HX-Request" in request.headers


@bp.get("/computer")
@_of_a_match
def move(link: Link) -> AnyResponse:
    """Go to the match after the move of the computer whose turn it is; to the match itself where it is nobody's."""
    if link.level:
        link = _after(link, thinking.move(link, link.level).cell)
    part = [("part", "1")] if _is_part() and not link.address.suffix else []
    url = replace(link.address, options=()).url + format_query([*link.address.options, *part])
    response = redirect(url, 303)
    response.headers["Cache-Control"] = KEEP
    return response


def _after(link: Link, cell: int) -> Link:
    """Return the match after one more move; what goes on by itself does so as long as only computers play."""
    address = replace(link.address, moves=link.address.moves + encode_move(link.rules.grid, cell))
    after = read(address)
    return replace(after, address=address.without("play")) if after.people or after.match.outcome else after


@bp.get("/hint")
@_of_a_match
def hint(link: Link) -> AnyResponse:
    """Tell a good move, as a page with a board or, for a page that is open, in words alone."""
    if not link.position.turn:
        return redirect(link.url(), 303)
    thought = thinking.move(link)
    words, cell = hinted(link, thought), cell_name(link.rules.grid, thought.cell)
    if _is_part():
        response = Response(render_template("computer/hint.html", words=words, cell=cell))
    else:
        figures = Figures(link.colours)
        last = link.ply.cell if link.ply else None
        board = figures.draw(link.position.board, last, words, thought.cell)
        shown = {"board": board, "definitions": figures.definitions(), "play": link.next_url(thought.cell)}
        page = render_template("computer/hint_page.html", link=link, words=words, cell=cell, **shown)
        response = Response(page)
    response.headers["Cache-Control"] = KEEP
    return response


def _busy(link: Link, busy: Busy) -> AnyResponse:
    """Say that there is no answer now, and when to ask again, in the words that were asked for."""
    message = f"The computer is busy. {busy}"
    if link.address.suffix == ".json":
        response: AnyResponse = jsonify(error={"code": "busy", "ply": None, "message": message})
    elif link.address.suffix:
        response = Response(f"{message} Ask again in {busy.seconds} s.\n", mimetype="text/plain")
    else:
        again = url_for(request.endpoint or "", link=request.args["link"])
        template = "computer/busy.html" if _is_part() else "computer/busy_page.html"
        response = Response(render_template(template, link=link, busy=busy, again=again))
    response.status_code = busy.status
    response.headers["Retry-After"] = str(busy.seconds)
    response.headers["Cache-Control"] = "no-store"
    return response
