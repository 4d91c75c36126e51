"""The pages around the matches: the front page, how to play, the box to paste a link into."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import CRITICAL_MASS, Match
from critmass.formats.wording import count, told_whole
from critmass.links import GAMES, LEVELS, Address, link_to, read
from critmass.links.paste import find_readings
from critmass.web.http.origin import site_url
from critmass.web.match.context import view
from critmass.web.pages.lessons import lessons

bp = Blueprint("pages", __name__)

KEEP = "public, max-age=300"


@bp.get("/")
def front() -> AnyResponse:
    """Show the board of a new match, and every other way in."""
    return _kept(
        "pages/front.html", levels=LEVELS, games=GAMES.values(), **view(link_to(Match(CRITICAL_MASS)), swap=False)
    )


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


def _kept(template: str, **context: object) -> AnyResponse:
    response = Response(render_template(template, **context))
    response.headers["Cache-Control"] = KEEP
    response.add_etag()
    return response.make_conditional(request)
