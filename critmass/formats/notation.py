r"""The notation: a whole match as text that people and programs can read and edit.

    [Rules "classic"]
    [Board "5x5"]
    [Players "3"]
    [Player1 "Ada" "red"]
    [Player2 "Bo" "blue"]
    [Player3 "" "green"]
    [Result "*"]
    [Event "Club night"]

    {Everybody takes a corner.} 1. a1 e5 a5 4. c3 d5 b5 7. a1 {The first chain.}
    8. e5 a5 ; and two more

**Headers** stand first, one a line: a name, then values in quotes. In a value, `\"` is a quote and `\\` a backslash.

- `Rules` is `critical-mass`, `classic` or `codingame`, `Board` is columns x rows, `Players` their number. Without them
  it is Critical Mass, and a classic match has the board 6x9 and two players.
- `Player1`, `Player2`, … have a name, empty for none, and a colour. A player without a colour has the first of the
  usual ones that nobody chose.
- `Result` is the number of the player who won, `draw`, or `*` while the match goes on, and then the reason: `cut`,
  `wiped` or `turn-limit`. It may be left out; a result that the moves do not lead to is a mistake.
- Any other header is kept as it is.

**Moves** are cell names with blanks or commas between them. A number with a dot says which move comes next, counted as
everywhere in the game, through all players. Numbers may be left out, so a bare list of moves is notation too, and so
is one that begins with its game instead of headers: `classic 5x5 3`. What is written has a number wherever the turn
has come round, whoever is out by then, and after a comment.

**Comments** stand in braces, or go from a semicolon to the end of the line. Each belongs to the move before it. They
are kept word for word and never broken into other lines. There is no escape in them: one in braces ends at the first
`}`.

Small and capital letters are the same, but for names, comments and other headers. `parse` and `format_match` are each
other's inverse; `read_document` and `read_any` also take a link, the JSON of a match, or the summary of a game on
CodinGame (see `critmass.formats.codingame_summary`).
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from critmass.engine import CODINGAME, Fault, Match, Ply, Position, Rules, RulesFault, parse_cell
from critmass.engine.codec import lower, width
from critmass.engine.errors import BadBoard, MatchOver, MoveFault, OutsideBoard
from critmass.formats.codingame_summary import Turn, find_turns
from critmass.formats.wording import count, fault_told, listing
from critmass.links import (
    COLOUR_NAMES,
    DEFAULT_BOARD,
    DEFAULT_COLOURS,
    DEFAULT_PLAYERS,
    FIRST_GAME,
    GAMES,
    Address,
    BadColours,
    Link,
    OptionFault,
    link_to,
    read,
    read_colours,
    read_names,
    read_rules,
)
from critmass.links.names import END_ISOLATE, ISOLATE, MAX_NAME, cut, isolated, visible, write_names
from critmass.links.paste import find_link

WIDTH = 78
"""The columns that a line of moves is kept within; a comment may be longer."""

_MOST = {"rules": 1, "board": 1, "players": 1, "result": 2}
_SEAT = re.compile(r"player([0-9]+)", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9_-]*", re.IGNORECASE | re.ASCII)
_INSIDE = re.compile(r'(?:[^"\\\n]|\\["\\])*')
_ESCAPED = re.compile(r"\\(.)")
_HEADERS = re.compile(r'^[ \t]*\[[ \t]*[a-z][a-z0-9_-]*[ \t]+"', re.IGNORECASE | re.ASCII | re.MULTILINE)
_JSON = re.compile(r'\s*\{\s*(?:\}|"[^"\n]*"\s*:)')
_GAME = (
    r"({names})"
    r"(?:[ \t,]+([0-9]+[x×][0-9]+))?"
    r"(?:[ \t,]+([0-9]+)(?:[ \t]+players?)?(?![0-9.]))?"
    r"(?=[\s,;{{]|$)"
)
_NUMBER = re.compile(r"([0-9]+)\.+", re.ASCII)
_CELL = re.compile(r"[a-z][0-9]+", re.ASCII)
# Blanks, commas, and what text brings along from elsewhere that no font shows.
_GAP = "\\s,\u200b-\u200f\u2060\ufeff"
_BETWEEN = re.compile(f"[{_GAP}]*")
_WORD = re.compile(rf'[^{_GAP};{{}}\[\]"]+')
_BLANKS = re.compile(r"[ \t]*")
_BETWEEN_JSON = re.compile(r"[\s,:]*", re.ASCII)
_MARKED = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s,;{}\[\]"]+|.?')


class NotationFault(ValueError):
    """A mistake in a text that was to be a match.

    `line` and `column`, counted from 1, say where it begins, `message` what it is in a plain sentence, and `kind` in
    a word for programs: the contract's code where there is one (`owned`, `bad-board`, …), and else `no-match`,
    `bad-header`, `unknown-rules`, `bad-name`, `bad-result`, `bad-move`, `bad-number`, `bad-string`,
    `unterminated-string`, `unterminated-comment`, `bad-json`, `bad-path` or `bad-waves`.
    """

    def __init__(self, text: str, at: int, kind: str, message: str) -> None:
        before = text[:at].split("\n")
        self.line = len(before)
        self.column = len(before[-1]) + 1
        self.kind = kind
        self.message = message
        self._line = text.split("\n")[self.line - 1]
        super().__init__(f"line {self.line}, column {self.column}: {message}")

    def excerpt(self, width: int = 72) -> tuple[str, str, str]:
        """Return the line in three pieces, the mistake in the middle; it is cut where it is much longer than `width`.

        Whatever a terminal would take for an order, or not show, is a blank; a mistake at the end of the line is one.
        """
        shown = "".join(character if character.isprintable() else " " for character in self._line)
        start = self.column - 1
        found = _MARKED.match(shown, start)
        end = min(found.end() if found else start, start + width // 2)
        first = max(0, start - width // 2) if len(shown) > width else 0
        last = max(first + width, end)
        before = "…" * (first > 0) + shown[first:start]
        after = shown[end:last] + "…" * (len(shown) > last)
        return before, shown[start:end] or " ", after

    @property
    def pointed(self) -> str:
        """The line with a caret under the mistake, as a terminal shows it."""
        before, marked, after = self.excerpt()
        blank = sum(_columns(character) for character in before)
        return f"{before}{marked}{after}".rstrip() + f"\n{' ' * blank}^"


class LinkFault(NotationFault):
    """A mistake in the link that a text was taken for."""


@dataclass(frozen=True, slots=True)
class Header:
    """A header that the notation gives no meaning to; raises `ValueError` for one that cannot be written."""

    name: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or _most_values(self.name):
            raise ValueError(f"expected a name of letters that has no meaning yet: {self.name!r}")
        if not self.values or any(set(value) & set("\r\n") for value in self.values):
            raise ValueError(f"expected at least one value, and no line breaks in any: {self.values!r}")


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody remarked after a ply, 0 for the start; raises `ValueError` for text that cannot be written."""

    ply: int
    text: str
    to_line_end: bool = False
    """Whether it is written from a semicolon to the end of the line, and not in braces."""

    def __post_init__(self) -> None:
        if set(self.text) & set("\r\n" if self.to_line_end else "\r}"):
            ending = "no line break" if self.to_line_end else "no closing brace"
            raise ValueError(f"expected {ending} in a comment, and no carriage return: {self.text!r}")


