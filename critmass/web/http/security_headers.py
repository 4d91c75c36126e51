"""What every answer says to browsers about what it may do, and who may use it: pages, pictures and errors alike."""

from urllib.parse import urlsplit

from flask import Flask, Response, g, request

from critmass.web.http.origin import site_url


def _policy(own: str = "'self'", framers: str = "'none'") -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {own}",
            f"style-src {own}",
            f"img-src {own}",
            f"connect-src {own}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "object-src 'none'",
            "form-action 'self'",
            "base-uri 'none'",
            f"frame-ancestors {framers}",
        )
    )


POLICY = _policy()
"""The content security policy: nothing from elsewhere, nothing inline."""

FRAMED = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    # A page that isolates itself shows only frames that do so too.
    "Cross-Origin-Embedder-Policy": "require-corp",
}
"""What the bare board says besides, which anybody may put into a frame, however strict the page around it is."""

PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "HX-Request, HX-Request-Type, HX-Source, HX-Target, HX-Current-URL",
    "Access-Control-Max-Age": "86400",
}
"""What is answered to a sandboxed frame that asks whether it may ask for a part, with htmx's own headers."""

FILE_POLICY = "; ".join(f"{name} 'none'" for name in ("default-src", "object-src", "form-action", "base-uri"))
FILE_POLICY += "; frame-ancestors 'none'"
"""That of a file that is no page and needs nothing; each visit pays for its bytes several times."""

_UNUSED = ("camera", "microphone", "geolocation", "payment", "usb")

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED),
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What an answer says that says nothing else itself."""

STRICT_TRANSPORT = "max-age=31536000"
"""A year of https alone, for this name: of others below it this site knows nothing."""


def init_app(app: Flask) -> None:
    """Put them on every answer of the app."""
    app.after_request(_protect)


def _framed_policy(site: str) -> str:
    """Return the policy of the bare board, which anybody may frame.

    For a page in a sandbox WebKit takes `'self'` to be nobody (bug 316847), so the site is named beside it.
    """
    parts = urlsplit(site)
    return _policy(f"'self' {parts.scheme}://{parts.netloc}" if site and site.isascii() else "'self'", "*")


def _protect(response: Response) -> Response:
    framed = g.get("framed", False)
    if framed:
        response.headers["Content-Security-Policy"] = _framed_policy(site_url())
        response.headers.update(FRAMED)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
        if not framed:  # without TLS browsers ignore it, and say so in the console
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if request.method not in ("GET", "HEAD"):
        response.headers["Cache-Control"] = "no-store"
    return response
