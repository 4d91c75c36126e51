"""A game as CodinGame's viewer shows it: every frame can be gone to, and tells the cells that each side holds."""

import re

import pytest
from flask.testing import FlaskClient

from critmass.engine import CODINGAME, Match

from .html import Element, page_at

MOVES = "gny1vf4b8djw8em3p90u8hc7l746vsp6810fvf6fcl7xuf6fjk0nebyb94d"
MATCH = Match.read(CODINGAME, MOVES)
"""A game of 59 plies that red wins."""
FRAMES = [(0, 0), *((ply.number, ring) for ply in MATCH.plies for ring in range(len(ply.steps)))]


def held(at: int, ring: int) -> tuple[int, int]:
    board = MATCH.plies[at - 1].frames[ring] if at else MATCH.position(0).board
    return board.cells_of(1).bit_count(), board.cells_of(2).bit_count()


def frame(page: Element) -> tuple[int, int]:
    found = re.search(r"Frame (\d+) +of (\d+)", page.text)
    assert found, page.text
    return int(found[1]), int(found[2])


def test_the_frames_lead_through_the_whole_game_and_back(client: FlaskClient) -> None:
    link = f"/codingame/{MOVES}?at=0&names=Ada,Bo"
    for number, (at, ring) in enumerate(FRAMES):
        page = page_at(client, link)
        assert frame(page) == (number, len(FRAMES) - 1)
        told = client.get(link).text
        first, second = held(at, ring)
        assert f"Cells held: {first} and {second} of 36 after frame {number}" in told
        shown = [int(cells) for cells in re.findall(r"<small>/(\d+)</small>", told)]
        assert shown == ([first, second] if at < 59 or second else [first])  # who is out holds nothing
        back, on = step(page, "Frame back"), step(page, "Next frame")
        if number:
            before = FRAMES[number - 1]
            ring_before = f"&ring={before[1]}" if before[0] else ""
            assert back == f"?at={before[0]}&names=Ada,Bo{ring_before}"
        else:
            assert back is None
        if on is None:
            break
        link = f"/codingame/{MOVES}{on}"
    assert number == len(FRAMES) - 1


def step(page: Element, name: str) -> str | None:
    (link,) = page.all("a", **{"aria-label": name})
    return link.attributes.get("href")


@pytest.mark.parametrize("at", [1, 33, 59])
def test_a_board_at_rest_is_the_last_frame_of_its_turn(client: FlaskClient, at: int) -> None:
    page = page_at(client, f"/codingame/{MOVES}?at={at}")
    assert frame(page)[0] == max(index for index, (ply, _) in enumerate(FRAMES) if ply == at)


def test_every_turn_is_told_as_the_site_tells_it(client: FlaskClient) -> None:
    told = client.get(f"/codingame/{MOVES}?at=33&names=Ada,Bo").text
    lines = re.findall(r'<li class="[rb]"><a href="\?at=(\d+)&amp;names=Ada,Bo"[^>]*>(At game turn [^<]*)</a>', told)
    assert [int(at) for at, _ in lines] == list(range(1, 60))
    assert lines[32][1] == "At game turn 33, Ada played c2 and triggered 1 explosion wave(s)"
    assert lines[33][1] == "At game turn 34, Bo played b1"
    assert told.count(" : ") == 59


def test_the_lines_can_be_taken_along_and_brought_back(client: FlaskClient) -> None:
    panel = page_at(client, f"/share?link=/codingame/{MOVES}")
    text = panel.one(id="share-summary")._text()
    assert text.count("At game turn") == 59
    answer = client.post("/import", data={"text": text})
    assert answer.headers["Location"] == f"/codingame/{MOVES}"


@pytest.mark.parametrize("path", ["/codingame/", "/m/0z7c", "/classic/6x9/2/a1b2", f"/codingame/{MOVES}?embed=1"])
def test_other_pages_are_without(client: FlaskClient, path: str) -> None:
    assert 'class="viewer"' not in client.get(path).text
    assert "share-summary" not in client.get(f"/share?link={path}").text or "codingame" in path
