"""What every test shares: the running server, and no quiet gaps in CI."""

import os
import signal
from collections.abc import Iterator

import pytest
from processes import Server, running_server


def pytest_configure() -> None:
    """Heed Ctrl+C: a shell that runs the tests in the background has them, and all that they start, ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The real server, in a process of its own, for the whole run."""
    with running_server() as server:
        yield server


def _gaps(config: pytest.Config) -> str:
    """What did not run for real, if that matters: in CI every test has to."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("CI") or reporter is None:
        return ""
    counts = {kind: len(reporter.stats.get(kind, [])) for kind in ("skipped", "deselected", "xfailed")}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.exitstatus == pytest.ExitCode.OK and _gaps(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if gaps := _gaps(config):
        terminalreporter.write_line(f"CI is set and not every test ran: {gaps}. The run fails.", red=True)
