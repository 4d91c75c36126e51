"""A link that an earlier version made shows what it showed then.

The lines of links_for_ever.txt are promises to people who have these links. Where this test fails, it is the program
that is wrong. NEVER change a line there, and take none out; add new ones at the end, and their count and sum to
`RELEASED`.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from critmass.engine import Fault
from critmass.formats.plain import as_json
from critmass.links import Link, read, split_url

LINES = [
    line
    for line in Path(__file__).with_name("links_for_ever.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
RELEASED = [(62, "76ed537cda07b2047498fc3ad78a800a4c244499bc644867e0822a7b17ceec94")]
"""For each version that added lines: how many there were then, and the SHA-256 of all of them."""


def shown(link: Link) -> dict[str, Any]:
    """What of a link's view is promised."""
    told = as_json(link)
    kept = {key: told[key] for key in ("at", "board", "turn", "winner", "draw", "reason", "out") if key in told}
    kept |= {"plies": len(told["moves"]), "rings": len(told["rings"])}
    kept |= {"colours": link.colours, "names": list(link.names)}
    return kept if link.ring is None else {**kept, "shown": str(link.board)}


@pytest.mark.parametrize("line", LINES, ids=range(1, len(LINES) + 1))
def test_a_link_shows_what_it_always_did(line: str) -> None:
    promised = json.loads(line)
    address = split_url(promised.pop("link"))
    assert address is not None
    try:
        seen = shown(read(address))
    except Fault as fault:
        seen = {"code": fault.code, "ply": fault.ply}
    assert seen == promised


def test_no_line_was_changed_or_taken_out() -> None:
    for count, told in RELEASED:
        assert hashlib.sha256("\n".join(LINES[:count]).encode()).hexdigest() == told
