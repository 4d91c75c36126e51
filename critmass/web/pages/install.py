"""What makes the site an app on a phone, and what robots are told: manifest, icons, worker, offline page, robots."""

import hashlib
from functools import cache
from io import BytesIO
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, json, render_template, request, url_for
from markupsafe import escape
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

import critmass
from critmass.drawing.colours import SURFACES
from critmass.drawing.icon import icon
from critmass.engine.codec import strip_stuck
from critmass.links import FRAME_OPTIONS, GAMES, OPTIONS, PICTURE_OPTIONS
from critmass.links.games import path_pattern
from critmass.web.http.assets import Asset
from critmass.web.http.origin import site_url

bp = Blueprint("shell", __name__)

WORKER = "worker.js"
"""The static file that the worker is made of."""
MARK = "Critmass-Version"
"""The header that tells which version of the program a page is of, so that the worker never mixes two."""
SHELL = ("/", "/how-to-play", "/offline", "/m/")
"""The pages that are kept from the first visit on; into the last one any match is put."""
SHOWN = tuple(name for name in OPTIONS if name not in ("part", *FRAME_OPTIONS, *PICTURE_OPTIONS))
"""The options by which one page of a match differs from another."""
_STUCK = {"P": "!", "S": "+", "Z": " ", "C": "\0", "M": "\u0301"}
STUCK = "".join(category for category, character in _STUCK.items() if not strip_stuck(character))
"""The categories of Unicode whose characters are cut off the end of a link."""
PAGES = ("/", "/how-to-play", "/new", "/puzzles", "/import", "/api")
"""The pages that search engines may list: no match is among them, there is no end of those."""
ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "icon-maskable-512.png": (512, True),
    "apple-touch-icon.png": (180, True),
}
"""Each icon's side, and whether it is full of colour to the very edge."""
FAVICON = (16, 32, 48)
"""The sides of the small pictures in one file, for which a browser asks that shows a picture or data of the site."""
PREVIEWERS = (
    "facebookexternalhit",
    "Facebot",
    "Twitterbot",
    "Slackbot",
    "Slackbot-LinkExpanding",
    "Slack-ImgProxy",
    "Discordbot",
    "WhatsApp",
    "TelegramBot",
    "LinkedInBot",
    "SkypeUriPreview",
    "Mastodon",
    "Bluesky Cardyb",
    "redditbot",
    "Pinterestbot",
    "vkShare",
    "Viber",
    "Iframely",
    "Embedly",
)
"""The robots that fetch the one link that somebody sent, to show a picture of it."""
ENDLESS = (
    *("/analysis", "/computer", "/puzzle/", "/hint", "/play", "/players", "/share", "/qr", "/open", "/notation"),
    "/sheet",
)
"""What leads into matches and is of no use to any robot."""
BEGUN = {game.path.rstrip("/"): game.start for game in GAMES.values()}
"""Where a path leads that names a game alone."""

KEEP = "public, max-age=86400"


def init_app(app: Flask, templates: Path) -> None:
    """Serve all of it, and mark every page with the version of the program that made it."""
    app.extensions["version"] = version_of(app, templates)
    app.jinja_env.globals["themes"] = {scheme: surface.page for scheme, surface in SURFACES.items()}
    app.register_blueprint(bp)
    app.after_request(_marked)


def version_of(app: Flask, templates: Path) -> str:
    """Return what changes with all that a page depends on besides its address: the program, the files, the site."""
    assets: dict[str, Asset] = app.extensions["assets"]
    made = hashlib.sha256(str(app.config["BASE_URL"]).encode())
    for name in sorted(assets):
        made.update(f"{name} {assets[name].digest} ".encode())
    for file in (*sorted(Path(critmass.__file__).parent.rglob("*.py")), *sorted(templates.rglob("*.html"))):
        made.update(file.read_bytes())
    return made.hexdigest()[:12]


def _marked(response: Response) -> Response:
    """Say of what version a page is, and keep what is no page out of every index."""
    if response.mimetype in ("text/html", "image/svg+xml"):
        response.headers[MARK] = current_app.extensions["version"]
    if request.endpoint in ("matches.show", "imports.notation") and response.mimetype != "text/html":
        response.headers["X-Robots-Tag"] = "noindex"
    return response


