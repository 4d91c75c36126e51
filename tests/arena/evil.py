"""Bots that do what no bot should: `evil.py KIND MARK`. They play their first turn, and are evil from the second on.

The mark is for the tests to find their processes by.
"""

import os
import signal
import sys
import time


def answer() -> bool:
    """Read a turn, if there is one, and leave the move to the referee."""
    if not os.read(0, 4096):
        return False
    os.write(1, b"random\n")
    return True


def hang() -> None:
    while True:
        time.sleep(60)


def escape() -> None:
    """Leave the session, and the parent, and go on."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for pipe in range(3):
        os.close(pipe)
    hang()


def crash() -> None:
    print("Traceback: it hurts", file=sys.stderr)
    os._exit(3)


def segfault() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)
    hang()


def leave() -> None:
    os._exit(0)


def close_output() -> None:
    os.close(1)
    hang()


def close_all() -> None:
    for pipe in range(3):
        os.close(pipe)
    hang()


def flood() -> None:
    """Write a gigabyte without a newline; nobody should want to read it."""
    for _ in range(1 << 14):
        os.write(1, b"x" * (1 << 16))
    hang()


def long_line() -> None:
    os.write(1, b"a1 " + 9000 * b"x" + b"\n")
    hang()


def endless_stderr() -> None:
    while True:
        os.write(2, b"e" * (1 << 16))


def stubborn() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    hang()


def fork() -> None:
    """Have many children, grandchildren among them, and wait for ever."""
    for _ in range(20):
        if not os.fork():
            os.fork()
            stubborn()
    hang()


def fork_and_leave() -> None:
    """Leave the pipes to a child that says nothing."""
    if not os.fork():
        hang()
    os._exit(0)


def hop() -> None:
    """Run away for ever: be another process, in another session, before anybody can point at it."""
    if not os.fork():
        for pipe in range(3):
            os.close(pipe)
        while True:
            os.setsid()
            if os.fork():
                os._exit(0)
    hang()


def kill_parent() -> None:
    """Kill the referee."""
    os.kill(os.getppid(), signal.SIGKILL)


def escape_and_play() -> None:
    escape()
    while answer():
        pass


def chatty() -> None:
    """Write a lot to stderr every turn, and play on."""
    while answer():
        for _ in range(8):
            os.write(2, b"debug " * 10000)
        os.write(2, b"the end\n")


def deaf() -> None:
    """Close the input, but have all answers ready."""
    os.close(0)
    os.write(1, 300 * b"random\n")
    hang()


def slow() -> None:
    """Answer late, but answer."""
    os.read(0, 4096)
    time.sleep(0.7)
    os.write(1, b"random\n")
    hang()


def main(kind: str, _mark: str) -> None:
    answer()
    {name: it for name, it in globals().items() if callable(it)}[kind]()


if __name__ == "__main__":
    main(*sys.argv[1:])
