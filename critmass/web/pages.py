"""The pages around the matches: front page, how to play, the box to paste a link into, and what is not there."""

from pathlib import PurePosixPath

from flask import Blueprint, Response, json, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import CRITICAL_MASS, Match
from critmass.links import SUFFIXES, clean_path, find_link, link_to
from critmass.search import LEVELS
from critmass.web.lessons import lessons
from critmass.web.view import view

bp = Blueprint("pages", __name__)

KEEP = "public, max-age=300"


@bp.get("/")
def front() -> AnyResponse:
    """Show the board of a new match, and every other way in."""
    return _kept("pages/front.html", levels=LEVELS, **view(link_to(Match(CRITICAL_MASS)), swap=False))


@bp.get("/how-to-play")
def how_to_play() -> AnyResponse:
    """Explain the rules on small boards."""
    return _kept("pages/how_to_play.html", lessons=lessons())


@bp.get("/open")
def open_link() -> AnyResponse:
    """Go to the match of a link that was pasted."""
    text = request.args.get("link", "")
    address = find_link(text)
    if address is None:
        page = render_template("pages/open.html", text=text, **view(link_to(Match(CRITICAL_MASS)), swap=False))
        return Response(page, 422 if text.strip() else 200)
    return redirect(address.url, 303)


@bp.get("/healthz")
def health() -> AnyResponse:
    """Say that the app answers."""
    response = Response("ok\n", mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


def elsewhere(path: str) -> AnyResponse:
    """Answer a path that is no match link: with the page that it was meant for, or with none."""
    clean = clean_path(path)[0] or "/"
    if clean != path and clean in (url_for("pages.how_to_play"), url_for("pages.open_link"), url_for("api.page"), "/"):
        return redirect(clean, 308)
    raise NotFound


def refused(error: HTTPException) -> AnyResponse:
    """Say what was wrong with a request, on a page that leads on; to those who did not ask for a page, in short."""
    response = error.get_response()
    missing = error.code == 404
    suffix = "" if missing else PurePosixPath(request.path).suffix
    if suffix == ".json":
        told = {"code": error.name.lower().replace(" ", "-"), "ply": None, "message": error.description}
        response.set_data(json.dumps({"error": told}))
        response.mimetype = "application/json"
    elif suffix in SUFFIXES:
        response.set_data(f"{error.name}. {error.description}\n")
        response.mimetype = "text/plain"
    else:
        response.set_data(render_template("pages/refused.html", error=error, missing=missing))
    response.headers["Cache-Control"] = "no-store"
    return response


def _kept(template: str, **context: object) -> AnyResponse:
    response = Response(render_template(template, **context))
    response.headers["Cache-Control"] = KEEP
    response.add_etag()
    return response.make_conditional(request)
