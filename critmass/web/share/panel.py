"""Every way to take a match along: the link as a QR code, the board as text, notation, pictures, embed code."""

import re
from typing import Any, NamedTuple

import segno
from flask import Blueprint, Response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from critmass.formats.codingame_summary import told_turn
from critmass.formats.notation import format_match
from critmass.formats.plain import as_text
from critmass.formats.wording import name_of, standing
from critmass.links import Link
from critmass.links.paste import find_match
from critmass.web.http.origin import visited_url
from critmass.web.share.embed import frame

bp = Blueprint("sharing", __name__)

MODULE = 4
"""The CSS pixels of a module, which is a black or white square of a QR code, at the least: smaller ones a camera
cannot tell apart. Around the code there are four white modules on every side."""
MOST_IN_PANEL = 276
"""The pixels of the largest code that the panel shows: the narrowest phone has room for it."""
# What a QR code packs into 5½ bits a character instead of 8. A shorter run saves less than it takes to announce it.
_DENSE = re.compile(r"([0-9A-Z$%*+./:-]{14,})")


class QrCode(NamedTuple):
    """A link as a QR code."""

    svg: Markup
    side: int
    """The CSS pixels of its width and height, white margin included, at which each module has `MODULE` of them."""

    @property
    def is_small(self) -> bool:
        """Whether the panel has room for it."""
        return self.side <= MOST_IN_PANEL


@bp.get("/share")
def share() -> AnyResponse:
    """Show the panel for a match, as a page or, for a page that is open, alone."""
    link = _match()
    if link is None:
        return redirect("/open", 303)
    template = "share/panel.html" if "HX-Request" in request.headers else "share/page.html"
    response = _unkept(render_template(template, **panel(link, visited_url())))
    response.vary.add("HX-Request")
    return response


@bp.get("/qr")
def large_code() -> AnyResponse:
    """Show the QR code of a match as large as the screen is; on one that is too small for it, say so instead."""
    link = _match()
    if link is None:
        return redirect("/open", 303)
    code = qr_code(visited_url(), link)
    return _unkept(render_template("share/code.html", link=link, code=code, title=standing(link, link.position)))


def _match() -> Link | None:
    return find_match(request.args.get("link", ""), "at", "ring", "play", "part")


def _unkept(page: str) -> Response:
    """Answer the one who asks, and nobody else: so whatever they call this site will do."""
    response = Response(page)
    response.headers["Cache-Control"] = "no-store"
    return response


def panel(link: Link, site: str) -> dict[str, object]:
    """Return what the panel shows of a match on a site of that address."""
    path, query = link.plain_path, link.query
    width, height = frame(link)
    source = Markup.escape(f"{site}{path}{query}{'&' if query else '?'}embed=1")
    title = Markup.escape(standing(link, link.match.position()))
    told = [told_turn(ply, name_of(link, ply.player)) for ply in link.match.plies]
    return {
        "link": link,
        "summary": "\n".join(told) if link.rules.name == "codingame" else "",
        "whole": f"{site}{path}{query}",
        "code": qr_code(site, link),
        "text": as_text(link).replace(f"\n{path}{query}\n", f"\n{site}{path}{query}\n"),
        "notation": format_match(link),
        "embed": f'<iframe src="{source}" width="{width}" height="{height}" title="{title}"></iframe>',
        "files": [(suffix, f"{path}{suffix}{query}") for suffix in (".png", ".gif", ".json", ".txt", ".svg")],
    }


def qr_code(site: str, link: Link) -> QrCode | None:
    """Return the link to a match on the site of that address as a QR code; `None` without an address.

    Host and path are in capitals, which fit the denser alphabet of QR codes; the app mends them when it is opened. The
    scheme is not: there are scanners that take `HTTPS:` for no link. Nor is the query: names keep their letters.
    """
    scheme, mark, host = site.partition("://")
    if not mark:
        return None
    content = f"{scheme}{mark}{f'{host}{link.plain_path}'.upper()}{link.query}"
    parts: Any = [part for part in _DENSE.split(content) if part]  # each gets the mode that is densest for it
    code = segno.make(parts, error="l", micro=False)
    drawn = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="code", lineclass=None)
    side = MODULE * int(code.symbol_size(border=4)[0])
    size = f'role="img" aria-label="QR code of the link" width="{side}" height="{side}"'
    return QrCode(Markup(drawn.replace("<svg", f"<svg {size}", 1)), side)
