"""What is answered where there is nothing to show: error pages, and paths that are no match's."""

from pathlib import PurePosixPath

from flask import json, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from critmass.links import SUFFIXES, clean_path


def not_found(path: str) -> AnyResponse:
    """Answer a path that is no match link: with the page that it was meant for, or with none."""
    clean = clean_path(path)[0] or "/"
    if clean != path and clean in (url_for("pages.how_to_play"), url_for("pages.open_link"), url_for("api.page"), "/"):
        return redirect(clean, 308)
    raise NotFound


def error_page(error: HTTPException) -> AnyResponse:
    """Say what was wrong with a request, on a page that leads on; to those who did not ask for a page, in short."""
    response = error.get_response()
    missing = error.code == 404
    suffix = "" if missing else PurePosixPath(request.path).suffix
    if suffix == ".json":
        told = {"code": error.name.lower().replace(" ", "-"), "ply": None, "message": error.description}
        response.set_data(json.dumps({"error": told}))
        response.mimetype = "application/json"
    elif suffix in SUFFIXES:
        response.set_data(f"{error.name}. {error.description}\n")
        response.mimetype = "text/plain"
    else:
        response.set_data(render_template("pages/refused.html", error=error, missing=missing))
    response.headers["Cache-Control"] = "no-store"
    return response
