"""Sees to it that a page does nothing it should not, whatever else a test looks at."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response

# Chromium reports most violations on the console by itself; this names them all in one form.
REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP violation: ${event.effectiveDirective} ${event.blockedURI}`), true);
"""


class Watch:
    """Collects console errors, uncaught errors, CSP violations, foreign requests and 5xx answers."""

    def __init__(self, *origins: str) -> None:
        self.origins = origins
        self.seen: list[str] = []
        self._expected: list[str] = []

    def add(self, context: BrowserContext) -> None:
        """Watch every page of this context from now on."""
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.seen.append(f"uncaught: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert"):
            self.seen.append(f"console: {message.text} ({message.location.get('url')})")

    def _request(self, request: Request) -> None:
        origin = re.match(r"(?:https?|wss?)://[^/?#]+", request.url)
        if origin and origin[0] not in self.origins:
            self.seen.append(f"foreign request: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.seen.append(f"answer {response.status}: {response.url}")

    def expect(self, pattern: str) -> None:
        """Say that something matching this pattern is to be seen by the end of the test."""
        self._expected.append(pattern)

    def check(self) -> None:
        """Fail on whatever was seen unexpectedly, or expected and not seen."""
        wrong = [line for line in self.seen if not any(re.search(each, line) for each in self._expected)]
        wrong += [
            f"expected and not seen: {each}"
            for each in self._expected
            if not any(re.search(each, line) for line in self.seen)
        ]
        assert not wrong, "\n".join(["The browser saw:", *wrong])
