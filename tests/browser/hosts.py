"""Another site, and a page of it with a frame."""

import threading
from dataclasses import dataclass
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Kind:
    """How a page of somebody else's holds its frame."""

    sandbox: str | None = None
    """What the sandbox allows; `None` without one."""
    embedder: str | None = None
    """The page's own embedder policy: what it shows from elsewhere has to agree to it."""


PLAIN = Kind()
SANDBOXED = Kind(sandbox="allow-scripts")
BARE = Kind(sandbox="")
ISOLATED = Kind(embedder="require-corp")
KINDS = {
    "plain": PLAIN,
    "sandboxed": SANDBOXED,
    "isolated": ISOLATED,
    "credentialless": Kind(embedder="credentialless"),
    "sandboxed-and-isolated": Kind("allow-scripts", "require-corp"),
}
"""Those in which scripts run."""
SCRIPTLESS = {"bare": BARE, "bare-and-isolated": Kind("", "require-corp")}


class Host:
    """A page of another site, which has one frame in its upper left corner; a secure context, as most pages are."""

    def __init__(self) -> None:
        self.source, self.size, self.kind = "", (480, 640), PLAIN
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = host.page.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                if host.kind.embedder:
                    self.send_header("Cross-Origin-Embedder-Policy", host.kind.embedder)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def page(self) -> str:
        """The page as it is served."""
        width, height = self.size
        sandbox = "" if self.kind.sandbox is None else f' sandbox="{self.kind.sandbox}"'
        frame = f'<iframe src="{escape(self.source)}" width="{width}" height="{height}"{sandbox}></iframe>'
        style = "<style>body { margin: 0 } iframe { border: 0 }</style>"
        return f"<!doctype html><title>Blog</title><link rel=icon href=data:,>{style}{frame}"

    def put(self, source: str, size: tuple[int, int] = (480, 640), kind: Kind = PLAIN) -> str:
        """Have that in the frame from now on, and return the address of the page."""
        self.source, self.size, self.kind = source, size, kind
        return f"{self.url}/"

    def close(self) -> None:
        """End the site."""
        self.server.shutdown()
        self.server.server_close()
