"""What this site is called by those who open its links."""

import re

from flask import current_app, request

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)


def site_url() -> str:
    """Return the address of the site, without a slash at its end; empty when nobody trustworthy has told it.

    The Host header is the visitor's word: it is only taken where it is on the list of allowed ones, so that a
    forged one never reaches a page that a cache keeps.
    """
    base = current_app.config["BASE_URL"]
    if base:
        return str(base).rstrip("/")
    host = _HOST.fullmatch(request.headers.get("Host", ""))
    known = (*_LOOPBACK, *current_app.config["ALLOWED_HOSTS"])
    if host and (host[1].lower() in known or current_app.config["ANY_HOST"]):
        return f"{request.scheme}://{host[0].lower()}"
    return ""
