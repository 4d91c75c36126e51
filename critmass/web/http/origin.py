"""What this site is called by those who open its links."""

from functools import lru_cache

from flask import Config, current_app, request

from critmass.links.hosts import AddressError, Origin, origin_of, read_allowed_host, read_base_url, read_origin

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def read_config(config: Config) -> None:
    """Put what an app is told of its site into the one spelling that is written; raise `AddressError`, a `ValueError`.

    That is so whoever starts the app: nobody learns from a broken link that the address was wrong.
    """
    hosts = config["ALLOWED_HOSTS"]
    try:
        key = "BASE_URL"
        if config[key] is not None:
            config[key] = read_base_url(config[key])
        key = "ALLOWED_HOSTS"
        config[key] = tuple(map(read_allowed_host, [hosts] if isinstance(hosts, str) else hosts))
    except AddressError as error:
        raise AddressError(f"{key}: {error}") from error


def site_url() -> str:
    """Return the address of the site, without a slash at its end; empty when nobody trustworthy has told it.

    The Host header is the visitor's word: it is only taken where it is on the list of allowed ones, so that a
    forged one never reaches a page that a cache keeps.
    """
    base = current_app.config["BASE_URL"]
    if base:
        return str(base)
    asked = _asked()
    config = current_app.config
    known = asked and (config["ANY_HOST"] or asked.host in (*_LOOPBACK, *config["ALLOWED_HOSTS"]))
    return asked.url if asked and known else ""


def visited_url() -> str:
    """Return the address of the site, or else what the visitor calls it; empty where that is no address.

    It is for an answer that nobody keeps but the one who asks.
    """
    asked = _asked()
    return site_url() or (asked.url if asked else "")


def is_of_site(url: str) -> bool:
    """Whether a link leads to this site, by http or by https, however its host is written."""
    site, other = origin_of(site_url()), origin_of(url)
    return site is not None and other is not None and site[1:] == other[1:]


def _asked() -> Origin | None:
    """Return the origin that the request names; `None` where it names none."""
    return _read_asked(request.scheme, request.headers.get("Host", ""))


@lru_cache(256)
def _read_asked(scheme: str, host: str) -> Origin | None:
    try:
        # Browsers write it in ASCII; what else there is may send the bytes of a name in UTF-8.
        return read_origin(scheme, host.encode("latin-1").decode())
    except ValueError:
        return None
