"""The notation: there and back, and every mistake pointed at by line and column."""

import inspect
import json
import random
import re
import textwrap
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from critmass.cli import main
from critmass.engine import CODINGAME, CRITICAL_MASS, Match, Position, Rules, cell_name, cells_of, classic
from critmass.formats import notation
from critmass.formats.notation import (
    Comment,
    Document,
    Header,
    LinkFault,
    NotationFault,
    format_match,
    parse,
    read_any,
    read_document,
)
from critmass.formats.plain import as_json, as_text
from critmass.links import COLOUR_NAMES, DEFAULT_COLOURS, Link, link_to, read
from critmass.links.names import write_names
from critmass.links.paste import find_link

VECTORS = Path(__file__).parent / "conformance"
MATCHES = [
    pytest.param(json.loads(line), id=f"{file}-{number}")
    for file in ("critical-mass", "classic", "codingame")
    for number, line in enumerate((VECTORS / f"{file}.jsonl").read_text("utf-8").splitlines(), 1)
]
EXAMPLE = (
    textwrap.dedent(re.search(r"^    \[.*?(?=\n\n\*\*)", inspect.getdoc(notation) or "", re.DOTALL | re.MULTILINE)[0])
    + "\n"
)  # type: ignore[index]

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


# What to test with


def random_match(rules: Rules, seed: int, length: int) -> Match:
    rng = random.Random(seed)
    position, plies = Position.start(rules), []
    while position.turn is not None and len(plies) < length:
        plies.append(position.play(rng.choice(list(cells_of(position.legal)))))
        position = plies[-1].after
    return Match(rules, tuple(plies))


sides = st.integers(3, 9) | st.integers(3, 16)
rule_sets = st.sampled_from([CRITICAL_MASS, CODINGAME]) | st.builds(classic, sides, sides, st.integers(2, 8))
matches = st.builds(random_match, rule_sets, st.integers(0, 2**32 - 1), st.just(1000) | st.integers(0, 40))


@st.composite
def links(draw: st.DrawFn) -> Link:
    """Matches of all rule sets, most of them to the end, with every name and colour that a link can carry."""
    plain = link_to(draw(matches))
    players, options = plain.rules.players, []
    if draw(st.booleans()):
        options.append(("colours", "".join(draw(st.permutations([*COLOUR_NAMES]))[:players])))
    names = draw(st.lists(st.text(max_size=16) | st.text('Ab"\\[]{};,.!א', max_size=8), max_size=players))
    if carried := write_names(names):
        options.append(("names", carried))
    if ("colours", DEFAULT_COLOURS[:players]) in options:
        options.remove(("colours", DEFAULT_COLOURS[:players]))
    return read(replace(plain.address, options=tuple(options)))


texts = st.text(max_size=100) | st.text("ab \n", max_size=30)
header_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True).filter(
    lambda name: not re.fullmatch(r"rules|board|result|players|player[0-9]+", name.lower())
)
values = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20) | st.text('"\\]a', max_size=5)
headers = st.builds(Header, header_names, st.lists(values, min_size=1, max_size=3).map(tuple))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    link = draw(links())
    comments = []
    for ply in sorted(draw(st.lists(st.integers(0, link.length), max_size=8))):
        text, to_line_end = draw(texts).replace("\r", ""), draw(st.booleans())
        comments.append(Comment(ply, text.replace("\n" if to_line_end else "}", ""), to_line_end))
    return Document(link, tuple(draw(st.lists(headers, max_size=3))), tuple(comments))


def names_of(match: Match) -> list[str]:
    return [cell_name(match.rules.grid, cell) for cell in match.cells]


def fault_of(text: str) -> NotationFault:
    with pytest.raises(NotationFault) as caught:
        read_any(text)
    return caught.value


# There and back


@patient
@given(documents())
def test_what_is_written_is_read_back(document: Document) -> None:
    text = format_match(document)
    assert parse(text) == document
    assert format_match(parse(text)) == text
    assert read_document(text) == document
    assert read_any(text.replace("\n", "\r\n")) == document.link