@dataclass(frozen=True, slots=True)
class Document:
    """All that a text in notation says: the match, with its players' names and colours, and what goes with it.

    Raises `ValueError` for a comment after a ply that the match does not have.
    """

    link: Link
    headers: tuple[Header, ...] = ()
    comments: tuple[Comment, ...] = ()
    """In the order of their plies."""

    def __post_init__(self) -> None:
        plies = [0, *(comment.ply for comment in self.comments), self.link.length]
        if plies != sorted(plies):
            raise ValueError(f"expected comments in order, none after ply {self.link.length}: {plies[1:-1]}")


def format_match(match: Link | Document) -> str:
    """Return a match in notation: the inverse of `parse`."""
    document = match if isinstance(match, Document) else Document(match)
    link, rules = document.link, document.link.rules
    headers = [
        ("Rules", rules.name),
        ("Board", f"{rules.columns}x{rules.rows}"),
        ("Players", str(rules.players)),
        *(
            (f"Player{number}", isolated(name), lower(COLOUR_NAMES[colour]))
            for number, (name, colour) in enumerate(zip(link.given_names, link.colours, strict=True), 1)
        ),
        ("Result", *_result(link.match.position())),
        *((header.name, *header.values) for header in document.headers),
    ]
    text = "".join(f"[{name} {' '.join(map(_quoted, values))}]\n" for name, *values in headers)
    moves = _wrapped(_pieces(document))
    return f"{text}\n{moves}" if moves else text


