"""Hosts and origins, read from whichever spelling they have and written in one.

An international host name has two spellings, `größe.example` and `xn--gre-6ka8i.example`. The second is the one that is
written: every program takes it, and capital letters do not change it. `ß` and the joiners are letters of their own
there (IDNA 2008), as they are to browsers.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import unquote

_OWN_PORT = {"http": 80, "https": 443}
_LONGEST = 253
_LABEL = re.compile(r"[a-z0-9_-]{1,63}", re.ASCII)
_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([^:]*))?")
_PORT = re.compile(r"[0-9]{1,5}", re.ASCII)
_UNSEEN = re.compile(r"[\s\0-\x1f\x7f]")


class AddressError(ValueError):
    """An address or a host that is none; the message says what is wrong with it and how to write it."""


class Origin(NamedTuple):
    """Where a site is, in the one spelling that is written."""

    scheme: str
    host: str
    port: int | None
    """`None` where it is the scheme's own."""

    @property
    def url(self) -> str:
        """The address of the site, without a slash at its end."""
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if self.port else "")


def read_host(text: str) -> str:
    """Return a host in small ASCII letters, an IPv6 address in its brackets; raise `AddressError` where it is none."""
    if not text:
        raise AddressError("There is no host in it.")
    host = _ipv6(text[1:-1]) if text[0] == "[" and text[-1] == "]" else _name(text)
    if host is None:
        raise AddressError(
            f"{text!r} is no host: that is a name like chain.example, or an address like 192.0.2.1 or [2001:db8::1]."
        )
    return host


def read_origin(scheme: str, authority: str) -> Origin:
    """Return the origin of what stands between `://` and the path; raise `AddressError`."""
    found = _AUTHORITY.fullmatch(authority)
    host, port = found.groups() if found else (authority, None)
    return Origin(scheme, read_host(host), _read_port(port, _OWN_PORT[scheme]) if port else None)


def _read_port(text: str, own: int) -> int | None:
    """Return a port, `None` if it is the scheme's own; raise `AddressError`."""
    if not _PORT.fullmatch(text) or not 0 < int(text) < 65536:
        raise AddressError(f"{text!r} is no port: that is a number from 1 to 65535.")
    return None if int(text) == own else int(text)


def origin_of(url: str) -> Origin | None:
    """Return the origin that a link leads to by http or https; `None` if it leads to none."""
    scheme, mark, rest = url.strip().partition("://")
    if not mark or scheme.lower() not in _OWN_PORT:
        return None
    try:
        return read_origin(scheme.lower(), _authority(rest))
    except AddressError:
        return None


def read_base_url(text: str) -> str:
    """Return the address of a site without a slash at its end; raise `AddressError` unless a site can be there.

    What is refused is not repeated as a whole: there may be a password in it.
    """
    try:
        return _read_base_url(text)
    except AddressError as error:
        raise AddressError(f"{error} Write it like https://chain.example or http://192.0.2.1:8000.") from error


def _read_base_url(text: str) -> str:
    if not text:
        raise AddressError("It is empty.")
    if _UNSEEN.search(text):
        raise AddressError("There is a blank in it.")
    scheme, mark, rest = text.partition("://")
    if not mark:
        raise AddressError("It does not begin with https:// or http://.")
    if scheme.lower() not in _OWN_PORT:
        raise AddressError(f"It begins with {scheme!r}, where browsers need https:// or http://.")
    authority = _authority(rest)
    if "@" in authority:
        raise AddressError("There is a user name or a password in it, which every page would show.")
    origin = read_origin(scheme.lower(), authority)
    more = rest.removeprefix(authority)
    if "?" in more or "#" in more:
        raise AddressError(f"There is a {'query' if '?' in more else 'fragment'} in it.")
    if more.strip("/"):
        raise AddressError(
            f"There is a path in it, {more!r}, and the app answers at the root of a host alone: give it a host name or "
            "a port of its own."
        )
    return origin.url


def _authority(rest: str) -> str:
    """Return what of an address follows its `://` and stands before the path."""
    return re.split(r"[/?#\\]", rest, maxsplit=1)[0]


def read_allowed_host(text: str) -> str:
    """Return the host name that requests may use for the site; raise `AddressError` where it is none."""
    form = "Write the host alone, like chain.example."
    if _UNSEEN.search(text):
        raise AddressError(f"There is a blank in it. {form}")
    if "/" in text:
        raise AddressError(f"There is more than a host in it. {form}")
    if "*" in text or text.startswith("."):
        raise AddressError("It is a pattern, but each host is named in full, like chain.example: give several.")
    if address := _ipv6(text):
        return address
    name, colon, port = text.rpartition(":")
    if colon and port.isdecimal() and not name.endswith(":"):
        raise AddressError(f"There is a port in it; a host is allowed at every port. {form}")
    return read_host(text)


def read_listening_host(text: str) -> str:
    """Return the address or name to listen on, as sockets take it; raise `AddressError` where it is none."""
    bare = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    try:
        return str(IPv6Address(bare)) if ":" in bare else read_host(bare)
    except ValueError as error:
        form = "Write a host alone, like 127.0.0.1, ::1 or chain.example; 0.0.0.0 is all addresses there are."
        raise AddressError(f"{text!r} is nothing to listen on. {form}") from error


def _ipv6(text: str) -> str | None:
    """Return an IPv6 address in brackets; `None` where the text, which has none, is no such address."""
    try:
        address = IPv6Address(text)
    except AddressValueError:
        return None
    return None if address.scope_id else f"[{address.compressed}]"


def _name(text: str) -> str | None:
    """Return a host name or an IPv4 address in small ASCII letters, without the dot of the root; `None` if none."""
    try:
        name = _ascii(unquote(text, errors="strict")).removesuffix(".")
        if name.rpartition(".")[2].isdecimal():
            return str(IPv4Address(name))
    except ValueError:
        return None
    labels = name.split(".")
    return name if len(name) <= _LONGEST and all(map(_LABEL.fullmatch, labels)) else None


def _ascii(name: str) -> str:
    """Return a name in ASCII, small letters; raise `ValueError` where it cannot be a name."""
    if name.isascii():
        return name.lower()
    import idna  # only few sites need its tables

    labels = idna.uts46_remap(name, std3_rules=False).split(".")
    return ".".join(label if label.isascii() else _encode(label) for label in labels)


def _encode(label: str) -> str:
    import idna

    try:
        return idna.alabel(label).decode()
    except idna.InvalidCodepoint:
        # A symbol or an emoji: IDNA has none, but browsers take them for what they are.
        return "xn--" + label.encode("punycode").decode()
