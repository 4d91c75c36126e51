"""Every way to take a match along: the link as a QR code, the board as text, notation, pictures, embed code."""

import segno
from flask import Blueprint, Response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from critmass.links import Link, find_match
from critmass.notation import format_match
from critmass.report import as_text
from critmass.summaries import told_turn
from critmass.web.embeds import frame
from critmass.web.site import visited_url
from critmass.words import name_of, standing

bp = Blueprint("sharing", __name__)


@bp.get("/share")
def share() -> AnyResponse:
    """Show the panel for a match, as a page or, for a page that is open, alone."""
    link = find_match(request.args.get("link", ""), "at", "ring", "play", "part")
    if link is None:
        return redirect("/open", 303)
    # The answer is for the one who asks, and kept by nobody: so whatever they call this site will do.
    site = visited_url()
    template = "share/panel.html" if "HX-Request" in request.headers else "share/page.html"
    response = Response(render_template(template, **panel(link, site)))
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("HX-Request")
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
        "code": qr_code(f"{site}{path}", query),
        "text": as_text(link).replace(f"\n{path}{query}\n", f"\n{site}{path}{query}\n"),
        "notation": format_match(link),
        "embed": f'<iframe src="{source}" width="{width}" height="{height}" title="{title}"></iframe>',
        "files": [(suffix, f"{path}{suffix}{query}") for suffix in (".png", ".gif", ".json", ".txt", ".svg")],
    }


def qr_code(address: str, query: str) -> Markup:
    """Return a link as a QR code in SVG.

    In capitals it fits the denser alphabet of QR codes, and the app mends it when it is opened; the query goes as
    it is, because names keep their letters.
    """
    content = f"{address}{query}" if query else address.upper()
    code = segno.make(content, error="l", micro=False)
    drawn = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="code", lineclass=None)
    return Markup(drawn)
