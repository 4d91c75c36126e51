"""Firefox and WebKit behind one small interface, so that one test runs in both.

Firefox speaks WebDriver BiDi over a WebSocket, WebKitGTK's MiniBrowser the older WebDriver over HTTP;
neither needs more than what the distribution's own packages bring.
"""

import base64
import contextlib
import itertools
import json
import shutil
import socket
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import websocket
from processes import Child

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " "}
KEYS |= {f"Arrow{way}": chr(0xE012 + at) for at, way in enumerate(["Left", "Up", "Right", "Down"])}

# Where to click for a selector: a point of the element that no other one covers.
POINT = """(() => {
  const element = document.querySelector(%s);
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element?.getClientRects()[0];
  if (!box) return null;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
  return element.contains(document.elementFromPoint(x, y)) && [x, y];
})()"""


class Engine(ABC):
    """One page in one browser, with a fresh profile."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Load this page to the end."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return what a JavaScript expression is in the page; works without the page's own scripts too."""

    @abstractmethod
    def screenshot(self, path: Path) -> None:
        """Save what the window shows as a PNG file."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page this much room; WebKit's window keeps some for itself, and at least 450 in width."""

    @abstractmethod
    def enter_frame(self) -> None:
        """Take the page's first frame for the page from now on, until another page is gone to."""

    @abstractmethod
    def close(self) -> None:
        """End it and forget all of it."""

    @abstractmethod
    def _back(self) -> None: ...

    @abstractmethod
    def _perform(self, actions: list[dict[str, Any]]) -> None: ...

    @property
    def url(self) -> str:
        """The page's address."""
        return self.evaluate("location.href")

    @property
    def title(self) -> str:
        """The page's title."""
        return self.evaluate("document.title")

    def wait_until(self, expression: str, timeout: float = 10) -> Any:
        """Wait for a JavaScript expression to be true in the page, and return its value."""
        end = time.monotonic() + timeout
        while True:
            try:
                if value := self.evaluate(expression):
                    return value
            except EngineError as error:  # as in between two pages
                value = error
            if time.monotonic() > end:
                raise TimeoutError(f"not true within {timeout:g} s: {expression} (it is {value!r})")
            time.sleep(0.05)

    def back(self) -> None:
        """Go back to the page before, as with the browser's own button."""
        left = self.url
        self._back()
        self.wait_until(f"location.href !== {json.dumps(left)}")

    def click(self, selector: str) -> None:
        """Wait until the element can be clicked, and click it with the mouse."""
        x, y = self.wait_until(POINT % json.dumps(selector))
        self._perform(
            [
                {
                    "type": "pointer",
                    "id": "mouse",
                    "actions": [
                        {"type": "pointerMove", "x": x, "y": y},
                        {"type": "pointerDown", "button": 0},
                        {"type": "pointerUp", "button": 0},
                    ],
                }
            ]
        )

    def press(self, key: str) -> None:
        """Press and release a key, by its name in JavaScript."""
        value = KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._perform([{"type": "key", "id": "keyboard", "actions": actions}])


class EngineError(Exception):
    """The browser says it cannot do that."""


class Firefox(Engine):
    """A tab of its own container in a running Firefox. `errors` has its console errors, CSP included."""

    def __init__(self, connection: "Bidi") -> None:
        self._send = connection.send
        self.errors = connection.errors
        self.errors.clear()
        self._user = self._send("browser.createUserContext")["userContext"]
        self._tab = self._send("browsingContext.create", type="tab", userContext=self._user)["context"]
        self._frame = self._tab

    def goto(self, url: str) -> None:
        self._frame = self._tab
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def enter_frame(self) -> None:
        (tree,) = self._send("browsingContext.getTree", root=self._tab)["contexts"]
        self._frame = tree["children"][0]["context"]

    def evaluate(self, expression: str) -> Any:
        done = self._send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._frame},
            awaitPromise=False,
        )
        if done["type"] == "exception":
            raise EngineError(done["exceptionDetails"]["text"])
        return json.loads(done["result"].get("value", "null"))

    def screenshot(self, path: Path) -> None:
        shot = self._send("browsingContext.captureScreenshot", context=self._tab)
        path.write_bytes(base64.b64decode(shot["data"]))

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def close(self) -> None:
        self._send("browser.removeUserContext", userContext=self._user)

    def _back(self) -> None:
        self._send("browsingContext.traverseHistory", context=self._tab, delta=-1)

    def _perform(self, actions: list[dict[str, Any]]) -> None:
        self._send("input.performActions", context=self._frame, actions=actions)


