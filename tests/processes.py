"""Child processes of the tests: the game's own server, and whatever else speaks in lines."""

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


class Child:
    """A child process whose output is read as it comes, so that it never blocks on a full pipe."""

    def __init__(
        self,
        *command: str,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        self.output: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            env=env and {**os.environ, **env},
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,  # so that stop() reaches its children too
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self.output.append(line.rstrip("\n"))
            self._lines.put(self.output[-1])
        self._lines.put(None)

    def next_line(self, timeout: float) -> str:
        """Wait for a line nobody has taken yet."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"silent for {timeout:g} s after:\n{self}") from None
        if line is None:
            raise EOFError(f"ended after:\n{self}")
        return line

    def say(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, timeout: float) -> int:
        """Wait until it ends by itself, and return its exit code."""
        return self._process.wait(timeout)

    def stop(self, timeout: float = 10) -> int:
        """End it, gently at first, and return its exit code."""
        self._process.terminate()
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            code = self._process.wait()
            self._reader.join()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        return code

    def __str__(self) -> str:
        return "\n".join(self.output)


@dataclass(frozen=True)
class Server:
    """A running server: `url` has no slash at its end, `child` is its process."""

    url: str
    port: int
    child: Child


@contextlib.contextmanager
def running_server(
    *arguments: str, dies: bool = False, cwd: Path | None = None, **environment: str
) -> Iterator[Server]:
    """Run `critmass serve` with these arguments on a free port, and check that it ends well, unless it is to die.

    The program is the one in the folder `cwd`, if there is one in it.
    """
    child = Child(
        *(sys.executable, "-m", "critmass", "serve", "--host", "127.0.0.1", "--port", "0", *arguments),
        env=environment,
        cwd=cwd,
    )
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", child.next_line(timeout=30))):
            pass
        yield Server(found[0], int(found[1]), child)
    finally:
        code = child.stop()
    assert code == 0 or dies, f"the server ended with {code} after:\n{child}"
    assert "Traceback" not in str(child), f"the server broke:\n{child}"
