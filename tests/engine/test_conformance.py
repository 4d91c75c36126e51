"""The referee's matches, ply by ply and ring by ring."""

import json
from pathlib import Path
from typing import Any

import pytest

from critmass.engine import CODINGAME, CRITICAL_MASS, Match, Position, Rules, cell_name, classic, parse_cell
from critmass.engine.codec import encode

from .naive import NaiveMatch, name

VECTORS = Path(__file__).parents[1] / "conformance"
MATCHES = [
    pytest.param(json.loads(line), id=f"{file}-{number}")
    for file in ("critical-mass", "classic", "codingame")
    for number, line in enumerate((VECTORS / f"{file}.jsonl").read_text("utf-8").splitlines(), 1)
]


def rules_of(vector: dict[str, Any]) -> Rules:
    if vector["rules"] == "classic":
        return classic(vector["columns"], vector["rows"], vector["players"])
    return {"critical-mass": CRITICAL_MASS, "codingame": CODINGAME}[vector["rules"]]


def outcome_of(position: Position) -> dict[str, Any]:
    if position.outcome is None:
        return {"turn": position.turn}
    if position.outcome.winner is None:
        return {"draw": True, "reason": position.outcome.reason}
    return {"winner": position.outcome.winner, "reason": position.outcome.reason}


@pytest.mark.parametrize("vector", MATCHES)
def test_a_match_is_played_as_the_referee_plays_it(vector: dict[str, Any]) -> None:
    rules = rules_of(vector)
    assert (rules.columns, rules.rows, rules.players) == (
        vector["columns"],
        vector["rows"],
        vector["players"],
    )
    position = Position.start(rules)
    for number, expected in enumerate(vector["plies"], 1):
        ply = position.play(parse_cell(rules.grid, expected["move"]))
        position = ply.after
        told = {
            "move": ply.name,
            "rings": [" ".join(cell_name(rules.grid, cell) for cell in ring) for ring in ply.rings],
            "captured": ply.captured,
            "board": str(position.board),
            **outcome_of(position),
            "out": list(position.out),
        }
        assert (ply.number, told) == (number, expected)


@pytest.mark.parametrize("vector", MATCHES)
def test_a_link_is_read_and_written_back(vector: dict[str, Any]) -> None:
    rules = rules_of(vector)
    prefix, moves = vector["path"].rsplit("/", 1)
    shape = f"/{rules.columns}x{rules.rows}/{rules.players}" if vector["rules"] == "classic" else ""
    assert prefix == {"critical-mass": "/m"}.get(vector["rules"], f"/{vector['rules']}") + shape
    match = Match.read(rules, moves)
    assert [ply.name for ply in match.plies] == [ply["move"] for ply in vector["plies"]]
    assert encode(rules.grid, match.cells) == moves


@pytest.mark.parametrize("vector", MATCHES)
def test_the_frames_show_the_orb_and_then_each_ring(vector: dict[str, Any]) -> None:
    rules = rules_of(vector)
    match = Match.read(rules, vector["path"].rsplit("/", 1)[1])
    plain = NaiveMatch(rules)
    for ply, expected in zip(match.plies, vector["plies"], strict=True):
        plain.play(rules.grid.column_row(ply.cell))
        assert [" ".join(map(name, ring)) for ring in plain.rings] == expected["rings"]
        assert [str(frame) for frame in ply.frames] == plain.frames
        assert ply.frames[-1] == ply.after.board
