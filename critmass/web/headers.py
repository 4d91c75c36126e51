"""What every answer says to browsers about what it may do, and who may use it: pages, pictures and errors alike."""

from flask import Flask, Response, g, request

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""The content security policy: nothing from elsewhere, nothing inline."""

FRAMED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The same for the bare board, which anybody may put into a frame."""

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


def _protect(response: Response) -> Response:
    framed = g.get("framed", False)
    if framed:
        response.headers["Content-Security-Policy"] = FRAMED_POLICY
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
        if not framed:  # without TLS browsers ignore it, and say so in the console
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if request.method not in ("GET", "HEAD"):
        response.headers["Cache-Control"] = "no-store"
    return response
