"""Chromium through Playwright, with every page watched; Firefox and WebKit through `engines`."""

import http.client
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from engines import Bidi, Engine, Firefox, WebKit, running_firefox, running_webkit_driver
from gateway import Gateway
from hosts import Host
from playwright.sync_api import BrowserContext, BrowserType, Page
from processes import Server
from watch import Watch

# Two players at one device: what a module asks for that sets ONE_DEVICE.
BOTH_SIDES = """
document.addEventListener("critmass:shown", ({ detail }) => setTimeout(() => {
  const both = detail.querySelector('[data-memory="both"]');
  if (both && !both.closest("[hidden]")) both.click();
}));
"""
INSECURE_HOST = "play.test"  # plain HTTP that is not the machine itself: no secure context


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a browser that a busy machine kept waiting a second chance; the summary says so."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Where the pages are: `page.goto("/")` starts from here."""
    return server.url


@pytest.fixture(scope="session")
def insecure_url(server: Server) -> str:
    """The same server under a name that makes the page no secure context."""
    return f"http://{INSECURE_HOST}:{server.port}"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, cut off from the network, with the back/forward cache that users have."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return {
        **browser_type_launch_args,
        "executable_path": next(filter(None, map(shutil.which, filter(None, names))), None),
        "args": [
            f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1, MAP localhost 127.0.0.1, "
            "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
        "ignore_default_args": ["--disable-back-forward-cache"],
    }


@pytest.fixture
def watch(base_url: str, insecure_url: str) -> Iterator[Watch]:
    """What this test's pages do wrong; it fails at the end on all that it did not `expect`."""
    watch = Watch(base_url, insecure_url)
    yield watch
    watch.check()


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], watch: Watch, request: pytest.FixtureRequest
) -> Callable[..., BrowserContext]:
    """Make a browser context; it is watched, and so are `context` and `page`, which come from here."""

    def make(**options: Any) -> BrowserContext:
        # The worker answers what a test would route; those that are about it allow it.
        context = new_context(**{"service_workers": "block", **options})
        watch.add(context)
        if getattr(request.module, "ONE_DEVICE", False):
            context.add_init_script(BOTH_SIDES)
        return context

    return make


@pytest.fixture
def host(watch: Watch) -> Iterator[Host]:
    """Another site, whose page has a frame."""
    host = Host()
    watch.origins = (*watch.origins, host.url)
    yield host
    host.close()


@pytest.fixture
def gateway(watch: Watch) -> Iterator[Gateway]:
    """The app behind something that may answer in its place."""
    gateway = Gateway()
    watch.origins = (*watch.origins, gateway.url)
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def awake(server: Server) -> None:
    """The computer at its full strength, in every process of the server that may be asked."""
    end, times = time.monotonic() + 120, 0
    while times < 20:  # each connection is taken by one or the other
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/hint?link=/m/")
        times = times + 1 if connection.getresponse().status == 200 else 0
        connection.close()
        assert time.monotonic() < end
        time.sleep(0 if times else 0.2)


class Profile:
    """A Chromium that keeps its profile, so that its last tab can be restored after it was closed."""

    def __init__(self, open_context: Callable[[], BrowserContext]) -> None:
        self._open_context = open_context
        self._context = open_context()
        self.page = self._context.pages[0]

    def restart(self) -> Page:
        """Close the browser, start it again, and return the tab it restores."""
        url = self.page.url
        self.close()
        self._context = self._open_context()
        end = time.monotonic() + 10
        while not (tabs := [page for page in self._context.pages if page.url == url]):
            assert time.monotonic() < end, f"{url} was not restored"
            self._context.pages[0].wait_for_timeout(50)
        self.page = tabs[0]
        self.page.wait_for_load_state()
        return self.page

    def close(self) -> None:
        """Close the browser as its user would."""
        self._context.close()


@pytest.fixture
def profile(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    base_url: str,
    watch: Watch,
    tmp_path: Path,
) -> Iterator[Profile]:
    """A browser to close and start again."""
    options = {**browser_type_launch_args, "base_url": base_url}
    options["args"] = [*options["args"], "--restore-last-session"]

    def open_context() -> BrowserContext:
        context = browser_type.launch_persistent_context(tmp_path / "profile", **options)
        watch.add(context)
        context.add_init_script(BOTH_SIDES)
        return context

    profile = Profile(open_context)
    yield profile
    profile.close()


@pytest.fixture(scope="session")
def firefox() -> Iterator[Bidi]:
    """A running Firefox."""
    with running_firefox() as connection:
        yield connection


@pytest.fixture(scope="session")
def webkit_driver() -> Iterator[str]:
    """A running WebKitWebDriver."""
    with running_webkit_driver() as driver:
        yield driver


@pytest.fixture(params=["firefox", "webkit"])
def other_browser(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A fresh page in Firefox, then in WebKit."""
    with _engine(request, javascript=True) as engine:
        yield engine


@pytest.fixture(params=["firefox", "webkit"])
def other_browser_without_scripts(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """The same with JavaScript turned off for the page; `evaluate` works still."""
    with _engine(request, javascript=False) as engine:
        yield engine


@contextmanager
def _engine(request: pytest.FixtureRequest, *, javascript: bool) -> Iterator[Engine]:
    with ExitStack() as stack:
        if request.param == "webkit":
            engine: Engine = WebKit(request.getfixturevalue("webkit_driver"), javascript=javascript)
        elif javascript:
            engine = Firefox(request.getfixturevalue("firefox"))
        else:
            engine = Firefox(stack.enter_context(running_firefox(javascript=False)))
        stack.callback(engine.close)
        yield engine