@patient
@given(links())
def test_a_link_is_written_and_read_back(link: Link) -> None:
    text = format_match(link)
    assert parse(text) == Document(link)
    assert read_any(text).url() == link.url()
    assert text.endswith("\n")
    assert max(map(len, text.splitlines())) <= 78


@pytest.mark.parametrize("vector", MATCHES)
def test_a_match_of_the_referees_is_written_and_read_back(vector: dict[str, Any]) -> None:
    address = find_link(vector["path"])
    assert address
    link = read(address)
    text = format_match(link)
    again = parse(text).link
    assert (again, again.plain_path) == (link, vector["path"])
    assert [cell_name(again.rules.grid, cell) for cell in again.match.cells] == [ply["move"] for ply in vector["plies"]]
    last = vector["plies"][-1] if vector["plies"] else {}
    result = "draw" if "draw" in last else str(last.get("winner", "*"))
    reason = f' "{last["reason"]}"' if "reason" in last else ""
    assert f'[Result "{result}"{reason}]\n' in text


@pytest.mark.parametrize("vector", MATCHES)
@pytest.mark.parametrize("between", [" ", ", ", "\n", ",\t"])
def test_a_match_of_the_referees_is_read_from_its_bare_moves(vector: dict[str, Any], between: str) -> None:
    moves = between.join(ply["move"] for ply in vector["plies"])
    size, game = f"{vector['columns']}x{vector['rows']}", vector["rules"]
    assert read_any(f"{game} {size} {vector['players']}\n{moves}").plain_path == vector["path"]
    assert read_any(f"{game.upper()}, {size}, {vector['players']} players {moves.upper()}").plain_path == vector["path"]
    if game == "critical-mass" and moves:
        assert read_any(moves).plain_path == vector["path"]


@patient
@given(documents(), st.randoms())
def test_numbers_blanks_and_capitals_do_not_matter(document: Document, rng: random.Random) -> None:
    match = document.link.match
    written = []
    for number, name in enumerate(names_of(match), 1):
        dot = rng.choice(["", f"{number}.", f"{number}. ", f"{number}...\n"])
        written.append(dot + rng.choice([name, name.upper()]) + rng.choice([" ", "\n", " , ", "{}", ";\n", "\r\n"]))
    head = format_match(Document(replace(document.link, match=match.until(0)))).replace('[Result "*"]\n', "")
    assert parse(head + "".join(written)).link == document.link


def test_the_example_is_as_it_would_be_written() -> None:
    document = parse(EXAMPLE)
    assert format_match(document) == EXAMPLE
    assert document.link.names == ("Ada", "Bo", "Green")
    assert document.headers == (Header("Event", ("Club night",)),)
    assert document.comments == (
        Comment(0, "Everybody takes a corner."),
        Comment(7, "The first chain."),
        Comment(9, " and two more", to_line_end=True),
    )


def test_turns_are_numbered_by_the_move_whoever_is_out() -> None:
    """Three players, of whom the second goes out with move 4."""
    text = format_match(link_of("/classic/3x3/3/01802"))
    assert text.endswith("\n1. a1 b1 c3 4. a1 c1\n")


def test_moves_are_wrapped_and_comments_are_not() -> None:
    link = link_of("/classic/16x16/8/" + "".join(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"))
    comment = "word " * 40
    lines = format_match(Document(link, (), (Comment(3, comment), Comment(64, " end", to_line_end=True)))).splitlines()
    assert [line for line in lines if len(line) > 78] == [f"{{{comment}}}"]
    assert lines[-1].endswith("h8 ; end")
    assert sum(len(line) > 60 for line in lines) >= 3


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("c4", "/m/k"),
        ("\ufeffc4\u200b f6", "/m/kz"),
        ("{No move yet.} critical mass", "/m/"),
        ("classic", "/classic/6x9/2/"),
        ("classic 3", "/classic/6x9/3/"),
        ("classic 4×5", "/classic/4x5/2/"),
        ("classic 4x5 3 1. a1", "/classic/4x5/3/0"),
        ("classic 4x5 1. a1", "/classic/4x5/2/0"),
        ("Codingame 6x6 2; twice\na1", "/codingame/0"),
        ('[Event "x"]', "/m/"),
        ('[rules "Classic"][BOARD "6X9"] [players "3"]', "/classic/6x9/3/"),
        ('[Rules "Critical Mass"]', "/m/"),
        ('[Player2 "Bo"]', "/m/?names=,Bo"),
        ('[Player2 "" "Red"]', "/m/?colours=br"),
        ('[Rules "classic"] [Players "4"] [Player3 "Cy" "red"]', "/classic/6x9/4/?colours=bgry&names=,,Cy"),
        ('[Result "*"] c4 2.', "/m/k"),
    ],
)
def test_what_may_be_left_out(text: str, url: str) -> None:
    assert read_any(text).address.url == url


