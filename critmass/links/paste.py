"""Links in what people paste.

They are found among other words, taken out of the URLs that mail and chat services wrap them in, and mended where a
mail broke them in two.
"""

import re
from urllib.parse import unquote

from critmass.engine import Fault
from critmass.engine.codec import lower
from critmass.links.address import Address, parse_address
from critmass.links.games import prefixes
from critmass.links.link import Link, read
from critmass.links.options import OPTIONS, parse_query

_GAMES = f"(?:{'|'.join(prefixes())})"
# What stands between blanks, brackets and quotes: none of these stands in a link.
_TOKEN = re.compile(r"[^\s<>\"\[\]()|]+")
# The path of a link in a token.
_LINK = re.compile(rf"/{_GAMES}(?=[/?]|(?![\w-]))", re.IGNORECASE | re.ASCII)
_HOST = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-_[]")

_PARAMETERS = re.compile("[?&#]")
# A URL of a match, decoded, that another URL holds; or its path alone, as pages of this site take it.
_INNER = re.compile(rf"(?P<site>https?://[^/?#&]+)?/{_GAMES}(?:[/?&#%]|\Z)", re.IGNORECASE | re.ASCII)
_PATH = ("/", "%2")
_SITE = re.compile("https?://", re.IGNORECASE)
# Proofpoint's way to escape a URL: a hyphen for the per cent sign, an underscore for the slash.
_HYPHENATED = re.compile(r"https?-3a__", re.IGNORECASE | re.ASCII)
_HYPHENS = str.maketrans("-_", "%/")
# Another way of its, which ends the URL so; and a fragment.
_END = re.compile("__;|#")
_MARK, _EQUALS = (re.compile(escape, re.IGNORECASE) for escape in ("%3f|%26", "%3d|%26"))
_SYNTAX = re.compile("%(?:2c|2f|3f|3d|26)", re.IGNORECASE)
_MOST_WRAPPERS = 4
"""How many services may have wrapped a link, one around the other, or escaped it anew."""

# The rest of a broken link on its next line: nothing but what links are written with, and what gets stuck to them.
_PIECE = re.compile(r"(?=.*[0-9a-z])[0-9a-z./?&=,%+_-]+[^0-9a-z\s]*", re.IGNORECASE | re.ASCII)
# More than a word that somebody wrote below a link.
_TELLING = re.compile(r"[0-9?&=,%]|.{12}")
_BROKEN_AFTER = ("=", "&", ",", "%", "?")
_LINE_WIDTH = 60
"""A line this long may have been broken by a mail wherever it was; a shorter one gives its reasons."""
_MOST_LINES = 24
"""Lines of a broken link: the longest there is takes no more."""


def find_link(text: str) -> Address | None:
    """Return the address of the first link or path in a text that a person pasted; `None` without any.

    Of several readings it is the likeliest; see `find_readings`.
    """
    return next(iter(find_readings(text)), None)


def find_match(text: str, *without: str) -> Link | None:
    """Return the match of the first link in a text, these options left out; `None` where there is none."""
    address = find_link(text)
    return _match(address.without(*without)) if address else None


def find_readings(text: str) -> tuple[Address, ...]:
    """Return what the first link in a text may be, the likeliest first; empty without any.

    There are two where the next line goes on with what could be its last moves, or a word that somebody wrote below
    it. A frame's link is taken for its page's.
    """
    text = text.replace("&amp;", "&")
    for token in _TOKEN.finditer(text):
        if link := _link_in(token[0]):
            line = text[: token.end()].splitlines()[-1]
            readings = _readings(link, text[token.end() :], is_long=len(line) >= _LINE_WIDTH)
            return tuple(address.without("embed") for address in readings)
    return ()


def _link_in(token: str) -> str | None:
    """Return what is a link in a token: its path and all that follows, or the whole URL that wraps one."""
    if _unwrapped(token):
        return token
    for path in _LINK.finditer(token):
        before = path.start()
        while before and token[before - 1] in _HOST:
            before -= 1
        # Alone, or right behind a host.
        if not token[:before].endswith("/") or (token[:before].endswith("//") and before < path.start()):
            return token[path.start() :]
    return None


def _match(address: Address) -> Link | None:
    try:
        return read(address)
    except Fault:
        return None


# Links that a service wrapped in a URL of its own


def _opened(url: str) -> Address | None:
    """Return the address that a URL or path leads to, whatever services wrapped it; `None` where none is a match's."""
    return _address(_unwrapped(url) or url)