def parse(text: str) -> Document:
    """Return what a text in notation says: the inverse of `format_match`.

    Raises `NotationFault` at the first mistake.
    """
    return _Reader(_Text.of(text)).read()


def read_any(text: str) -> Link:
    """Return the match of a text that may be notation, a list of moves, a link or the JSON of a match.

    Raises `NotationFault` at the first mistake in what it is taken for.
    """
    return read_document(text).link


def read_document(text: str) -> Document:
    """Return what a text says, in whatever form: notation, moves, a link, a match's JSON, CodinGame's summary.

    Raises `NotationFault` at the first mistake in what it is taken for. A link may stand anywhere in the text, but
    not in a comment or a header of notation.
    """
    source = _Text.of(text)
    turns = [] if _HEADERS.search(source) else find_turns(source)
    if turns:
        return Document(_read_turns(source, turns))
    if _JSON.match(source):
        return Document(_read_json(source))
    address = None if _HEADERS.search(source) else find_link(source)
    if address is None:
        return _Reader(source).read()
    try:
        document = _Reader(source).read()
    except NotationFault:
        return Document(_read_link(source, address))
    return document if document.link.length else Document(_read_link(source, address))


# Writing


def _pieces(document: Document) -> Iterator[str]:
    """Yield what is never broken over two lines: each move, with its number if it has one, and each comment."""
    comments = {ply: list(group) for ply, group in groupby(document.comments, lambda comment: comment.ply)}
    last = document.link.rules.players
    for ply in (None, *document.link.match.plies):
        if ply:
            interrupted = ply.number - 1 in comments
            yield f"{ply.number}. {ply.name}" if ply.player <= last or interrupted else ply.name
            last = ply.player
        for comment in comments.get(ply.number if ply else 0, ()):
            yield f";{comment.text}" if comment.to_line_end else f"{{{comment.text}}}"


def _wrapped(pieces: Iterable[str]) -> str:
    """Return the pieces in lines; one that begins with a semicolon ends its line."""
    lines = [""]
    for piece in pieces:
        first, *rest = piece.split("\n")
        if lines[-1] and len(lines[-1]) + 1 + len(first) > WIDTH:
            lines.append("")
        lines[-1] += f" {first}" if lines[-1] else first
        lines += rest
        if piece.startswith(";"):
            lines.append("")
    return "\n".join(lines) + ("\n" if lines[-1] else "")


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _result(position: Position) -> tuple[str, ...]:
    """Return the values of the header `Result`."""
    outcome = position.outcome
    if outcome is None:
        return ("*",)
    return str(outcome.winner) if outcome.winner else "draw", outcome.reason


# Reading


class _Text(str):
    """A text in which mistakes are pointed at by their offset."""

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> "_Text":
        """Return a text with plain line ends, without a byte-order mark."""
        return cls(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))

    def fault(self, at: int, kind: str, message: str) -> NotationFault:
        """Return the fault for a mistake at an offset."""
        return NotationFault(self, at, kind, message)


class _Value(NamedTuple):
    """A value, and the offset at which it was given."""

    text: str
    at: int


