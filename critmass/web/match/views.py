"""Match links: the page, its part, and the other representations."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from flask import Blueprint, Response, current_app, g, jsonify, redirect, render_template, request
from markupsafe import escape
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing import svg
from critmass.engine import Fault, MoveFault, RulesFault
from critmass.engine.codec import width
from critmass.formats import pictures
from critmass.formats.plain import as_json, as_text, fault_json
from critmass.formats.wording import before, fault_title, fault_told, told_whole
from critmass.links import (
    FRAME_OPTIONS,
    Address,
    Link,
    LongName,
    OptionFault,
    clean_options,
    known_options,
    parse_address,
    parse_query,
    read,
    read_rules,
)
from critmass.links.names import cut, split_names, write_names
from critmass.web.http import rate_limit as limits
from critmass.web.http.errors import not_found
from critmass.web.http.origin import site_url
from critmass.web.http.responses import cacheable, cross_origin
from critmass.web.http.security_headers import PREFLIGHT
from critmass.web.match.context import view

bp = Blueprint("matches", __name__)


@bp.get("/<rest:path>")
def show(path: str) -> AnyResponse:
    """Show the match of a link, whatever a chat program made of it."""
    path, query = f"/{path}", parse_query(request.query_string.decode("ascii"))
    address = parse_address(path, query)
    if address is None:
        return not_found(path)
    if path != address.path or known_options(query) != clean_options(query):
        return _shared(redirect(address.url, 308), address)
    with limits.place(address.suffix):
        return _representation(address)


def _representation(address: Address) -> AnyResponse:
    try:
        link = read(address)
    except Fault as fault:
        return _shared(_faulty(address, fault), address)
    if link.part and not address.suffix and "HX-Request" not in request.headers:
        sent_on = redirect(link.page, 303)
        sent_on.vary.add("HX-Request")
        return _shared(sent_on, address)
    response = _REPRESENTATIONS[address.suffix](link)
    response.set_etag(_tag(address))
    return _shared(cacheable(response), address)


@bp.after_request
def let_frames_ask(response: Response) -> Response:
    """Tell a sandboxed frame, which is of no origin, that it may ask for the parts of its board."""
    if request.method == "OPTIONS":
        address = parse_address(request.path, parse_query(request.query_string.decode("ascii")))
        if address and _is_part_of_frame(address):
            response.headers.update(PREFLIGHT)
    return response


def _tag(address: Address) -> str:
    """Return what tells one answer from another: the version of the program, the address, and the site's name."""
    told = f"{current_app.extensions['version']} {site_url()} {address.url}"
    return sha256(told.encode()).hexdigest()[:32]


def _shared(response: AnyResponse, address: Address) -> AnyResponse:
    if address.suffix or _is_part_of_frame(address):
        return cross_origin(response)
    if _is_frame(address):
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _is_frame(address: Address) -> bool:
    return not address.suffix and address.option("embed") == "1"


def _is_part_of_frame(address: Address) -> bool:
    return _is_frame(address) and address.option("part") == "1"


def _page(link: Link) -> Response:
    shown = view(link)
    g.framed = link.embed
    if not link.part:
        return Response(render_template("match/embed.html" if link.embed else "match/page.html", **shown))
    response = Response(render_template("match/part.html", **shown))
    # While the replay goes on by itself, Back leads to where it was started; in a frame, to where its page was.
    told = "HX-Replace-Url" if link.play or link.embed else "HX-Push-Url"
    response.headers[told] = link.page
    if link.embed:
        response.headers["Access-Control-Expose-Headers"] = told
    response.vary.add("HX-Request")
    return response


def _json(link: Link) -> Response:
    return jsonify(as_json(link))


def _text(link: Link) -> Response:
    return Response(as_text(link), mimetype="text/plain")


def _svg(link: Link) -> Response:
    last = link.ply.cell if link.ply else None
    board = link.position.board
    drawn = svg.picture(board, last, link.colours, link.scheme, str(escape(told_whole(link))))
    return Response(drawn, mimetype="image/svg+xml")


def _png(link: Link) -> Response:
    limits.spend(limits.PICTURE)
    return Response(pictures.png(link), mimetype="image/png")


def _gif(link: Link) -> Response:
    limits.spend(limits.FILM)
    return Response(pictures.gif(link), mimetype="image/gif")


_REPRESENTATIONS: dict[str, Callable[[Link], Response]] = {
    "": _page,
    ".json": _json,
    ".txt": _text,
    ".svg": _svg,
    ".png": _png,
    ".gif": _gif,
}


def _faulty(address: Address, fault: Fault) -> Response:
    """Say what is wrong with a link that is no match, and offer the one that it may have been meant for."""
    offered = mended(address, fault)
    message = fault_told(fault, address, offered.colours)
    if address.suffix == ".json":
        response = jsonify(fault_json(fault, message))
    elif address.suffix:
        response = Response(f"{message}\n{before(fault)}: {offered.plain_path}{offered.query}\n", mimetype="text/plain")
    else:
        g.framed = offered.embed
        template = "match/embed_fault.html" if offered.embed else "match/fault.html"
        response = Response(
            render_template(
                template, headline=fault_title(fault), message=message, before=before(fault), **view(offered)
            )
        )
    response.status_code = 404
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def mended(address: Address, fault: Fault) -> Link:
    """Return the match that a faulty link comes closest to: before the move, or without the options, at fault."""
    alone = ("embed",) if address.suffix else ()
    address = replace(address, suffix="").without("at", "ring", "play", "part", *alone)
    if isinstance(fault, RulesFault):
        # Who plays is of another board; a frame stays one.
        framing = tuple(pair for pair in address.options if pair[0] in FRAME_OPTIONS)
        address = replace(address, board="6x9", players="2", moves="", options=framing)
    elif isinstance(fault, MoveFault):
        step = width(read_rules(address).grid)
        address = replace(address, moves=address.moves[: (fault.ply - 1) * step])
    elif isinstance(fault, LongName):
        names = write_names(map(cut, split_names(fault.value)))
        address = replace(
            address, options=tuple((name, names if name == "names" else value) for name, value in address.options)
        )
    elif isinstance(fault, OptionFault):
        address = address.without(fault.option)
    try:
        return read(address)
    except OptionFault as further:
        return mended(address, further)
