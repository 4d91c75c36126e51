"""What is fuzzed: each target takes any bytes at all, lets only the typed faults happen, and demands the way back."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from urllib.parse import parse_qsl

from flask import Flask
from web.wire import Answer, answer, on_this_site

from critmass.arena.game import BotFault
from critmass.arena.protocol import Answer as BotAnswer
from critmass.arena.protocol import read_answer, read_turn, turn_text
from critmass.engine import CODINGAME, Board, Fault, Match, MoveFault, cell_name, make_grid, parse_cell
from critmass.engine.codec import decode, encode, lower, strip_stuck
from critmass.formats.codingame_summary import find_turns, told_turn
from critmass.formats.notation import Document, NotationFault, format_match, parse, read_document
from critmass.formats.plain import as_json, as_text
from critmass.links import (
    COLOUR_NAMES,
    DEFAULT_COLOURS,
    OPTIONS,
    Address,
    BadColours,
    BadOption,
    Link,
    clean_options,
    link_to,
    parse_address,
    parse_query,
    read,
    read_colours,
    read_names,
    split_url,
    write_levels,
)
from critmass.links.names import MAX_NAME, visible, write_names
from critmass.links.options import read_levels
from critmass.links.paste import find_link
from critmass.web import create_app

Target = Callable[[bytes], None]


def text_of(data: bytes) -> str:
    """Any text at all, halves of characters included where the bytes say so."""
    return data.decode("utf-8", "surrogatepass" if b"\xed" in data and _decodes(data) else "replace")


def _decodes(data: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        data.decode("utf-8", "surrogatepass")
        return True
    return False


# --- The engine's own texts ---------------------------------------------------------------------------------------


def codec(data: bytes) -> None:
    """Moves, cells and boards as text; the first two bytes choose the grid."""
    columns, rows, text = 3 + data[0] % 14 if data else 6, 3 + data[1] % 14 if data[1:] else 6, text_of(data[2:])
    grid = make_grid(columns, rows)
    with suppress(MoveFault):
        assert encode(grid, decode(grid, text)) == text
    with suppress(ValueError):
        assert cell_name(grid, parse_cell(grid, text)) == text
    with suppress(ValueError):
        assert str(Board.parse(text, 8)) == text
    assert strip_stuck(strip_stuck(text)) == strip_stuck(text)
    assert text.startswith(strip_stuck(text))
    assert lower(lower(text)) == lower(text)


# --- Links --------------------------------------------------------------------------------------------------------


def link(data: bytes) -> None:
    """A path and a query, as a browser sends them or a person pastes them."""
    text = text_of(data)
    find_link(text)
    path, _, query = text.partition("?")
    address = parse_address(path, parse_qsl(query, keep_blank_values=True))
    if address is None:
        return
    assert parse_address(address.path, address.options) == address
    assert _written(split_url(address.url)) == _written(address)
    with suppress(Fault):
        check_link(read(address))


def _written(address: Address | None) -> Address | None:
    """An address after its way over the wire, where halves of characters are question marks."""
    return address and parse_address(*_on_the_wire(address))


def _on_the_wire(address: Address) -> tuple[str, list[tuple[str, str]]]:
    options = [(name, value.encode("utf-8", "replace").decode()) for name, value in address.options]
    return address.path.encode("utf-8", "replace").decode(), options


def check_link(found: Link) -> None:
    """Demand the way back from a link that was read."""
    rules = found.rules
    assert found.length <= rules.longest
    assert Match.replay(rules, found.match.cells) == found.match == Match.read(rules, found.address.moves)
    assert link_to(found.match).address.path == found.plain_path
    if rules.keeps_surplus:
        assert all(ply.after.board.orbs == ply.number for ply in found.match.plies)
    assert len(found.names) == len(found.colours) == len(set(found.colours)) == rules.players
    assert all(0 < len(name) <= MAX_NAME and visible(name) == name for name in found.names)
    for url in (found.page, found.whole):
        again = _read(url)
        assert (again.match, again.at, again.ring, again.colours, again.levels) == (
            found.match,
            found.at,
            found.ring,
            found.colours,
            found.levels,
        )
    assert _read(found.url()).match == found.match
    assert as_text(found)
    assert as_json(found)["path"] == found.plain_path


def _read(url: str) -> Link:
    address = split_url(url)
    assert address is not None
    return read(address)


def query(data: bytes) -> None:
    """The options of a link, each with its own reader."""
    text = text_of(data)
    options = clean_options(parse_query(text))
    assert clean_options(options) == options
    names = [name for name, _ in options]
    assert len(names) == len(set(names))
    assert set(names) <= set(OPTIONS)
    for players in (2, 8):
        with suppress(BadColours):
            colours = read_colours(text, players)
            assert len(set(colours) & COLOUR_NAMES.keys()) == players
        with suppress(BadOption):
            nobody = (None,) * players
            given = read_names(text, DEFAULT_COLOURS[:players], nobody)
            assert read_names(write_names(given), DEFAULT_COLOURS[:players], nobody) == given
        with suppress(BadOption):
            levels = read_levels(text, players)
            assert read_levels(write_levels(levels) or None, players) == levels
    assert visible(visible(text)) == visible(text)


# --- Texts that people paste --------------------------------------------------------------------------------------


def notation(data: bytes) -> None:
    """Notation, JSON, links and summaries, whatever a text may be."""
    text = text_of(data)
    turns = find_turns(text)
    assert turns == sorted(turns, key=lambda turn: turn.number)
    document = _read_document(text)
    if document is None:
        return
    again = parse(format_match(document))
    assert again == document
    assert format_match(again) == format_match(document)
    check_link(document.link)
    if document.link.rules == CODINGAME:
        told = [told_turn(ply, "Ada") for ply in document.link.match.plies]
        assert [turn.cell for turn in find_turns("\n".join(told))] == [ply.name for ply in document.link.match.plies]


def _read_document(text: str) -> Document | None:
    try:
        return read_document(text)
    except NotationFault as fault:
        check_fault(fault, text)
        return None


def check_fault(fault: NotationFault, text: str) -> None:
    """Demand that a mistake is pointed at within the text."""
    assert 1 <= fault.line <= text.count("\n") + text.count("\r") + 1
    assert fault.column >= 1
    assert fault.message
    assert len(fault.pointed.split("\n")) == 2


# --- The arena ----------------------------------------------------------------------------------------------------


def arena(data: bytes) -> None:
    """What a bot answers, and what a bot of ours is told."""
    with suppress(BotFault):
        said = read_answer(data)
        assert said.cell is None or 0 <= said.cell < CODINGAME.grid.size
        if said.cell is not None:
            assert read_answer(cell_name(CODINGAME.grid, said.cell).encode()) == BotAnswer(said.cell)
        assert len(said.message) <= 200
        assert "\n" not in said.message or b"\n" in data
    lines = text_of(data).split("\n")
    if "/" in "".join(lines):
        return  # which the referee never sends: there it is the end of a row
    with suppress(ValueError):
        position = read_turn("r", [line for line in lines if "a" not in line])
        assert "a" in "".join(lines) or turn_text(position, None) == "\n".join(["null", *lines, ""])


# --- The app ------------------------------------------------------------------------------------------------------


@cache
def app() -> Flask:
    """The app, with errors of its own let through."""
    return create_app({"TESTING": True})


HEADERS = ("HTTP_HOST", "HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "HTTP_HX_REQUEST", "HTTP_RANGE", "CONTENT_TYPE")


def whole(data: bytes) -> None:
    """A request: path, query, method and headers, one a line."""
    path, asked, method, *rest = [*data.split(b"\n"), b"", b"", b""][: 3 + len(HEADERS)]
    if b".gif" in path.lower() or b".png" in path.lower():
        return  # pictures are for the socket: they would take all the time here
    word = method.decode("latin-1") or "GET"
    variables = [(name, value) for name, value in zip(HEADERS, rest, strict=False) if value]
    check_answer(answer(app(), b"/" + path.removeprefix(b"/"), asked, word, variables))


def check_answer(got: Answer) -> None:
    """Demand an answer that is no error of the server's own and that smuggles nothing."""
    assert 200 <= got.status < 500, got.status
    for value in got.headers.values():
        assert not {*"\r\n\0"} & {*value}
    if "Location" in got.headers:
        assert on_this_site(got.headers["Location"]), got.headers["Location"]


TARGETS: dict[str, Target] = {
    "codec": codec,
    "link": link,
    "query": query,
    "notation": notation,
    "arena": arena,
    "whole": whole,
}