class _Score:
    """A match in the making: moves are played as they are read."""

    def __init__(self, text: _Text, rules: Rules, colours: str) -> None:
        self.text = text
        self.rules = rules
        self.colours = colours
        self.position = Position.start(rules)
        self.plies: list[Ply] = []

    def play(self, word: str, at: int) -> None:
        """Play the move that a word names; raise `NotationFault` where it cannot be played."""
        number, name = len(self.plies) + 1, lower(word)
        if not _CELL.fullmatch(name):
            raise self.text.fault(at, "bad-move", f"“{_shown(word)}” is no move: a move is a cell, like c4.")
        try:
            if self.position.turn is None:
                raise MatchOver(number)
            ply = self.position.play(self._cell(name, number))
        except MoveFault as fault:
            raise self.text.fault(at, fault.code, fault_told(fault, Address(""), self.colours)) from fault
        self.plies.append(ply)
        self.position = ply.after

    def _cell(self, name: str, number: int) -> int:
        try:
            return parse_cell(self.rules.grid, name)
        except ValueError as error:
            raise OutsideBoard(number, _shown(name), self.rules.columns, self.rules.rows) from error

    def link(self, names: str) -> Link:
        """Return the match as a link, with the players' names as an option says them."""
        plain = link_to(Match(self.rules, tuple(self.plies)))
        options = [("colours", self.colours)] if self.colours != plain.colours else []
        options += [("names", names)] if names else []
        address = replace(plain.address, options=tuple(options))
        return replace(
            plain, address=address, colours=self.colours, names=read_names(names, self.colours, plain.levels)
        )


