"""The API page and the OpenAPI file."""

import json
from typing import NamedTuple
from urllib.parse import quote

from flask import Blueprint, Response, current_app, jsonify, render_template
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing import card
from critmass.web.api import description as reference
from critmass.web.api import openapi
from critmass.web.http.origin import site_url
from critmass.web.http.responses import cacheable, cross_origin
from critmass.web.share import embed as embeds

bp = Blueprint("api", __name__)

_PLAYED = "buvupvjuuvu"
_ANSWERED = {
    "json": "/m/0z0.json",
    "error": "/m/00.json",
    "text": "/classic/4x3/3/04b.txt?names=Ada,Bo",
    "notation": f"/notation?link=/m/{_PLAYED}?names=Ada,Bo",
}
_PICTURES = {
    "picture": f"/m/{_PLAYED}.png?at=10&size=320",
    "drawing": f"/m/{_PLAYED}.svg?at=10&scheme=dark&colours=gv",
    "card": f"/m/{_PLAYED}.png?card=1&names=Ada,Bo",
}
_SIZES = {"card": (card.WIDTH, card.HEIGHT)}


class Example(NamedTuple):
    """A request, and what this site answers to it; a picture is left to be asked for by the page."""

    path: str
    status: str = "200 OK"
    media: str = ""
    text: str = ""
    size: tuple[int, int] = (0, 0)
    """Of a picture, as the page shows it."""


@bp.get("/api")
def page() -> AnyResponse:
    """Document every address of the site, with examples that it has just answered itself."""
    site = site_url() or "http://localhost"
    paths = {**_ANSWERED, "oembed": f"/oembed?url={quote(f'{site}/m/{_PLAYED}', safe='')}&maxwidth=400"}
    examples = {name: _answered(path, site) for name, path in paths.items()}
    examples |= {
        name: Example(path, media=_media(path), size=_SIZES.get(name, (320, 320))) for name, path in _PICTURES.items()
    }
    width, height = embeds.WIDTH, embeds.AROUND + embeds.WIDTH - embeds.BESIDE
    frame = f'<iframe src="{site}/m/{_PLAYED}?embed=1&amp;at=10" width="{width}" height="{height}"></iframe>'
    shown = render_template("pages/api.html", examples=examples, frame=frame, reference=reference, embeds=embeds)
    return cacheable(Response(shown))


@bp.get("/openapi.json")
def openapi_file() -> AnyResponse:
    """Answer with the OpenAPI file."""
    return cross_origin(cacheable(jsonify(openapi.document())))


def _answered(path: str, site: str) -> Example:
    # Put into the environment as it is: Werkzeug's client knows no host names but those of IDNA 2003.
    scheme, _, host = site.partition("://")
    asked = {**EnvironBuilder(path).get_environ(), "wsgi.url_scheme": scheme, "HTTP_HOST": host}
    response = AnyResponse.from_app(current_app, asked, buffered=True)
    media = response.mimetype or ""
    text = laid_out(response.get_json()) if media == reference.JSON else response.get_data(as_text=True)
    return Example(path, response.status, media, text)


def _media(path: str) -> str:
    return next(kind.media for suffix, kind in reference.KINDS.items() if suffix and f"{suffix}?" in path)


def laid_out(told: dict[str, object]) -> str:
    """Return JSON with one key a line."""
    lines = (f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items())
    return "{\n" + ",\n".join(lines) + "\n}"
