"""The score sheet of a match: what is printed, or filed away."""

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from critmass.drawing.geometry import MARKS
from critmass.engine import Ply
from critmass.formats.wording import because, count, game_title, standing, told_gone, told_move
from critmass.links import COLOUR_NAMES, Link
from critmass.links.names import isolated
from critmass.links.paste import find_match
from critmass.web.http.origin import site_url
from critmass.web.http.responses import cacheable
from critmass.web.match.board import Figures

bp = Blueprint("sheets", __name__)

EVERY = 8
"""Of how many moves one has a diagram of its own."""
MOST = 24
"""The small diagrams of a sheet; in a longer match they are further apart."""


@bp.get("/sheet")
def sheet() -> AnyResponse:
    """Write the match of a link down: moves, result, and diagrams."""
    link = find_match(request.args.get("link", ""), "at", "ring", "play", "embed", "part")
    if link is None:
        return redirect("/open", 303)
    figures = Figures(link.colours)
    last = link.ply.cell if link.ply else None
    final = figures.draw(link.position.board, last, f"The board after move {link.length}")
    small = [
        (figures.draw(link.match.position(at).board, link.match.plies[at - 1].cell, f"After move {at}"), at)
        for at in diagrams(link)
    ]
    page = render_template(
        "pages/sheet.html",
        link=link,
        game=game_title(link),
        title=" – ".join(map(isolated, link.names)) if len(link.names) <= 2 else game_title(link),
        players=[
            (name, letter, COLOUR_NAMES[letter], mark)
            for name, letter, mark in zip(link.names, link.colours, MARKS, strict=False)
        ],
        standing=standing(link, link.position),
        because=because(link, link.position),
        moves=[(ply.player, ply.name, _effect(link, ply)) for ply in link.match.plies],
        final=final,
        small=small,
        told=told_move(link, link.ply) if link.ply else "",
        definitions=figures.definitions(),
        site=site_url(),
    )
    return cacheable(Response(page))


def diagrams(link: Link) -> list[int]:
    """Return the plies that have a small diagram: every so many, the last one left to the large diagram."""
    step = EVERY * max(1, -(-link.length // (EVERY * MOST)))
    return list(range(step, link.length, step))


def _effect(link: Link, ply: Ply) -> str:
    """Return what a move set off, in a few words; empty if nothing."""
    rings = len(ply.rings)
    return ", ".join(filter(None, (count(rings, "ring") if rings else "", told_gone(link, ply))))
