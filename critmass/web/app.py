"""The application factory."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from flask import Flask
from flask_compress import Compress
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header
from werkzeug.routing import BaseConverter

from critmass import __version__
from critmass.formats.wording import STRENGTHS
from critmass.links.names import isolated
from critmass.resources import HOME
from critmass.web.api import page as api
from critmass.web.http import assets
from critmass.web.http import rate_limit as limits
from critmass.web.http import security_headers as headers
from critmass.web.http.cache import Cache
from critmass.web.http.errors import error_page
from critmass.web.http.origin import read_config
from critmass.web.match import views as matches
from critmass.web.match.bidi import with_bdi
from critmass.web.pages import front as pages
from critmass.web.pages import install as shell
from critmass.web.pages import new_game as table
from critmass.web.play import analysis, computer, puzzles
from critmass.web.play import searches as thinking
from critmass.web.share import embed as embeds
from critmass.web.share import import_match as imports
from critmass.web.share import panel as sharing
from critmass.web.share import score_sheet as sheets

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_ASCII = "".join(map(chr, range(0x21, 0x7F)))

DEFAULTS = {
    # The address of the site as others see it, `https://chain.example`; without it, a loopback Host is taken. It has no
    # path: the app answers at the root of a host.
    "BASE_URL": None,
    # Host names whose requests may say what the site is called, besides the loopback ones.
    "ALLOWED_HOSTS": (),
    # Whether any Host may: where no cache keeps what a forged one leads to, as with the page of a tournament.
    "ANY_HOST": False,
    # What a client may ask for a minute of what is dear, a picture being 1; 0 is without end.
    "RATE_LIMIT": 240,
    # How much memory is for answers that may be given again.
    "CACHE_BYTES": 8 << 20,
    # How many processes search, how many requests may wait for one, and for how many seconds at the most; a search may
    # take as long.
    "SEARCH_PROCESSES": 1,
    "SEARCH_QUEUE": 4,
    "SEARCH_SECONDS": 6,
    # Nearly as small as it gets, in half a millisecond.
    "COMPRESS_ZSTD_LEVEL": 6,
    "COMPRESS_BR_LEVEL": 5,
    "COMPRESS_ALGORITHM": ["br", "zstd", "gzip"],
    "COMPRESS_MIMETYPES": ["text/html", "text/plain", "text/javascript", "application/json", "image/svg+xml"],
}


class Rest(BaseConverter):
    """All that is left of a path, whatever characters it holds."""

    regex = "(?s:.*)"
    part_isolating = False


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return the application; `config` overrides what `DEFAULTS` names, keys as in Flask.

    Raises `ValueError` for an address or a host of the site that is none, with a message for who configured it.
    """
    app = Flask("critmass.web", template_folder=str(HOME / "templates"), static_folder=None)
    app.config.from_mapping(DEFAULTS)
    app.config.from_mapping(config)
    read_config(app.config)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters |= {"bdi": with_bdi, "isolated": isolated}
    app.jinja_env.globals["version"] = __version__
    app.jinja_env.globals["strengths"] = STRENGTHS
    app.url_map.merge_slashes = False
    app.url_map.converters["rest"] = Rest
    Compress(app)
    headers.init_app(app)
    limits.init_app(app)
    app.wsgi_app = Cache(_plain(app.wsgi_app), app.config["CACHE_BYTES"])  # type: ignore[method-assign]
    assets.init_app(app, HOME / "static")
    shell.init_app(app, HOME / "templates")
    thinking.init_app(app)
    # The same on every page: drawn once.
    panel = app.jinja_env.get_template("settings.html").render()
    app.jinja_env.globals["settings"] = Markup(panel)
    app.register_blueprint(pages.bp)
    app.register_blueprint(table.bp)
    app.register_blueprint(computer.bp)
    app.register_blueprint(analysis.bp)
    app.register_blueprint(puzzles.bp)
    app.register_blueprint(sharing.bp)
    app.register_blueprint(imports.bp)
    app.register_blueprint(sheets.bp)
    app.register_blueprint(embeds.bp)
    app.register_blueprint(api.bp)
    app.register_blueprint(matches.bp)
    app.register_error_handler(HTTPException, error_page)
    return app


def _plain(wsgi_app: "WSGIApplication") -> "WSGIApplication":
    """Answer requests as Flask and its extensions expect them, however they were sent."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        # Without a path, routing would send on to whatever host the request names.
        environ["PATH_INFO"] = environ.get("PATH_INFO") or "/"
        # Bytes that are no text are escaped, as a browser would have sent them.
        environ["QUERY_STRING"] = quote(environ.get("QUERY_STRING", "").encode("latin-1"), safe=_ASCII)
        # What is refused with q=0 is not on offer.
        if "q=0" in environ.get("HTTP_ACCEPT_ENCODING", ""):
            offered = parse_accept_header(environ["HTTP_ACCEPT_ENCODING"])
            environ["HTTP_ACCEPT_ENCODING"] = ", ".join(name for name, quality in offered if quality > 0)
        return wsgi_app(environ, start_response)

    return answer
