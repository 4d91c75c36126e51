"""What a match is called in plain English."""

import pytest

from critmass.engine import Fault
from critmass.formats.wording import (
    because,
    before,
    cells_told,
    count,
    fault_told,
    game_title,
    grace,
    listing,
    standing,
    told,
    told_whole,
)
from critmass.links import Link, read, split_url


def link_of(text: str) -> Link:
    address = split_url(text)
    assert address
    return read(address)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("/m/0", "Red played a1"),
        ("/m/0z?names=Ada,Bo", "Bo played f6"),
        ("/m/0z?colours=sn", "Brown played f6"),
        ("/m/0z0", "Red played a1: 1 ring, 0 cells captured"),
        ("/m/26710171?at=7", "Red played b2"),
        ("/m/26710171", "Blue played b1: 1 ring, 3 cells captured. Red is out"),
        ("/m/160287006", "Red played a2: 3 rings, 3 cells captured. Blue is out"),
        ("/classic/3x3/3/0180", "Red played a1: 1 ring, 1 cell captured. Blue is out"),
        ("/classic/3x3/3/0180?names=,Bo", "Red played a1: 1 ring, 1 cell captured. Bo is out"),
        ("/classic/3x3/4/01380", "Red played a1: 1 ring, 2 cells captured. Blue and Green are out"),
        ("/classic/6x9/2/a1f9?at=1", "Red played a1"),
    ],
)
def test_a_move_is_told(link: str, words: str) -> None:
    shown = link_of(link)
    assert shown.ply
    assert told(shown, shown.ply) == words


@pytest.mark.parametrize(
    ("link", "stands", "why"),
    [
        ("/m/", "Red to move", ""),
        ("/m/0?names=,Bo", "Bo to move", ""),
        ("/classic/3x3/3/0180", "Green to move", ""),
        ("/classic/3x3/3/01804", "Red to move", ""),
        ("/m/61207071", "Blue wins", "Red has no orbs left."),
        ("/classic/3x3/2/010?names=Ada,Bo", "Ada wins", "Bo has no orbs left."),
        (
            "/m/26710171?names=Ada,Bo",
            "Bo wins",
            "Bo's chain took every orb on the board and was stopped there, cells still critical.",
        ),
        ("/m/26710171?at=7", "Blue to move", ""),
    ],
)
def test_how_a_match_stands_and_why(link: str, stands: str, why: str) -> None:
    shown = link_of(link)
    assert standing(shown, shown.position) == stands
    assert because(shown, shown.position) == why


def test_several_who_are_out_have_no_orbs_left() -> None:
    shown = link_of("/classic/3x3/3/0130?names=Ada,Bo,Cy")
    assert because(shown, shown.position) == "Bo and Cy have no orbs left."


@pytest.mark.parametrize(
    ("link", "note"),
    [
        ("/m/", "Wipes count from move 8"),
        ("/m/267101", "Wipes count from move 8"),
        ("/m/2671017", ""),
        ("/m/26710171", ""),
        ("/m/121247150240", ""),
        ("/codingame/", ""),
        ("/classic/6x9/8/", ""),
    ],
)
def test_the_grace_is_told_where_a_wipe_would_count_otherwise(link: str, note: str) -> None:
    assert grace(link_of(link).position) == note


def test_the_position_is_told_in_sentences() -> None:
    assert told_whole(link_of("/m/")) == "Red to move. Wipes count from move 8."
    assert told_whole(link_of("/m/61207071")) == (
        "Blue played b1: 1 ring, 2 cells captured. Red is out. Blue wins. Red has no orbs left."
    )
    assert told_whole(link_of("/codingame/0z")) == "Blue played f6. Red to move."


@pytest.mark.parametrize(
    ("link", "cell", "words"),
    [
        ("/m/", 0, "a1, empty"),
        ("/classic/6x9/2/c4a1c4a2", 20, "c4, yours, 2 of 4 orbs"),
        ("/classic/6x9/2/c4a1c4a2", 0, "a1, Blue's, 1 of 2 orbs"),
        ("/classic/6x9/2/c4a1c4a2?names=Ada,Bo", 6, "a2, Bo's, 1 of 3 orbs"),
        ("/codingame/010", 1, "b1, Red's, 2 of 3 orbs"),
    ],
)
def test_a_cell_is_told(link: str, cell: int, words: str) -> None:
    assert cells_told(link_of(link))[cell] == words


@pytest.mark.parametrize(
    ("link", "title"),
    [("/m/", "Critical Mass"), ("/codingame/", "CodinGame"), ("/classic/16x3/8/", "Classic, 16×3, 8 players")],
)
def test_a_game_has_its_title(link: str, title: str) -> None:
    assert game_title(link_of(link)) == title


def test_one_thing_and_several() -> None:
    assert [count(number, "ring") for number in (0, 1, 2)] == ["0 rings", "1 ring", "2 rings"]
    assert listing([]) == ""
    assert listing(["Ada"]) == "Ada"
    assert listing(["Ada", "Bo"]) == "Ada and Bo"
    assert listing(["Ada", "Bo", "Cy"]) == "Ada, Bo and Cy"


@pytest.mark.parametrize(
    ("link", "words", "offer"),
    [
        ("/classic/2x9/2/", "“2x9” is no board", "A new classic match"),
        ("/classic/6x9/9/", "“9” is no number of players", "A new classic match"),
        ("/classic/6x9", "No number of players", "A new classic match"),
        ("/m/%C3%A90", "Move 1 has a character that no move is written with: “é”", "The match before its first move"),
        ("/classic/6x9/2/a1b", "Move 2 is cut short: “b”", "The match before move 2"),
        ("/classic/6x9/2/a1g1", "Move 2, “g1”, is not on this 6×9 board", "The match before move 2"),
        ("/m/00", "Move 2: Blue cannot play a1, it is Red's", "The match before move 2"),
        ("/codingame/0101", "Move 4 comes too late: the match had ended with move 3", "The match before move 4"),
        ("/m/0z?at=3", "“3” is no move of this match", "The match without it"),
        ("/m/0z?colours=rr", "“rr” does not give each player a colour", "The match without it"),
        ("/m/0z?names=a,b,c", "“a,b,c” is too much", "The match without it"),
        ("/m/0z?play=2", "“2” is not what “play” takes", "The match without it"),
    ],
)
def test_what_is_wrong_is_told_and_what_is_offered(link: str, words: str, offer: str) -> None:
    address = split_url(link)
    assert address
    with pytest.raises(Fault) as caught:
        read(address)
    assert fault_told(caught.value, address).startswith(words)
    assert before(caught.value) == offer


def test_who_cannot_play_a_cell_is_told_in_the_matchs_colours() -> None:
    address = split_url("/m/00")
    assert address
    with pytest.raises(Fault) as caught:
        read(address)
    assert fault_told(caught.value, address, "gy") == "Move 2: Yellow cannot play a1, it is Green's."
