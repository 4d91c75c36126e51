"""The pages around the matches: front page, how to play, the box to paste a link into, and what is not there."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from flask import Blueprint, Response, json, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import CRITICAL_MASS, Match
from critmass.links import SUFFIXES, Address, clean_path, link_to, read
from critmass.paste import find_readings
from critmass.search import LEVELS
from critmass.web.lessons import lessons
from critmass.web.site import site_url
from critmass.web.view import view
from critmass.words import count, told_whole

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
    readings = find_readings(text)
    if len(readings) == 1:
        return redirect(readings[0].url, 303)
    page = render_template("pages/open.html", text=text, choices=choices(readings), site=site_url())
    return Response(page, 422 if text.strip() and not readings else 200)


class Choice(NamedTuple):
    """A match that a pasted text may mean."""

    about: str
    """What of the text it takes."""
    url: str
    words: str
    """Its length, its last move, and how it stands."""
    pictures: dict[str, str]
    """The address of its picture, by scheme."""


def choices(readings: Iterable[Address]) -> list[Choice]:
    """Return the matches that a pasted text may mean, for the reader to choose one."""
    links = [read(address) for address in readings]
    shortest = min((link.length for link in links), default=0)
    return [
        Choice(
            "The link as it stands" if link.length == shortest else "With the next line",
            link.address.url,
            f"{count(link.length, 'move')}. {told_whole(link)}",
            {scheme: _picture(link.address, scheme) for scheme in ("light", "dark")},
        )
        for link in links
    ]


def _picture(address: Address, scheme: str) -> str:
    shown = [(name, value) for name, value in address.options if name in ("at", "colours")]
    return replace(address, suffix=".svg", options=(*shown, ("scheme", scheme))).url


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