class _Reader:
    """Reads a text in notation from its beginning to its end, once."""

    def __init__(self, text: _Text) -> None:
        self.text = text
        self.given: dict[str, list[_Value]] = {}
        """The known headers by their name in small letters: the name as it was written, then the values."""
        self.headers: list[Header] = []
        self.comments: list[Comment] = []
        self.names = ""
        self.score: _Score | None = None
        """The moves; `None` as long as there may be headers."""
        self.numbered = 0
        """The move whose number was read last."""

    def read(self) -> Document:
        at = _end(_BETWEEN, self.text, 0)
        while at < len(self.text):
            at = _end(_BETWEEN, self.text, self._step(at))
        if not self._begun:
            raise self.text.fault(0, "no-match", "There is no match in this: no move, no header, no game.")
        score = self.score or self._begin()
        self._check_result(score.position)
        return Document(score.link(self.names), tuple(self.headers), tuple(self.comments))

    @property
    def _begun(self) -> bool:
        return bool(self.given or self.headers or self.score)

    def _step(self, at: int) -> int:
        """Read what begins at an offset, and return where it ends."""
        text, ply = self.text, len(self.score.plies) if self.score else 0
        if text[at] == "{":
            end = text.find("}", at)
            if end < 0:
                raise text.fault(at, "unterminated-comment", "This comment is not closed: a } is missing.")
            self.comments.append(Comment(ply, text[at + 1 : end]))
            return end + 1
        if text[at] == ";":
            end = _line_end(text, at)
            self.comments.append(Comment(ply, text[at + 1 : end], to_line_end=True))
            return end
        if text[at] == "[":
            return self._header(at)
        game = None if self._begun else _game_pattern().match(text, at)
        if game:
            values = zip(("rules", "board", "players"), game.groups(), (1, 2, 3), strict=True)
            self.given = {
                name: [_Value(name, at), _Value(value, game.start(group))] for name, value, group in values if value
            }
            self.score = self._begin()
            return game.end()
        return self._move(at)

    def _move(self, at: int) -> int:
        text = self.text
        number = _NUMBER.match(text, at)
        word = None if number else _WORD.match(text, at)
        if not self._begun and not number and not (word and _CELL.fullmatch(lower(word[0]))):
            games = listing(list(GAMES))
            found = _shown(word[0]) if word else text[at]
            message = f"“{found}” is neither a move, like c4, nor a game: there are {games}."
            raise text.fault(at, "no-match", message)
        self.score = self.score or self._begin()
        if number:
            due = len(self.score.plies) + 1
            if number[1] != str(due):
                raise text.fault(at, "bad-number", f"The next move is number {due}, not {_shown(number[1])}.")
            if self.numbered == due:
                raise text.fault(at, "bad-number", "After a number comes a move, not another number.")
            self.numbered = due
            return number.end()
        if not word:
            raise text.fault(at, "bad-move", f"“{text[at]}” is out of place here: a move is a cell, like c4.")
        self.score.play(word[0], at)
        return word.end()

    def _header(self, start: int) -> int:
        text = self.text
        if self.score:
            raise text.fault(start, "bad-header", "This header comes too late: they stand before the first move.")
        at = _end(_BLANKS, text, start + 1)
        name = _NAME.match(text, at)
        if not name:
            raise text.fault(at, "bad-header", 'A header has a name and values in quotes, like [Rules "classic"].')
        values, at = self._values(name.end())
        key = lower(name[0])
        most = _most_values(key)
        if not most:
            self.headers.append(Header(name[0], tuple(value.text for value in values)))
            return at
        if key in self.given:
            raise text.fault(start, "bad-header", f"“{name[0]}” is given twice.")
        if len(values) > most:
            message = f"“{name[0]}” takes no more than {count(most, 'value')}."
            raise text.fault(values[most].at, "bad-header", message)
        self.given[key] = [_Value(name[0], start), *values]
        return at

    def _values(self, at: int) -> tuple[list[_Value], int]:
        """Return the values of a header from the end of its name on, and where the header ends."""
        text, values = self.text, list[_Value]()
        while True:
            at = _end(_BLANKS, text, at)
            following = text[at : at + 1]
            if following == "]" and values:
                return values, at + 1
            if following != '"':
                wanted = "a ] or another value in quotes" if values else "a value in quotes"
                raise text.fault(at, "bad-header", f"Here {wanted} is missing.")
            end = _end(_INSIDE, text, at + 1)
            if text[end : end + 1] == "\\":
                raise text.fault(
                    end, "bad-string", r"A backslash stands before a quote or another backslash: \" or \\."
                )
            if text[end : end + 1] != '"':
                raise text.fault(at, "unterminated-string", "These quotes are not closed on their line.")
            values.append(_Value(_ESCAPED.sub(r"\1", text[at + 1 : end]), at))
            at = end + 1

    def _begin(self) -> _Score:
        """Return the match before its first move, all headers read."""
        first = {key: values[1] for key, values in self.given.items()}
        rules = _rules(self.text, first.get("rules"), first.get("board"), first.get("players"))
        seats = [f"player{number}" for number in range(1, rules.players + 1)]
        for key, (name, *_) in self.given.items():
            if (seat := _SEAT.fullmatch(key)) and key not in seats:
                message = f"There is no player {_shown(seat[1])}: this match has {rules.players}."
                raise self.text.fault(name.at, "bad-header", message)
        self._read_names([first.get(seat, _Value("", 0)) for seat in seats])
        return _Score(self.text, rules, self._colours([self.given.get(seat, [])[2:] for seat in seats]))

    def _read_names(self, given: list[_Value]) -> None:
        """Take the players' names, which must be such that a link carries them as they are."""
        for name in given:
            # As it is written, a name may be isolated from what stands around it.
            text, shown = name.text.removeprefix(ISOLATE).removesuffix(END_ISOLATE), visible(name.text)
            if len(shown) > MAX_NAME:
                raise self.text.fault(name.at, "bad-name", f"A name has at most {MAX_NAME} characters.")
            if shown != text:
                instead = f": as “{shown}” it can." if shown else "."
                raise self.text.fault(name.at, "bad-name", f"No link can carry the name “{_shown(name.text)}”{instead}")
        self.names = write_names([name.text for name in given])

    def _colours(self, given: list[list[_Value]]) -> str:
        """Return one letter a player, each of whom was given one colour or none."""
        letters = {lower(name): letter for letter, name in COLOUR_NAMES.items()}
        chosen: list[str] = []
        for values in given:
            for value in values:
                colour = letters.get(lower(value.text))
                if colour is None:
                    message = f"“{_shown(value.text)}” is no colour: there are {', '.join(letters)}."
                    raise self.text.fault(value.at, "bad-colours", message)
                if colour in chosen:
                    message = f"{COLOUR_NAMES[colour]} is taken by player {chosen.index(colour) + 1}."
                    raise self.text.fault(value.at, "bad-colours", message)
                chosen.append(colour)
            if not values:
                chosen.append("")
        usual = (colour for colour in DEFAULT_COLOURS if colour not in chosen)
        return "".join(colour or next(usual) for colour in chosen)

    def _check_result(self, position: Position) -> None:
        """Compare the result that was given with the one that the moves lead to."""
        if "result" not in self.given:
            return
        _, *values = self.given["result"]
        told, true = tuple(lower(value.text) for value in values), _result(position)
        for place, value in enumerate(values):
            if told[: place + 1] != true[: place + 1]:
                header = f"[Result {' '.join(map(_quoted, true))}]"
                raise self.text.fault(value.at, "bad-result", f"The moves do not come to this, they come to {header}.")


