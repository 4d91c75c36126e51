"""What the site answers, as data: the API page is written from it, and so is the OpenAPI file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from critmass.drawing import card
from critmass.engine.rules import MAX_PLAYERS, MAX_SIDE, MIN_PLAYERS, MIN_SIDE
from critmass.formats.pictures import BOARD_SIZE, FILM_SIZE
from critmass.links import COLOUR_NAMES, DEFAULT_COLOURS, FILM_SIZES, GAMES, LEVELS, SIZES
from critmass.links.names import MAX_NAME
from critmass.web.pages import install as shell
from critmass.web.play import analysis
from critmass.web.share import embed as embeds
from critmass.web.share import import_match as imports

Schema = Mapping[str, Any]

LONGEST = 2 * (2 * MAX_SIDE * (MAX_SIDE - 1)) - MAX_SIDE * MAX_SIDE + 1
"""The plies of the longest match there is, on the largest board."""
HTML, JSON, TEXT, FORM = "text/html", "application/json", "text/plain", "application/x-www-form-urlencoded"
_LETTERS = "".join(COLOUR_NAMES)
_SIDE = "|".join(map(str, range(MAX_SIDE, MIN_SIDE - 1, -1)))


class Kind(NamedTuple):
    """A representation of a match."""

    media: str
    about: str
    fault: str
    """The media type of what it says of a link that is no match."""


@dataclass(frozen=True)
class Parameter:
    """Something that a route takes: a part of its path, an option in its query, or a field of its form."""

    name: str
    takes: str
    """What values it has, in words."""
    about: str
    schema: Schema
    suffixes: tuple[str, ...] = ()
    """The representations of a match that follow it."""
    code: str = "bad-option"
    """What `.json` answers to any other value."""
    label: str | None = None
    """What the page calls it, if not by its name; empty where another stands for it."""

    def schema_of(self, suffix: str) -> Schema:
        """Return the schema of its value for one representation."""
        if self.name == "size" and suffix == ".gif":
            return _whole(FILM_SIZES[0], FILM_SIZES[-1])
        return self.schema


class Answer(NamedTuple):
    """What comes back."""

    about: str
    media: str | None = None
    schema: str | None = None
    """The name of its schema, among `SCHEMAS`."""


@dataclass(frozen=True)
class Route:
    """An address of the site that is no match."""

    path: str
    endpoint: str
    about: str
    answers: Mapping[int, Answer]
    query: tuple[Parameter, ...] = ()
    parts: tuple[Parameter, ...] = ()
    form: tuple[Parameter, ...] = ()
    method: str = "GET"


def _whole(first: int, last: int) -> Schema:
    return {"type": "integer", "minimum": first, "maximum": last}


_FLAG: Schema = {"type": "integer", "enum": [1]}
_TEXT: Schema = {"type": "string"}

PARTS = (
    Parameter(
        "moves",
        "characters",
        "The moves one after another; none is the match before its first. On a board of at most 36 cells a move is one "
        "base-36 digit: the number of the cell, from a1 = 0 along the row, then row by row upward. On a larger one it "
        "is the column letter and the row as one base-36 digit.",
        {"type": "string", "pattern": "^[0-9a-z]*$", "maxLength": 2 * LONGEST},
        code="",
    ),
    Parameter(
        "board",
        f"columns x rows, {MIN_SIDE} to {MAX_SIDE} each way",
        "The size of the board, like 6x9.",
        {"type": "string", "pattern": f"^({_SIDE})x({_SIDE})$"},
        code="bad-board",
    ),
    Parameter(
        "players",
        f"{MIN_PLAYERS} to {MAX_PLAYERS}",
        "How many play.",
        _whole(MIN_PLAYERS, MAX_PLAYERS),
        code="bad-players",
    ),
)

KINDS = {
    "": Kind(HTML, "The page, on which the match is played and replayed.", HTML),
    ".json": Kind(JSON, "The match as data.", JSON),
    ".txt": Kind(TEXT, "The position shown, for a terminal.", TEXT),
    ".svg": Kind("image/svg+xml", "The board as a drawing that stands alone.", TEXT),
    ".png": Kind("image/png", f"The board as a picture, {BOARD_SIZE} pixels if nothing else is said.", TEXT),
    ".gif": Kind("image/gif", f"The match as a film, {FILM_SIZE} pixels if nothing else is said.", TEXT),
}

_ALL = tuple(KINDS)
_PICTURES = (".svg", ".png", ".gif")

OPTIONS = (
    Parameter(
        "at",
        "0 to the number of moves",
        "The position after that move. The whole match stays in view.",
        _whole(0, LONGEST),
        _ALL,
        "bad-at",
    ),
    Parameter(
        "colours",
        "one letter a player, all different",
        "The players' colours in turn order: "
        + ", ".join(f"{letter} {name.lower()}" for letter, name in COLOUR_NAMES.items())
        + f". Without it, as many as needed of {DEFAULT_COLOURS}.",
        {"type": "string", "pattern": f"^[{_LETTERS}]{{{MIN_PLAYERS},{MAX_PLAYERS}}}$"},
        _ALL,
        "bad-colours",
    ),
    Parameter(
        "names",
        f"a name a player, at most {MAX_NAME} characters each",
        "What the players are called, in turn order, commas between. An empty or missing one is the colour's name. "
        "In a name every ASCII character that is no letter and no digit is escaped: what is not may have got stuck to "
        "the link, and is dropped at its end.",
        {"type": "string", "maxLength": MAX_PLAYERS * (MAX_NAME + 1) - 1},
        _ALL,
    ),
    Parameter(
        "computer",
        f"a player's number and a level, {LEVELS[0]} to {LEVELS[-1]}, for each computer",
        "Who is played by the computer, commas between: 25 is player 2 at level 5. The page answers for it at the end "
        "of the match; where only computers play, as long as play is set.",
        {"type": "string", "pattern": f"^[1-{MAX_PLAYERS}][{LEVELS[0]}-{LEVELS[-1]}]$"},
        _ALL,
    ),
    Parameter(
        "ring",
        "0 to the number of rings of the move shown",
        "The board in the middle of a chain: 0 when the orb is placed, then after each ring.",
        _whole(0, 999),
        ("",),
    ),
    Parameter("play", "1", "The replay goes on to the next move by itself.", _FLAG, ("",)),
    Parameter(
        "scheme",
        "light or dark",
        "The scheme of a picture, light if nothing is said; and of a frame, then the viewer's if nothing is said.",
        {"type": "string", "enum": ["light", "dark"]},
        ("", *_PICTURES),
    ),
    Parameter("embed", "1", "The bare board with its replay, for a frame in any page.", _FLAG, ("",)),
    Parameter(
        "size",
        f"{SIZES[0]} to {SIZES[-1]}, of a film to {FILM_SIZES[-1]}",
        "The longer side of a picture in pixels; of a frame, the most that its board takes of the width.",
        _whole(SIZES[0], SIZES[-1]),
        ("", ".png", ".gif"),
    ),
    Parameter(
        "card",
        "1",
        f"The wide card that a chat shows beside a link, {card.WIDTH}×{card.HEIGHT}; size is of no account then.",
        _FLAG,
        (".png",),
    ),
    Parameter(
        "from",
        "0 to the move shown",
        "The move after which the film begins. It ends with the move shown.",
        _whole(0, LONGEST),
        (".gif",),
    ),
    Parameter("last", "1", "The film of the last move alone.", _FLAG, (".gif",)),
    Parameter(
        "part",
        "1",
        "The match area alone, to be put into a page that is open. Only for requests of htmx; others are sent on.",
        _FLAG,
        ("",),
    ),
)

CODES = {
    "bad-board": "The board has no such size.",
    "bad-players": "The number of players is none.",
    "over": "The match had ended before this move.",
    "bad-character": "The move has a character that no move is written with. An unknown suffix is one, at its dot.",
    "half-move": "The move has one character where two are due.",
    "outside": "The move is on no cell of this board.",
    "owned": "The move is into an opponent's cell.",
    "bad-at": "The match has no such move to show.",
    "bad-colours": "The colours do not give each player one of their own.",
    "bad-option": "Any other option is out of range.",
    "busy": "The computer has no time; Retry-After says when to ask again.",
    "no-match": "The url given to oEmbed is no match of this site.",
}
"""What is wrong with a link, by its code, in the order in which it is checked."""

_CELL: Schema = {"type": "string", "pattern": "^[a-p]([1-9]|1[0-6])$"}
_BOARD: Schema = {"type": "string", "pattern": "^[.a-h0-9/]+$"}
_PLAYER = _whole(1, MAX_PLAYERS)
_ENDS = (("turn",), ("winner", "reason"), ("draw", "reason"))


def _described(schema: Schema, about: str) -> Schema:
    return {**schema, "description": about}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_PLY = {
    "type": "object",
    "required": ["move", "rings", "captured"],
    "properties": {"move": _CELL, "rings": {"type": "integer", "minimum": 0}, "captured": _whole(0, MAX_SIDE**2)},
}

MATCH: dict[str, Schema] = {
    "rules": _described({"enum": list(GAMES)}, "Which game it is."),
    "columns": _described(_whole(MIN_SIDE, MAX_SIDE), "The width of the board."),
    "rows": _described(_whole(MIN_SIDE, MAX_SIDE), "Its height."),
    "players": _described(_whole(MIN_PLAYERS, MAX_PLAYERS), "How many play."),
    "colours": _described({"type": "string", "pattern": f"^[{_LETTERS}]+$"}, "Their colours, in turn order."),
    "path": _described(_TEXT, "The link of the whole match, without suffix and query."),
    "moves": _described(_list(_CELL), "The cells played, all of them."),
    "at": _described(_whole(0, LONGEST), "The move shown: the last, or the one asked for. What follows is after it."),
    "board": _described(
        _BOARD,
        "The board row by row from the top, two characters a cell: .. or the owner (a for player 1) and the orbs.",
    ),
    "turn": _described(_PLAYER, "Whose move it is. Only while the match goes on."),
    "winner": _described(_PLAYER, "Who has won. Only then."),
    "draw": _described({"const": True}, "Nobody has won by the last move the rules allow. Only then."),
    "reason": _described({"enum": ["cut", "wiped", "turn-limit"]}, "How the match ended."),
    "out": _described(_list(_PLAYER), "The players who are out."),
    "rings": _described(_list(_list(_CELL)), "The cells of each ring of the move shown."),
    "frames": _described(_list(_BOARD), "The board after the orb is placed, then after each ring."),
    "plies": _described(_list(_PLY), "Every move of the match: its cell, its rings, the cells it captured."),
    "names": _described(_list(_TEXT), "The players' names, in turn order: those given, or else the colours'."),
}

OEMBED: dict[str, Schema] = {
    "version": {"const": "1.0"},
    "type": {"const": "rich"},
    "title": _TEXT,
    "provider_name": _TEXT,
    "provider_url": _TEXT,
    "cache_age": {"type": "integer"},
    "html": _TEXT,
    "width": {"type": "integer", "minimum": 1},
    "height": {"type": "integer", "minimum": 1},
    "thumbnail_url": _TEXT,
    "thumbnail_width": {"type": "integer"},
    "thumbnail_height": {"type": "integer"},
}

SCHEMAS: dict[str, Schema] = {
    "Match": {
        "type": "object",
        "required": [name for name in MATCH if name not in {key for end in _ENDS for key in end}],
        "properties": MATCH,
        "oneOf": [{"required": list(end)} for end in _ENDS],
    },
    "Error": {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "ply", "message"],
                "properties": {
                    "code": {"enum": list(CODES)},
                    "ply": _described(
                        {"type": ["integer", "null"], "minimum": 1}, "The move at fault; null where none is."
                    ),
                    "message": _described(_TEXT, "What is wrong, in plain words."),
                },
            }
        },
    },
    "OEmbed": {"type": "object", "required": list(OEMBED), "properties": OEMBED},
    "OpenApi": {"type": "object", "required": ["openapi", "info", "paths"]},
}

_LINK = Parameter("link", "a link or path", "The link of a match, with whatever was written around it.", _TEXT)
_SEATS = tuple(
    Parameter(f"{key}{player}", takes, about, _TEXT, label="" if player > 1 else f"{key}1 … {key}{MAX_PLAYERS}")
    for player in range(1, MAX_PLAYERS + 1)
    for key, takes, about in (
        ("c", "a colour's letter", "A player's colour."),
        ("n", "a name", "A player's name."),
        (
            "l",
            f"{LEVELS[0]} to {LEVELS[-1]}, or empty",
            "A computer's level in a player's place.",
        ),
    )
)
_PIXELS = _whole(1, 99999)
_HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_NAME: Schema = {"type": "string", "pattern": "^[a-z0-9-]+[.][a-z]+$"}
_PAGE = Answer("The page.", HTML)
_MATCH_SEE = Answer("On to the match.", HTML)
_OFTEN = Answer("There is a limit to the moves a minute; Retry-After says when to ask again.", HTML)
_BUSY = Answer("The computer has no time; Retry-After says when to ask again.", "*/*")
_NO_PUZZLE = Answer("There is no such puzzle, or a move in it cannot be played.", HTML)
_NUMBER = Parameter("number", "a number", "The number of the puzzle, from 1.", {"type": "integer", "minimum": 1})
_NO_LINK = Answer("On to /open, where the link is none.", HTML)

ROUTES = (
    Route("/", "pages.front", "The front page, on which a match begins.", {200: _PAGE}),
    Route("/how-to-play", "pages.how_to_play", "The rules.", {200: _PAGE}),
    Route("/api", "api.page", "This page.", {200: _PAGE}),
    Route(
        "/openapi.json",
        "api.openapi_file",
        "This page for programs: an OpenAPI 3.1 file.",
        {200: Answer("The OpenAPI file.", JSON, "OpenApi")},
    ),
    Route(
        "/new",
        "table.new",
        "The form for a new match.",
        {200: _PAGE, 303: _MATCH_SEE, 422: Answer("The form, with what is wrong.", HTML)},
        query=(
            Parameter("game", " or ".join(GAMES), "The game.", _TEXT),
            Parameter("board", "columns x rows, or own", "The board of a classic match.", _TEXT),
            Parameter("columns", f"{MIN_SIDE} to {MAX_SIDE}", "The columns of a board of one's own.", _TEXT),
            Parameter("rows", f"{MIN_SIDE} to {MAX_SIDE}", "Its rows.", _TEXT),
            Parameter("players", f"{MIN_PLAYERS} to {MAX_PLAYERS}", "The players of a classic match.", _TEXT),
            *_SEATS,
            Parameter("go", "anything", "Goes to the match.", _TEXT),
        ),
    ),
    Route(
        "/play",
        "table.play",
        "Begins a match against the computer.",
        {
            200: Answer("The form for a new match, where nothing is said.", HTML),
            303: _MATCH_SEE,
            422: Answer("The form, with what is wrong.", HTML),
        },
        query=(
            Parameter("level", f"{LEVELS[0]} to {LEVELS[-1]}", "The computer's level.", _TEXT),
            Parameter("side", "first or second", "The side that the person takes.", _TEXT),
        ),
    ),
    Route(
        "/players",
        "table.players",
        "The form for the colours and names of a match, and for which of its players are computers.",
        {
            200: _PAGE,
            303: Answer("On to the match, or to /open where the link is none.", HTML),
            422: Answer("The form, with what is wrong.", HTML),
        },
        query=(_LINK, *_SEATS),
    ),
    Route(
        "/open",
        "pages.open_link",
        "Goes to the match of a link that was pasted.",
        {200: _PAGE, 303: _MATCH_SEE, 422: Answer("The box again: there is no link in it.", HTML)},
        query=(_LINK,),
    ),
    Route(
        "/computer",
        "computer.move",
        "Goes to the match after the computer's move; with a suffix in the link, to that representation of it.",
        {303: Answer("On to the match, or to /open where the link is none.", HTML), 429: _OFTEN, 503: _BUSY},
        query=(_LINK,),
    ),
    Route(
        "/hint",
        "computer.hint",
        "A good move for whoever is to move, and whether it is proven to win.",
        {
            200: _PAGE,
            303: Answer("On to the match, if it is over, or to /open where the link is none.", HTML),
            429: _OFTEN,
            503: _BUSY,
        },
        query=(_LINK,),
    ),
    Route(
        "/analysis",
        "analysis.page",
        "Who stands better after each move of a match, what was thrown away, and what would have been better. "
        "The page is there at once, and asks for its batches and its advice.",
        {200: _PAGE, 303: _NO_LINK},
        query=(
            _LINK,
            Parameter("on", "anything", "Without a script: what is known by now, and a little more each time.", _TEXT),
        ),
    ),
    Route(
        "/analysis/plies",
        "analysis.plies",
        f"What an analysis has to say about {analysis.BATCH} plies. Only for requests of htmx; others are sent on.",
        {200: Answer("The parts of the page.", HTML), 303: Answer("On to the analysis.", HTML), 503: _BUSY},
        query=(
            _LINK,
            Parameter("start", f"a multiple of {analysis.BATCH}", "The first of them.", _whole(0, LONGEST)),
        ),
    ),
    Route(
        "/analysis/advice",
        "analysis.advice",
        "The best play from the position that the link shows. Only for requests of htmx; others are sent on.",
        {200: Answer("The part of the page.", HTML), 303: Answer("On to the analysis.", HTML), 503: _BUSY},
        query=(_LINK,),
    ),
    Route("/puzzles", "puzzles.listed", "All puzzles, by grade.", {200: _PAGE}),
    Route(
        "/puzzle",
        "puzzles.today",
        "Goes to the puzzle of the day, which changes at midnight UTC.",
        {302: Answer("On to the puzzle.", HTML)},
    ),
    Route(
        "/puzzle/{number}",
        "puzzles.show",
        "A puzzle: a position in which one move wins by force.",
        {200: _PAGE, 404: _NO_PUZZLE},
        parts=(_NUMBER,),
    ),
    Route(
        "/puzzle/{number}/{moves}",
        "puzzles.show",
        "A puzzle after some moves, those of the defence between them.",
        {
            200: _PAGE,
            303: Answer("On to the answer to the last try, where the moves end with the defence's.", HTML),
            404: _NO_PUZZLE,
            503: _BUSY,
        },
        query=(
            Parameter("answer", "anything", "With what the defence plays against the last move.", _TEXT),
            Parameter("part", "1", "The puzzle alone, for a page that is open.", _TEXT),
        ),
        parts=(_NUMBER, Parameter("moves", "characters", "The moves, as in a match.", PARTS[0].schema)),
    ),
    Route("/import", "imports.ask", "The box for a match in writing.", {200: _PAGE}),
    Route(
        "/import",
        "imports.take",
        "Goes to the match that a text is.",
        {
            303: _MATCH_SEE,
            413: Answer("The text is too long.", HTML),
            422: Answer("The text again, and where it is wrong.", HTML),
        },
        form=(
            Parameter(
                "text",
                f"at most {imports.LIMIT // 1024} kB",
                "A match in notation, its moves, its link, or its JSON.",
                _TEXT,
            ),
        ),
        method="POST",
    ),
    Route(
        "/notation",
        "imports.notation",
        "A match in notation.",
        {
            200: Answer("The match in notation.", TEXT),
            404: Answer("What is wrong with the link; a page where there is none.", "text/*"),
        },
        query=(_LINK,),
    ),
    Route(
        "/oembed",
        "embeds.oembed",
        "How a match is put into a page, by oEmbed 1.0.",
        {
            200: Answer("The frame.", JSON, "OEmbed"),
            400: Answer("A format or a size that is none.", JSON, "Error"),
            404: Answer("The url is no match of this site.", JSON, "Error"),
        },
        query=(
            Parameter("url", "a link", "The whole link of a match on this site, its host in either spelling.", _TEXT),
            Parameter(
                "maxwidth", "pixels", f"The most the frame may take of the width; {embeds.WIDTH} without.", _PIXELS
            ),
            Parameter("maxheight", "pixels", "The most it may take of the height.", _PIXELS),
            Parameter("format", "json", "The format; there is only this one.", {"type": "string", "enum": ["json"]}),
        ),
    ),
    Route(
        "/share",
        "sharing.share",
        "Every way to take a match along: its link as a QR code, as text, as files.",
        {200: _PAGE, 303: _NO_LINK},
        query=(_LINK,),
    ),
    Route(
        "/qr",
        "sharing.large_code",
        "The QR code of a match's link, as large as the screen is; where that is too small for it, it says so instead.",
        {200: _PAGE, 303: _NO_LINK},
        query=(_LINK,),
    ),
    Route(
        "/sheet",
        "sheets.sheet",
        "The score sheet of a match, to be printed.",
        {200: _PAGE, 303: _NO_LINK},
        query=(_LINK,),
    ),
    Route("/offline", "shell.offline", "What is shown without a network.", {200: _PAGE}),
    Route(
        "/manifest.webmanifest",
        "shell.manifest",
        "What the site is as an app.",
        {200: Answer("The manifest.", "application/manifest+json")},
    ),
    Route(
        "/sw.js",
        "shell.worker",
        "The service worker: matches that were opened replay without a network.",
        {200: Answer("The worker.", "text/javascript")},
    ),
    Route("/healthz", "pages.health", "Whether the app answers.", {200: Answer("ok", TEXT)}),
    Route("/robots.txt", "shell.robots", "What robots may read.", {200: Answer("The rules for robots.", TEXT)}),
    Route(
        "/sitemap.xml",
        "shell.sitemap",
        "The pages there are.",
        {
            200: Answer("The pages.", "application/xml"),
            404: Answer("The site does not know what it is called.", HTML),
        },
    ),
    *(
        Route(f"/{name}", "shell.app_icon", "The icon of the app.", {200: Answer("The icon.", "image/png")})
        for name in shell.ICONS
    ),
    Route(
        "/favicon.ico",
        "shell.favicon",
        "The icon beside pictures and data, which name none.",
        {200: Answer("The icon, in three sizes.", "image/vnd.microsoft.icon")},
    ),
    Route(
        "/static/{digest}/{name}",
        "assets.serve",
        "The style sheet, scripts and icons, under the hash of their content.",
        {200: Answer("The file.", "*/*"), 404: Answer("There is no such file.", HTML)},
        parts=(
            Parameter("digest", "a hash", "The hash; an older one finds the current file.", _HASH),
            Parameter("name", "a name", "The name of the file.", _NAME),
        ),
    ),
)