@pytest.mark.parametrize(
    "make",
    [
        lambda: Header("Rules", ("classic",)),
        lambda: Header("player9", ("Ada",)),
        lambda: Header("two words", ("x",)),
        lambda: Header("Event", ()),
        lambda: Header("Event", ("two\nlines",)),
        lambda: Comment(0, "a } brace"),
        lambda: Comment(0, "two\nlines", to_line_end=True),
        lambda: Comment(0, "a carriage\rreturn"),
        lambda: Document(link_of("/m/0"), (), (Comment(2, "too late"),)),
        lambda: Document(link_of("/m/0"), (), (Comment(1, "not"), Comment(0, "in order"))),
    ],
)
def test_what_could_not_be_written_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        make()


# Links and JSON


def link_of(text: str) -> Link:
    address = find_link(text)
    assert address
    return read(address)


@patient
@given(links(), st.sampled_from([None, 1, 4]), st.data())
def test_json_is_read(link: Link, indent: int | None, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, link.length))
    told = as_json(replace(link, at=at))
    found = read_any(json.dumps(told, indent=indent))
    assert as_json(found) == told
    assert as_json(read(found.address)) == told


@pytest.mark.parametrize("link", ["/m/0z7c", "/m/0z?at=1&names=Ada,Bo", "/classic/6x9/3/a1b2c3?colours=gyr"])
@pytest.mark.parametrize(
    "text",
    [
        *("{}", "  {}\n", "https://chain.example:8000{}", "Your turn: <http://h{}>!", "b2 it is ;-) http://h{}"),
        *("[12:03] Bo: http://h{}", "[Bo] http://h{}", "; http://h{}", "{{a}} http://h{}", '"http://h{}"'),
    ],
)
def test_a_link_is_found_in_a_text(text: str, link: str) -> None:
    assert read_any(text.format(link)).address == find_link(link)


@pytest.mark.parametrize("link", ["/m/0z7c", "/classic/6x9/3/a1b2c3?names=Ada,Bo"])
def test_what_txt_answers_is_read(link: str) -> None:
    assert read_any(as_text(link_of(link))) == link_of(link)


@pytest.mark.parametrize(
    "text",
    [
        "c4 {like /m/0z} f6",
        "c4 f6; http://h/m/0z\n",
        '[Site "http://h/m/0z"]\nc4 f6',
        '{/m/}\n [Rules "critical-mass"] c4 f6',
    ],
)
def test_a_link_in_a_comment_or_a_header_is_none(text: str) -> None:
    assert read_any(text).plain_path == "/m/kz"


def test_a_mistake_in_notation_with_a_link_in_a_header_is_told() -> None:
    fault = fault_of('[Site "http://h/m/0z"]\nc4 z9')
    assert (fault.line, fault.column, fault.kind) == (2, 4, "outside")


# Mistakes


