"""Static files, served from memory under the hash of their content, compressed once.

A page that a cache has kept still finds its files after an update: a hash that is not the current one is answered
with the current file, only not for ever.
"""

import gzip
import hashlib
import json
import mimetypes
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import brotli
from flask import Blueprint, Flask, Response, abort, current_app, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from critmass.links.games import path_pattern
from critmass.web.http.security_headers import FILE_POLICY
from critmass.web.http.stylesheet import stylesheet

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SCRIPTS = ("common.js", "memory.js", "shell.js", "app.js")
"""What goes into the one script of the page, in this order: the last one sets the others going."""
FRAMED = ("app.css", "app.js", "htmx.js", "icon.svg")
"""What the bare board in a frame is made of: in a sandbox, of no origin, it asks for these as another site would."""
FOR_EVER = "public, max-age=31536000, immutable"
FOR_NOW = "public, max-age=300"

bp = Blueprint("assets", __name__, url_prefix="/static")


_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=11),
    "zstd": lambda body: zstd.compress(body, 19),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
"""How a file is compressed as far as it goes, what makes the least of it first."""


_COMMENTS = re.compile(rb"^[ \t]*(?://.*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file."""

    name: str
    digest: str
    mimetype: str
    body: bytes
    _encoded: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def make(cls, name: str, body: bytes) -> "Asset":
        """Return the asset of that name and content."""
        mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return cls(name, hashlib.sha256(body).hexdigest()[:16], mimetype, body)

    @property
    def encodings(self) -> Iterable[str]:
        """The encodings that are of use to it."""
        return () if self.mimetype.startswith("image/") and self.mimetype != "image/svg+xml" else _ENCODERS

    def encoded(self, encoding: str) -> bytes:
        """Return the body as it goes over the wire, compressed when it is first asked for: all at once took long."""
        if encoding == "identity":
            return self.body
        if encoding not in self._encoded:
            self._encoded[encoding] = _ENCODERS[encoding](self.body)
        return self._encoded[encoding]


def load(folder: Path) -> dict[str, Asset]:
    """Return the assets of a folder by name, the style sheet completed with the rules that the code draws up."""
    bodies = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".LICENSE"}
    bodies["app.css"] = stylesheet().encode() + bodies["app.css"]
    ours = (name for name in bodies if name.endswith((".js", ".css")) and name != "htmx.js")
    bodies |= {name: _lean(bodies[name]) for name in ours}
    games = json.dumps({"games": path_pattern()})
    known = f"window.critmass = Object.assign(window.critmass || {{}}, {games});\n"
    bodies["app.js"] = known.encode() + b"".join(bodies.pop(name) for name in SCRIPTS)
    return {name: Asset.make(name, body) for name, body in bodies.items()}


def _lean(text: bytes) -> bytes:
    """Return a script or a style sheet without the lines that are comments, an eighth of what goes over the wire."""
    return _COMMENTS.sub(b"", text)


def init_app(app: Flask, folder: Path) -> None:
    """Serve the files of `folder`, and give templates `asset(name)` for their addresses."""
    assets = load(folder)
    app.extensions["assets"] = assets
    app.register_blueprint(bp)
    with app.test_request_context():
        urls = {name: url_for("assets.serve", digest=asset.digest, name=name) for name, asset in assets.items()}
    app.jinja_env.globals["asset"] = urls.__getitem__


@bp.get("/<digest>/<name>")
def serve(digest: str, name: str) -> AnyResponse:
    """Serve a static file."""
    asset: Asset | None = current_app.extensions["assets"].get(name)
    if asset is None:
        abort(404)
    offered = request.accept_encodings
    encoding = next((name for name in asset.encodings if offered[name] > 0), "identity")
    response = Response(asset.encoded(encoding), mimetype=asset.mimetype)
    response.headers["Cache-Control"] = FOR_EVER if digest == asset.digest else FOR_NOW
    response.headers["Content-Security-Policy"] = FILE_POLICY
    if name in FRAMED:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.vary.add("Accept-Encoding")
    if encoding != "identity":
        response.content_encoding = encoding
    response.set_etag(f"{asset.digest}-{encoding}")
    return response.make_conditional(request)
