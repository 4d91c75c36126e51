"""Matches as text: the page that reads one in whatever form it was written down, and the notation of a link."""

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.exceptions import NotFound, RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from critmass.engine import Fault
from critmass.formats.notation import NotationFault, format_match, read_any
from critmass.formats.wording import fault_told
from critmass.links import read
from critmass.links.paste import find_link, find_readings
from critmass.web.http.responses import cacheable, cross_origin
from critmass.web.pages.front import choices

bp = Blueprint("imports", __name__)

LIMIT = 64 * 1024
"""The bytes that a form may have; the longest match there is takes a tenth of that, its comments have the rest."""


@bp.get("/import")
def ask() -> AnyResponse:
    """Ask for a match in writing."""
    return cacheable(_answer("", 200))


@bp.post("/import")
def take() -> AnyResponse:
    """Go to the match that a text is, or give the text back and point at what is wrong with it."""
    request.max_content_length = LIMIT
    try:
        whole = len(request.get_data()) < LIMIT  # a body that does not say how long it is was cut there
    except RequestEntityTooLarge:
        whole = False
    if not whole:
        return _answer("", 413, limit=LIMIT // 1024)
    text = request.form.get("text", "")
    try:
        link = read_any(text)
    except NotationFault as fault:
        return _answer(text, 422, fault=fault)
    readings = find_readings(text)
    if len(readings) > 1 and link.address in readings:
        return _answer(text, 200, choices=choices(readings))
    return redirect(link.page, 303)


@bp.get("/notation")
def notation() -> AnyResponse:
    """Answer with the match of the link in the query, in notation."""
    address = find_link(request.args.get("link", ""))
    if address is None:
        raise NotFound
    try:
        return cross_origin(cacheable(Response(format_match(read(address)), mimetype="text/plain")))
    except Fault as fault:
        return cross_origin(Response(f"{fault_told(fault, address)}\n", 404, mimetype="text/plain"))


def _answer(text: str, status: int, **context: object) -> Response:
    return Response(render_template("pages/import.html", text=text, **context), status)
