"""Matches in other people's pages: what an oEmbed consumer is told, and how large a frame has to be."""

import re
from dataclasses import replace
from typing import Any

from flask import Blueprint, jsonify, request
from markupsafe import escape
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing import card
from critmass.engine import Fault
from critmass.formats.wording import fault_told, game_title, standing
from critmass.links import FRAME_OPTIONS, PICTURE_OPTIONS, PLAYER_OPTIONS, SIZES, Link, format_query, read, split_url
from critmass.web.http.origin import is_of_site, site_url
from critmass.web.http.responses import cacheable, cross_origin

bp = Blueprint("embeds", __name__)

WIDTH = 480
"""The width of a frame when nobody says another, in pixels."""
NARROW, LINE = 360, 22
"""Below this width the controls take another line, so many pixels high."""
LEAST = 240
"""The width that the controls below a board take at least, in pixels."""
AROUND, BESIDE = 176, 26
"""The pixels of a frame above and below its board, and left and right of it."""
CACHE_AGE = 86400
"""The seconds for which a consumer may keep the answer."""
_PIXELS = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)


class Refused(Exception):
    """A request for which there is no frame."""

    def __init__(self, status: int, code: str, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.ply = ply


@bp.get("/oembed")
def oembed() -> AnyResponse:
    """Tell how the match of a link is put into a page."""
    try:
        return cross_origin(cacheable(jsonify(_answer())))
    except Refused as refused:
        response = jsonify(error={"code": refused.code, "ply": refused.ply, "message": str(refused)})
        response.status_code = refused.status
        response.headers["Cache-Control"] = "no-store"
        return cross_origin(response)


def _answer() -> dict[str, Any]:
    if request.args.get("format", "json") != "json":
        raise Refused(400, "bad-option", "The only format is json.")
    widest, highest = _most("maxwidth"), _most("maxheight")
    site = site_url()
    link = _match(request.args.get("url", ""))
    width, height = frame(link, widest, highest)
    query = format_query((*_options(link, "at", *PLAYER_OPTIONS, "ring", "scheme"), ("embed", "1")))
    title = f"{game_title(link)}: {standing(link, link.position)}, move {link.at}"
    source = escape(f"{site}{link.plain_path}{query}")
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Critical Mass",
        "provider_url": f"{site}/",
        "cache_age": CACHE_AGE,
        "html": f'<iframe src="{source}" width="{width}" height="{height}" title="{escape(title)}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>',
        "width": width,
        "height": height,
        "thumbnail_url": f"{site}{link.plain_path}.png"
        + format_query((*_options(link, "at", *PLAYER_OPTIONS, "scheme"), ("card", "1"))),
        "thumbnail_width": card.WIDTH,
        "thumbnail_height": card.HEIGHT,
    }


def _options(link: Link, *names: str) -> list[tuple[str, str]]:
    return [pair for pair in link.address.options if pair[0] in names]


def _most(name: str) -> int | None:
    """Return the most pixels that a frame may have one way; `None` where nothing is said."""
    value = request.args.get(name)
    if value is None:
        return None
    if not _PIXELS.fullmatch(value):
        raise Refused(400, "bad-option", f"{name} is a number of pixels, 1 to 99999.")
    return int(value)


def _match(url: str) -> Link:
    """Return the match of a link to this site."""
    address = split_url(url) if is_of_site(url) else None
    if address is None:
        raise Refused(404, "no-match", "The url is not that of a match on this site.")
    others = (name for name in PICTURE_OPTIONS if name not in FRAME_OPTIONS)
    try:
        return read(replace(address, suffix="").without("part", "play", *others))
    except Fault as fault:
        raise Refused(404, fault.code, fault_told(fault, address), fault.ply) from fault


def frame(link: Link, widest: int | None = None, highest: int | None = None) -> tuple[int, int]:
    """Return the width and height of the frame in which a board is as large as these allow."""
    width = min(link.size or WIDTH, widest or SIZES[-1])
    columns, rows = link.rules.columns, link.rules.rows
    height = _around(width) + (width - BESIDE) * rows // columns
    if highest and highest < height:
        height = highest
        board = max(height - _around(LEAST), 0) * columns // rows
        width = min(width, max(board + BESIDE, LEAST))
    return width, height


def _around(width: int) -> int:
    return AROUND + (LINE if width < NARROW else 0)