def _unwrapped(url: str, depth: int = 0) -> str | None:
    """Return the link that a URL holds, as a path: in a parameter, or escaped in its own path; `None` if in neither."""
    head, *parameters = _PARAMETERS.split(url)
    is_link = _INNER.match(head) is not None
    for place, parameter in enumerate(parameters):
        value = parameter.partition("=")[2]
        link = _inner(value, depth)
        if link and not (is_link and value.startswith(_PATH)):
            return _with_options(link, parameters[place + 1 :]) if value.endswith(link) else link
    parts = (part for part in head.split("/") if "%" in part and not part.startswith(_PATH))
    return next((link for part in parts if (link := _inner(part, depth))), None)


def _inner(value: str, depth: int) -> str | None:
    """Return the link, as a path, that a part of another URL comes to, decoded as often as it takes."""
    if _HYPHENATED.match(value):
        value = unquote(value.translate(_HYPHENS))
    for _ in range(_MOST_WRAPPERS):
        # It may be another service's, whatever its own path looks like.
        if depth < _MOST_WRAPPERS and _SITE.match(value) and (link := _unwrapped(value, depth + 1)):
            return link
        if found := _INNER.match(value):
            return value[len(found["site"] or "") :]
        if "%" not in value:
            break
        value = unquote(value)
    return None


def _with_options(link: str, parameters: list[str]) -> str:
    """Return a link that stood unescaped among a wrapper's parameters, with those of them that are its own options."""
    own = [it for it in parameters if lower(it.partition("=")[0]) in OPTIONS]
    longer = f"{link}{'&' if '?' in link else '?'}{'&'.join(own)}"
    address = _address(longer) if own else None
    return longer if address and _match(address) else link


def _address(link: str) -> Address | None:
    """Return the address of a link's path and query, whose `?`, `&` and `=` may have been escaped."""
    link = _END.split(link)[0]
    path, mark, query = link.partition("?") if "?" in link else link.partition("&")
    if escaped := _MARK.search(path):
        path, query = path[: escaped.start()], f"{_plain(path[escaped.end() :])}{'&' if mark else ''}{query}"
    pieces = (_plain(piece) if _is_escaped(piece) else piece for piece in query.split("&"))
    return parse_address(unquote(path), parse_query("&".join(pieces)))


def _is_escaped(piece: str) -> bool:
    """Whether the equals sign of an option, or the ampersand behind it, is escaped; in a name it may well be."""
    name, equals, value = piece.partition("=")
    return _EQUALS.search(value if equals and lower(name) in OPTIONS and lower(name) != "names" else name) is not None


def _plain(piece: str) -> str:
    """Return a piece of a query that was escaped once too often as it was before."""
    return unquote(piece) if "%25" in piece else _SYNTAX.sub(lambda escaped: unquote(escaped[0]), piece)


# Links that a mail broke


def _readings(link: str, after: str, *, is_long: bool) -> tuple[Address, ...]:
    """Return what a link may be: as it is written, or with what follows on the next lines; the likeliest first."""
    written = _opened(link)
    same_line, *lines = after.splitlines() or [""]
    if written is None or same_line.strip():
        return (written,) if written else ()
    ends_open = link.endswith(_BROKEN_AFTER)
    joined, pieces, is_alone = _joined(link, lines[:_MOST_LINES], is_cut=is_long or ends_open)
    if joined is None or joined == written:
        return (written,)
    if _match(written) is None:
        return (joined,)
    is_telling = _TELLING.search(pieces) is not None
    if ends_open or (is_telling and (is_long or is_alone)):
        return (joined,)
    return (joined, written) if is_long else (written, joined)


def _joined(link: str, lines: list[str], *, is_cut: bool) -> tuple[Address | None, str, bool]:
    """Return the match of a link that goes on in the next lines, as far as it stays one; `None` where it never does.

    And what was taken from those lines, and whether nothing else stood there.
    """
    # Two readings: an equals sign at the end of a line is quoted-printable's soft break, or it is meant.
    soft = meant = link
    pieces, taken, found, is_alone = "", "", None, True
    for line in lines:
        piece, *more = line.strip().lstrip("> ").split(maxsplit=1) or [""]
        # A word that others follow is a sentence's, but where the line before it was cut; any word may go on a name.
        is_word = more and not _TELLING.search(piece) and (pieces or not is_cut or "?" in meant)
        if not _PIECE.fullmatch(piece) or is_word:
            break
        soft, meant, pieces = soft.removesuffix("=") + piece, meant + piece, pieces + piece
        legal = [address for address in map(_opened, (soft, meant)) if address and _match(address)]
        if legal:
            found, taken, is_alone = max(legal, key=lambda address: len(address.options)), pieces, not more
        if more:
            break
    return found, taken, is_alone