@pytest.mark.parametrize(
    ("text", "line", "column", "kind", "words"),
    [
        ("", 1, 1, "no-match", "no match in this"),
        (" \n{a comment}\n", 1, 1, "no-match", "no match in this"),
        ("hello", 1, 1, "no-match", "“hello” is neither a move, like c4, nor a game"),
        ("\n  chess 8x8", 2, 3, "no-match", "critical-mass, classic and codingame"),
        ("]", 1, 1, "no-match", "“]”"),
        # headers
        ("[]", 1, 2, "bad-header", "like [Rules"),
        ('\n["x"]', 2, 2, "bad-header", "a name"),
        ("[Rules]", 1, 7, "bad-header", "a value in quotes is missing"),
        ("[Rules classic]", 1, 8, "bad-header", "a value in quotes is missing"),
        ('[Rules "classic"', 1, 17, "bad-header", "a ]"),
        ('[Rules "classic"\n[Board "6x9"]', 1, 17, "bad-header", "a ]"),
        ('[Event "x" y]', 1, 12, "bad-header", "a ] or another value"),
        ('[Rules "classic" "x"]', 1, 18, "bad-header", "no more than 1 value"),
        ('[Player1 "a" "red" "x"]', 1, 20, "bad-header", "no more than 2 values"),
        ('[Rules "classic"]\n[rules "classic"]', 2, 1, "bad-header", "twice"),
        ('c4\n [Rules "classic"]', 2, 2, "bad-header", "too late"),
        ('classic 6x9\n[Players "3"]', 2, 1, "bad-header", "too late"),
        ('[Player3 "Cy"]', 1, 1, "bad-header", "no player 3: this match has 2"),
        ('[Players "2"] [Player0 "Cy"]', 1, 15, "bad-header", "no player 0"),
        ('[Event "x', 1, 8, "unterminated-string", "not closed"),
        ('[Event "x\n"]', 1, 8, "unterminated-string", "not closed"),
        ('[Event "x\\"]', 1, 8, "unterminated-string", "not closed"),
        (r'[Event "a\n"]', 1, 10, "bad-string", "backslash"),
        # what is played
        ('[Rules "chess"]', 1, 8, "unknown-rules", "“chess” are no rules"),
        ('[Rules "classic"]\n[Board "2x9"]\nc4', 2, 8, "bad-board", "3 to 16"),
        ('[Rules "classic"]\n[Board "big"]', 2, 8, "bad-board", "“big” is no board"),
        ('[Rules "classic"]\n[Players "9"]', 2, 10, "bad-players", "2 to 8"),
        ('[Rules "classic"]\n[Players ""]', 2, 10, "bad-players", "No number of players"),
        ('[Board "6x9"]', 1, 8, "bad-board", "Critical Mass is for two players on 6×6"),
        ('[Players "3"]\n[Rules "codingame"]', 1, 10, "bad-players", "CodinGame is for two players"),
        ("classic 2x9 3", 1, 9, "bad-board", "3 to 16"),
        ("{Hm.}\nclassic 6x9 11", 2, 13, "bad-players", "2 to 8"),
        ("codingame 3", 1, 11, "bad-players", "two players"),
        # players
        ('[Player1 " Ada"]', 1, 10, "bad-name", "as “Ada” it can"),
        ('[Player1 "A\u202eda"]', 1, 10, "bad-name", "“A�da”: as “Ada” it can"),
        ('[Player1 "Abcdefghijklmnopq"]', 1, 10, "bad-name", "at most 16"),
        ('[Player1 "" "rot"]', 1, 13, "bad-colours", "“rot” is no colour: there are red, blue"),
        ('[Player1 "" "red"]\n[Player2 "" "red"]', 2, 13, "bad-colours", "Red is taken by player 1"),
        # moves
        ("c4 f6 c9", 1, 7, "outside", "Move 3, “c9”, is not on this 6×6 board"),
        ("c4 c0", 1, 4, "outside", "“c0”"),
        ("classic 6x9\na1 b12", 2, 4, "outside", "6×9"),
        ("c4 f6\n1c", 2, 1, "bad-move", "“1c” is no move"),
        ("c4 f6, hello", 1, 8, "bad-move", "“hello” is no move"),
        ("c4 f6!", 1, 4, "bad-move", "“f6!”"),
        ("c4 }", 1, 4, "bad-move", "“}” is out of place"),
        ('c4 "f6"', 1, 4, "bad-move", "out of place"),
        ("c4 ].", 1, 4, "bad-move", "out of place"),
        ("c4 c4", 1, 4, "owned", "Move 2: Blue cannot play c4, it is Red's"),
        ('[Player1 "" "green"]\n\n1. c4 {x\ny} c4', 4, 4, "owned", "Red cannot play c4, it is Green's"),
        ("classic 3x3\na1 c3 a1 c3 {boom} b3", 2, 20, "owned", "Move 5"),
        # numbers
        ("2. c4", 1, 1, "bad-number", "number 1, not 2"),
        ("1. c4 f6 2. a1", 1, 10, "bad-number", "number 3, not 2"),
        ("1. {x} 1. c4", 1, 8, "bad-number", "not another number"),
        ("01. c4", 1, 1, "bad-number", "not 01"),
        # results
        ('[Result "1"]\nc4', 1, 9, "bad-result", '[Result "*"]'),
        ('[Result "Ada"]', 1, 9, "bad-result", '[Result "*"]'),
        ('[Result "*" "cut"]', 1, 13, "bad-result", '[Result "*"]'),
        # comments
        ("c4 {x", 1, 4, "unterminated-comment", "a } is missing"),
        ("c4\n f6 {x\n\n", 2, 5, "unterminated-comment", "a } is missing"),
        # JSON
        ('{"moves": ["a1"', 1, 16, "bad-json", "expecting"),
        ('{"moves":\n ["a1"]} x', 2, 10, "bad-json", "extra data"),
        ("{}", 1, 1, "bad-json", 'no list of "moves"'),
        ('{"moves": "a1"}', 1, 11, "bad-json", 'no list of "moves"'),
        ('{"error": {"code": "owned"}}', 1, 1, "bad-json", 'no list of "moves"'),
        ('{"moves":\n["a1",\n "a1"]}', 3, 2, "owned", "Move 2"),
        ('{"moves": ["a1", 7]}', 1, 18, "bad-move", "“7”"),
        ('{"moves": ["a1", {}]}', 1, 18, "bad-move", "“{}”"),
        ('{"moves": ["z1"]}', 1, 12, "outside", "6×6"),
        ('{"rules": "chess", "moves": []}', 1, 11, "unknown-rules", "chess"),
        ('{"rules": "classic", "columns": 2, "rows": 9, "moves": []}', 1, 33, "bad-board", "“2x9”"),
        ('{"rules": "classic", "players": null, "moves": []}', 1, 33, "bad-players", "2 to 8"),
        ('{"colours": "rr", "moves": []}', 1, 13, "bad-colours", "“rr”"),
        ('{"path": "/m/1",\n "moves": ["a1"]}', 1, 10, "bad-path", "the moves come to /m/0"),
        ('{"moves": [], "at": 1}', 1, 21, "bad-at", "“1” is no move"),
        ('{"a":' + "[" * 60000 + "]" * 60000 + "}", 1, 1, "bad-json", "size"),
        ('{"a":' + "1" * 6000 + "}", 1, 1, "bad-json", "size"),
        # links
        ("/m/00", 1, 5, "owned", "Move 2: Blue cannot play a1"),
        ("See\n<http://H/Classic/6X9/3/a1b9K2>", 2, 29, "outside", "Move 3"),
        ("http://h/m/0\nz0000000", 2, 1, "", ""),
        ("/m/0?names=Ada&at=7", 1, 19, "bad-at", "“7”"),
        ("/m/0?colours=rr", 1, 14, "bad-colours", "“rr”"),
        ("/m/0?names=%2CAda,", 1, 1, "", ""),
        ("/m/?names=a,b,c", 1, 11, "bad-option", "one name a player"),
        ("/classic/6x/2/", 1, 10, "bad-board", "“6x”"),
        ("/classic/6x9/1/", 1, 14, "bad-players", "“1”"),
        ("/classic/6x9", 1, 1, "bad-players", "No number"),
        ("/m/%30%30", 1, 1, "owned", "Move 2"),
    ],
)
def test_a_mistake_is_pointed_at(text: str, line: int, column: int, kind: str, words: str) -> None:
    if not kind:
        read_any(text)
        return
    fault = fault_of(text)
    assert (fault.kind, fault.line, fault.column) == (kind, line, column), str(fault)
    assert words in fault.message
    assert str(fault) == f"line {line}, column {column}: {fault.message}"
    assert fault.message[0] in "“ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    assert fault.message[-1] in ".]\\"


