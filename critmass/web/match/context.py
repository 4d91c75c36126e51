"""What the templates of a match are given: the link, put into words and pictures."""

from typing import Any

from flask import url_for

from critmass.drawing.svg import digits
from critmass.formats.wording import (
    because,
    game_title,
    grace,
    name_of,
    standing,
    thinking,
    told_gone,
    told_move,
    told_whole,
)
from critmass.links import Link, format_query, write_levels
from critmass.links.names import write_names
from critmass.web.http.origin import site_url
from critmass.web.match.board import cells, facts, holdings, move_list, page_title, scene, standings
from critmass.web.match.frames import view_frames


def view(link: Link, *, swap: bool = True) -> dict[str, Any]:
    """Return the context of the match templates; `swap` as in `critmass.web.match.board.cells`."""
    position, ply = link.position, link.ply
    persons = position.turn is not None and link.level is None
    playable = persons and link.at_end and link.ring is None and not link.embed
    rings = len(ply.steps) - 1 if ply else 0
    return {
        "link": link,
        "facts": facts(link),
        "standings": standings(link) if link.match.outcome else [],
        "position": position,
        "ply": ply,
        "rings": rings,
        "clock": digits(rings),
        "scene": scene(link),
        "cells": cells(link, playable=playable, swap=swap),
        "holdings": holdings(link),
        "title": page_title(link, link.at),
        "game": game_title(link),
        "standing": standing(link, position),
        "thinking": thinking(link) if link.is_thinking else "",
        "answer": _answer(link, play=link.play) if link.is_thinking else "",
        "step": _answer(link, play=False) if not link.people and not link.match.outcome else "",
        "playable": playable,
        "hints": persons and link.ring is None,
        "waits": persons and link.at_end and link.people > 1,
        "told": told_move(link, ply) if ply else "",
        "gone": told_gone(link, ply) if ply else "",
        "because": because(link, position),
        "grace": grace(position),
        "said": told_whole(link),
        "card": f"{link.plain_path}.png{format_query([('at', str(link.at)), *link.dress, ('card', '1')])}",
        "site": site_url(),
        "opponent": name_of(link, position.turn) if position.turn else "",
        "over": link.match.outcome is not None,
        "rematch": _rematch(link) if link.match.outcome else "",
        "move_list": move_list(link),
        "tail": link.tail,
        "viewer": view_frames(link) if link.rules.name == "codingame" and link.length and not link.embed else None,
    }


def _answer(link: Link, *, play: bool) -> str:
    """Return where the computer's next move comes from; with `play` the match goes on by itself after it."""
    options = [*link.dress, ("play", "1")] if play else link.dress
    return url_for("computer.move", link=link.plain_path + format_query(options))


def _rematch(link: Link) -> str:
    """Return the link to the next match of the same players, whoever moved second moving first."""
    options = [("colours", link.colours[1:] + link.colours[0])]
    first, *others = link.given_names
    if names := write_names([*others, first]):
        options.append(("names", names))
    if levels := write_levels([*link.levels[1:], link.levels[0]]):
        options.append(("computer", levels))
    return link.url(0).partition("?")[0] + format_query(options)