def _game_pattern() -> re.Pattern[str]:
    """Return the pattern of a game's name with its board and players, as a bare list of moves begins with it."""
    names = "|".join(name.replace("-", "[ -]") for name in GAMES)
    return re.compile(_GAME.format(names=names), re.IGNORECASE | re.ASCII)


def _rules(text: _Text, game: _Value | None, board: _Value | None, players: _Value | None) -> Rules:
    """Return the rules that were named; raise `NotationFault` where there are none such."""
    name = lower(game.text).replace(" ", "-") if game else FIRST_GAME
    size = lower(board.text).replace("×", "x") if board else ""
    if name not in GAMES:
        message = f"“{_shown(game.text if game else name)}” are no rules: there are {', '.join(GAMES)}."
        raise text.fault(game.at if game else 0, "unknown-rules", message)
    rules = GAMES[name].rules
    if rules is None:
        address = Address(
            GAMES[name].prefix, size if board else DEFAULT_BOARD, players.text if players else DEFAULT_PLAYERS
        )
        try:
            return read_rules(address)
        except RulesFault as fault:
            value = board if isinstance(fault, BadBoard) else players
            shown = replace(address, board=_shown(address.board), players=_shown(address.players or ""))
            raise text.fault(value.at if value else 0, fault.code, fault_told(fault, shown)) from fault
    shown_size = f"{rules.columns}×{rules.rows}"
    free = listing([f"“{other.name}”" for other in GAMES.values() if other.rules is None])
    only = f"{GAMES[name].title} is for two players on {shown_size}; {free} is for other boards and more players."
    if board and size.replace("x", "×") != shown_size:
        raise text.fault(board.at, "bad-board", only)
    if players and players.text != str(rules.players):
        raise text.fault(players.at, "bad-players", only)
    return rules


def _read_json(text: _Text) -> Link:
    """Return the match of the contract's JSON; raise `NotationFault` where it is broken or contradicts itself."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise text.fault(error.pos, "bad-json", f"This is no JSON from here on: {lower(error.msg)}.") from error
    except (ValueError, RecursionError) as error:
        raise text.fault(0, "bad-json", "This JSON is of a size that no match has.") from error
    start = text.index("{")
    parts = [*_json_parts(text, start)]
    found = dict(zip((key for key, _ in parts[::2]), parts[1::2], strict=True))
    moves, place = found.get("moves", (None, start))
    if not isinstance(moves, list):
        raise text.fault(place, "bad-json", 'This JSON has no list of "moves", so it is no match.')

    def value(key: str) -> _Value | None:
        return _Value(str(found[key][0]), found[key][1]) if key in found else None

    columns, rows = value("columns"), value("rows")
    board = _Value(f"{columns.text}x{rows.text}", columns.at) if columns and rows else None
    score = _Score(text, _rules(text, value("rules"), board, value("players")), "")
    score.colours = DEFAULT_COLOURS[: score.rules.players]
    if colours := value("colours"):
        try:
            score.colours = read_colours(colours.text, score.rules.players)
        except BadColours as fault:
            shown = BadColours("colours", _shown(colours.text), str(fault))
            raise text.fault(colours.at, fault.code, fault_told(shown, Address(""))) from fault
    for move, at in _json_parts(text, place):
        score.play(move if isinstance(move, str) else json.dumps(move), at)
    names, names_at = found.get("names", ([], start))
    link = score.link(_json_names(text, names, names_at, score.colours))
    if (path := value("path")) and path.text != link.plain_path:
        raise text.fault(path.at, "bad-path", f"This path is another match: the moves come to {link.plain_path}.")
    if (shown_at := value("at")) and shown_at.text != str(link.length):
        if shown_at.text not in map(str, range(link.length)):
            raise text.fault(shown_at.at, "bad-at", f"“{_shown(shown_at.text)}” is no move of this match.")
        options = (("at", shown_at.text), *link.address.options)
        link = replace(link, at=int(shown_at.text), address=replace(link.address, options=options))
    return link


def _json_names(text: _Text, names: Any, at: int, colours: str) -> str:
    """Return the option `names` for the names in a match's JSON, where one without has the colour's; too long: cut."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > len(colours):
        raise text.fault(at, "bad-name", "“names” is a list of texts, no more than there are players.")
    usual = (COLOUR_NAMES[letter] for letter in colours)
    return write_names("" if name == colour else cut(name) for name, colour in zip(names, usual, strict=False))