@patient
@given(matches, st.data())
def test_a_move_that_cannot_be_played_is_pointed_at(match: Match, data: st.DataObject) -> None:
    assume(match.cells)
    lines = format_match(link_to(match)).replace("[Result ", "[Was ").splitlines()
    ply = data.draw(st.sampled_from(match.plies))
    theirs = ply.before.board.occupied & ~ply.before.legal
    wrong = {"bad-move": "1x", "outside": "a17"}
    if theirs:
        wrong["owned"] = cell_name(match.rules.grid, next(cells_of(theirs)))
    kind = data.draw(st.sampled_from([*wrong]))
    number = 0
    for row, line in enumerate(lines, 1):
        for found in re.finditer(r"\b[a-p][0-9]+", line) if not line.startswith("[") else ():
            number += 1
            if number == ply.number:
                lines[row - 1] = line[: found.start()] + wrong[kind] + line[found.end() :]
                fault = fault_of("\n".join(lines))
                assert (fault.kind, fault.line, fault.column) == (kind, row, found.start() + 1)
                return
    pytest.fail("the move is not there")


@patient
@given(matches)
def test_a_move_after_the_end_and_a_wrong_result_are_pointed_at(match: Match) -> None:
    outcome = match.outcome
    assume(outcome is not None)
    assert outcome
    text = format_match(link_to(match))
    fault = fault_of(f"{text}\n a1")
    assert (fault.kind, fault.line, fault.column) == ("over", len(text.splitlines()) + 2, 2)
    assert f"ended with move {len(match.plies)}" in fault.message
    true = f'[Result "{outcome.winner or "draw"}" "{outcome.reason}"]'
    row = text.splitlines().index(true) + 1
    assert fault_of(text.replace(true, '[Result "*"]')).line == row
    other = "cut" if outcome.reason != "cut" else "wiped"
    fault = fault_of(text.replace(f'"{outcome.reason}"]', f'"{other}"]'))
    assert (fault.kind, fault.line, fault.column) == ("bad-result", row, true.rindex(' "') + 2)
    assert true in fault.message
    assert read_any(text.replace(true, true.replace(f' "{outcome.reason}"', ""))) == link_to(match)