class Bidi:
    """A WebDriver BiDi connection: commands are answered one at a time, log entries collected meanwhile."""

    def __init__(self, url: str) -> None:
        self.errors: list[str] = []
        self._ids = itertools.count()
        self._socket = websocket.create_connection(url, timeout=30, suppress_origin=True)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **params: Any) -> Any:
        """Send a command and return its result."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (message := json.loads(self._socket.recv())).get("id") != number:
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
        if message["type"] == "error":
            raise EngineError(f"{method}: {message['message']}")
        return message["result"]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


@contextlib.contextmanager
def running_firefox(*, javascript: bool = True) -> Iterator[Bidi]:
    """Run a headless Firefox with an empty profile."""
    command = next(filter(None, map(shutil.which, ["firefox-esr", "firefox"])), "firefox")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        switch = f'user_pref("javascript.enabled", {json.dumps(javascript)});\n'
        (Path(profile) / "user.js").write_text(switch, encoding="utf-8")
        child = Child(command, "--headless", "--profile", profile, "--remote-debugging-port", "0")
        try:
            while not (line := child.next_line(timeout=60)).startswith("WebDriver BiDi listening on "):
                pass
            with contextlib.closing(Bidi(line.split()[-1] + "/session")) as connection:
                yield connection
        finally:
            child.stop()


class WebKit(Engine):
    """A window of WebKitGTK's MiniBrowser, started by a running WebKitWebDriver."""

    def __init__(self, driver: str, *, javascript: bool = True) -> None:
        self._session = driver + "/session"
        options = {
            "binary": _minibrowser(),
            "args": ["--automation", f"--enable-javascript={json.dumps(javascript)}"],
        }
        capabilities = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        new = self._send("POST", "", capabilities={"alwaysMatch": capabilities})
        self._session += "/" + new["sessionId"]

    def _send(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self._session + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise EngineError(f"{path}: {json.load(error)['value']['message']}") from None

    def goto(self, url: str) -> None:
        self._send("POST", "/frame", id=None)
        self._send("POST", "/url", url=url)

    def enter_frame(self) -> None:
        self._send("POST", "/frame", id=0)

    def evaluate(self, expression: str) -> Any:
        return self._send("POST", "/execute/sync", script=f"return ({expression})", args=[])

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def resize(self, width: int, height: int) -> None:
        self._send("POST", "/window/rect", width=width, height=height)

    def close(self) -> None:
        self._send("DELETE", "")

    def _back(self) -> None:
        self._send("POST", "/back")

    def _perform(self, actions: list[dict[str, Any]]) -> None:
        self._send("POST", "/actions", actions=actions)


def _minibrowser() -> str:
    folders = [Path("/usr/libexec"), *Path("/usr/lib").iterdir()]
    return next(str(path) for folder in folders for path in folder.glob("webkit*gtk-*/MiniBrowser"))


@contextlib.contextmanager
def running_webkit_driver() -> Iterator[str]:
    """Run WebKitWebDriver with a screen of its own, and give its address."""
    with contextlib.ExitStack() as stack:
        screen = Child("Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
        stack.callback(screen.stop)
        while not (display := screen.next_line(timeout=30)).isdigit():
            pass
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        driver = Child("WebKitWebDriver", f"--port={port}", env={"DISPLAY": f":{display}"})
        stack.callback(driver.stop)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
