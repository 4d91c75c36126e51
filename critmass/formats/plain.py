"""A match as data and as plain text: what `.json` and `.txt` say, and the command line with them."""

from typing import Any

from critmass.drawing.text import MARKS, board_text
from critmass.engine import Board, Fault, Position, cell_name
from critmass.formats.wording import because, game_title, grace, name_of, standing, told
from critmass.links import Link, read_names


def as_json(link: Link) -> dict[str, Any]:
    """Return the contract's JSON of a match; its keys and their order are fixed there."""
    rules, position, ply = link.rules, link.position, link.ply
    names = [cell_name(rules.grid, cell) for cell in range(rules.grid.size)]
    frames = ply.frames if ply else (Board.empty(rules.grid, rules.players),)
    return {
        "rules": rules.name,
        "columns": rules.columns,
        "rows": rules.rows,
        "players": rules.players,
        "colours": link.colours,
        "path": link.plain_path,
        "moves": [names[cell] for cell in link.match.cells],
        "at": link.at,
        "board": str(position.board),
        **_turn_or_outcome(position),
        "out": list(position.out),
        "rings": [[names[cell] for cell in ring] for ring in ply.rings] if ply else [],
        "frames": [str(frame) for frame in frames],
        "plies": [
            {"move": names[ply.cell], "rings": len(ply.rings), "captured": ply.captured} for ply in link.match.plies
        ],
        "names": list(read_names(link.address.option("names"), link.colours)),
    }


def _turn_or_outcome(position: Position) -> dict[str, Any]:
    outcome = position.outcome
    if outcome is None:
        return {"turn": position.turn}
    if outcome.winner is None:
        return {"draw": True, "reason": outcome.reason}
    return {"winner": outcome.winner, "reason": outcome.reason}


def fault_json(fault: Fault, message: str) -> dict[str, Any]:
    """Return the contract's JSON of a link that is no match."""
    return {"error": {"code": fault.code, "ply": fault.ply, "message": message}}


def as_text(link: Link) -> str:
    """Return a match as a terminal shows it: what is played, the board, the last move and how it stands."""
    position, ply = link.position, link.ply
    players = (_holds(link, player) for player in range(1, link.rules.players + 1))
    of = "" if link.at_end else f" of {link.length}"
    lines = [
        f"{game_title(link)} · move {link.at}{of}",
        "",
        board_text(position.board, ply.cell if ply else None),
        "",
        "   ".join(players),
        *([told(link, ply)] if ply else []),
        standing(link, position),
        *filter(None, [because(link, position), grace(position)]),
        "",
        link.plain_path + link.query,
    ]
    return "\n".join(lines) + "\n"


def _holds(link: Link, player: int) -> str:
    """Return who a player is, and what they hold."""
    position, level = link.position, link.levels[player - 1]
    who = f"{name_of(link, player)}, level {level}" if level else name_of(link, player)
    out = ", out" if player in position.out else ""
    return f"{MARKS[player - 1]} {who}: {position.board.orbs_of(player)} orbs{out}"