ANYTHING = st.text() | st.text('[]{};"\\:,.. \n\r\tac14Rules/m0', max_size=30)


@patient
@given(
    ANYTHING | st.builds("{}{}{}".format, ANYTHING, st.sampled_from(["/m/", '[Rules "', "{", '{"moves":["']), ANYTHING)
)
@example("{\x00}")
@example('[Player1 "\x00" "r"]')
def test_any_text_is_a_match_or_a_mistake_in_it(text: str) -> None:
    try:
        document = read_document(text)
    except NotationFault:
        fault = fault_of(text)
    else:
        assert parse(format_match(document)).link.match == document.link.match
        return
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    assert 1 <= fault.line <= len(lines)
    assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
    before, marked, after = fault.excerpt()
    assert marked
    assert (before + marked + after).isprintable()
    assert fault.message.isprintable() or isinstance(fault, LinkFault)
    if len(lines[fault.line - 1]) <= 72:
        assert len(before) == fault.column - 1


@patient
@given(documents(), st.data())
def test_an_edited_text_is_a_match_or_a_mistake_in_it(document: Document, data: st.DataObject) -> None:
    text = format_match(document)
    at = data.draw(st.integers(0, len(text)))
    edited = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        found = read_document(edited)
    except NotationFault:
        return
    assert parse(format_match(found)).comments == found.comments