def _read_turns(text: _Text, turns: list[Turn]) -> Link:
    """Return the match of CodinGame's summary lines; raise `NotationFault` where they do not fit together."""
    score = _Score(text, CODINGAME, DEFAULT_COLOURS[:2])
    for number, turn in enumerate(turns, 1):
        if turn.number != number:
            message = f"The next turn is number {number}, not {turn.number}: there is one line too "
            raise text.fault(turn.at, "bad-number", message + ("few." if turn.number > number else "many."))
        if number > 2 and turn.name != turns[number - 3].name:
            due, given = _shown(turns[number - 3].name), _shown(turn.name)
            raise text.fault(turn.at, "bad-name", f"This turn is {due}'s, not {given}'s: the players take turns.")
        score.play(turn.cell, turn.cell_at)
        rings = len(score.plies[-1].steps) - 1
        if rings != turn.waves:
            message = f"By the rules {turn.cell} sets off {count(rings, 'wave')} here, not {turn.waves}."
            raise text.fault(turn.at, "bad-waves", message)
    known = ("$0", "$1", *(COLOUR_NAMES[letter] for letter in score.colours))
    return score.link(write_names(["" if turn.name in known else cut(turn.name) for turn in turns[:2]]))


def _json_parts(text: str, at: int) -> Iterator[tuple[Any, int]]:
    """Yield what the object or list at an offset consists of, keys like values, and where each begins."""
    decoder = json.JSONDecoder()
    at = _end(_BETWEEN_JSON, text, at + 1)
    while text[at] not in "]}":
        value, end = decoder.raw_decode(text, at)
        yield value, at
        at = _end(_BETWEEN_JSON, text, end)


def _read_link(text: _Text, address: Address) -> Link:
    """Return the match of the link in a text; raise `NotationFault` at what is wrong with it."""
    try:
        return read(address)
    except Fault as fault:
        raise LinkFault(text, _place(text, address, fault), fault.code, fault_told(fault, address)) from fault


def _place(text: _Text, address: Address, fault: Fault) -> int:
    """Return where in a text the fault of its link is: at its beginning if it is not written there as it is."""
    written = lower(text)
    path, game = replace(address, suffix="").path, f"/{address.game}"
    start = max(0, written.find(path if path in written else game))
    if isinstance(fault, OptionFault):
        at, value = written.find(f"{fault.option}=", start) + len(fault.option) + 1, lower(fault.value)
    elif isinstance(fault, MoveFault):
        at, value = start + len(replace(address, moves="", suffix="").path), address.moves
    elif isinstance(fault, BadBoard):
        at, value = start + len("/classic/"), address.board
    else:
        at, value = start + len(f"/classic/{address.board}/"), address.players or ""
    if not written.startswith(value, at):
        return start
    return at + (fault.ply - 1) * width(read_rules(address).grid) if isinstance(fault, MoveFault) else at


def _most_values(name: str) -> int:
    """Return how many values a header may have that has a meaning; 0 for any other."""
    return 2 if _SEAT.fullmatch(lower(name)) else _MOST.get(lower(name), 0)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return where a pattern that matches anywhere ends."""
    found = pattern.match(text, at)
    return found.end() if found else at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _shown(text: str, most: int = 24) -> str:
    """Return a piece of the text so that a message can hold it: not too long, and all of it to be seen."""
    shown = "".join(character if character.isprintable() else "�" for character in text)
    return shown if len(shown) <= most else f"{shown[:most]}…"


def _columns(character: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
