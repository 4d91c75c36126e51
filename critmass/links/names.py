"""What players are called: names as a link writes them, and as they are shown.

A link writes names percent-encoded with commas between (`names=C%2B%2B,Bo`). What is escaped belongs to a name, what
is not may have got stuck to the link, so the value of the option `names` stays encoded until it is read.
"""

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote, unquote_plus

MAX_NAME = 16
"""The characters, as code points, that a name may have."""

ISOLATE, END_ISOLATE = "\u2068", "\u2069"
"""The characters that keep a name from turning what stands beside it; no name holds them itself."""

# Joiners and variation selectors: words and emoji need them, between two characters that are seen.
_JOINERS, _SELECTORS = "\u200c\u200d", "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINED = re.compile(f"[{_JOINERS}{_SELECTORS}]+")
# Letters and marks that no font shows: fillers, and what separates vowels.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0")
# Code points that no Unicode will ever assign to something that is seen; others without a meaning may be newer emoji.
_IGNORED = re.compile("[\u2065\ufdd0-\ufdef\ufff0-\ufff8\U000e0000-\U000e0fff]")
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
# The escapes at the end of a text that may be one character's in UTF-8.
_LAST_ESCAPES = re.compile(r"(?:%[0-9a-f]{2}){1,4}\Z", re.IGNORECASE | re.ASCII)
_ESCAPED_COMMA = re.compile("%2c", re.IGNORECASE)


def visible(name: str) -> str:
    """Return a name trimmed and without control, bidirectional and other invisible characters.

    Joiners and variation selectors stay between two characters that are seen; the latter before a blank, too.
    """
    seen = "".join(char for char in name if _JOINED.match(char) or not _is_invisible(char))
    end = len(seen)
    while end and (seen[end - 1].isspace() or _JOINED.match(seen[end - 1])):
        end -= 1

    def between(run: re.Match[str]) -> str:
        if not run.start() or seen[run.start() - 1].isspace():
            return ""
        return run[0].strip(_JOINERS) if seen[run.end()].isspace() else run[0]

    return " ".join(_JOINED.sub(between, seen[:end]).split())


def _is_invisible(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind == "Cn":
        return ord(char) & 0xFFFE == 0xFFFE or _IGNORED.match(char) is not None
    return kind[0] == "C" or char in _FILLERS


def cut(name: str) -> str:
    """Return as much of a name as a link may carry, `visible`."""
    return visible(visible(name)[:MAX_NAME])


def isolated(text: str) -> str:
    """Return a text so that it keeps its direction to itself, wrapped in isolating characters if it needs them."""
    turned = any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)
    return f"{ISOLATE}{text}{END_ISOLATE}" if turned else text


def split_names(value: str) -> tuple[str, ...]:
    """Return the names in a value of the option `names`, not yet made `visible`: the inverse of `join_names`.

    Commas that are not escaped separate them. Many programs escape all commas, so where none is left, these do.
    """
    return tuple(unquote_plus(name, errors="replace") for name in _with_commas(value).split(","))


def join_names(names: Iterable[str]) -> str:
    """Return the value of the option `names` for a name a player, as a link writes it.

    Every character is escaped that is no ASCII letter or digit. A blank, which is no part of any name, stands at the
    end where the last name would otherwise lose a character as something stuck to the link, or where a lone name has
    a comma in it.
    """
    given = list(names)
    while given and not given[-1]:
        given.pop()
    value = ",".join(map(_encoded, given))
    if len(given) == 1 and "," in given[0]:
        return f"{value},%20"
    return value if strip_names(value) == value else f"{value}%20"


def write_names(names: Iterable[str]) -> str:
    """Return the value of the option `names` for what was typed for each player, made `visible`."""
    return join_names(map(visible, names))


def strip_names(value: str) -> str:
    """Return a value of the option `names` without what got stuck to its end.

    That is any run of punctuation, symbols, blanks and controls that are ASCII and not escaped, and of other scripts'
    punctuation, separators and controls, which stand escaped in every link.
    """
    commas_escaped, end = "," not in value, len(value)
    while end:
        escapes = _LAST_ESCAPES.search(value[max(0, end - 12) : end])
        char = unquote_plus(escapes[0], errors="replace")[-1] if escapes else value[end - 1]
        if not char.isascii():
            stuck = unicodedata.category(char)[0] in "PZ" or (_is_invisible(char) and char not in _FILLERS)
        elif escapes:
            stuck = char == "," and commas_escaped
        else:
            stuck = not char.isalnum()
        if not stuck:
            break
        end -= 3 * len(char.encode(errors="replace")) if escapes else 1
    return value[:end]


def _with_commas(value: str) -> str:
    return value if "," in value else _ESCAPED_COMMA.sub(",", value)


def _encoded(name: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else _escape(char) for char in name)


def _escape(char: str) -> str:
    escaped = quote(char, safe="", errors="replace")
    return escaped if escaped != char else f"%{ord(char):02X}"