@pytest.mark.parametrize(
    ("text", "pointed"),
    [
        ("c4 c9 f6", "c4 c9 f6\n   ^"),
        ("a1\tx9", "a1 x9\n   ^"),
        ("c4 {漢字} z9", "c4 {漢字} z9\n          ^"),
        ("c4 {e\u0301} z9", "c4 {e\u0301} z9\n       ^"),
        ("c4 {\x1b[31m} z9", "c4 { [31m} z9\n           ^"),
        ("[Rules ", "[Rules\n       ^"),
        ("c4 {" + "x" * 100 + "} z9 " + "y" * 100, "…" + "x" * 34 + "} z9 " + "y" * 33 + "…\n" + " " * 37 + "^"),
    ],
)
def test_the_place_is_shown(text: str, pointed: str) -> None:
    assert fault_of(text).pointed == pointed


@pytest.mark.parametrize("text", ["c4 " + "x" * 5000, "c4 " + "1" * 9000 + ".", f'[Rules "{"x" * 9000}"]'])
def test_a_message_stays_short(text: str) -> None:
    fault = fault_of(text)
    assert len(fault.message) < 120
    assert len(fault.pointed.splitlines()[0]) < 120


@pytest.mark.parametrize(
    "text",
    [
        '[A "' * 15000,
        "[" * 60000,
        "{" * 60000,
        "c4 " * 20000,
        "1." * 30000,
        '{"":' * 15000,
        "classic " * 8000,
        "/m/" * 20000,
        "c4" + "{}" * 30000,
        '[A "x"]\n' * 8000 + "z9",
        "/m/?x=\n" + "a\n" * 30000,
        '{"moves":[' + '"a1",' * 12000 + '"a1"]}',
    ],
)
def test_a_long_text_is_read_at_once(text: str) -> None:
    """Nothing here may take time that grows with the square of the length; every one of these once would, or could."""
    started = time.process_time()
    with suppress(NotationFault):
        read_any(text)
    assert time.process_time() - started < 2


# On the command line


def show(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["show", *arguments], input=stdin)


def test_show_reads_a_file_standard_input_or_its_argument(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(EXAMPLE, "utf-8-sig")
    expected = as_text(parse(EXAMPLE).link)
    for shown in (show(str(file)), show("-", stdin=EXAMPLE), show(EXAMPLE)):
        assert (shown.exit_code, shown.stdout, shown.stderr) == (0, expected, "")
    assert show(str(file), "--notation").stdout == EXAMPLE
    assert json.loads(show("-", "--json", stdin=EXAMPLE).stdout) == as_json(parse(EXAMPLE).link)
    assert show("-", "--notation", stdin=show("/m/0z7c", "--json").stdout).stdout == format_match(link_of("/m/0z7c"))
    assert show("/m/0z7c?at=1", "--notation").stdout == format_match(link_of("/m/0z7c"))


@pytest.mark.parametrize("way", ["file", "stdin", "argument"])
def test_show_points_at_a_mistake(tmp_path: Path, way: str) -> None:
    text = '[Player1 "Ada"]\n\n1. c4 {Hm.} z9\n'
    file = tmp_path / "match.txt"
    file.write_text(text)
    shown = {"file": show(str(file)), "stdin": show("-", stdin=text), "argument": show(text)}[way]
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert shown.stderr == (
        "Error: line 3, column 13: Move 2, “z9”, is not on this 6×6 board.\n\n1. c4 {Hm.} z9\n            ^\n"
    )


@pytest.mark.parametrize("text", ["hello", "", "/n/0"])
def test_show_says_what_a_link_looks_like(text: str) -> None:
    assert show(text).stderr == f"Error: There is no match link in {text!r}. One looks like /m/0z7c.\n"


def test_show_keeps_to_one_line_for_a_link_and_points_in_a_file(tmp_path: Path) -> None:
    assert show("/m/00").stderr == "Error: Move 2: Blue cannot play a1, it is Red's.\n"
    assert show("-", stdin="Look: /m/00").stderr.endswith("\n\nLook: /m/00\n          ^\n")


def test_show_says_what_it_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(b"c4 \xff")
    for shown in (show(str(file)), show("-", stdin=b"c4 \xff")):
        assert (shown.exit_code, shown.stdout) == (1, "")
        assert "UTF-8" in shown.stderr
    assert show(str(tmp_path)).exit_code == 1
    assert show("x" * 5000).exit_code == 1
