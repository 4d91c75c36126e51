"""Static files, served from memory under the hash of their content, compressed once.

A page that a cache has kept still finds its files after an update: a hash that is not the current one is answered
with the current file, only not for ever.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

import brotli
from flask import Blueprint, Flask, Response, abort, current_app, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from critmass.web.styles import stylesheet

SCRIPTS = ("sound.js", "memory.js", "solved.js", "shell.js", "app.js")
"""What goes into the one script of the page, in this order: the last one sets the others going."""
FOR_EVER = "public, max-age=31536000, immutable"
FOR_NOW = "public, max-age=300"

bp = Blueprint("assets", __name__, url_prefix="/static")


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file as it goes over the wire."""

    name: str
    digest: str
    mimetype: str
    encoded: dict[str, bytes]
    """The body by content encoding; `identity` is always there."""

    @classmethod
    def make(cls, name: str, body: bytes) -> "Asset":
        """Return the asset of that name and content, compressed as far as it goes."""
        mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
        encoded = {"identity": body}
        if not mimetype.startswith("image/") or mimetype == "image/svg+xml":
            encoded["br"] = brotli.compress(body, quality=11)
            encoded["gzip"] = gzip.compress(body, 9, mtime=0)
        return cls(name, hashlib.sha256(body).hexdigest()[:16], mimetype, encoded)


def load(folder: Path) -> dict[str, Asset]:
    """Return the assets of a folder by name, the style sheet completed with the rules that the code draws up."""
    bodies = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".LICENSE"}
    bodies["app.css"] = stylesheet().encode() + bodies["app.css"]
    bodies["app.js"] = b"".join(bodies.pop(name) for name in SCRIPTS)
    return {name: Asset.make(name, body) for name, body in bodies.items()}


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
    encoding = next((name for name in ("br", "gzip") if name in asset.encoded and offered[name] > 0), "identity")
    response = Response(asset.encoded[encoding], mimetype=asset.mimetype)
    response.headers["Cache-Control"] = FOR_EVER if digest == asset.digest else FOR_NOW
    response.vary.add("Accept-Encoding")
    if encoding != "identity":
        response.content_encoding = encoding
    response.set_etag(f"{asset.digest}-{encoding}")
    return response.make_conditional(request)