@bp.get("/manifest.webmanifest")
def manifest() -> AnyResponse:
    """Describe the app to those who install it."""
    dark = SURFACES["dark"]
    icons = [
        {"src": f"/{name}", "sizes": f"{side}x{side}", "type": "image/png", "purpose": "maskable" if bleed else "any"}
        for name, (side, bleed) in ICONS.items()
        if name != "apple-touch-icon.png"
    ]
    told = {
        "id": "/",
        "name": "Critical Mass",
        "short_name": "Critical Mass",
        "description": "Chain Reaction by link: a match is its link, and nothing is stored on a server.",
        "lang": "en",
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "orientation": "any",
        "theme_color": dark.page,
        "background_color": dark.page,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": "New game", "url": "/new"}, {"name": "How to play", "url": "/how-to-play"}],
    }
    return _kept(Response(json.dumps(told, indent=1), mimetype="application/manifest+json"))


@cache
def _icon(name: str) -> bytes:
    side, bleed = ICONS[name]
    file = BytesIO()
    icon(side, bleed=bleed).save(file, "PNG", optimize=True)
    return file.getvalue()


@bp.get(f"/<any({', '.join(map(repr, ICONS))}):name>")
def app_icon(name: str) -> AnyResponse:
    """Serve an icon, drawn when it is first asked for."""
    return _kept(Response(_icon(name), mimetype="image/png"))


@cache
def _favicon() -> bytes:
    *smaller, largest = (icon(side, bleed=False) for side in FAVICON)
    file = BytesIO()
    largest.save(file, "ICO", sizes=[(side, side) for side in FAVICON], append_images=smaller)
    return file.getvalue()


@bp.get("/favicon.ico")
def favicon() -> AnyResponse:
    """Serve the icon that browsers ask for where no page names one."""
    return _kept(Response(_favicon(), mimetype="image/vnd.microsoft.icon"))


@bp.get("/sw.js")
def worker() -> AnyResponse:
    """Serve the worker with the version it belongs to: another version is another text, so browsers take it up."""
    assets: dict[str, Asset] = current_app.extensions["assets"]
    files = [
        url_for("assets.serve", digest=asset.digest, name=name) for name, asset in assets.items() if name != WORKER
    ]
    told = {
        "VERSION": current_app.extensions["version"],
        "MARK": MARK,
        "SHELL": SHELL,
        "FILES": files,
        "OPTIONS": OPTIONS,
        "SHOWN": SHOWN,
        "STUCK": STUCK,
        "BEGUN": BEGUN,
        "GAMES": path_pattern(),
    }
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items())
    body = head.encode() + assets[WORKER].body
    return _kept(Response(body, mimetype="text/javascript"), "no-cache")


@bp.get("/offline")
def offline() -> AnyResponse:
    """Say what there is without a network: the worker answers with this page what it does not have."""
    return _kept(Response(render_template("pages/offline.html")), "public, max-age=300")


@bp.get("/robots.txt")
def robots() -> AnyResponse:
    """Keep robots out of the matches, but for those that show a preview of the one they were sent."""
    lines = [f"User-agent: {name}" for name in PREVIEWERS]
    lines += [f"Disallow: {path}" for path in ENDLESS if path != "/sheet"]
    lines += ["", "User-agent: *"]
    lines += [f"Disallow: {path}" for path in (*(game.path for game in GAMES.values()), *ENDLESS)]
    if site := site_url():
        lines += ["", f"Sitemap: {site}{url_for('shell.sitemap')}"]
    return _kept(Response("\n".join(lines) + "\n", mimetype="text/plain"))


@bp.get("/sitemap.xml")
def sitemap() -> AnyResponse:
    """List the pages that are there to be found."""
    site = site_url()
    if not site:
        raise NotFound("This site does not know what it is called.")
    urls = "".join(f"<url><loc>{escape(site + path)}</loc></url>\n" for path in PAGES)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )
    return _kept(Response(text, mimetype="application/xml"))


def _kept(response: Response, keep: str = KEEP) -> AnyResponse:
    response.headers["Cache-Control"] = keep
    response.add_etag()
    return response.make_conditional(request)
