"""CodinGame's summary of a game: written as the site writes it, read from whatever it was pasted with."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from critmass.engine import CODINGAME, Match, Position, cells_of, parse_cell
from critmass.formats.codingame_summary import find_turns, told_turn
from critmass.formats.notation import NotationFault, read_any

VECTORS = Path(__file__).parent / "conformance" / "codingame.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


def played(seed: int, length: int) -> Match:
    rng = random.Random(seed)
    match = Match(CODINGAME)
    while match.outcome is None and len(match.plies) < length:
        match = match.play(rng.choice(list(cells_of(match.position().legal))))
    return match


def summary(match: Match, *names: str) -> list[str]:
    return [told_turn(ply, names[ply.player - 1]) for ply in match.plies]


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_a_summary_that_is_written_is_read(seed: int, length: int) -> None:
    match = played(seed, length)
    link = read_any("\n".join(summary(match, "Ada", "Bo")))
    assert (link.rules, link.match.cells) == (CODINGAME, match.cells)
    assert link.names[: len(match.plies)] == ("Ada", "Bo")[: len(match.plies)]


def test_the_lines_are_those_of_the_site() -> None:
    match = Match.read(CODINGAME, "0z0")
    assert summary(match, "Ada", "Bo") == [
        "At game turn 1, Ada played a1",
        "At game turn 2, Bo played f6",
        "At game turn 3, Ada played a1 and triggered 1 explosion wave(s)",
    ]


LINES = [
    "At game turn 1, Ada played a1",
    "At game turn 2, Bo played f6",
    "At game turn 3, Ada played a1 and triggered 1 explosion wave(s)",
]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LINES),
        "\r\n".join(LINES) + "\r\nAda wins!\r\n",
        "\n".join(reversed(LINES)),
        "\n".join([*LINES, *LINES]),
        "  12 / 89\n" + "\n> ".join(LINES) + "\nStandard error:\nthinking about b2…",
        "\n".join(LINES).upper().replace("ADA", "Ada").replace("BO", "Bo"),
        "\n".join(LINES).replace("Bo played f6", "Bo played random → f6"),
        json.dumps({"scores": {"0": 3}, "summaries": [f"{line}\n" for line in LINES]}),
        json.dumps({"summaries": [line.replace("Bo played", "Bo played random →") for line in LINES]}),
        json.dumps({"views": ["{}"], "summaries": ["", *LINES, "Ada wins!"]}, indent=2),
    ],
)
def test_it_is_found_in_whatever_stands_around_it(text: str) -> None:
    link = read_any(text)
    assert link.page == "/codingame/0z0?names=Ada,Bo"


def test_names_that_the_site_fills_in_later_are_none() -> None:
    assert read_any("\n".join(LINES).replace("Ada", "$0").replace("Bo", "$1")).page == "/codingame/0z0"


def test_a_long_name_is_cut_to_what_a_link_carries() -> None:
    assert read_any(LINES[0].replace("Ada", "Bartholomew the Third")).names[0] == "Bartholomew the"


@pytest.mark.parametrize(
    ("lines", "kind", "line", "column"),
    [
        (LINES[1:], "bad-number", 1, 1),
        ([LINES[0], LINES[2]], "bad-number", 2, 1),
        ([*LINES, "At game turn 3, Ada played b1"], "bad-number", 4, 1),
        ([*LINES[:2], LINES[2].replace("Ada", "Cy")], "bad-name", 3, 1),
        ([*LINES[:2], LINES[2].replace("triggered 1", "triggered 2")], "bad-waves", 3, 1),
        ([*LINES[:2], "At game turn 3, Ada played a1"], "bad-waves", 3, 1),
        ([LINES[0], "At game turn 2, Bo played a1"], "owned", 2, 27),
        (["At game turn 1, Ada played g1"], "outside", 1, 28),
    ],
)
def test_a_mistake_is_pointed_at(lines: list[str], kind: str, line: int, column: int) -> None:
    with pytest.raises(NotationFault) as caught:
        read_any("\n".join(lines))
    assert (caught.value.kind, caught.value.line, caught.value.column) == (kind, line, column)


def test_a_comment_in_notation_is_no_summary() -> None:
    assert read_any('[Rules "classic"]\n\n1. a1 {At game turn 1, Ada played b2}').page == "/classic/6x9/2/a1"


@given(st.text(max_size=300))
def test_any_text_has_turns_or_none(text: str) -> None:
    for turn in find_turns(text):
        assert text[turn.cell_at :].lower().startswith(turn.cell)


def test_every_conformance_game_survives() -> None:
    for game in GAMES:
        position, lines = Position.start(CODINGAME), []
        for ply in game["plies"]:
            move = position.play(parse_cell(CODINGAME.grid, ply["move"]))
            lines.append(told_turn(move, "AB"[move.player - 1]))
            assert (" triggered " in lines[-1]) == bool(ply["rings"])
            position = move.after
        if lines:
            assert read_any("\n".join(lines)).plain_path == game["path"]
